import type { Document } from '../schemas';
import type { Delivery, IdentityRequestView, MailView } from '../types';
import { moment } from './text';

/** A list that a command shows: where it is, and its columns. */
export interface ListCommand<Row> {
	path: string;
	summary: string;
	/** Whether the newest row comes first in the answer. */
	newestFirst?: boolean;
	empty: string;
	columns: string[];
	cells(row: Row): string[];
}

/** Keeps the type of the rows between the two functions of a list. */
function list<Row>(given: ListCommand<Row>): ListCommand<unknown> {
	return given;
}

/** The commands that show a list, by their names. */
export const LISTS: Record<string, ListCommand<unknown>> = {
	documents: list<Document>({
		path: '/documents',
		summary: 'the documents, the newest last',
		empty: 'There is no document.',
		columns: ['DOCUMENT ID', 'STATUS', 'SIGNED', 'CREATED', 'TITLE'],
		cells: ({ documentID, status, signatory, addedOn, title }) => [
			documentID,
			status,
			`${signatory.filter(({ isSigned }) => isSigned === 1).length}/${signatory.length}`,
			moment(addedOn),
			title,
		],
	}),
	'identity-requests': list<IdentityRequestView>({
		path: '/identity-requests',
		summary: 'the identity requests',
		empty: 'There is no identity request.',
		columns: ['VALIDATION ID', 'STATUS', 'CREATED', 'E-MAIL'],
		cells: ({ validationId, status, createdAt, emailId }) => [
			validationId,
			status,
			moment(Date.parse(createdAt)),
			emailId,
		],
	}),
	webhooks: list<{ webHookID: string; type: string; webHookUrl: string }>({
		path: '/webhooks',
		summary: 'the webhooks',
		empty: 'There is no webhook.',
		columns: ['WEBHOOK ID', 'EVENT', 'URL'],
		cells: ({ webHookID, type, webHookUrl }) => [webHookID, type, webHookUrl],
	}),
	deliveries: list<Delivery>({
		path: '/deliveries',
		summary: 'the deliveries, with their last answer',
		empty: 'There is no delivery.',
		columns: ['DELIVERY ID', 'STATE', 'ATTEMPTS', 'LAST ANSWER', 'EVENT', 'URL'],
		cells: ({ id, state, attempts, type, url }) => {
			const last = attempts.at(-1);
			const answer = last === undefined ? '–' : (last.error ?? String(last.status));
			return [id, state, String(attempts.length), answer, type, url];
		},
	}),
	mails: list<MailView>({
		path: '/mails',
		summary: 'the mails',
		newestFirst: true,
		empty: 'There is no mail.',
		columns: ['RECEIVED', 'TO', 'SUBJECT'],
		cells: ({ receivedAt, to, subject }) => [moment(receivedAt), to.join(', '), subject],
	}),
};
