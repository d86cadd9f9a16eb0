import { ExpressionError, NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { describeError, ServiceError, toNodeError } from '../../nodes/SignVerify/http/errors';
import { InputError, readEach } from '../../nodes/SignVerify/input/inputError';
import { linked, linkedData } from '../support/errors';
import { failureOf } from '../support/service';

const node = { name: 'SignVerify', type: 't', typeVersion: 1, parameters: {} } as unknown as INode;

describe("n8n's error", () => {
	test('of a failed call carries what happened, what to do, the status and the item', () => {
		const failure = new ServiceError({
			message: 'It failed',
			description: 'Do',
			httpStatus: 404,
		});
		const error = toNodeError(node, failure, { index: 2, count: 4 }, 'One was sent.');
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'It failed [item 3]',
			description: linked('Do One was sent.', 'it-failed'),
			httpCode: '404',
		});
		// n8n would add "[item 2]" to it.
		expect(error.context).not.toHaveProperty('itemIndex');
		const plain = toNodeError(node, new ServiceError({ message: 'It failed', description: 'Do' }));
		expect(plain).toMatchObject({ message: 'It failed', httpCode: null });
	});

	test('has no word by which n8n takes the failure for a canceled execution', () => {
		const failure = new ServiceError({ message: 'Refused: canceled', description: 'Do' });
		expect(toNodeError(node, failure).message).toBe('Refused: cancelled');
	});

	test('of a wrong value, and of an error of n8n, keeps its words', () => {
		const known: Array<[Error, string]> = [
			[new InputError('Email', 'it is empty', 'Enter one.'), linked('Enter one.', 'it-is-empty')],
			[
				new NodeOperationError(node, 'Email: it is empty', { description: 'Enter one.' }),
				'Enter one.',
			],
		];
		for (const [failure, description] of known) {
			const error = toNodeError(node, failure, { index: 0, count: 1 });
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error).toMatchObject({ message: 'Email: it is empty', description });
		}
	});

	test('of anything else carries its message and nothing more', () => {
		const unknown = Object.assign(new Error('oh'), { description: 'token 1', config: { a: 1 } });
		const error = toNodeError(node, unknown);
		expect(error.message).toBe('oh');
		expect(JSON.stringify(error)).not.toContain('token 1');
		expect(error.description).toMatch(
			/^<a href="https:\S+#other-messages" target="_blank">More about this error<\/a>$/,
		);
		expect(toNodeError(node, 'thrown text').message).toBe('An unknown error occurred');
	});

	test('of an expression has the words of n8n, and one number of the item', () => {
		const failure = new ExpressionError("Invalid input for 'role' [item 0]", {
			description: 'Why.',
		});
		expect(toNodeError(node, failure, { index: 0, count: 2 })).toMatchObject({
			message: "Invalid input for 'role' [item 1]",
			description: 'Why.',
		});
		expect(toNodeError(node, failure, { index: 0, count: 1 }).message).toBe(
			"Invalid input for 'role'",
		);
	});

	test('a failure with more to say leaves the first one as it was', () => {
		const first = new ServiceError({
			message: 'm',
			description: 'Do.',
			httpStatus: 429,
			retryable: 'always',
			retryAfter: 5,
		});
		expect(first.withDetail(' Now.')).toMatchObject({
			name: 'ServiceError',
			description: 'Do. Now.',
			rateLimited: true,
			retryable: 'always',
			retryAfter: 5,
		});
		expect(first.description).toBe('Do.');
	});
});

describe('several wrong values', () => {
	const email = (number: number) =>
		new InputError(`Signatory ${number}, Email`, 'it is empty', 'Enter an e-mail address.');
	const country = new InputError('Country', 'it is empty', 'Enter a country.');
	const fail = (error: InputError) => {
		throw error;
	};
	const allOf = async (...lists: InputError[][]) =>
		await failureOf((async () => readEach(lists, (list) => readEach(list, fail)))());

	test('are one error, with each remedy once', async () => {
		const all = (await allOf([country], [email(1), email(2)])) as InputError;
		expect(all.message).toBe(
			'3 fields are missing or wrong: (1) Country: it is empty (2) Signatory 1, Email: it is empty (3) Signatory 2, Email: it is empty',
		);
		expect(all.description).toBe('(1) Enter a country. (2, 3) Enter an e-mail address.');
		expect(describeError(all).description).toBe(
			linkedData(all.description, 'fields-are-missing-or-wrong'),
		);
		expect(all.parts).toHaveLength(3);
	});

	test('beyond ten are counted', async () => {
		const all = await allOf([
			country,
			...Array.from({ length: 11 }, (_, index) => email(index + 1)),
		]);
		expect(all.message).toMatch(
			/^12 fields are .*\(10\) Signatory 9, Email: it is empty and 2 more$/,
		);
		expect(all.description).toMatch(/\(2, 3, 4, 5, 6, 7, 8, 9, 10\) Enter an e-mail address\.$/);
	});
});
