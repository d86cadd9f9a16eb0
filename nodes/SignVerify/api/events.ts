import type { INodePropertyOptions } from 'n8n-workflow';

/** Each subject has its own endpoint for registering webhooks, and its own ID in notifications. */
export type EventSubject = 'document' | 'identity';

export const nounOf: Record<EventSubject, string> = {
	document: 'the document',
	identity: 'the identity request',
};

/** The documented parts of a notification's body (docs/dev/service.md#notification-body). */
interface DocumentedBody {
	/**
	 * The values that together identify an event among all events of its type. They're the same in every
	 * delivery of the event. For instance, a document is completed only once, so its ID alone identifies that
	 * event.
	 */
	idParts: ReadonlyArray<'document' | 'signatory' | 'happenedAt'>;
	/** How many of the document's files the body links to. */
	files: 'all' | 'some' | 'none';
}

/**
 * What an event means for its document or identity request. Every event but an `open` one ends a wait.
 * - `open`: The document or the request goes on.
 * - `completed`: Everyone has signed, if the document itself confirms it
 *   (docs/dev/behavior.md#how-a-document-event-is-interpreted). Otherwise, the event is refused.
 * - `canceled`: The document will never be completed, unless its status says that it is.
 * - `finished`: The request is over. The service is asked whether the person passed.
 */
type EventMeaning =
	{ about: 'document'; means: DocumentMeaning } | { about: 'identity'; means: 'open' | 'finished' };

export type DocumentMeaning = 'open' | 'completed' | 'canceled';

/** What happened to the signatory that an event is about: with `failed`, the identity check. */
export type SignatoryAction = 'received' | 'signed' | 'failed' | 'pending';

/**
 * Everything that the nodes know about an event type. To add an event, add a row
 * (docs/dev/adding-an-operation.md, "Add an event").
 */
export type EventRow = EventMeaning & {
	/** The service's name for the event. Saved workflows contain it, so it must never change. */
	type: string;
	/** The event's name in the form, in title case: "When One Person Signs". */
	name: string;
	description: string;
	/** Undefined if the event isn't about a single signatory. */
	signatory?: SignatoryAction;
	/**
	 * Undefined if the service doesn't document the body. In that case, the body can be any JSON object.
	 * Always undefined for identity events, because these facts are about a document.
	 */
	body?: DocumentedBody;
};

/** All events (docs/dev/service.md#events), in the order they appear in the form: the most used ones first. */
export const events = [
	{
		type: 'completedDocument',
		name: 'When Everyone Has Signed',
		description: 'Everyone has signed. Includes links to the signed document and its certificates.',
		about: 'document',
		means: 'completed',
		body: { idParts: ['document'], files: 'all' },
	},
	{
		type: 'signDocument',
		name: 'When One Person Signs',
		description: 'A signatory has signed. With three signatories, this happens three times.',
		about: 'document',
		means: 'open',
		signatory: 'signed',
		body: { idParts: ['document', 'signatory'], files: 'none' },
	},
	{
		type: 'sendDocument',
		name: 'When a Document Is Sent',
		description:
			'The document was sent to a signatory. With three signatories, this can happen three times.',
		about: 'document',
		means: 'open',
		signatory: 'received',
		body: { idParts: ['document', 'signatory', 'happenedAt'], files: 'some' },
	},
	{
		type: 'VERIFICATION_REQUEST_FINISHED',
		name: 'When an Identity Verification Is Finished',
		description: "An identity verification that isn't part of signing a document has ended",
		about: 'identity',
		means: 'finished',
	},
	{
		type: 'failedBiometric',
		name: "When a Signatory's Identity Check Fails",
		description: 'During signing, an identity check failed',
		about: 'document',
		means: 'open',
		signatory: 'failed',
	},
	{
		type: 'pendingBiometric',
		name: "When a Signatory's Identity Check Goes to Manual Review",
		description: 'During signing, an identity check was sent to manual review',
		about: 'document',
		means: 'open',
		signatory: 'pending',
	},
	{
		type: 'failedBiometricRequest',
		name: "When a Signatory's Identity Image Is Unreadable",
		description: "During signing, an image for an identity check couldn't be read",
		about: 'document',
		means: 'open',
		signatory: 'failed',
	},
] as const satisfies EventRow[];

export type EventType = (typeof events)[number]['type'];

const rows: ReadonlyArray<EventRow & { type: EventType }> = events;

/** The choices in a form. Without an `action`, n8n's trigger list would put "On" before the name. */
export const eventChoices = rows.map(({ type, name, description }) => ({
	name,
	action: name.charAt(0) + name.slice(1).toLowerCase(),
	value: type,
	description,
})) satisfies INodePropertyOptions[];

export function eventRow(type: EventType): EventRow;
export function eventRow(type: unknown): EventRow | undefined;
export function eventRow(type: unknown): EventRow | undefined {
	return rows.find((row) => row.type === type);
}

export function isEvent(value: unknown): value is EventType {
	return eventRow(value) !== undefined;
}

export function isIdentityEvent(value: unknown): boolean {
	return eventRow(value)?.about === 'identity';
}

export const identityEvents = rows
	.filter(({ about }) => about === 'identity')
	.map(({ type }) => type);

/** Each subject has at least one such event. */
export function eventsThatEndWait(subject: EventSubject): EventType[] {
	return rows
		.filter(({ about, means }) => about === subject && means !== 'open')
		.map(({ type }) => type);
}
