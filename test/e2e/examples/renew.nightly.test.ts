import { until } from '../../support/until';
import { dataTable } from '../support/dataTable';
import * as own from '../support/exampleRuns';
import type { Adapt } from '../support/exampleRuns';
import { create } from './table/runSending';

// The example that renews contracts. The tests move a contract's dates instead of the clock.
const { stage } = own;
const office = 'people@example.com';
const dayMs = 24 * 60 * 60 * 1000;

interface Row {
	id?: number;
	key: string;
	firstParty?: string;
	startDate?: string;
	endDate?: string;
	renew?: boolean;
	state?: string;
	documentId?: string | null;
	firstDocumentId?: string | null;
	announcedOn?: string | null;
}
/** A date, counted from today in the time zone of the test's n8n instance. */
const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const long = (date: string | number) =>
	new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const table = async () => await dataTable<Row>(stage, 'Contracts to renew');
const rows = async () => (await (await table()).rows()).sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
const change = async (row: Row) => await (await table()).upsert('key', row);

/** Treats a contract that was never sent as such right away, instead of after an hour, and sends in every run. */
const atOnce: Adapt = (node, nodes) => {
	own.sendByHand(node, nodes);
	const { filters } = node('Find what was never sent').parameters as {
		filters: { conditions: Array<{ keyName: string }> };
	};
	filters.conditions = filters.conditions.filter(({ keyName }) => keyName !== 'createdAt');
};
const publish = async () => await own.publish('renew-contracts', atOnce);
const morning = async (id: string) => {
	const { status } = await own.runFrom(id, 'Every morning at 8');
	expect(status).toBe('success');
};

/** Fills in the form for a contract that ends in the given number of days. @returns The Send Once Key. */
async function fill(name: string, endsInDays: number, renew: 'Yes' | 'No' | '', start = day(-9)) {
	const email = `${name.toLowerCase()}@example.com`;
	await own.fill('contract-to-renew', [
		`${name} Example`,
		email,
		'Grace Hopper',
		'grace@example.com',
		'Joint research',
		start,
		day(endsInDays),
		renew,
	]);
	const key = `${email} grace@example.com ${start}`;
	await until('the contract has a row', async () => (await rows()).some((row) => row.key === key));
	return key;
}
const rowOf = async (key: string) => {
	const [row, ...more] = (await rows()).filter((each) => each.key === key);
	expect(more).toEqual([]);
	return row as Row;
};
const inState = async (key: string, state: string) =>
	await until(`${key} is ${state}`, async () => {
		const row = await rowOf(key);
		return row.state === state ? row : undefined;
	});
/** Sends a contract through the form, and has everyone sign it. */
async function signed(id: string, name: string, endsInDays: number, renew: 'Yes' | 'No' | '') {
	const key = await fill(name, endsInDays, renew);
	const { documentId } = await inState(key, 'sent');
	for (const email of [`${name.toLowerCase()}@example.com`, 'grace@example.com'])
		await stage.sandbox.sign(documentId ?? '', email);
	await stage.sandbox.idle();
	await own.endedExecutions(id, 1);
	return { key, documentId: documentId ?? '' };
}
const announcements = () =>
	own.mailsTo(office).filter(({ subject }) => subject.startsWith('Please check within a week'));

afterEach(async () => {
	await own.unpublish();
	await (await table()).clear('key');
});

test('renew-contracts announces a signed contract 37 days before its end, and renews it once, a week later', async () => {
	const id = await publish();
	const later = await signed(id, 'Later', 38, 'Yes');
	const yes = await signed(id, 'Yes', 37, 'Yes');
	const no = await signed(id, 'No', 37, '');
	const open = await fill('Open', 37, 'Yes');
	await inState(open, 'sent');
	const count = own.documentCount();

	await morning(id);
	const [mail, ...more] = announcements();
	expect(more).toEqual([]);
	expect(mail?.subject).toBe('Please check within a week: 2 contracts end soon');
	const [first, , ...lines] = (mail?.text ?? '').split(/\r?\n/);
	expect(first).toContain(`In a week, on ${long(day(7))}, the workflow sends`);
	// The new contract lasts for 24 months from the day after the old one ends.
	const [year = '', ...rest] = day(38).split('-');
	const ends = Date.parse([Number(year) + 2, ...rest].join('-')) - dayMs;
	const dates = `until ${long(day(37))}. New dates: ${long(day(38))} to ${long(ends)}`;
	expect(lines.join('\n')).toContain(`Goes out: Yes Example and Grace Hopper, ${dates}`);
	expect(lines.join('\n')).toContain(`Doesn't go out: No Example and Grace Hopper, ${dates}`);
	expect(lines.join('\n')).not.toMatch(/Later|Open/);
	await morning(id);
	expect(announcements()).toHaveLength(1);
	expect(own.documentCount()).toBe(count);

	// A week passes for all contracts.
	for (const key of [yes.key, no.key, open, later.key])
		await change({
			key,
			endDate: day(30),
			announcedOn: (await rowOf(key)).announcedOn ? day(-7) : '',
		});
	await morning(id);
	const next = await inState(`${yes.documentId} ${day(30)}`, 'sent');
	expect(next).toMatchObject({
		firstParty: 'Yes Example',
		startDate: day(31),
		firstDocumentId: yes.documentId,
		renew: false,
	});
	expect(own.documentCount()).toBe(count + 1);
	const { body } = own.creations().at(-1) as { body: { inputs: object } };
	expect(body.inputs).toMatchObject({ effective_date: long(day(31)), purpose: 'Joint research' });
	// The contract that was signed late is announced today, so nothing goes out yet.
	expect(announcements().at(-1)?.text).toContain('Goes out: Later Example');
	await Promise.all([morning(id), morning(id)]);
	expect(own.documentCount()).toBe(count + 1);

	// The renewed contract is the next one to renew, with the first contract's ID in its key.
	for (const email of ['yes@example.com', 'grace@example.com'])
		await stage.sandbox.sign(next.documentId ?? '', email);
	await stage.sandbox.idle();
	await own.endedExecutions(id, 1);
	await change({ key: next.key, endDate: day(29), renew: true, announcedOn: day(-7) });
	// The office stops one that was announced.
	await change({ key: later.key, renew: false, announcedOn: day(-7) });
	await morning(id);
	const third = await inState(`${yes.documentId} ${day(29)}`, 'sent');
	expect(third).toMatchObject({ startDate: day(30), firstDocumentId: yes.documentId });
	expect(own.documentCount()).toBe(count + 2);
});

test('renew-contracts says when a contract was not sent, and sends it the next morning', async () => {
	const id = await publish();
	const response = { status: 402, body: { success: false, message: 'The account is closed' } };
	stage.sandbox.faults.set({ endpoint: '*', response });
	const key = await fill('Una', 300, '');
	const mail = await own.mailTo(office, 'Not sent: contract of Una Example and Grace Hopper');
	expect(mail.text).toMatch(/^What to do: nothing, if your provider's service was down/);
	stage.sandbox.faults.clear();
	await own.endedExecutions(id, 1);
	const count = own.documentCount();
	expect((await rowOf(key)).state).toBe('planned');
	await morning(id);
	await inState(key, 'sent');
	await morning(id);
	expect(own.documentCount()).toBe(count + 1);
});

test('renew-contracts does not send a contract again that may have been sent, and asks the office to check', async () => {
	const id = await publish();
	stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
	const count = own.documentCount();
	const key = await fill('Vic', 300, '');
	const mail = await own.mailTo(office, 'Please check: contract of Vic Example and Grace Hopper');
	expect(mail.text).toMatch(/^What to do: look for the contract in your provider's account\. If /);
	const { id: row } = await inState(key, 'check');
	expect(mail.text).toMatch(new RegExp(`^Row: ${row}\r?$`, 'm'));
	await morning(id);
	expect(own.documentCount()).toBe(count + 1);
	// Someone submits the form twice.
	await own.fill('contract-to-renew', [
		'Vic Example',
		'vic@example.com',
		'Grace Hopper',
		'grace@example.com',
		'Joint research',
		day(-9),
		day(300),
		'',
	]);
	await until('both rows are to be checked', async () =>
		(await rows()).every(({ state }) => state === 'check'),
	);
	expect(own.documentCount()).toBe(count + 1);
});
