import type { IAdditionalCredentialOptions, IHttpRequestOptions, INode } from 'n8n-workflow';

import { maxTries, retryAllowance } from '../../nodes/SignVerify/http/retry';
import { runAction, type RunSetup } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { byId } from '../support/service';
import { envelope, Stub, text, type Answer } from '../support/stub';

/** Items of a run, and what the documentation allows above one call for each in an outage. */
const count = 200;
const allowance = retryAllowance();
const tries = maxTries.read.always;

let stub: Stub;
beforeEach(async () => {
	stub = await new Stub().start();
});
afterEach(async () => await stub.close());

/** Counts what goes out, where no service is there to count it. */
class CountingKeeper extends CredentialKeeper {
	calls = 0;

	override async request(
		node: INode,
		options: IHttpRequestOptions,
		additional?: IAdditionalCredentialOptions,
	): Promise<unknown> {
		this.calls++;
		return await super.request(node, options, additional);
	}
}

const results = { resource: 'identity', operation: 'getResults', sessionId: 's' };
const request = { resource: 'identity', operation: 'request', email: 'ada@example.com' };
const template = { resource: 'template', operation: 'get', templateId: byId('t') };
const download = () => ({
	resource: 'document',
	operation: 'download',
	documentUrl: `${stub.url}/x.pdf`,
});

/** Runs an operation over so many items that all go on; gives how many succeeded. */
async function run(
	parameters: RunSetup['parameters'],
	{ items = count, keeper = stub.credential(), ...setup }: RunOptions = {},
) {
	const output = await runAction(keeper, {
		parameters,
		items: Array.from({ length: items }, () => ({})),
		continueOnFail: true,
		...setup,
	});
	expect(output).toHaveLength(items);
	const failed = output.filter(({ json }) => json.error);
	return { done: items - failed.length, words: failed.map(({ json }) => JSON.stringify(json)) };
}
type RunOptions = Partial<Pick<RunSetup, 'settings' | 'perItem'>> & {
	items?: number;
	keeper?: CredentialKeeper;
};

const callsTo = (path: string) => stub.calls.filter((call) => call.includes(path)).length;
const unavailable: Answer = (response) => response.writeHead(503).end();
const broken: Answer = (response) => response.destroy();
const verified: Answer = text(
	envelope({ results: { score: { overall: { value: 1, status: 'OK' } } }, customerId: 'c' }),
);
const file: Answer = text('%PDF-1.7 a file', { 'content-type': 'application/pdf' });

describe.each([
	['that answers 503', unavailable],
	['that breaks every connection', broken],
])('a service %s', (_name, answer) => {
	beforeEach(() => (stub.answer = answer));

	test.each([
		['Document: Download', download, '/x.pdf'],
		['Identity: Get Results', () => results, '/identity/session/results'],
	])(`${count} items of %s: one call each and ${allowance} more`, async (_of, parameters, path) => {
		const { done, words } = await run(parameters());
		expect(done).toBe(0);
		expect(callsTo(path)).toBe(count + allowance);
		expect(words.filter((each) => each.includes(`It was tried ${tries} times`))).not.toHaveLength(
			0,
		);
		expect(words.at(-1)).toContain('There was no further retry');
		for (const each of words) expect(each).toMatch(/HTTP 503|closed the connection/);
	});

	test(`${count} items of Template: Get: the list that they share is tried ${tries} times`, async () => {
		expect((await run(template)).done).toBe(0);
		expect(callsTo('/templates/v2')).toBe(tries);
	});

	test(`${count} items of Identity: Request: one call each, none repeated`, async () => {
		expect((await run(request)).done).toBe(0);
		expect(callsTo('/identity/validation/request')).toBe(count);
	});

	test('Retry On Fail stays within the same allowance', async () => {
		const settings = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };
		expect((await run(results, { settings })).done).toBe(0);
		expect(callsTo('/identity/session/results')).toBe(count + allowance);
		await run(results, { items: 1, settings });
		expect(callsTo('/identity/session/results')).toBe(count + allowance + 5);
	});

	test(`a single item is tried ${tries} times`, async () => {
		await run(results, { items: 1 });
		expect(callsTo('/identity/session/results')).toBe(tries);
	});
});

test.each([
	['creations', request],
	['reads', results],
])('%s whose connection is refused: one call each and the allowance', async (_name, parameters) => {
	const nobody = await new Stub().start();
	const { url } = nobody;
	await nobody.close();
	const keeper = new CountingKeeper({
		baseUrl: url,
		userId: 'u',
		apiKey: 'k',
		accessToken: 'token',
	});
	const { done, words } = await run(parameters, { keeper });
	expect(done).toBe(0);
	expect(keeper.calls).toBe(count + allowance);
	for (const each of words) expect(each).toContain('refuses connections');
});

test('a token exchange that fails: no call goes out, and exchanges stay within the same', async () => {
	stub.token = unavailable;
	const { done, words } = await run(request);
	expect(done).toBe(0);
	expect(callsTo('/identity')).toBe(0);
	expect(callsTo('/access/token')).toBeLessThanOrEqual(count + allowance);
	for (const each of words) expect(each).toContain('gives no access token at the moment');
});

describe('a service of which one call in ten fails', () => {
	const items = 600;
	const numbers = Array.from({ length: items }, (_, index) => index);

	/** Fails each tenth call, in one way after another, but no item in all its tries. */
	const brownOut = (answer: Answer): Answer => {
		const failures = new Map<string, number>();
		let calls = 0;
		return (response, incoming) => {
			const before = failures.get(incoming.path) ?? 0;
			if (++calls % 10 || before === tries - 1) return answer(response, incoming);
			failures.set(incoming.path, before + 1);
			return calls % 20 ? unavailable(response, incoming) : broken(response, incoming);
		};
	};

	test('600 items of Document: Download: all succeed', async () => {
		stub.answer = brownOut(file);
		const perItem = numbers.map((index) => ({ documentUrl: `${stub.url}/${index}.pdf` }));
		expect((await run(download(), { items, perItem })).done).toBe(items);
		expect(stub.calls.length).toBeGreaterThan(1.1 * items);
	});

	test('600 items of Identity: Get Results: all succeed', async () => {
		stub.answer = brownOut(verified);
		const perItem = numbers.map((index) => ({ sessionId: `s${index}` }));
		expect((await run(results, { items, perItem })).done).toBe(items);
		expect(stub.calls.length).toBeGreaterThan(1.1 * items);
	});
});

test.each([10, 50])(
	'a service that is away for half a second: all items succeed, %i at a time',
	async (parallelRequests) => {
		let end = Infinity;
		stub.answer = (response, incoming) => {
			// From the first call on, however long it took to get there.
			if (end === Infinity) end = Date.now() + 500;
			return Date.now() < end ? broken(response, incoming) : verified(response, incoming);
		};
		const { done } = await run({ ...results, options: { parallelRequests } });
		expect(done).toBe(count);
	},
);
