import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { InputError, ServiceError, toNodeError } from '../../nodes/SignVerify/transport/errors';

const node = { name: 'SignVerify', type: 't', typeVersion: 1, parameters: {} } as unknown as INode;

describe("n8n's error", () => {
	test('of a failed call carries what happened, what to do, the status and the item', () => {
		const failure = new ServiceError({
			message: 'It failed',
			description: 'Do',
			httpStatus: 404,
		});
		const error = toNodeError(node, failure, 3);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'It failed',
			description: 'Do',
			httpCode: '404',
			context: { itemIndex: 3 },
		});
		const plain = toNodeError(node, new ServiceError({ message: 'It failed', description: 'Do' }));
		expect(plain).toMatchObject({ httpCode: null });
		expect(plain.context).not.toHaveProperty('itemIndex');
	});

	test('of a wrong value, and of an error of n8n, keeps its words', () => {
		for (const known of [
			new InputError('Email', 'it is empty', 'Enter one.'),
			new NodeOperationError(node, 'Email: it is empty', { description: 'Enter one.' }),
		]) {
			const error = toNodeError(node, known, 0);
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error).toMatchObject({
				message: 'Email: it is empty',
				description: 'Enter one.',
				context: { itemIndex: 0 },
			});
		}
	});

	test('of anything else carries its message and nothing more', () => {
		const unknown = Object.assign(new Error('oh'), { description: 'token 1', config: { a: 1 } });
		const error = toNodeError(node, unknown);
		expect(error.message).toBe('oh');
		expect(JSON.stringify(error)).not.toContain('token 1');
		expect(error.context.itemIndex).toBeUndefined();
		expect(toNodeError(node, 'thrown text').message).toBe('An unknown error occurred');
	});

	test('a failure with more to say leaves the first one as it was', () => {
		const first = new ServiceError({
			message: 'm',
			description: 'Do.',
			httpStatus: 429,
			repeat: 'always',
			retryAfter: 5,
		});
		expect(first.withDetail(' Now.')).toMatchObject({
			name: 'ServiceError',
			description: 'Do. Now.',
			limited: true,
			repeat: 'always',
			retryAfter: 5,
		});
		expect(first.description).toBe('Do.');
	});
});
