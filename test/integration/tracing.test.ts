import { executeContext, action } from '../support/contexts';
import { todaysForm as parameters } from '../support/contract';
import { ProcessedStore } from '../support/processedStore';
import { useService } from '../support/service';

const service = useService();
const endpoint = 'POST /templates/createDocumentByTemplateV2';

/** What a run with an item for each key tells n8n's traces. */
async function traceOf(keys: string[], more: object = {}) {
	const tracing: Record<string, string | number | boolean> = {};
	const context = executeContext(service.credential(), {
		parameters,
		settings: { typeVersion: 1.1 },
		items: keys.map(() => ({})),
		perItem: keys.map((sendOnceKey) => ({ options: { sendOnceKey, ...more } })),
		store: new ProcessedStore(),
		continueOnFail: true,
		tracing,
	});
	await action.execute.call(context);
	return tracing;
}

const nothing = { created: 0, skipped: 0, uncertain: 0, retried: 0, limitedMs: 0 };

test('what was sent, and what was skipped', async () => {
	expect(await traceOf(['a', 'b', 'b'])).toEqual({ ...nothing, created: 2, skipped: 1 });
});

test('what may have been created', async () => {
	service.sandbox.faults.set({ endpoint, reset: 'after', times: 1 });
	expect(await traceOf(['a', 'b'])).toEqual({ ...nothing, created: 1, uncertain: 1 });
});

test('what was only checked is not created', async () => {
	expect(await traceOf(['a'], { checkOnly: true })).toEqual(nothing);
});

test('how often a call was made again, and how long the limits of the service halted the run', async () => {
	const answer = { status: 429, headers: { 'retry-after': '1' } };
	service.sandbox.faults.set({ endpoint, answer, times: 1 });
	const { limitedMs, ...counts } = await traceOf(['a']);
	expect(counts).toEqual({ created: 1, skipped: 0, uncertain: 0, retried: 1 });
	expect(limitedMs).toBeGreaterThan(900);
	expect(limitedMs).toBeLessThan(3000);
});

test('a run that only reads has created nothing', async () => {
	const tracing = {};
	const get = { resource: 'template', operation: 'getAll' };
	const setup = { parameters: get, items: [{}], tracing };
	const [output] = await action.execute.call(executeContext(service.credential(), setup));
	expect(output?.length).toBeGreaterThan(3);
	expect(tracing).toEqual(nothing);
});
