import { DOCUMENT_TYPES, PEOPLE } from '../serviceKit';
import type { Live } from './live';
import {
	absent,
	epochMs,
	fieldRows,
	filled,
	object,
	oneOf,
	partOf,
	problems,
	type Row,
	text,
	webAddress,
} from './shapes';
import { documentsOf, documentShape, signatoryShape } from './rowsDocument';
import { dataOf } from './rowsResources';

/** What the checks below look at in a Document. */
interface Seen {
	documentID: string;
	status: string;
	processingStatus: string;
	voBoStatus: string;
	logsStatus: Array<{ operationType: string }>;
	computedFields: { pendingSignatoryCount: number };
	webhookData?: { signatory: { emailID: string } };
}

const DOCUMENTS = 2;

const about = (live: Live, type: keyof Live['notifications']) =>
	live.notifications[type].map(({ Document }) => Document as Seen);

const valuesOf = (live: Live, pick: (one: Seen) => string[]) => [
	...new Set(documentsOf(live).flatMap((one) => pick(one as Seen))),
];

const states: Row[] = [
	['Document | status', ({ status }: Seen) => [status], ['PENDING', 'COMPLETED']],
	[
		'Document | processingStatus',
		({ processingStatus }: Seen) => [processingStatus],
		['IMAGE_PROCESSING_COMPLETED', 'COMPLETED'],
	],
	['Document | voBoStatus', ({ voBoStatus }: Seen) => [voBoStatus], ['INITIAL']],
	[
		'Document | logsStatus[].operationType',
		({ logsStatus }: Seen) =>
			logsStatus.map(({ operationType }) =>
				operationType.replace(/^(STORED_IN_PSC_).+/, '$1<PROVIDER>'),
			),
		['CREATED', 'SENT_FOR_SIGNATURE', 'SIGNED', 'STORED_IN_PSC_<PROVIDER>', 'STORED_BLOCKCHAIN'],
	],
].map(([row, pick, values]) => ({
	table: 'States',
	row: row as string,
	check: (live) => {
		expect(valuesOf(live, pick as (one: Seen) => string[]).sort()).toEqual(
			[...(values as string[])].sort(),
		);
	},
}));

/** How often each event came for the two documents, which three people signed each. */
const COUNTS: Record<(typeof DOCUMENT_TYPES)[number], number> = {
	sendDocument: DOCUMENTS * PEOPLE.length,
	completedDocument: DOCUMENTS,
	signDocument: DOCUMENTS * PEOPLE.length,
	pendingBiometric: DOCUMENTS,
	failedBiometric: DOCUMENTS,
	failedBiometricRequest: DOCUMENTS,
};

const events: Row[] = DOCUMENT_TYPES.map((type) => ({
	table: 'Document event types',
	row: type,
	check: (live) => expect(about(live, type)).toHaveLength(COUNTS[type]),
}));

const noAddresses = { documentURL: absent, certificateURL: absent, pscCertificateURL: absent };

const differences: Row[] = [
	{
		row: 'completedDocument',
		check: (live: Live) => {
			const shape = partOf({
				documentURL: webAddress,
				certificateURL: webAddress,
				pscCertificateURL: webAddress,
				status: oneOf('COMPLETED'),
				documentHash: filled,
				webhookData: absent,
			});
			expect(problems(shape, about(live, 'completedDocument'))).toEqual([]);
		},
	},
	{
		row: 'signDocument',
		check: (live: Live) => {
			const shape = partOf({ ...noAddresses, webhookData: object({ signatory: signatoryShape }) });
			const seen = about(live, 'signDocument');
			expect(problems(shape, seen)).toEqual([]);
			const signers = seen.map(({ webhookData }) => webhookData?.signatory.emailID).sort();
			expect(signers).toEqual(PEOPLE.flatMap(({ email }) => [email, email]));
		},
	},
	{
		row: 'sendDocument',
		check: (live: Live) => {
			const webhookData = object({
				signatory: object({ emailID: text }),
				pscUrl: webAddress,
				documentURL: webAddress,
				certificateURL: webAddress,
			});
			const seen = about(live, 'sendDocument');
			expect(problems(partOf({ ...noAddresses, webhookData }), seen)).toEqual([]);
		},
	},
].map((row) => ({ table: 'Notification body', ...row }));

/** The tables of states, effects, events and notifications. */
export const eventRows: Row[] = [
	...states,
	{
		table: 'States',
		row: 'Template, version 2 | status',
		check: ({ calls }) => {
			const { templates } = dataOf<{ templates: Array<{ status: string }> }>(
				calls['GET /templates/v2'],
			);
			expect(templates.map(({ status }) => status)).toContain('ACTIVE');
		},
	},
	{
		table: 'States',
		row: 'Identity verification request | status',
		check: ({ calls }) =>
			expect(dataOf(calls['GET /identity/validation/request/:validationId']).status).toBe(
				'CREATED',
			),
	},
	{
		table: 'Effects',
		row: 'create a document',
		check: ({ sandbox }) => {
			const to = sandbox.mails().flatMap((mail) => mail.to);
			expect(to.sort()).toEqual(PEOPLE.flatMap(({ email }) => [email, email]));
		},
	},
	{
		table: 'Effects',
		row: 'create an identity verification request',
		check: ({ calls }) => {
			const { url } = dataOf(calls['POST /identity/validation/request']);
			expect(dataOf(calls['GET /identity/validation/request/:validationId'])).toMatchObject({
				status: 'CREATED',
				url,
			});
		},
	},
	...events,
	{
		table: 'Identity event type',
		row: 'VERIFICATION_REQUEST_FINISHED',
		check: ({ calls, notifications }) => {
			const { sessionId } = dataOf(calls['GET /identity/validation/request/:validationId']);
			expect(notifications.VERIFICATION_REQUEST_FINISHED).toMatchObject([{ sessionId }]);
		},
	},
	...fieldRows(
		'Notification body',
		({ notifications }) => DOCUMENT_TYPES.flatMap((type) => notifications[type]),
		[
			['type', { type: oneOf(...DOCUMENT_TYPES) }],
			['Document', { Document: documentShape }],
			['addedOn', { addedOn: epochMs }],
		],
	),
	...differences,
];
