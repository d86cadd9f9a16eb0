import type { IDataObject } from 'n8n-workflow';

/**
 * A state that an event can report for a document at a completedDocument URL, and how the nodes react to the
 * event.
 */
export interface DocumentState {
	/** A row in docs/dev/events.md#what-a-document-says: event type, document, waiting node, and trigger. */
	row: [type: string, document: string, wait: string, trigger: string];
	types: unknown[];
	documents: IDataObject[];
	/**
	 * The status of the waiting node's response, and the result that ends the wait. Without a result, the
	 * wait continues.
	 */
	wait: { status: number; completed?: boolean };
	/** The status of the trigger's response. If the status is 200, the workflow starts. */
	trigger: number;
}

const own = 'completedDocument';
const missing = [undefined, null, ''];
const signatories = (...all: unknown[]) => ({
	signatory: all.map((isSigned, index) => ({ signatoryID: `s${index}`, isSigned })),
});
const everybody = signatories(1, '1');
const canceledStatuses = ['CANCELED', 'CANCELLED', 'REJECTED', 'DECLINED', 'EXPIRED', 'VOIDED'];

const canceled = {
	wait: { status: 200, completed: false },
	trigger: 422,
	documents: [
		...canceledStatuses.map((status) => ({ status, ...everybody })),
		{ status: ' canceled ' },
		...[true, 1, '1', 'true', ' TRUE', 'yes', 'no', 1_767_225_600_000, { by: 'Ana' }].flatMap(
			(value) => [
				{ status: 'COMPLETED', isCanceled: value },
				{ status: 'PENDING', isDeleted: value as IDataObject[string], ...everybody },
			],
		),
	],
};
const open = { wait: { status: 200 }, trigger: 422 };
const completed = { wait: { status: 200, completed: true }, trigger: 200 };

export const documentStates: DocumentState[] = [
	{
		row: [
			'`completedDocument` or missing',
			`\`isCanceled\` or \`isDeleted\` is set, or \`status\` is ${canceledStatuses.slice(0, -1).join(', ')}, or VOIDED`,
			'continues with `completed: false` and the status',
			"422, the workflow doesn't start",
		],
		types: [own, ...missing],
		...canceled,
	},
	{
		row: [
			'`completedDocument` or missing',
			'`status` is COMPLETED',
			'continues with `completed: true`',
			'200, the workflow starts',
		],
		types: [own, ...missing],
		documents: [
			{ status: 'COMPLETED' },
			{ status: 'completed ', ...signatories(1, 0) },
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
			'everyone in `signatory` has signed',
			'continues with `completed: true`',
			'200, the workflow starts',
		],
		types: [own],
		documents: [everybody, { status: 'PENDING', ...everybody }],
		...completed,
	},
	{
		row: [
			'missing',
			'everyone in `signatory` has signed',
			'keeps waiting',
			"422, the workflow doesn't start",
		],
		types: missing,
		documents: [everybody, { status: 'PENDING', ...everybody }],
		...open,
	},
	{
		row: [
			'`completedDocument` or missing',
			'anything else',
			'keeps waiting',
			"422, the workflow doesn't start",
		],
		types: [own, ...missing],
		documents: [
			{},
			{ status: 'PENDING' },
			{ status: 'SIGNED' },
			{ signatory: [] },
			{ status: 'PENDING', ...signatories(1, 0) },
			signatories(1, 'no'),
		],
		...open,
	},
	{
		row: ['anything else', 'anything', '422, keeps waiting', "422, the workflow doesn't start"],
		types: ['rejectedDocument', 'signDocument', 'VERIFICATION_REQUEST_FINISHED', 'TEST', 7, {}],
		documents: [{ status: 'COMPLETED', ...everybody }, { status: 'CANCELED' }, {}],
		wait: { status: 422 },
		trigger: 422,
	},
];

/** Returns event bodies that report each state for the document with this ID, and the expected reactions. */
export const bodiesAbout = (documentID: string) =>
	documentStates.flatMap(({ types, documents, wait, trigger }) =>
		types.flatMap((type) =>
			documents.map((document) => {
				const body = { type, addedOn: 1, Document: { documentID, ...document } };
				return { body, wait, trigger };
			}),
		),
	);
