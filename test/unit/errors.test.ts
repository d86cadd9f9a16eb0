import {
	NodeApiError,
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INode,
} from 'n8n-workflow';
import { InputError, ServiceError, toNodeError } from '../../nodes/SignVerify/transport/errors';
import { standIn, type Respond } from '../support/standIn';
import { KeyedMutex } from '../../nodes/SignVerify/util/async';
import { textOf, isoTime } from '../../nodes/SignVerify/util/values';
import { getTemplates } from '../../nodes/SignVerify/methods/loadOptions';

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

describe('the templates to filter by', () => {
	const v2 = [
		{ templateID: 't2', name: 'Lease' },
		{ templateID: 't1', name: 'Contract' },
	];
	const v1 = [
		{ _id: 't3', name: '' },
		{ templateID: 't1', name: 'Contract' },
	];
	const choices = async (respond: Respond) =>
		await getTemplates.call(standIn(respond).context as ILoadOptionsFunctions);

	test('are those of both versions, each once, by name', async () => {
		const list = await choices(({ options }) => ({
			body: { responseData: options.url.endsWith('/v2') ? v2 : v1 },
		}));
		expect(list).toEqual([
			{ name: 'Contract', value: 't1' },
			{ name: 'Lease', value: 't2' },
			{ name: 't3', value: 't3' },
		]);
	});

	test('are those of one version where the other is not to be had', async () => {
		const list = await choices(({ options }) =>
			options.url.endsWith('/v2') ? { status: 404, body: {} } : { body: { responseData: v1 } },
		);
		expect(list.map(({ value }) => value).sort()).toEqual(['t1', 't3']);
	});

	test('of neither version are an error', async () => {
		await expect(choices(() => ({ status: 404, body: {} }))).rejects.toMatchObject({
			message: 'The service did not find it (HTTP 404)',
			httpCode: '404',
		});
		expect(await choices(() => ({ body: { responseData: [] } }))).toEqual([]);
	});
});

test('work of one name is done one after another, however it ends', async () => {
	const turns = new KeyedMutex();
	const log: string[] = [];
	const work =
		(name: string, fails = false) =>
		async () => {
			log.push(`${name} begins`);
			await new Promise((resolve) => setImmediate(resolve));
			log.push(`${name} ends`);
			if (fails) throw new Error(name);
			return name;
		};
	const first = turns.run('a', work('first', true));
	const second = turns.run('a', work('second'));
	const other = turns.run('b', work('other'));
	await expect(first).rejects.toThrow('first');
	expect(await Promise.all([second, other])).toEqual(['second', 'other']);
	expect(log.filter((line) => !line.startsWith('other'))).toEqual([
		'first begins',
		'first ends',
		'second begins',
		'second ends',
	]);
	expect(log.indexOf('other begins')).toBeLessThan(log.indexOf('first ends'));
});

test.each([
	['text', 'text'],
	[3, '3'],
	[false, 'false'],
	[null, ''],
	[{}, ''],
	[['a'], ''],
])('%j as text', (value, text) => {
	expect(textOf(value)).toBe(text);
});

test.each([
	[1_767_225_600_000, '2026-01-01T00:00:00.000Z'],
	['1767225600000', '2026-01-01T00:00:00.000Z'],
	['-1', '1969-12-31T23:59:59.999Z'],
	['2026-01-01', '2026-01-01T00:00:00.000Z'],
	['soon', 'soon'],
	['', undefined],
	[undefined, undefined],
])('the moment %j', (value, text) => {
	expect(isoTime(value)).toBe(text);
});
