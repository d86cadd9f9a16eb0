import { runAction, type RunSetup } from '../support/contexts';
import { byId, failureOf, mapped, useService } from '../support/service';

const service = useService();
const endpoint = 'POST /templates/createDocumentByTemplateV2';
const parameters = {
	resource: 'document',
	operation: 'createFromTemplate',
	templateId: byId('65f1c0de0000000000000201'),
	fields: mapped({ employee_name: 'Ada', role: 'Analyst', start_date: '2027-01-11' }),
	signatories: { signatory: [{ email: 'ada@example.com', name: 'Ada Lovelace' }] },
};

/** Runs 30 items and cancels the execution after so many milliseconds. */
async function cancelledAfter(ms: number, setup: Partial<RunSetup> = {}) {
	const cancel = new AbortController();
	const items = Array.from({ length: 30 }, () => ({}));
	const running = runAction(service.credential(), {
		parameters,
		items,
		signal: cancel.signal,
		...setup,
	});
	const failure = failureOf(running);
	await new Promise((resolve) => setTimeout(resolve, ms));
	const calls = service.sandbox.requests.length;
	const start = performance.now();
	cancel.abort();
	const error = await failure;
	return {
		error,
		waited: performance.now() - start,
		more: service.sandbox.requests.length - calls,
	};
}

describe('a cancelled execution', () => {
	test('ends at once while the service wants it to wait a minute', async () => {
		const answer = { status: 429, headers: { 'retry-after': '60' }, body: { message: 'later' } };
		service.sandbox.faults.set({ endpoint, answer });
		// Long enough for all ten that are under way to have had their answer, also under load.
		const { error, waited, more } = await cancelledAfter(1500);
		expect(waited).toBeLessThan(500);
		expect(more).toBe(0);
		expect(error.message).toBe('The execution was cancelled before this item was sent');
		expect(error.description).toContain('20 of 30 items were not started.');
	});

	test('ends at once between two tries of a read', async () => {
		service.sandbox.faults.set({ endpoint: 'GET /templates/v2', answer: { status: 500 } });
		const { error, waited } = await cancelledAfter(900);
		expect(waited).toBeLessThan(500);
		expect(error.message).toBe('The execution was cancelled before this item was sent');
	});

	test('ends at once while calls are spaced', async () => {
		const options = { requestsPerSecond: 0.5, parallelRequests: 5 };
		const { error, waited, more } = await cancelledAfter(600, {
			parameters: { ...parameters, options },
		});
		expect(waited).toBeLessThan(500);
		expect(more).toBe(0);
		expect(error.message).toBe('The execution was cancelled before this item was sent');
	});

	test('says of calls that are under way that they may have worked', async () => {
		service.sandbox.faults.set({ endpoint, delayMs: 3000 });
		const { error, waited, more } = await cancelledAfter(800);
		expect(waited).toBeLessThan(500);
		expect(more).toBe(0);
		expect(error.message).toMatch(
			/was not waited for, since the execution was cancelled, so the document may have been created$/,
		);
		expect(error.description).toContain(
			'Items 1, 2, 3, 4, 5, 6, 7, 8, 9 may have been created, too.',
		);
	});
});
