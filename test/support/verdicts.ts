/** The possible outcomes of a call that creates, reads or deletes something. */
export const outcomes = {
	done: 'Success',
	refused: 'Rejected; nothing was created',
	mayExist: 'May have been created',
	failed: 'Error',
};

export type Outcome = keyof typeof outcomes;

/** A kind of HTTP 2xx response. If a body contains a message, it is "These words". */
interface Kind {
	/** The description in docs/dev/behavior.md. */
	says: string;
	bodies: unknown[];
	/** The outcomes for a create call, a read and a deletion, in that order. */
	expected: [Outcome, Outcome, Outcome];
}

const message = 'These words';
const done: Kind['expected'] = ['done', 'done', 'done'];
const refused: Kind['expected'] = ['refused', 'failed', 'failed'];
const unsure: Kind['expected'] = ['mayExist', 'failed', 'failed'];

/** The table in docs/dev/behavior.md, with examples of each kind. */
export const kindsOfResponses: Kind[] = [
	{
		says: 'A success',
		bodies: [
			{ success: true },
			{ success: 'true', responseCode: '200' },
			{ success: 1 },
			{ responseCode: 200 },
			{ success: null, responseCode: '201' },
			{ success: true, error: '' },
			{ success: true, error: {} },
			{ success: true, error: 'false' },
			{ success: true, responseCode: 0, error: null },
		],
		expected: done,
	},
	{
		says: 'A rejection with a `responseCode` of 303, or of 500 or more',
		bodies: [
			{ responseCode: '500', message },
			{ success: false, responseCode: 503, message },
			{ success: false, responseCode: 303, message },
		],
		expected: unsure,
	},
	{
		says: 'Any other rejection',
		bodies: [
			...[false, 'false', 'False', 0, '0'].map((success) => ({ success, message })),
			{ success: false, responseCode: 200, message },
			{ success: false, responseCode: '409', message: [{ msg: message }] },
			{ responseCode: 400, message },
			{ success: null, responseCode: '422', message },
			{ error: message },
			{ success: 'no', error: { message } },
			{ error: true, message },
			{ error: 7, message, documentID: 'd', emailId: 'e' },
		],
		expected: refused,
	},
	{
		says: 'Contradictory, such as `success: true` with a `responseCode` of 400',
		bodies: [
			{ success: true, responseCode: 400, message },
			{ success: 'true', message: 'OK', error: message },
			{ responseCode: 200, error: message },
		],
		expected: unsure,
	},
	{
		says: 'An empty object',
		bodies: [{}],
		expected: ['mayExist', 'done', 'failed'],
	},
	{
		says: 'Anything else',
		bodies: [
			{ message },
			{ success: null, message },
			{ success: 'odd', message },
			'OK',
			'',
			null,
			undefined,
			42,
			[],
			[{ documentID: 'd' }],
			{ documentID: 'd' },
			{ responseData: { documentID: 'd' } },
			{ responseData: {} },
			'<html><title>These words</title></html>',
		],
		expected: unsure,
	},
];
