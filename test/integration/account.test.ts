import { listSearch } from '../../nodes/SignVerify/methods/listSearch';
import { loadContext, runAction } from '../support/contexts';
import { failureOf, useService, v2 } from '../support/service';
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

test('100 sub-workflows at once at 50 calls a second: each document once', async () => {
	service.sandbox.settings.set({ rateLimit: { perSecond: 50 } });
	const people = Array.from({ length: 100 }, (_, index) => `person-${index}@example.com`);
	// Each has read the credential for itself; the token is there, as in a workflow that ran before.
	const { stored } = service.credential();
	await runAction(service.credential(), { parameters: getTemplates });
	const start = performance.now();
	const outputs = await Promise.all(
		people.map(async (email) => await send(email, service.credential(stored))),
	);
	const seconds = (performance.now() - start) / 1000;
	const created = service.sandbox.documents().map(({ signatory }) => signatory[0]?.emailID);
	expect(created.sort()).toEqual([...people].sort());
	expect(new Set(outputs.map(([item]) => item?.json.documentId)).size).toBe(100);
	// The list was there, read once for all.
	expect(callsTo(list).length).toBe(1);
	const refused = service.sandbox.requests.filter(({ status }) => status === 429).length;
	process.stdout.write(`100 executions: ${seconds.toFixed(1)} s, ${refused} refusals\n`);
});

describe('the bound of parallel requests', () => {
	const two = { parallelRequests: 2 };
	const running = () => callsTo(creation).filter(({ status }) => status === 0).length;

	test('holds for all executions, and a cancelled one neither blocks nor frees others', async () => {
		service.sandbox.faults.set({ endpoint: creation, delayMs: 400 });
		const cancelWaiting = new AbortController();
		const cancelRunning = new AbortController();
		const first = failureOf(send('a@example.com', service.credential(two), cancelRunning.signal));
		const second = send('b@example.com', service.credential(two));
		await until('two are at the service', () => running() === 2);
		const third = send('c@example.com', service.credential(two), cancelWaiting.signal);
		const fourth = send('d@example.com', service.credential(two));
		const fifth = send('e@example.com', service.credential(two));
		await new Promise((resolve) => setTimeout(resolve, 50));
		cancelWaiting.abort();
		const message = 'The execution was cancelled before this item was sent';
		expect((await third)[0]?.json.error).toMatchObject({ message });
		expect(running()).toBe(2);
		cancelRunning.abort();
		expect((await first).message).toContain('may have been created');
		await Promise.all([second, fourth, fifth]);
		expect(callsTo(creation)).toHaveLength(4);
	});

	test('is not waited for by a person who opens a list', async () => {
		service.sandbox.faults.set({ endpoint: creation, delayMs: 5000 });
		const cancel = new AbortController();
		const sending = [1, 2, 3, 4].map(async (index) => {
			return await send(`p${index}@example.com`, service.credential(two), cancel.signal);
		});
		await until('two are at the service', () => running() === 2);
		const context = loadContext(service.credential(two), v2);
		await listSearch.searchTemplates.call(context, '');
		expect(running()).toBe(2);
		cancel.abort();
		await Promise.allSettled(sending);
	});
});

describe('the list of templates', () => {
	const get = async (credential = service.credential(), signal?: AbortSignal) =>
		await runAction(credential, { parameters: getTemplates, ...(signal ? { signal } : {}) });

	test('is read once for all, and what one changes no other sees', async () => {
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

	test('is not that of another key', async () => {
		await get();
		const { apiKey } = service.credential().stored;
		const error = await failureOf(get(service.credential({ apiKey: `${String(apiKey)}x` })));
		expect(error.message).toContain('refused the User ID or the API Key');
	});

	test('a failure is not kept, nor the end of another execution', async () => {
		const refusal = { status: 400, body: { success: false, message: 'no' } };
		service.sandbox.faults.set({ endpoint: list, times: 1, answer: refusal });
		expect((await failureOf(get())).message).toContain('refused the request');
		service.sandbox.faults.set({ endpoint: list, times: 1, delayMs: 500 });
		const cancel = new AbortController();
		const cancelled = failureOf(get(service.credential(), cancel.signal));
		await until('it is at the service', () => callsTo(list).length === 2);
		const joined = get();
		cancel.abort();
		expect((await cancelled).message).toContain('cancelled');
		expect((await joined).length).toBeGreaterThan(0);
	});
});
