import type { IDataObject } from 'n8n-workflow';

/**
 * A state that an event can report for a document at a completedDocument URL, and how the nodes react to the
 * event.
 */
export interface DocumentState {
	/** A row in docs/dev/behavior.md#how-a-document-event-is-interpreted: event type, document, waiting node, and trigger. */
	row: [type: string, document: string, wait: string, trigger: string];
	types: unknown[];
	documents: IDataObject[];
	/**
	 * The status of the waiting node's response, and the outcome of the wait. Without an outcome, the wait
	 * continues.
	 */
	wait: { status: number; outcome?: 'completed' | 'ended' };
	/** The status of the trigger's response, and whether the workflow starts. */
	trigger: { status: number; starts: boolean };
}

type Reactions = Pick<DocumentState, 'wait' | 'trigger'>;

const own = 'completedDocument';
const missing = [undefined, null, ''];
const signatories = (...all: unknown[]) => ({
	signatory: all.map((isSigned, index) => ({ signatoryID: `s${index}`, isSigned })),
});
const everyoneSigned = signatories(1, '1');
const stems = 'void, cancel, revok, refus, reject, declin, expir, withdr, rechaz, or anul';
const canceledStatuses = [
	...['VOID', 'VOIDED', 'CANCELED', 'CANCELLED', 'Canceled by the sender', 'REVOKED', 'Refused'],
	...['REJECTED', 'DECLINED', 'EXPIRED', 'WITHDRAWN', 'RECHAZADO', 'Anulado', ' canceled '],
];

const canceled: Reactions = {
	wait: { status: 200, outcome: 'ended' },
	trigger: { status: 200, starts: false },
};
const open: Reactions = { wait: { status: 422 }, trigger: { status: 422, starts: false } };
const completed: Reactions = {
	wait: { status: 200, outcome: 'completed' },
	trigger: { status: 200, starts: true },
};

export const documentStates: DocumentState[] = [
	{
		row: [
			'`completedDocument` or missing',
			'`isCanceled` or `isDeleted` is set',
			'continues with the outcome `ended`, and the status',
			"200, the workflow doesn't start",
		],
		types: [own, ...missing],
		documents: [
			true,
			1,
			'1',
			'true',
			' TRUE',
			'yes',
			'no',
			1_767_225_600_000,
			{ by: 'Ana' },
		].flatMap((value) => [
			{ status: 'COMPLETED', isCanceled: value },
			{ status: 'PENDING', isDeleted: value as IDataObject[string], ...everyoneSigned },
		]),
		...canceled,
	},
	{
		row: [
			'`completedDocument` or missing',
			'`status` is COMPLETED',
			'continues with the outcome `completed`',
			'200, the workflow starts',
		],
		types: [own, ...missing],
		documents: [
			{ status: 'COMPLETED' },
			{ status: 'completed ', ...signatories(1, 0) },
			{ status: 'COMPLETED', signatory: [{ isSigned: 1, isInvalidSignature: true }] },
			...[false, 0, '0', 'False', '', null].map((value) => ({
				status: 'COMPLETED',
				isCanceled: value,
				isDeleted: value,
			})),
		],
		...completed,
	},
	{
		row: [
			'`completedDocument`',
			'`status` is PENDING, empty, or missing, everyone in `signatory` has signed, and an entry is marked with `isInvalidSignature`',
			'continues with the outcome `ended`, and the status',
			'200, the workflow starts',
		],
		types: [own],
		documents: ['PENDING', '', null].flatMap((status) =>
			[true, 'true', 1].map((isInvalidSignature) => ({
				status,
				signatory: [{ isSigned: 1 }, { isSigned: 1, isInvalidSignature }],
			})),
		),
		wait: { status: 200, outcome: 'ended' },
		trigger: { status: 200, starts: true },
	},
	{
		row: [
			'`completedDocument`',
			'`status` is PENDING, empty, or missing, and everyone in `signatory` has signed',
			'continues with the outcome `completed`',
			'200, the workflow starts',
		],
		types: [own],
		documents: [
			everyoneSigned,
			...['PENDING', 'pending', '', ' ', null].map((status) => ({ status, ...everyoneSigned })),
			...[false, 'false', 0, '', null].map((isInvalidSignature) => ({
				status: 'PENDING',
				signatory: [{ isSigned: 1, isInvalidSignature }],
			})),
		],
		...completed,
	},
	{
		row: [
			'`completedDocument` or missing',
			`\`status\` begins with ${stems}`,
			'continues with the outcome `ended`, and the status',
			"200, the workflow doesn't start",
		],
		types: [own, ...missing],
		documents: canceledStatuses.flatMap((status) => [{ status }, { status, ...everyoneSigned }]),
		...canceled,
	},
	{
		row: [
			'missing',
			'`status` is PENDING, empty, or missing, and everyone in `signatory` has signed',
			'422, keeps waiting',
			"422, the workflow doesn't start",
		],
		types: missing,
		documents: [everyoneSigned, { status: 'PENDING', ...everyoneSigned }],
		...open,
	},
	{
		row: [
			'`completedDocument` or missing',
			'anything else',
			'422, keeps waiting',
			"422, the workflow doesn't start",
		],
		types: [own, ...missing],
		documents: [
			{ title: 'Lease' },
			{ status: 'PENDING' },
			{ signatory: [] },
			{ status: 'PENDING', ...signatories(1, 0) },
			signatories(1, 'no'),
			// No one knows what these statuses mean, even if everyone has signed.
			...['SIGNED', 'ARCHIVED', 'NOT COMPLETED', 'UNVOIDED', 0, false, { is: 'COMPLETED' }].flatMap(
				(status) => [{ status }, { status, ...everyoneSigned }],
			),
		],
		...open,
	},
	{
		row: ['anything else', 'anything', '422, keeps waiting', "422, the workflow doesn't start"],
		types: ['rejectedDocument', 'signDocument', 'VERIFICATION_REQUEST_FINISHED', 'TEST', 7, {}],
		documents: [{ status: 'COMPLETED', ...everyoneSigned }, { status: 'CANCELED' }, {}],
		...open,
	},
];

/** Returns event bodies that report a state for the document with this ID, and the expected reactions. */
export const bodiesOf = ({ types, documents, wait, trigger }: DocumentState, documentID: string) =>
	types.flatMap((type) =>
		documents.map((document) => {
			const body = { type, addedOn: 1, Document: { documentID, ...document } };
			return { body, wait, trigger };
		}),
	);
