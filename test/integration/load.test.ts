import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { runAction } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
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
		const output = await create(service.credential(), 'renewed', count, { parallelRequests: 2 });
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

describe('5,000 items beside 500', () => {
	let stub: Server;
	let keeper: CredentialKeeper;
	let created = 0;

	/** Answers at once, so that what is measured is the node. */
	beforeAll(async () => {
		const template = {
			_id: templateId,
			templateID: templateId,
			name: 'A',
			form: [],
			signatories: [],
		};
		const form = ['employee_name', 'role', 'start_date'].map((key) => ({ key, label: key }));
		const answers: Record<string, () => unknown> = {
			'/access/token': () => ({ accessToken: 'token' }),
			'/templates/v2': () => ({ templates: [{ ...template, form }] }),
		};
		stub = createServer((request, response) => {
			request.resume().on('end', () => {
				const known = answers[request.url ?? ''];
				const responseData = known ? known() : { documentID: `d${created++}`, status: 'PENDING' };
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify({ responseData, success: true, responseCode: 200 }));
			});
		});
		await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve));
		const { port } = stub.address() as AddressInfo;
		const baseUrl = `http://127.0.0.1:${port}`;
		keeper = new CredentialKeeper({ baseUrl, userId: 'u', apiKey: 'k' });
	});

	afterAll(async () => {
		await new Promise((resolve) => stub.close(resolve));
	});

	test('an item costs the same', async () => {
		const options = { parallelRequests: 50 };
		let peak = 0;
		const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
		// Processor time: the machine is shared, and what others do on it is none of this.
		const perItem = async (run: string, count: number): Promise<number> => {
			const before = created;
			const start = process.cpuUsage();
			const output = await create(keeper, run, count, options);
			const { user, system } = process.cpuUsage(start);
			expect(new Set(output.map(({ json }) => json.documentId)).size).toBe(count);
			expect(created - before).toBe(count);
			return (user + system) / 1000 / count;
		};
		try {
			await perItem('warm', 1000);
			// Small runs before and after, since the process itself gets warmer, and another round
			// where that was not enough. Growth would show in each of them.
			let ratio = Infinity;
			for (let round = 1; round <= 2 && ratio > 1.2; round++) {
				const before = [await perItem(`a${round}`, 500), await perItem(`b${round}`, 500)];
				const rssBefore = process.memoryUsage.rss();
				const large = await perItem(`large${round}`, 5000);
				const after = [await perItem(`c${round}`, 500), await perItem(`d${round}`, 500)];
				const small = [...before, ...after].reduce((sum, each) => sum + each, 0) / 4;
				ratio = large / small;
				const mb = (bytes: number) => Math.round(bytes / 2 ** 20);
				say(
					`5,000 items: ${large.toFixed(2)} ms each; 500 items: ${small.toFixed(2)} ms each; ratio ${ratio.toFixed(2)} (at most 1.2); peak memory ${mb(peak)} MB (${mb(rssBefore)} MB before)`,
				);
			}
			expect(ratio).toBeLessThanOrEqual(1.2);
		} finally {
			clearInterval(look);
		}
	}, 180_000);
});
