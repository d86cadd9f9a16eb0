import { DOCUMENT_TYPES, PEOPLE } from '../serviceKit';
import type { Live, Row } from './live';
import { dataOf } from './resources';

/** What the checks below look at in a Document. */
interface Seen {
	status: string;
	documentHash: string;
	documentURL?: string;
	certificateURL?: string;
	pscCertificateURL?: string;
	webhookData?: Record<string, unknown> & { signatory: { emailID: string } };
}

const DOCUMENTS = 2;
const emails = PEOPLE.flatMap(({ email }) => Array<string>(DOCUMENTS).fill(email));
const link = expect.stringMatching(/^http/) as string;

const about = (live: Live, type: keyof Live['notifications']) =>
	live.notifications[type].map(({ Document }) => Document as Seen);

/** How often each event came for the two documents, which three people signed each. */
const COUNTS: Record<(typeof DOCUMENT_TYPES)[number], number> = {
	sendDocument: DOCUMENTS * PEOPLE.length,
	completedDocument: DOCUMENTS,
	signDocument: DOCUMENTS * PEOPLE.length,
	pendingBiometric: DOCUMENTS,
	failedBiometric: DOCUMENTS,
	failedBiometricRequest: DOCUMENTS,
};

const types: Row[] = DOCUMENT_TYPES.map((type) => ({
	table: 'Document event types',
	row: type,
	check: (live) => {
		const own = live.notifications[type];
		expect(own.map((body) => body.type)).toEqual(Array(COUNTS[type]).fill(type));
	},
}));

const expectNoLinks = (documents: Seen[]) =>
	expect(documents.filter((one) => one.documentURL ?? one.certificateURL)).toEqual([]);

/** What the Document of each notification has. */
const bodies: Row[] = [
	{
		row: 'completedDocument',
		check: (live: Live) => {
			for (const document of about(live, 'completedDocument')) {
				expect(document).toMatchObject({
					documentURL: link,
					certificateURL: link,
					pscCertificateURL: link,
					status: 'COMPLETED',
					documentHash: expect.stringMatching(/^[0-9a-f]+$/) as string,
				});
				expect(document).not.toHaveProperty('webhookData');
			}
		},
	},
	{
		row: 'signDocument',
		check: (live: Live) => {
			const seen = about(live, 'signDocument');
			expectNoLinks(seen);
			expect(seen.map(({ webhookData }) => webhookData?.signatory.emailID).sort()).toEqual(emails);
			for (const { webhookData } of seen) {
				expect(Object.keys(webhookData ?? {})).toEqual(['signatory']);
				expect(webhookData?.signatory).toHaveProperty('signing');
			}
		},
	},
	{
		row: 'sendDocument',
		check: (live: Live) => {
			const seen = about(live, 'sendDocument');
			expectNoLinks(seen);
			const signatory = { emailID: expect.any(String) as string };
			for (const { webhookData } of seen) {
				expect(webhookData).toEqual({
					signatory,
					pscUrl: link,
					documentURL: link,
					certificateURL: link,
				});
			}
		},
	},
].map((row) => ({ table: 'Notification body', ...row }));

/** The tables of effects, events and notifications. */
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
	...types,
	{
		table: 'Identity event type',
		row: 'VERIFICATION_REQUEST_FINISHED',
		check: ({ calls, notifications }) => {
			const { sessionId } = dataOf(calls['GET /identity/validation/request/:validationId']);
			expect(notifications.VERIFICATION_REQUEST_FINISHED).toMatchObject([{ sessionId }]);
		},
	},
	...bodies,
];
