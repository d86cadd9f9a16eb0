import { Type, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { checkPng, PngRefusal } from '../documents/png';
import { seedTemplates } from '../documents/templates';
import { SettingsSchema } from '../schemas/control';
import { LogEntrySchema } from '../schemas/document';
import { StaticSignPositionSchema } from '../schemas/requests';
import { madeUpTemplates } from '../seed/templates';
import { EARLIEST, LATEST } from '../util/clock';
import { SAVED_STATE_VERSION, type SavedState } from './records';

/** Says why a state cannot be loaded. */
export class StateRefusal extends Error {
	override readonly name = 'StateRefusal';
}

const Time = Type.Number({ minimum: EARLIEST, maximum: LATEST });
const Id = Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const byId = <T extends TSchema>(schema: T) =>
	Type.Record(Id, schema, { additionalProperties: false });
const oneOf = <const T extends string[]>(...values: T) =>
	Type.Union(values.map((value) => Type.Literal(value as T[number])));

const AccountSchema = Type.Object({
	userId: Type.String(),
	apiKey: Type.String(),
	fileKey: Type.String({ minLength: 1 }),
	tokens: Type.Record(Type.String(), Type.Number()),
	seeded: optional(
		Type.Object({
			templates: Type.Integer({ minimum: 0, maximum: 999_999 }),
			documents: Type.Integer({ minimum: 0, maximum: 999_999 }),
		}),
	),
	startedWith: optional(Type.String()),
	clock: optional(Type.Object({ offset: Type.Number(), frozenAt: optional(Type.Number()) })),
});

const MarkSchema = Type.Union([
	Type.Object({ kind: Type.Literal('typed'), text: Type.String() }),
	Type.Object({ kind: Type.Literal('drawn'), png: Type.String() }),
]);

const SignatorySchema = Type.Object({
	id: Id,
	signatoryID: Id,
	name: Type.String(),
	email: Type.String(),
	token: Type.String({ minLength: 1 }),
	linkExpiresAt: Time,
	mailed: Type.Boolean(),
	mailError: optional(Type.String()),
	viewedAt: optional(Time),
	signedAt: optional(Time),
	mark: optional(MarkSchema),
	answers: Type.Record(Type.String(), Type.String()),
});

const DocumentSchema = Type.Object({
	documentID: Id,
	templateID: Type.String(),
	title: Type.String(),
	inputs: Type.Record(Type.String(), Type.String()),
	country: Type.String(),
	positions: Type.Array(StaticSignPositionSchema),
	signatories: Type.Array(SignatorySchema),
	createdAt: Time,
	modifiedAt: Time,
	completedAt: optional(Time),
	documentHash: Type.String(),
	signedBytes: Type.Number({ minimum: 0 }),
	log: Type.Array(LogEntrySchema),
});

const Points = optional(Type.Number({ minimum: 0, maximum: 100 }));

const IdentitySchema = Type.Object({
	validationId: Id,
	token: Type.String({ minLength: 1 }),
	email: Type.String(),
	type: Type.String(),
	backgroundCheck: Type.Boolean(),
	status: oneOf('CREATED', 'IN_PROGRESS', 'COMPLETED'),
	createdAt: Time,
	outcome: optional(oneOf('pass', 'fail', 'manualReview')),
	scores: optional(
		Type.Object({ idValidation: Points, liveness: Points, faceRecognition: Points }),
	),
	customerId: Type.Union([Type.String(), Type.Null()]),
});

const WebhookSchema = Type.Object({
	webHookID: Id,
	kind: oneOf('document', 'identity'),
	type: Type.String(),
	webHookUrl: Type.String({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' }),
	addedOn: Time,
	name: Type.String(),
});

const DeliverySchema = Type.Object({
	id: Id,
	webHookID: Type.String(),
	subjectId: Type.String(),
	type: Type.String(),
	url: Type.String({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' }),
	at: Time,
	json: Type.String(),
	attempts: Type.Array(
		Type.Object({
			at: Time,
			status: optional(Type.Integer()),
			error: optional(Type.String()),
			durationMs: Type.Number(),
		}),
	),
	state: oneOf('pending', 'delivered', 'failed'),
	notBefore: optional(Time),
	untilOvertaken: optional(Type.Boolean()),
	twice: optional(Type.Boolean()),
	isRepeat: optional(Type.Boolean()),
	manual: optional(Type.Boolean()),
});

const ImageSchema = Type.Object({
	mimeType: oneOf('image/png', 'image/jpeg'),
	fileName: Type.String(),
	content: Type.String(),
});

const MailSchema = Type.Object({
	id: Id,
	from: Type.String(),
	to: Type.Array(Type.String()),
	subject: Type.String(),
	receivedAt: Time,
	text: Type.String(),
	html: Type.String(),
	attachments: Type.Array(
		Type.Object({ fileName: Type.String(), mimeType: Type.String(), size: Type.Number() }),
	),
	contents: Type.Array(Type.String()),
});

const SavedStateSchema = Type.Object({
	signingSandbox: Type.Literal(SAVED_STATE_VERSION),
	savedAt: Type.String(),
	account: AccountSchema,
	settings: SettingsSchema,
	documents: byId(DocumentSchema),
	'identity-requests': byId(IdentitySchema),
	'identity-images': byId(ImageSchema),
	webhooks: byId(WebhookSchema),
	deliveries: byId(DeliverySchema),
	mails: byId(MailSchema),
});

/**
 * Checks a state that somebody brings: nothing in it may break the sandbox later.
 * @throws StateRefusal naming the first thing that is wrong.
 */
export function readSavedState(given: unknown): SavedState {
	if (typeof given !== 'object' || given === null || !('signingSandbox' in given)) {
		throw new StateRefusal('This is not a saved state of the sandbox');
	}
	if (given.signingSandbox !== SAVED_STATE_VERSION) {
		throw new StateRefusal('This state was saved by another version of the sandbox');
	}
	if (!Value.Check(SavedStateSchema, given)) {
		const { path = '', message = '' } = Value.Errors(SavedStateSchema, given).First() ?? {};
		throw new StateRefusal(`The saved state has a mistake at ${path || '/'}: ${message}`);
	}
	const savedAt = Date.parse(given.savedAt);
	if (!(savedAt >= EARLIEST && savedAt < LATEST)) {
		throw new StateRefusal('The saved state has a mistake at /savedAt: Expected a time');
	}
	checkTemplates(given);
	for (const [id, { json }] of Object.entries(given.deliveries)) checkJson(id, json);
	for (const [id, { signatories }] of Object.entries(given.documents)) {
		for (const { mark } of signatories) if (mark?.kind === 'drawn') checkDrawing(id, mark.png);
	}
	return given;
}

function checkTemplates({ account, documents }: SavedState): void {
	const all = [...seedTemplates(), ...madeUpTemplates(account.seeded?.templates ?? 0)];
	const known = new Set(all.map(({ templateID }) => templateID));
	for (const { documentID, templateID } of Object.values(documents)) {
		if (known.has(templateID)) continue;
		throw new StateRefusal(
			`Document ${documentID} was made from template ${templateID.slice(0, 80)}, which this version of the sandbox does not have`,
		);
	}
}

function checkJson(id: string, json: string): void {
	try {
		JSON.parse(json);
	} catch {
		throw new StateRefusal(`The saved state has a mistake at /deliveries/${id}/json: not JSON`);
	}
}

function checkDrawing(id: string, png: string): void {
	try {
		checkPng(Buffer.from(png, 'base64'));
	} catch (error) {
		if (!(error instanceof PngRefusal)) throw error;
		throw new StateRefusal(`The saved state has a mistake at /documents/${id}: ${error.message}`);
	}
}
