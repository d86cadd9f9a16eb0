import type { Static, TSchema } from '@sinclair/typebox';
import type * as events from '../../nodes/SignVerify/api/events';
import type * as nodes from '../../nodes/SignVerify/api/types';
import type { Envelope } from '../../nodes/SignVerify/http/response';
import type * as sandbox from '../../sandbox/schemas';

/*
 * The code contains the contract twice: as types in the nodes, which ship without TypeBox, and as schemas in
 * the sandbox, from which openapi.json is made. Nothing in this file runs. The compiler (`npm run lint`,
 * "Types") compares both in both directions, and its messages name each field that differs.
 */

/** Whether two types are identical, not just assignable to each other. */
type Identical<A, B> =
	(<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type IsUnion<A, Whole = A> = A extends unknown ? ([Whole] extends [A] ? false : true) : never;

/**
 * Whether two types are assignable to each other. This is enough for unions of objects, because their members
 * are compared separately.
 */
type Interchangeable<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type IsOptional<A, Key extends keyof A> = object extends Pick<A, Key> ? true : false;

type OfProperties<A, B, Path extends string> = {
	[Key in (keyof A | keyof B) & string]-?: Key extends keyof A & keyof B
		? IsOptional<A, Key> extends IsOptional<B, Key>
			? Differences<Exclude<A[Key], undefined>, Exclude<B[Key], undefined>, `${Path}.${Key}`>
			: `${Path}.${Key}`
		: `${Path}.${Key}`;
}[(keyof A | keyof B) & string];

/** The differences between two types, as a union of paths such as `Document.signatory[].isSigned`. */
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

/**
 * If there is a difference, this does not compile, and the compiler's message contains the path of the
 * difference.
 */
type Same<Paths extends never> = Paths;

/** The differences between one of the nodes' types and one of the sandbox's schemas. */
type Of<Name extends string, Type, Schema extends keyof typeof sandbox> = Differences<
	Type,
	(typeof sandbox)[Schema] extends infer S extends TSchema ? Static<S> : never,
	Name
>;

/** The objects that the nodes send. */
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

/** The parts of the service's responses that the nodes' types describe in full. */
export type Answers = Same<
	[
		Of<'Envelope', Envelope, 'AnyEnvelopeSchema'>,
		Of<'WebhookRegistration', nodes.Webhook, 'QuirkyWebhookRegistrationSchema'>,
		Of<'TemplateVariable', nodes.TemplateVariable, 'TemplateInputSchema'>,
	][number]
>;

type IdentityEventType = Extract<(typeof events.events)[number], { about: 'identity' }>['type'];

export type Events = Same<
	[
		Differences<events.EventType, sandbox.EventType, 'EventType'>,
		Differences<IdentityEventType, sandbox.IdentityEventType, 'IdentityEventType'>,
	][number]
>;
