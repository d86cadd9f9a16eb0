import { until } from '../../support/until';
import { dataTable } from '../support/dataTable';
import * as own from '../support/exampleRuns';
import type { Adapt } from '../support/exampleRuns';
import { lastPage } from '../support/formPage';
import { create } from './table/runSending';

// The two examples that renew contracts. The tests move a contract's days instead of the clock.
own.useExamples();
const { stage } = own;
const office = 'people@example.com';
const dayMs = 86_400_000;

interface Row {
	id?: number;
	documentId: string;
	firstParty?: string;
	firstEmail?: string;
	secondParty?: string;
	secondEmail?: string;
	purpose?: string;
	start?: string;
	end?: string;
	renew?: boolean | null;
}
/** A day, counted from today in the time zone of the test's n8n instance. */
const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const long = (date: string) =>
	new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const short = (date: string) =>
	new Date(date).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const table = async () => await dataTable<Row>(stage, 'Contracts to renew');
const rows = async () => (await (await table()).rows()).sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
const contractOf = (name: string, documentId: string, start: string, end: string): Row => ({
	documentId,
	firstParty: `${name} Example`,
	firstEmail: `${name.toLowerCase()}@example.com`,
	secondParty: 'Grace Hopper',
	secondEmail: 'grace@example.com',
	purpose: 'Joint research',
	start,
	end,
});

let first = '';
let next = '';
const morning = async () => {
	const execution = await own.runFrom(next, 'Every morning at 8');
	expect([execution.error?.message, execution.status]).toEqual([undefined, 'success']);
};
/** @param answer The last two answers are the first and the last day. */
const fillIn = async (name: string, start: string, end: string, email?: string) => {
	const { firstParty = '', firstEmail = '' } = contractOf(name, '', start, end);
	const answers = [firstParty, email ?? firstEmail, 'Grace Hopper', 'grace@example.com'];
	return (await lastPage(stage, 'contract-to-renew', [...answers, 'Joint research', start, end]))
		.page;
};
const write = async (...all: Row[]) => await (await table()).upsert('documentId', ...all);
/** Has the register show these documents as signed by everyone. */
async function signed(...ids: string[]): Promise<void> {
	const known = await dataTable<Record<string, unknown>>(stage, 'Register of signatures');
	for (const documentId of ids) {
		const completedAt = new Date().toISOString();
		await known.upsert('documentId', { documentId, email: 'a@example.com', completedAt });
	}
}
const questions = () =>
	own.mailsTo(office).filter(({ subject }) => subject.startsWith('Please decide: contract of '));

beforeAll(async () => {
	await own.publish('tell-when-it-fails');
	const register = await own.publish('keep-a-register');
	await own.send([{ name: 'First', email: 'first@example.com' }]);
	await own.endedExecutions(register, 1);
	const live: Adapt = own.sendByHand;
	first = await own.publish('renew-contracts-first', live);
	next = await own.store('renew-contracts-next', live);
	// The form creates the table. These days are wrong, so nothing is sent.
	await fillIn('Nobody', day(5), day(4));
	await until(
		'n8n has the table',
		async () =>
			await table().then(
				() => true,
				() => false,
			),
	);
});
beforeEach(async () => {
	await (await table()).clear('documentId');
	await (
		await dataTable<{ documentId: string }>(stage, 'Register of signatures')
	).clear('documentId');
});

test('renew-contracts-first sends a contract once, adds its row, and refuses days that are wrong', async () => {
	const count = own.documentCount();
	for (const [start, end] of [
		[day(10), day(9)],
		[day(-10), day(-2)],
	] as const)
		expect(await fillIn('Una', start, end)).toContain('Nothing was sent');
	expect(own.documentCount()).toBe(count);

	expect(await fillIn('Una', day(-1), day(300))).toContain('The contract is on its way');
	expect(await fillIn('Una', day(-1), day(300))).toMatch(/Please note[^]*has already been sent/);
	expect(own.documentCount()).toBe(count + 1);
	const { documentID } = stage.sandbox.documents().at(-1) ?? {};
	await until('the contract has a row', async () => (await rows()).length > 0);
	expect(await rows()).toMatchObject([
		{ ...contractOf('Una', documentID ?? '', day(-1), day(300)), renew: null },
	]);

	const page = await fillIn('Una', day(-1), day(200), 'una at example.com');
	expect(page).toMatch(/Please note[^]*because a value is missing or looks wrong/);
	const mail = await own.mailTo(office, 'Not sent: contract of Una Example and Grace Hopper');
	expect(mail.text).toContain('una at example.com');
	expect(mail.text).not.toContain('add its row');
	expect(await rows()).toHaveLength(1);
	expect(own.documentCount()).toBe(count + 1);
});

test('renew-contracts-first adds no row for a contract that may have been sent, and asks the office to check', async () => {
	stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
	const count = own.documentCount();
	expect(await fillIn('Vic', day(-1), day(300))).toMatch(/Please note[^]*This may have been sent/);
	await own.mailTo(
		office,
		'Please check: contract of Vic Example and Grace Hopper',
		'Then add its row to the data table "Contracts to renew" in n8n.',
	);
	expect(await fillIn('Vic', day(-1), day(300))).toMatch(
		/Please note[^]*may have been sent already/,
	);
	expect(own.documentCount()).toBe(count + 1);
	expect(await rows()).toEqual([]);
});

test('renew-contracts-first adds no row if nothing is sent', async () => {
	const { api } = stage.n8n;
	await api.unpublish(first);
	const unsent = await own.publish('renew-contracts-first', (node) => {
		Object.assign(node('Send the contract').parameters.options as object, { neverSend: true });
	});
	const count = own.documentCount();
	expect(await fillIn('Wim', day(-1), day(300))).toMatch(/Please note[^]*This was only checked/);
	expect(own.documentCount()).toBe(count);
	expect(await rows()).toEqual([]);
	await api.unpublish(unsent);
	await api.publish(first);
});

test('renew-contracts-next asks about a signed contract each morning, and sends the next one once it is ticked', async () => {
	await write(
		contractOf('Yes', 'd-yes', day(-335), day(30)),
		contractOf('No', 'd-no', day(-335), day(36)),
		contractOf('Later', 'd-later', day(-335), day(38)),
		contractOf('Open', 'd-open', day(-335), day(20)),
	);
	await signed('d-yes', 'd-no', 'd-later');
	const count = own.documentCount();
	await morning();
	await morning();
	const names = () => questions().map(({ subject }) => /of (\w+) Example/.exec(subject)?.[1]);
	expect(names().sort()).toEqual(['No', 'No', 'Yes', 'Yes']);
	expect(questions()[0]?.text).toContain(` to ${short(day(30))}\n`);
	expect(own.documentCount()).toBe(count);

	await write(
		{ documentId: 'd-yes', renew: true },
		{ documentId: 'd-no', renew: false },
		{ documentId: 'd-later', renew: true },
	);
	await Promise.all([morning(), morning()]);
	await morning();
	expect(own.documentCount()).toBe(count + 1);
	expect(names()).toHaveLength(4);
	const { body } = own.creations().at(-1) as { body: { inputs: object } };
	expect(body.inputs).toMatchObject({ effective_date: long(day(31)), purpose: 'Joint research' });
	const { documentID = '' } = stage.sandbox.documents().at(-1) ?? {};
	const [yes] = await rows();
	expect(yes).toMatchObject({ documentId: documentID, start: day(31), renew: null });
	// The next contract isn't signed yet, so the office isn't asked about it.
	await write({ documentId: documentID, end: day(30) });
	await morning();
	expect(names()).toHaveLength(4);
	// The office learns that the contract went out.
	const sent = await own.mailTo(office, 'Sent: contract of Yes Example and Grace Hopper');
	expect(sent.text).toMatch(/^The next contract was sent\./);
	expect(sent.text).toContain(`The next one begins on ${short(day(31))}\n`);
	expect(sent.text).not.toContain('each morning');
	const subjects = own.mailsTo(office).map(({ subject }) => subject);
	expect(subjects.filter((subject) => subject.startsWith('Sent: '))).toHaveLength(1);
});

test('renew-contracts-next emails why nothing was sent if someone executes it in the editor', async () => {
	const unsent = await own.store('renew-contracts-next');
	await write({ ...contractOf('Try', 'd-try', day(-335), day(20)), renew: true });
	await signed('d-try');
	const count = own.documentCount();
	const execution = await own.runFrom(unsent, 'Every morning at 8');
	expect([execution.error?.message, execution.status]).toEqual([undefined, 'success']);
	const mail = await own.mailTo(office, 'Test: contract of Try Example and Grace Hopper');
	expect(mail.text).toMatch(/^Nothing was sent, because this is a test\./);
	expect(own.documentCount()).toBe(count);
	expect(await rows()).toMatchObject([{ documentId: 'd-try', end: day(20), renew: true }]);
});

test.each([
	['2027-01-01', '2027-12-31', '2028-01-01', '2028-12-31'],
	['2027-03-01', '2028-02-29', '2028-03-01', '2029-02-28'],
	['2026-02-01', '2026-02-28', '2026-03-01', '2026-03-31'],
	['2026-01-01', '2026-01-31', '2026-02-01', '2026-02-28'],
	['2026-03-01', '2026-05-31', '2026-06-01', '2026-08-31'],
	['2026-01-31', '2026-07-30', '2026-07-31', '2027-01-30'],
	['2026-10-12', '2026-11-25', '2026-11-26', '2027-01-08'],
	['2025-11-24', '2026-11-23', '2026-11-24', '2027-11-23'],
	// The months in which these end have no 29th or 31st.
	['2024-02-29', '2025-02-28', '2025-03-01', '2026-02-28'],
	['2025-08-31', '2026-02-28', '2026-03-01', '2026-08-31'],
	['2026-07-31', '2026-08-30', '2026-08-31', '2026-09-30'],
])('renew-contracts-next renews %s to %s with %s to %s', async (start, end, newStart, newEnd) => {
	await (
		await table()
	).upsert('documentId', {
		...contractOf('Len', `d-${start}`, start, end),
		renew: true,
	});
	await signed(`d-${start}`);
	const { nodes } = await stage.n8n.api.getWorkflow(next);
	// A contract whose end is still to come isn't sent, so both limits are moved.
	const moved = JSON.parse(
		JSON.stringify(nodes).replaceAll(/plus\((?:37|30), 'days'\)/g, "plus(5000, 'days')"),
	) as typeof nodes;
	await stage.n8n.api.updateWorkflow(next, { nodes: moved });
	await morning();
	expect(await rows()).toMatchObject([{ start: newStart, end: newEnd }]);
	await stage.n8n.api.updateWorkflow(next, { nodes });
});

test('renew-contracts-next asks about a contract whose end is missing or in another format, sends it only with a date, and asks about the others, too', async () => {
	const count = own.documentCount();
	await write(
		contractOf('Empty', 'd-empty', day(-335), ''),
		contractOf('Slash', 'd-slash', day(-335), '12/31/2020'),
		contractOf('Good', 'd-good', day(-335), day(20)),
	);
	await signed('d-empty', 'd-slash', 'd-good');
	await morning();
	for (const name of ['Empty', 'Slash'])
		await own.mailTo(office, `Please decide: contract of ${name}`, 'to Invalid DateTime');
	await own.mailTo(office, 'Please decide: contract of Good', ` to ${short(day(20))}\n`);
	for (const documentId of ['d-empty', 'd-slash', 'd-good'])
		await write({ documentId, renew: true });
	await morning();
	for (const name of ['Empty', 'Slash'])
		await own.mailTo(office, `Failed: contract of ${name}`, 'Invalid DateTime');
	expect(own.documentCount()).toBe(count + 1);
	expect((await rows()).map(({ end }) => end).slice(0, 2)).toEqual(['', '12/31/2020']);
});

test('renew-contracts-next leaves the row of a contract that was not sent, or that may have been sent, and names it each morning', async () => {
	const count = own.documentCount();
	const wrong = { ...contractOf('Bad', 'd-bad', day(-335), day(20)), renew: true };
	await (await table()).upsert('documentId', { ...wrong, firstEmail: 'bad at example.com' });
	await (
		await table()
	).upsert('documentId', {
		...contractOf('Lost', 'd-lost', day(-335), day(20)),
		renew: true,
	});
	await signed('d-bad', 'd-lost');
	stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
	await morning();
	await own.mailTo(office, 'Failed: contract of Bad Example', 'bad at example.com');
	await own.mailTo(office, 'Check: contract of Lost Example', "provider's account");
	await morning();
	const checks = () =>
		own.mailsTo(office).filter(({ subject }) => subject.startsWith('Check: contract of Lost'));
	expect(checks()).toHaveLength(2);
	expect(own.documentCount()).toBe(count + 1);
	expect(await rows()).toMatchObject([
		{ documentId: 'd-bad', end: day(20), renew: true },
		{ documentId: 'd-lost', end: day(20), renew: true },
	]);
	// The row is corrected, and the office has found the other contract.
	await (
		await table()
	).upsert('documentId', { documentId: 'd-bad', firstEmail: 'bad@example.com' });
	await (await table()).upsert('documentId', { documentId: 'd-lost', renew: false });
	await morning();
	expect(checks()).toHaveLength(2);
	expect(own.documentCount()).toBe(count + 2);
	expect((await rows()).map(({ end }) => end === day(20))).toEqual([false, true]);
});

test('renew-contracts-next sends each contract once, and knows all of them, even if n8n is killed', async () => {
	const names = Array.from({ length: 12 }, (_, index) => `Kill${index}`);
	for (const name of names)
		await (
			await table()
		).upsert('documentId', {
			...contractOf(name, `d-${name}`, day(-335), day(20)),
			renew: true,
		});
	await signed(...names.map((name) => `d-${name}`));
	const count = own.documentCount();
	await stage.n8n.api.run(next, 'Every morning at 8');
	await until('some contracts are sent', () => own.documentCount() > count + 2);
	await own.restart();
	await morning();
	await morning();
	const documentsOf = (name: string) =>
		stage.sandbox
			.documents()
			.filter(({ signatory }) =>
				signatory.some(({ emailID }) => emailID === `${name.toLowerCase()}@example.com`),
			).length;
	expect(names.filter((name) => documentsOf(name) > 1)).toEqual([]);
	// n8n may have been killed right before a call, which the node can't tell from a lost response.
	const open = (await rows()).filter(({ end }) => end === day(20));
	const unsent = names.filter((name) => documentsOf(name) === 0);
	expect(open.map(({ firstParty }) => firstParty)).toEqual(
		expect.arrayContaining(unsent.map((name) => `${name} Example`)),
	);
	for (const { firstParty } of open)
		await own.mailTo(office, `Check: contract of ${firstParty} and Grace Hopper`);
});
