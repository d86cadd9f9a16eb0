import type { IDataObject } from 'n8n-workflow';

import { runAction } from '../support/contexts';
import { type CredentialKeeper } from '../support/credentials';
import { byId, mapped, useService } from '../support/service';

const templateId = '65f1c0de0000000000000201';
const parameters = {
	resource: 'document',
	operation: 'createFromTemplate',
	templateId: byId(templateId),
	signatoriesFrom: 'form',
	country: { __rl: true, mode: 'name', value: 'Mexico' },
	fields: mapped({ employee_name: 'Ada', role: 'Analyst', start_date: '2027-01-11' }),
};
const emailOf = (run: string, index: number) => `${run}-${index}@example.com`;

/** A run over many items, a person of their own each. */
async function create(keeper: CredentialKeeper, run: string, count: number, options: IDataObject) {
	return await runAction(keeper, {
		parameters: { ...parameters, options },
		items: Array.from({ length: count }, (_, index) => ({ index })),
		perItem: Array.from({ length: count }, (_, index) => ({
			signatories: { signatory: [{ email: emailOf(run, index), name: `Person ${index}` }] },
		})),
	});
}

function say(text: string): void {
	process.stdout.write(`load: ${text}\n`);
}

async function timed<Value>(work: () => Promise<Value>): Promise<[value: Value, seconds: number]> {
	const start = performance.now();
	const value = await work();
	return [value, (performance.now() - start) / 1000];
}

describe('1,000 documents', () => {
	const service = useService();
	const count = 1000;

	/** One document for each person of a run, and the outputs name them in order. */
	function expectEachOnce(run: string, output: Array<{ json: IDataObject }>): void {
		const made = service.sandbox
			.documents()
			.map(({ documentID, signatory }) => [documentID, signatory[0]?.emailID ?? ''] as const)
			.filter(([, email]) => email.startsWith(`${run}-`));
		expect(made).toHaveLength(count);
		const byEmail = new Map(made.map(([id, email]) => [email, id]));
		expect(output.map(({ json }) => json.documentId)).toEqual(
			Array.from({ length: count }, (_, index) => byEmail.get(emailOf(run, index))),
		);
	}

	afterEach(() => void service.sandbox.settings.reset());

	test('at a service that says to come back at once, the node does not hammer', async () => {
		service.sandbox.settings.set({ rateLimit: { perSecond: 20, retryAfter: 0 } });
		const items = 50;
		const output = await create(service.credential(), 'atonce', items, { parallelRequests: 10 });
		const limited = service.sandbox.requests.filter(({ status }) => status === 429).length;
		say(`${items} items, 20/s, Retry-After 0: ${limited} calls refused (at most ${2 * items})`);
		expect(output).toHaveLength(items);
		expect(limited).toBeGreaterThan(0);
		expect(limited).toBeLessThanOrEqual(2 * items);
	}, 180_000);

	test.each([
		['without Retry-After', {}],
		['with Retry-After', { retryAfter: 1 }],
	])(
		'at 50 requests a second, 429 %s: all there, none twice, in time',
		async (name, how) => {
			const run = name.replace(/\W/g, '').toLowerCase();
			// A busy machine takes its time also where nothing is limited.
			const options = { parallelRequests: 10 };
			const [, unlimited] = await timed(
				async () => await create(service.credential(), `free-${run}`, count, options),
			);
			service.sandbox.settings.set({ rateLimit: { perSecond: 50, ...how } });
			const [output, seconds] = await timed(
				async () => await create(service.credential(), run, count, options),
			);
			const limited = service.sandbox.requests.filter(({ status }) => status === 429).length;
			const ratio = seconds / (count / 50 + unlimited);
			say(
				`${count} items, 50/s, 429 ${name}: ${seconds.toFixed(1)} s, ${ratio.toFixed(2)} × the limit's own 20 s and ${unlimited.toFixed(1)} s without one (at most 1.3), ${limited} calls refused`,
			);
			expectEachOnce(run, output);
			expect(ratio).toBeLessThanOrEqual(1.3);
		},
		180_000,
	);

	test('at 20 ms, tokens that live 2 s and end each other: no failure, few exchanges', async () => {
		service.sandbox.settings.set({ tokenLifetimeSeconds: 2, invalidateOnRenew: true });
		const endpoint = 'POST /templates/createDocumentByTemplateV2';
		service.sandbox.faults.set({ endpoint, delayMs: 20 });
		const before = service.sandbox.tokenExchanges();
		const [output, seconds] = await timed(
			async () => await create(service.credential(), 'renewed', count, { parallelRequests: 2 }),
		);
		const exchanges = service.sandbox.tokenExchanges() - before;
		const most = seconds / 2 + 2;
		say(
			`${count} items, tokens of 2 s: ${seconds.toFixed(1)} s, ${exchanges} exchanges (at most ${most.toFixed(1)})`,
		);
		expectEachOnce('renewed', output);
		expect(exchanges).toBeGreaterThan(1);
		expect(exchanges).toBeLessThanOrEqual(most);
	}, 180_000);
});
