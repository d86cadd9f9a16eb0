import { RateLimiter } from '../../nodes/SignVerify/http/rateLimit';
import { runAction, type RunSetup } from '../support/contexts';
import { failureOf, useService, v2 } from '../support/service';
import { until } from '../support/until';

const service = useService();
const endpoint = 'POST /templates/createDocumentByTemplateV2';
const requests = () => service.sandbox.requests;

/** Runs 30 items and cancels the execution as soon as something is so. */
async function cancelledOnce(what: string, look: () => boolean, setup: Partial<RunSetup> = {}) {
	const cancel = new AbortController();
	const items = Array.from({ length: 30 }, () => ({}));
	const running = runAction(service.credential(), {
		parameters: v2,
		items,
		signal: cancel.signal,
		...setup,
	});
	const failure = failureOf(running);
	await until(what, look);
	const calls = requests().length;
	const start = performance.now();
	cancel.abort();
	const error = await failure;
	return {
		error,
		waited: performance.now() - start,
		more: requests().length - calls,
	};
}

describe('a cancelled execution', () => {
	test('ends at once while the service wants it to wait a minute', async () => {
		const answer = { status: 429, headers: { 'retry-after': '60' }, body: { message: 'later' } };
		service.sandbox.faults.set({ endpoint, answer });
		let waiting = 0;
		const { acquire } = RateLimiter.prototype;
		jest.spyOn(RateLimiter.prototype, 'acquire').mockImplementation(async function (
			this: RateLimiter,
			...given
		) {
			waiting++;
			return await acquire.apply(this, given).finally(() => waiting--);
		});
		const { error, waited, more } = await cancelledOnce(
			'the ten that are sent side by side wait for their turn',
			() => waiting === 10,
		).finally(() => jest.restoreAllMocks());
		expect(waited).toBeLessThan(20_000);
		expect(more).toBe(0);
		expect(error.message).toMatch(
			/^The execution was cancelled before this item was sent \[item \d+\]$/,
		);
		expect(error.description).toContain('20 of 30 items were not started.');
	});

	test('says of calls that are under way that they may have worked', async () => {
		service.sandbox.faults.set({ endpoint, delayMs: 30_000 });
		const { error, waited, more } = await cancelledOnce(
			'the ten that are sent side by side are at the service',
			() => requests().filter(({ path }) => endpoint.endsWith(path)).length === 10,
		);
		expect(waited).toBeLessThan(20_000);
		expect(more).toBe(0);
		expect(error.message).toMatch(
			/was not waited for, since the execution was cancelled, so the document may have been created \[item 1\]$/,
		);
		expect(error.description).toContain(
			'Look at the service first, because it may have created items 2 to 10.',
		);
	});
});
