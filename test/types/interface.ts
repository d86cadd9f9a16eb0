import type { Static, TSchema } from '@sinclair/typebox';
import type * as events from '../../nodes/SignVerify/api/events';
import type * as nodes from '../../nodes/SignVerify/api/types';
import type { Envelope } from '../../nodes/SignVerify/http/response';
import type * as sandbox from '../../sandbox/schemas';

/*
 * The contract stands twice in code: as types in the nodes, which ship without TypeBox, and as
 * schemas in the sandbox, which make openapi.json. Nothing here runs. The compiler (`npm run lint`,
 * "Types") compares both, in both directions, and names each field that differs.
 */

/** Whether two types are one and the same, not only assignable. */
type Identical<A, B> =
	(<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type IsUnion<A, Whole = A> = A extends unknown ? ([Whole] extends [A] ? false : true) : never;

/** Whether each fits the other. For unions of objects, whose members are compared on their own. */
type Interchangeable<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Whether a property can be left out. */
type IsOptional<A, Key extends keyof A> = object extends Pick<A, Key> ? true : false;

type OfProperties<A, B, Path extends string> = {
	[Key in (keyof A | keyof B) & string]-?: Key extends keyof A & keyof B
		? IsOptional<A, Key> extends IsOptional<B, Key>
			? Differences<Exclude<A[Key], undefined>, Exclude<B[Key], undefined>, `${Path}.${Key}`>
			: `${Path}.${Key}`
		: `${Path}.${Key}`;
}[(keyof A | keyof B) & string];

/** Where two types differ: a union of paths such as `Document.signatory[].isSigned`. */
type Differences<A, B, Path extends string> =
	Identical<A, B> extends true
		? never
		: [A, B] extends [Array<infer ElementA>, Array<infer ElementB>]
			? Differences<ElementA, ElementB, `${Path}[]`>
			: [A, B] extends [object, object]
				? true extends IsUnion<A> | IsUnion<B>
					? Interchangeable<A, B> extends true
						? never
						: Path
					: OfProperties<A, B, Path>
				: Path;

/** Does not compile if there is a path: the compiler's message has it. */
type Same<Paths extends never> = Paths;

/** Where a type of the nodes and a schema of the sandbox differ. */
type Of<Name extends string, Type, Schema extends keyof typeof sandbox> = Differences<
	Type,
	(typeof sandbox)[Schema] extends infer S extends TSchema ? Static<S> : never,
	Name
>;

/** What the nodes send. */
export type Requests = Same<
	[
		Of<'CreateDocumentBody', nodes.CreateDocumentBody, 'CreateV1BodySchema'>,
		Of<
			'CreateDocumentBody (version 2)',
			Omit<nodes.CreateDocumentBody, 'staticSignPositions'>,
			'CreateV2BodySchema'
		>,
		Of<'StaticSignPosition', nodes.StaticSignPosition, 'StaticSignPositionSchema'>,
		Of<'IdentityRequestBody', nodes.IdentityRequestBody, 'IdentityBodySchema'>,
	][number]
>;

/** What the service answers, and the nodes output whole. */
export type Answers = Same<
	[
		Of<'Envelope', Envelope, 'AnyEnvelopeSchema'>,
		Of<'WebhookRegistration', nodes.Webhook, 'QuirkyWebhookRegistrationSchema'>,
		Of<'TemplateVariable', nodes.TemplateVariable, 'TemplateInputSchema'>,
	][number]
>;

type IdentityEventType = Extract<(typeof events.events)[number], { about: 'identity' }>['type'];

/** Which events there are. */
export type Events = Same<
	[
		Differences<events.EventType, sandbox.EventType, 'EventType'>,
		Differences<IdentityEventType, sandbox.IdentityEventType, 'IdentityEventType'>,
	][number]
>;
