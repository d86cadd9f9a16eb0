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
	/** The status of the trigger's response. */
	trigger: number;
	/** Whether the trigger starts the workflow. */
	isStarted: boolean;
}

const own = 'completedDocument';
const missing = [undefined, null, ''];
const signatories = (...all: unknown[]) => ({
	signatory: all.map((isSigned, index) => ({ signatoryID: `s${index}`, isSigned })),
});
const everybody = signatories(1, '1');
const endedStatuses = [
	...['CANCELED', 'CANCELLED', 'REJECTED', 'DECLINED', 'EXPIRED', 'VOIDED', 'VOID', 'REVOKED'],
	...['Refused', 'RECHAZADO', 'WITHDRAWN', 'anulado', 'SIGNATURE_DECLINED'],
];

const canceled = {
	wait: { status: 200, completed: false },
	trigger: 200,
	isStarted: false,
	documents: [
		...endedStatuses.map((status) => ({ status, ...everybody })),
		{ status: ' canceled ' },
		...[true, 1, '1', 'true', ' TRUE', 'yes', 'no', 1_767_225_600_000, { by: 'Ana' }].flatMap(
			(value) => [
				{ status: 'COMPLETED', isCanceled: value },
				{ status: 'PENDING', isDeleted: value as IDataObject[string], ...everybody },
			],
		),
	],
};
const open = { wait: { status: 422 }, trigger: 422, isStarted: false };
const completed = { wait: { status: 200, completed: true }, trigger: 200, isStarted: true };

export const documentStates: DocumentState[] = [
	{
		row: [
			'`completedDocument` or missing',
			'`isCanceled` or `isDeleted` is set, or `status` contains VOID, CANCEL, REVOK, REFUS, REJECT, DECLIN, EXPIR, WITHDR, RECHAZ, or ANUL',
			'continues with `completed: false` and the status',
			"200, the workflow doesn't start",
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
			'`status` is missing, empty, or PENDING, and everyone in `signatory` has signed',
			'continues with `completed: true`',
			'200, the workflow starts',
		],
		types: [own],
		documents: [
			everybody,
			...['PENDING', ' pending', '', ' ', null].map((status) => ({ status, ...everybody })),
		],
		...completed,
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
			{},
			{ status: 'PENDING' },
			{ status: 'SIGNED' },
			{ signatory: [] },
			{ status: 'PENDING', ...signatories(1, 0) },
			signatories(1, 'no'),
			...['SIGNED', 'FINALIZADO', 'DONE', 7, { code: 'PENDING' }].map((status) => ({
				status,
				...everybody,
			})),
		],
		...open,
	},
	{
		row: ['anything else', 'anything', '422, keeps waiting', "422, the workflow doesn't start"],
		types: ['rejectedDocument', 'signDocument', 'VERIFICATION_REQUEST_FINISHED', 'TEST', 7, {}],
		documents: [{ status: 'COMPLETED', ...everybody }, { status: 'CANCELED' }, {}],
		...open,
	},
];

/** Returns event bodies that report each state for the document with this ID, and the expected reactions. */
export const bodiesAbout = (documentID: string) =>
	documentStates.flatMap(({ types, documents, wait, trigger, isStarted }) =>
		types.flatMap((type) =>
			documents.map((document) => {
				const body = { type, addedOn: 1, Document: { documentID, ...document } };
				return { body, wait, trigger, isStarted };
			}),
		),
	);
