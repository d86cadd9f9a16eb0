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
async function create(keeper: CredentialKeeper, run: string, count: number) {
	return await runAction(keeper, {
		parameters,
		items: Array.from({ length: count }, (_, index) => ({ index })),
		perItem: Array.from({ length: count }, (_, index) => ({
			signatories: { signatory: [{ email: emailOf(run, index), name: `Person ${index}` }] },
		})),
	});
}

function say(text: string): void {
	process.stdout.write(`load: ${text}\n`);
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

	test('at 20 ms, tokens that live 2 s and end each other: no failure, few exchanges', async () => {
		service.sandbox.settings.set({ tokenLifetimeSeconds: 2, invalidateOnRenew: true });
		const endpoint = 'POST /templates/createDocumentByTemplateV2';
		service.sandbox.faults.set({ endpoint, delayMs: 20 });
		const before = service.sandbox.tokenExchanges();
		const start = performance.now();
		const output = await create(service.credential({ parallelRequests: 2 }), 'renewed', count);
		const seconds = (performance.now() - start) / 1000;
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
