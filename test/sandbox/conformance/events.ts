import { documentEvents, type DocumentEventType, identityEvents } from '../../../sandbox/schemas';
import { people } from '../serviceKit';
import type { Live, Row } from './live';
import { dataOf } from './resources';
import { codeIn, pageRows } from './servicePage';

/** The parts of a Document that the checks below read. */
interface Seen {
	documentURL?: string;
	webhookData?: { signatory: { emailID: string } };
}

const documents = 2;
const emails = people.flatMap(({ email }) => Array<string>(documents).fill(email));

/** How many times an event arrives for two documents, each signed by three people. */
const timesOf = (type: DocumentEventType) =>
	type === 'sendDocument' || type === 'signDocument' ? emails.length : documents;

const rowsOfTypes: Row[] = documentEvents.map((type) => ({
	table: 'Document event types',
	row: type,
	check: ({ notifications }) =>
		expect(notifications[type].map((body) => body.type)).toEqual(Array(timesOf(type)).fill(type)),
}));

/** The Document in each notification must contain every name and value that its row lists. */
const rowsOfBodies = pageRows()
	.filter(({ heading, columns }) => heading === 'Notification body' && columns[0] === 'Type')
	.map(({ heading: table, cells: [row = ''], line }) => ({
		table,
		row,
		check: ({ notifications }: Live) => {
			const isCompleted = row === 'completedDocument';
			const documents = notifications[row as DocumentEventType].map(({ Document }) => Document);
			for (const document of documents as Seen[]) {
				const found = { links: 'documentURL' in document, more: 'webhookData' in document };
				expect(found).toEqual({ links: isCompleted, more: !isCompleted });
				const words = codeIn(line)
					.slice(1)
					.flatMap((code) => code.split('.'));
				const text = JSON.stringify(isCompleted ? document : document.webhookData);
				expect(
					words.filter((word) => word !== 'webhookData' && !text.includes(`"${word}"`)),
				).toEqual([]);
			}
		},
	}));

/** The rows of the tables about effects, events and notifications. */
export const eventRows: Row[] = [
	{
		table: 'Effects',
		row: 'create a document',
		check: ({ sandbox }) => {
			const to = sandbox.mails().flatMap((mail) => mail.to);
			expect(to.sort()).toEqual(emails);
		},
	},
	{
		table: 'Effects',
		row: 'create an identity verification request',
		check: ({ calls }) => {
			const { url, validationId } = dataOf(calls['POST /identity/validation/request']);
			const request = dataOf(calls['GET /identity/validation/request/:validationId']);
			expect(request).toMatchObject({ status: 'CREATED', url, sessionId: validationId });
		},
	},
	...identityEvents.map((type): Row => ({
		table: 'Identity event types',
		row: type,
		check: ({ calls, notifications }) => {
			const { sessionId } = dataOf(calls['GET /identity/validation/request/:validationId']);
			expect(notifications[type]).toMatchObject([{ type, sessionId }]);
		},
	})),
	...rowsOfTypes,
	...rowsOfBodies,
];
