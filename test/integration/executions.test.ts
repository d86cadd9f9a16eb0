import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { listSearch } from '../../nodes/SignVerify/methods/listSearch';
import { action, executeContext, loadContext, runAction } from '../support/contexts';
import { settle } from '../../nodes/SignVerify/util/async';
import { objectOf } from '../../nodes/SignVerify/util/values';
import { failureOf, useService, v2 } from '../support/service';
import { serve } from '../support/stub';
import { callProblems } from '../../nodes/SignVerify/http/callProblems';
import { until } from '../support/until';

const creation = 'POST /templates/createDocumentByTemplateV2';
const list = 'GET /templates/v2';

const service = useService();
const callsTo = (endpoint: string) =>
	service.sandbox.requests.filter(({ method, path }) => `${method} ${path}` === endpoint);
const send = async (email: string, credential = service.credential(), signal?: AbortSignal) =>
	await runAction(credential, {
		parameters: { ...v2, signatories: { signatory: [{ email, name: 'Ada Lovelace' }] } },
		...(signal ? { signal } : {}),
	});
const getTemplates = { resource: 'template', operation: 'getAll', returnAll: true };

afterEach(() => void service.sandbox.settings.reset());

test("writes to n8n's log what a stopped execution created, because n8n discards its output", async () => {
	const cancel = new AbortController();
	service.sandbox.faults.set({ endpoint: creation, delayMs: 600_000, skip: 1 });
	const parameters = {
		...v2,
		signatories: { signatory: [{ email: '={{ $json.to }}', name: 'Ada' }] },
	};
	const items = ['a', 'b', 'c'].map((name) => ({ to: `${name}@example.com` }));
	const credential = service.credential({ parallelRequests: 1 });
	const context = executeContext(credential, { parameters, items, signal: cancel.signal });
	const logged: string[] = [];
	Object.assign(context, {
		logger: { ...context.logger, warn: (text: string) => logged.push(text) },
	});
	const ended = failureOf(action.execute.call(context));
	await until('the service gets two calls', () => callsTo(creation).length === 2);
	cancel.abort();
	await ended;
	const id = service.sandbox.documents().at(-1)?.documentID;
	expect(logged).toEqual([
		`SignVerify: execution ${context.getExecutionId()} was stopped while "${context.getNode().name}" was running. May have been created: item 2. Created: document ${id} (item 1).`,
	]);
});

describe('Parallel Requests', () => {
	const two = { parallelRequests: 2 };
	const running = () => callsTo(creation).filter(({ status }) => status === 0).length;

	test('limits all executions combined, even when some are canceled, without blocking the rest', async () => {
		const release = service.sandbox.faults.set({ endpoint: creation, delayMs: 600_000 });
		const cancelWaiting = new AbortController();
		const cancelRunning = new AbortController();
		const first = failureOf(send('a@example.com', service.credential(two), cancelRunning.signal));
		const second = send('b@example.com', service.credential(two));
		await until('the service gets two calls', () => running() === 2);
		const third = send('c@example.com', service.credential(two), cancelWaiting.signal);
		const fourth = send('d@example.com', service.credential(two));
		const fifth = send('e@example.com', service.credential(two));
		cancelWaiting.abort();
		// The node may still be checking the item, and the whole run then fails.
		const canceled = await settle(third);
		const [message] = canceled.ok
			? canceled.value.map(({ json }) => objectOf(json.error).message)
			: [(canceled.error as Error).message];
		expect(message).toMatch(
			/^The execution was cancelled before (?:this item was done|any of these items was sent)$/,
		);
		expect(running()).toBe(2);
		cancelRunning.abort();
		expect((await first).message).toContain('may have been created');
		release();
		await Promise.all([second, fourth, fifth]);
		expect(callsTo(creation)).toHaveLength(4);
	});

	test('does not delay a user who is opening a list', async () => {
		service.sandbox.faults.set({ endpoint: creation, delayMs: 600_000 });
		const cancel = new AbortController();
		const sending = [1, 2, 3, 4].map(async (index) => {
			return await send(`p${index}@example.com`, service.credential(two), cancel.signal);
		});
		await until('the service gets two calls', () => running() === 2);
		const context = loadContext(service.credential(two), v2);
		await listSearch.searchTemplates.call(context, '');
		expect(running()).toBe(2);
		cancel.abort();
		await Promise.allSettled(sending);
	});
});

test("a file server that hangs does not delay the account's documents", async () => {
	const storage = createServer(() => undefined);
	await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
	const documentUrl = `http://127.0.0.1:${(storage.address() as AddressInfo).port}/lease.pdf`;
	const limits = { parallelRequests: 2 };
	const cancel = new AbortController();
	try {
		let connections = 0;
		storage.on('connection', () => connections++);
		let isDownloading = true;
		const downloading = runAction(service.credential(limits), {
			parameters: { resource: 'document', operation: 'download', documentUrl },
			items: [{}, {}, {}, {}],
			continueOnFail: true,
			signal: cancel.signal,
		}).finally(() => (isDownloading = false));
		await until('the file server gets two connections', () => connections === 2);
		await send('ada@example.com', service.credential(limits));
		expect(isDownloading).toBe(true);
		// Each execution has its own limit for downloads.
		expect(connections).toBe(2);
		cancel.abort();
		await downloading;
	} finally {
		storage.closeAllConnections();
		storage.close();
	}
});

describe('the list of templates', () => {
	const get = async (credential = service.credential(), signal?: AbortSignal) =>
		await runAction(credential, { parameters: getTemplates, ...(signal ? { signal } : {}) });

	test('is read only once for simultaneous executions, each of which gets its own copy', async () => {
		const [first, second] = await Promise.all([get(), get()]);
		expect(callsTo(list)).toHaveLength(1);
		(first?.[0]?.json as { form?: unknown[] }).form?.splice(0);
		expect(await get()).toEqual(second);
		expect(callsTo(list)).toHaveLength(1);
	});

	test('is read again after ten seconds', async () => {
		await get();
		const later = performance.now() + 10_001;
		const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
		await get().finally(() => clock.mockRestore());
		expect(callsTo(list)).toHaveLength(2);
	});

	test('is not shared between API keys', async () => {
		await get();
		const { apiKey } = service.credential().stored;
		const error = await failureOf(get(service.credential({ apiKey: `${String(apiKey)}x` })));
		expect(error.message).toContain('rejected the User ID or the API Key');
	});

	test('is read again after a failure, and canceling one execution does not affect the others', async () => {
		const refusal = { status: 400, body: { success: false, message: 'no' } };
		service.sandbox.faults.set({ endpoint: list, times: 1, response: refusal });
		expect((await failureOf(get())).message).toContain('rejected the request');
		const release = service.sandbox.faults.set({ endpoint: list, times: 1, delayMs: 600_000 });
		const cancel = new AbortController();
		const cancelled = failureOf(get(service.credential(), cancel.signal));
		await until('the service gets the call', () => callsTo(list).length === 2);
		const joined = get();
		cancel.abort();
		expect((await cancelled).message).toContain('cancelled');
		release();
		expect((await joined).length).toBeGreaterThan(0);
	});
});

describe('a node that n8n runs again', () => {
	test('does not send anything twice if Retry On Fail is on and n8n itself fails', async () => {
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const context = executeContext(service.credential(), { parameters: v2, settings });
		const { httpRequestWithAuthentication: request } = context.helpers;
		Object.assign(context.helpers, {
			httpRequestWithAuthentication: async (...call: Parameters<typeof request>) => {
				const response: unknown = await request.apply(context, call);
				if (!JSON.stringify(call[1]).includes('createDocument')) return response;
				throw new Error('SQLITE_BUSY: database is locked');
			},
		});
		await failureOf(action.execute.call(context));
		expect(callsTo(creation)).toHaveLength(1);
	});

	test('downloads a file again if Retry On Fail is on and the link did not work yet', async () => {
		const isThere = [false, true];
		const host = await serve((response) => {
			if (isThere.shift()) response.writeHead(200).end('%PDF-1.7 a lease');
			else response.writeHead(410).end();
		});
		const parameters = { resource: 'document', operation: 'download', documentUrl: host.url };
		const context = executeContext(service.credential(), { parameters });
		const tried = async () => await settle(action.execute.call(context));
		expect((await tried()).ok).toBe(false);
		const second = await tried();
		await host.close();
		const [[item] = []] = second.ok ? second.value : [];
		expect(Object.keys(item?.binary ?? {})).toEqual(['document']);
		expect(isThere).toEqual([]);
	});

	test('creates exactly two documents for two parallel calls from an agent, even if one response is lost', async () => {
		service.sandbox.faults.set({ endpoint: creation, times: 1, reset: 'after' });
		const base = executeContext(service.credential(), { parameters: v2 });
		const entry = base.getExecuteData();
		const call = async (who: string) => {
			const items = [{ json: { who } }];
			const context = { ...base, getExecuteData: () => entry, getInputData: () => items };
			const tried = async () => await action.execute.call(context).then(String, String);
			return [await tried(), await tried()];
		};
		const calls = await Promise.all([call('Ada'), call('Ben')]);
		expect(calls.filter(([first]) => first?.includes('may have been created'))).toHaveLength(1);
		expect(calls.map(([, second]) => second)).toEqual(calls.map(([first]) => first));
		expect(callsTo(creation)).toHaveLength(2);
	});
});

describe('On Error: Continue', () => {
	const messagesOf = async (parameters: IDataObject, limits: object = {}, signal?: AbortSignal) => {
		const output = await runAction(service.credential({ ...limits }), {
			parameters,
			items: [{}, {}],
			continueOnFail: true,
			...(signal ? { signal } : {}),
		});
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(callsTo(creation)).toEqual([]);
		return output.map(({ json }) => (json.error as IDataObject | undefined)?.message);
	};

	test.each([
		[
			'the credential contains an invalid field',
			v2,
			{ parallelRequests: 100 },
			/^Parallel Requests in /,
		],
		['the operation does not exist', { ...v2, operation: 'none' }, {}, /^Operation: /],
	])('returns an error for each item if %s', async (_, parameters, limits, message) => {
		const expected = expect.stringMatching(message) as string;
		expect(await messagesOf(parameters, limits)).toEqual([expected, expected]);
	});

	test("reports a canceled execution's items as not sent", async () => {
		const { problem: message } = callProblems.canceled;
		expect(await messagesOf(v2, {}, AbortSignal.abort())).toEqual([message, message]);
	});
});
