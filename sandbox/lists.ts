import type { DeliveryAttempt, Fault } from './types';

/** A document in the console's list. */
export interface DocumentRow {
	documentID: string;
	title: string;
	status: string;
	addedOn: number;
	/** Paths of the files; absent until everybody signed. */
	files?: { document: string; certificate: string };
	signatories: Array<{
		name: string;
		email: string;
		signed: boolean;
		signingUrl: string;
		/** Why the mail with the link did not go out, where it did not. */
		mailError?: string;
	}>;
}

/** An identity request in the console's list. */
export interface IdentityRow {
	validationId: string;
	email: string;
	status: string;
	url: string;
}

/** A registered callback address in the console's list; its secrets are masked. */
export interface RegistrationRow {
	webHookID: string;
	type: string;
	webHookUrl: string;
	addedOn: number;
}

/** A delivery in the console's list; its address's secrets are masked. */
export interface DeliveryRow {
	id: string;
	type: string;
	/** The document or identity request that it is about. */
	subjectId: string;
	/** The document's title or the person's e-mail; '' when it is not there any more. */
	subject: string;
	url: string;
	at: number;
	attempts: DeliveryAttempt[];
	state: 'pending' | 'delivered' | 'failed';
}

/** A call to the service in the console's list. */
export interface RequestRow {
	at: number;
	method: string;
	path: string;
	status: number;
	violation?: string;
}

/** A template in the console's list. */
export interface TemplateRow {
	templateID: string;
	name: string;
	description: string;
	/** `v1` or `v2`. */
	generation: string;
	/** '' for version 1, which has none. */
	status: string;
	/** How many variables it has. */
	fields: number;
}

/** The rows of each list, by the list's name. */
export interface ListRows {
	documents: DocumentRow[];
	identityRequests: IdentityRow[];
	deliveries: DeliveryRow[];
	registrations: RegistrationRow[];
	requests: RequestRow[];
	templates: TemplateRow[];
}

export type ListName = keyof ListRows;

/** One page of a list. */
export interface ListPage<N extends ListName = ListName> {
	name: N;
	rows: ListRows[N];
	/** How many rows the list has, whatever is searched for. */
	total: number;
	/** How many of them are found. */
	found: number;
	/** From 1. */
	page: number;
	pages: number;
	search: string;
}

/** The console: the newest rows of each list, and how many there are. Secrets are masked. */
export interface ConsoleView extends Omit<ListRows, 'templates'> {
	totals: Record<ListName, number>;
	/** How many faults are in force. */
	faults: number;
	/** Why the data folder cannot be written, where it cannot. */
	saveError?: string;
}

/** A fault in force. */
export interface FaultView {
	id: string;
	/** What people call it; '' for a fault without a name. */
	title: string;
	/** `times`, `skip` and `forMs` are what is left. */
	fault: Fault;
}
