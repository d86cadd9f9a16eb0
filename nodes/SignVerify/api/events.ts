import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

/** The subject of an event. It decides how the event is registered, and what a notification names. */
export type EventSubject = 'document' | 'identity';

/** How messages name the thing that an operation sends, and that a wait waits for. */
export const nounOf: Record<EventSubject, string> = {
	document: 'the document',
	identity: 'the identity request',
};

/** The documented facts about the body of a notification (docs/dev/service.md#notification-body). */
interface DocumentedBody {
	/** The parts that tell a notification from all others of its type: a repeated delivery has the same ones. */
	idParts: ReadonlyArray<'document' | 'signatory' | 'sentAt'>;
	/** Whether the body has a link to each file of the document, to some of them perhaps, or to none. */
	files: 'all' | 'some' | 'none';
	/** The latest action of the single signatory in the body; undefined if the body names no single signatory. */
	signatory?: 'signed' | 'received';
	/** Whether the document in the body has to be completed. */
	isCompleted?: true;
}

/**
 * All that the nodes know about one type of event. A new event is one more row
 * (docs/dev/adding-an-operation.md, "A new event").
 */
export interface EventRow {
	/** The service's name of the event. Workflows are saved with it, so it never changes. */
	type: string;
	/** The event in the words of the form: "When …", with capitals. */
	name: string;
	description: string;
	about: EventSubject;
	/**
	 * Undefined if the service does not document the body, which can then be any JSON object. An identity event never has
	 * it, because these facts are about a document.
	 */
	body?: DocumentedBody;
	/**
	 * Present if the event ends a wait for the document or the identity that it is about. A document event ends the wait
	 * only if its document is completed or canceled (docs/dev/architecture.md#what-a-document-says). The `outcome` is
	 * what the output then says in addition. With it, a wait for an identity expects no results.
	 */
	endsWait?: { outcome?: IDataObject };
}

/** Every event (docs/dev/service.md#events), in the order of the form. */
export const events = [
	{
		type: 'sendDocument',
		name: 'When a Document Is Sent',
		description: 'The document was sent for signature',
		about: 'document',
		body: { idParts: ['document', 'signatory', 'sentAt'], files: 'some', signatory: 'received' },
	},
	{
		type: 'failedBiometric',
		name: 'When an Identity Check Fails',
		description: 'During signing, an identity check failed',
		about: 'document',
	},
	{
		type: 'pendingBiometric',
		name: 'When an Identity Check Goes to Manual Review',
		description: 'During signing, an identity check was passed on to manual review',
		about: 'document',
	},
	{
		type: 'failedBiometricRequest',
		name: 'When an Identity Image Is Unreadable',
		description: "During signing, an image for an identity check couldn't be read",
		about: 'document',
	},
	{
		type: 'VERIFICATION_REQUEST_FINISHED',
		name: 'When an Identity Verification Is Finished',
		description:
			'A person has finished an identity verification that was requested without a document',
		about: 'identity',
		endsWait: {},
	},
	{
		type: 'completedDocument',
		name: 'When Everyone Has Signed',
		description: 'Everyone has signed. Includes links to the signed document and its certificates.',
		about: 'document',
		body: { idParts: ['document'], files: 'all', isCompleted: true },
		endsWait: {},
	},
	{
		type: 'signDocument',
		name: 'When One Person Signs',
		description: 'A signatory has signed. With three signatories, this happens three times.',
		about: 'document',
		body: { idParts: ['document', 'signatory'], files: 'none', signatory: 'signed' },
	},
] as const satisfies EventRow[];

export type EventType = (typeof events)[number]['type'];

const rows: ReadonlyArray<EventRow & { type: EventType }> = events;

/** The choices of a form. Without an `action`, n8n's list of triggers would put "On" before the name. */
export const eventChoices = rows.map(({ type, name, description }) => ({
	name,
	action: name.charAt(0) + name.slice(1).toLowerCase(),
	value: type,
	description,
})) satisfies INodePropertyOptions[];

/** The row of an event; undefined if no event has this type. */
export function eventRow(type: EventType): EventRow;
export function eventRow(type: unknown): EventRow | undefined;
export function eventRow(type: unknown): EventRow | undefined {
	return rows.find((row) => row.type === type);
}

/** Whether a value is one of the event types. */
export function isEvent(value: unknown): value is EventType {
	return eventRow(value) !== undefined;
}

/** Whether a value is the type of an event about an identity. */
export function isIdentityEvent(value: unknown): boolean {
	return eventRow(value)?.about === 'identity';
}

/** The types of all events about an identity. */
export const identityEvents = rows
	.filter(({ about }) => about === 'identity')
	.map(({ type }) => type);

/** The types of the events that can end a wait for a document or an identity. There is at least one for each. */
export function eventsThatEndWait(subject: EventSubject): EventType[] {
	return rows
		.filter(({ about, endsWait }) => about === subject && endsWait !== undefined)
		.map(({ type }) => type);
}
