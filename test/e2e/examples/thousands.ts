import { dataTable } from '../support/dataTable';
import type { Adapt } from '../support/exampleRuns';
import { until } from '../support/stage';
import { signAll } from '../support/wait';
import { own } from './runStage';
import {
	changeList,
	create,
	documentOf,
	documents,
	listOf,
	office,
	type Row,
	type TableRow,
	told,
} from './thousandsList';

// examples/thousands-send.json, thousands-signed.json and daily-overview.json: one list, its whole life.
const { stage } = own;
const count = 200;

/** Everybody on the list, odd ones included; number 3 is refused until it is corrected. */
const list: Row[] = Array.from({ length: count }, (_, index) => ({
	contract: `C-${index + 1}`,
	name: `Person number ${index + 1}`,
	email: `person-${index + 1}@example.com`,
}));
const [odd, numbered, refused, wrong] = list as [Row, Row, Row, Row];
odd.name = `Zoë "Zed" O'Brien, Jr. {{ 1 + 1 }}`;
numbered.contract = 2;
refused.email = 'no address';
let send = '';

const runSend = async () => {
	const { status, error } = await own.run(send, 'Start');
	expect([status, error?.message]).toEqual(['success', undefined]);
};
const runOverview = async () => {
	const id = await own.store('daily-overview');
	expect((await own.run(id, 'Every morning')).status).toBe('success');
	return own.mails(office).at(-1);
};
/** The example, looking every few seconds, as it does every hour, and also for what was just signed. */
const looking =
	(secondsInterval: number): Adapt =>
	(node) => {
		node('Every hour').parameters.rule = { interval: [{ field: 'seconds', secondsInterval }] };
		const { filters } = node('Signed, not followed up').parameters as {
			filters: { conditions: Array<{ condition: string }> };
		};
		const conditions = filters.conditions.filter(({ condition }) => condition !== 'lt');
		expect(conditions).toHaveLength(filters.conditions.length - 1);
		filters.conditions = conditions;
	};
const everyFewSeconds = looking(4);

describe('thousands-send, thousands-signed, daily-overview', () => {
	afterEach(own.unpublish);
	test('before anything was sent: the overview fails without a table, and says that nothing is open with one', async () => {
		const overview = await own.store('daily-overview');
		const { status, error } = await own.run(overview, 'Every morning');
		expect([status, error?.message]).toEqual(['error', expect.stringContaining('not found')]);
		const empty = await own.store('thousands-send', listOf([]));
		expect((await own.run(empty, 'Start')).status).toBe('success');
		expect(own.mails(office).at(-1)?.subject).toBe('Nothing was sent, because the list is empty');
		expect((await runOverview())?.subject).toBe('Contracts: 0 open, 0 to follow up');
	});

	test('200 rows, one refused, one uncertain: the others are sent, and both are reported', async () => {
		// The answer to one of the creations is lost.
		stage.sandbox.faults.set({ endpoint: create, skip: 50, times: 1, reset: 'after' });
		send = await own.store('thousands-send', listOf(list));
		await runSend();
		expect(documents()).toHaveLength(count - 1);
		const report = own.mails(office).at(-1);
		expect(report?.subject).toBe('1 contracts not sent, 1 uncertain');
		expect(report?.text).toContain(`${refused.contract}, ${refused.name} <no address>: `);
		expect((await runOverview())?.subject).toBe(`Contracts: ${count - 2} open, 0 to follow up`);
	});

	test('after the correction only what is missing is sent', async () => {
		refused.email = 'person-3@example.com';
		await changeList(list, send);
		await runSend();
		expect(documents()).toHaveLength(count);
		expect(documentOf(refused)).not.toBe('');
		const overview = await runOverview();
		expect(overview?.subject).toBe(`Contracts: ${count - 1} open, 0 to follow up`);
		expect(overview?.text).toContain('and 99 more');
	});

	test('40 sign at the same moment, also somebody else: each gets one mail, a wrong address is reported', async () => {
		const id = await own.publish('thousands-signed');
		own.office.unknown.add(wrong.email ?? '');
		const signers = [odd, numbered, refused, wrong, ...list.slice(100, 136)];
		const foreign = await own.send([{ email: 'foreign@example.com', name: 'Somebody Else' }]);
		await Promise.all(
			[...signers.map(documentOf), foreign].map(async (each) => await signAll(stage.sandbox, each)),
		);
		const happy = signers.filter((row) => row !== wrong && documentOf(row) !== '');
		await until('all are told', () => happy.every((row) => told(row) > 0));
		await until('the failure is reported', () =>
			own.subjects(office).some((each) => each.includes(`${wrong.name} was not told`)),
		);
		expect(own.mails(odd.email ?? '').at(-1)?.text).toContain(`Dear ${odd.name},`);
		// The same events again, and looks for what is not followed up.
		await stage.n8n.api.deactivate(id);
		await own.publish('thousands-signed', everyFewSeconds);
		await own.deliver(...own.events('completedDocument', ...signers.map(documentOf)));
		await new Promise((resolve) => setTimeout(resolve, 6_000));
		expect(signers.map(told)).toEqual(signers.map((row) => (row === wrong ? 0 : 1)));
		expect(own.subjects('foreign@example.com')).toEqual([]);
		const reports = own.subjects(office).filter((each) => each.includes('was not told'));
		expect(reports).toHaveLength(1);
	});

	test('a document is signed before its row is there: it is followed up when the row comes', async () => {
		await own.publish('thousands-signed', everyFewSeconds);
		const late = { contract: 'C-late', name: 'Late Row', email: 'late@example.com' };
		list.push(late);
		const document = await own.send([{ email: late.email, name: late.name }]);
		await signAll(stage.sandbox, document);
		await stage.sandbox.idle();
		expect(told(late)).toBe(0);
		// As thousands-send does it a moment later.
		const remember = await own.store('thousands-send', (node, nodes) => {
			listOf([late])(node, nodes);
			Object.assign(node('Send the contracts'), {
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: {
					mode: 'raw',
					jsonOutput: JSON.stringify({ documentId: document }),
					options: {},
				},
				credentials: undefined,
			});
		});
		expect((await own.run(remember, 'Start')).status).toBe('success');
		await until('it is followed up', () => told(late) === 1);
		await new Promise((resolve) => setTimeout(resolve, 5_000));
		expect(told(late)).toBe(1);
	});

	test('n8n crashes while both work, and nobody retries: each has one contract and a row, or is named as uncertain, and the mail goes out', async () => {
		const people = Array.from({ length: 40 }, (_, index) => ({
			contract: `K-${index + 1}`,
			name: `Crash number ${index + 1}`,
			email: `crash-${index + 1}@example.com`,
		}));
		const crashing = await own.store('thousands-send', listOf(people));
		const id = await own.publish('thousands-signed', everyFewSeconds);
		const row = list[170] as Row;
		const before = documents().length;
		await own.crash(async () => {
			stage.sandbox.faults.set({ endpoint: create, skip: 20, delayMs: 5_000 });
			await stage.n8n.api.run(crashing, 'Start');
			await until('some are sent', () => documents().length >= before + 20);
			await signAll(stage.sandbox, documentOf(row));
		});
		stage.sandbox.faults.clear();
		expect((await own.run(crashing, 'Start')).status).toBe('success');
		const table = await dataTable<TableRow>(stage, 'Documents out for signature');
		const rows = (await table.rows()).filter(({ contract }) => contract?.startsWith('K-'));
		// Of what was sent before the crash, no row has the document, so the report names each of them.
		const named =
			own
				.mails(office)
				.at(-1)
				?.text.match(/^K-\d+/gm) ?? [];
		expect([...rows.map(({ contract }) => contract), ...named].sort()).toEqual(
			people.map(({ contract }) => contract).sort(),
		);
		expect(rows.length).toBeGreaterThan(0);
		expect(rows.length).toBeLessThanOrEqual(20);
		const emails = documents()
			.slice(before)
			.map(({ signatory }) => signatory[0]?.emailID);
		expect(new Set(emails).size).toBe(emails.length);

		await until('the hourly look follows up', () => told(row) > 0);
		await new Promise((resolve) => setTimeout(resolve, 8_000));
		expect(told(row)).toBe(1);
		const executions = await own.over(id, 2);
		expect(executions.some(({ status }) => status === 'crashed')).toBe(true);
	});
});
