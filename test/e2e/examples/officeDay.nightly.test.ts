import { until } from '../../support/until';
import { dataTable } from '../support/dataTable';
import * as own from '../support/exampleRuns';
import { replaceSchedule, runAt } from '../support/schedule';
import { create } from './table/runSending';

// The office sends 500 contracts although rows are wrong, a response is lost, and n8n is killed, and 500 people are
// reminded, with nothing but the examples and their emails.
own.useExamples();
const { stage } = own;
const office = 'people@example.com';
const header = 'Contract number,Employee name,Employee email,role,start_date,employer,workplace';
const rowCount = 500;
const dayMs = 86_400_000;

interface Row {
	key: string;
	name: string;
	email: string;
	start: string;
}
const right = (index: number): Row => ({
	key: `Y-${index + 1}`,
	name: `Person ${index + 1}`,
	email: `y-${index + 1}@example.com`,
	start: '2027-03-01',
});
/** The mistakes in the list, by row index. The last one repeats the number of the row before it. */
const mistakes: Record<number, Partial<Row>> = {
	10: { email: 'y-11@office' },
	99: { name: '#REF!' },
	200: { name: '' },
	333: { start: '2027-02-30' },
	498: { email: 'y-499 at example.com' },
	401: { key: 'Y-401' },
};

/** Uploads the list. @returns The email to the office, without the rows that had already been sent, which come last. */
async function upload(rows: Row[]): Promise<{ subject: string; text: string }> {
	const mails = own.newMails();
	await give(rows);
	const mail = await until('the office gets an email', () =>
		mails().find(({ to }) => to.includes(office)),
	);
	const [text = ''] = mail.text.replaceAll('\r', '').split('\nAlready sent: ');
	return { subject: mail.subject, text };
}
async function give(rows: Row[]): Promise<void> {
	const lines = rows.map(
		({ key, name, email, start }) => `${key},${name},${email},Cook,${start},,`,
	);
	await own.fill('send-a-list', [
		'Kim',
		new File([[header, ...lines].join('\n')], 'people.csv', { type: 'text/csv' }),
	]);
}

const documentsOf = (email: string) =>
	stage.sandbox
		.documents()
		.filter(({ signatory }) => signatory.some(({ emailID }) => emailID === email)).length;

/**
 * Looks for each contract that an email names in the account. Takes the rows of those that are there out of the list,
 * and gives the others a new number.
 */
function checkInAccount(rows: Row[], text: string): { left: Row[]; count: number } {
	const isNamed = ({ key, name }: Row) => text.includes(`\n${key}, ${name}\n`);
	const named = rows.filter(isNamed);
	const left = rows.filter((row) => !isNamed(row) || documentsOf(row.email) === 0);
	for (const row of left) if (isNamed(row)) row.key += '-new';
	return { left, count: named.length };
}

test('send-a-list gets 500 contracts to 500 people, each of them once, even if rows are wrong, a response is lost, and n8n is killed', async () => {
	await own.publish('send-a-list');
	const rows = Array.from({ length: rowCount }, (_, index) => ({
		...right(index),
		...mistakes[index],
	}));
	const before = own.documentCount();

	// The office corrects what the first email names: the rows, and the values in them.
	const wrong = await upload(rows);
	expect(wrong.subject).toBe('Refused: people.csv from Kim, 0 sent');
	expect(wrong.text).toMatch(/^Nothing was sent, because 7 rows need a correction\. /);
	expect(own.documentCount()).toBe(before);
	const named = rows.flatMap(({ key, name }, index) =>
		wrong.text.includes(`\n${key}, ${name}: `) ? [index] : [],
	);
	const twins = [400, ...Object.keys(mistakes).map(Number)];
	expect([...named].sort()).toEqual(twins.sort());
	for (const index of named) Object.assign(rows[index] ?? {}, right(index));

	// The provider asks for pauses, a response is lost, and n8n is killed in the middle.
	const { faults } = stage.sandbox;
	const response = { status: 429, headers: { 'Retry-After': '1' }, body: { success: false } };
	faults.set({ endpoint: create, skip: 40, times: 3, response });
	faults.set({ endpoint: create, skip: 90, times: 1, reset: 'after' });
	const started = own.creations().length;
	await give(rows);
	await until('half of the contracts are sent', () => own.creations().length > started + 250);
	await own.restart();
	const sentBeforeCrash = own.documentCount() - before;
	expect(sentBeforeCrash).toBeGreaterThan(200);
	expect(sentBeforeCrash).toBeLessThan(rowCount);

	// After the restart, the list's form has promised an email that never comes, so the office uploads it again.
	const rest = await upload(rows);
	expect(rest.subject).toMatch(/^To check: people\.csv from Kim, \d+ sent$/);
	const [, checked = ''] = /\. (\d+) to check\.\n/.exec(rest.text) ?? [];
	const { left, count } = checkInAccount(rows, rest.text);
	expect(count).toBe(Number(checked));

	// The third upload has nothing to check.
	const last = await upload(left);
	const newKeys = left.filter(({ key }) => key.endsWith('-new')).length;
	expect(last.subject).toBe(`people.csv from Kim, ${newKeys} sent`);
	expect(last.text).not.toMatch(/check|, Person/);
	const people = rows.map(({ email }) => email);
	expect(people.filter((email) => documentsOf(email) !== 1)).toEqual([]);
	expect(own.documentCount()).toBe(before + rowCount);
	const inboxes = new Map(people.map((email) => [email, 0]));
	for (const { to } of stage.sandbox.mails()) {
		for (const email of to)
			if (inboxes.has(email)) inboxes.set(email, (inboxes.get(email) ?? 0) + 1);
	}
	expect([...inboxes].filter(([, count]) => count !== 1)).toEqual([]);
	console.log(
		`Sent before the crash: ${sentBeforeCrash}. To check after it: ${checked}. Sent with a new number: ${newKeys}.`,
	);
});

test('remind-person reminds 500 people on one morning, and remind-manager emails their managers on another, each of them once', async () => {
	const keep = await own.publish('keep-a-register');
	await own.send([{ name: 'First', email: 'first@example.com' }]);
	await own.endedExecutions(keep, 1);
	await own.unpublish();
	const store = async (file: string) =>
		await own.store(file, (_node, nodes) => replaceSchedule(nodes));
	const [remind, tell] = [await store('remind-person'), await store('remind-manager')];
	const table = await dataTable<Record<string, string>>(stage, 'Register of signatures');
	await table.clear('documentId');
	const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
	const people = Array.from({ length: rowCount }, (_, index) => `c-${index}@example.com`);
	for (const email of people) {
		const row = { rowId: `d-${email}`, documentId: `d-${email}`, title: 'Deal', name: email };
		await table.insert({ ...row, sentAt: daysAgo(7.5), email, manager: `manager-of-${email}` });
	}
	/** Has a workflow run once. @returns The recipients of its emails. */
	const morning = async (id: string) => {
		own.office.recipients.length = 0;
		const began = Date.now();
		// The rows of now are four days old.
		const at = new Date(began + 4 * dayMs);
		const { status } = await runAt(stage.n8n.api, id, at, 600_000);
		console.log(`A morning with 500 people takes ${(Date.now() - began) / 1000} s.`);
		return { status, recipients: [...own.office.recipients].sort() };
	};
	const all = (recipients: string[]) => ({ status: 'success', recipients: recipients.sort() });
	expect(await morning(remind)).toEqual(all([...people]));
	expect(await morning(remind)).toEqual(all([]));
	for (const email of people) await table.upsert('email', { email, reminded: daysAgo(4.5) });
	expect(await morning(tell)).toEqual(all(people.map((email) => `manager-of-${email}`)));
	expect(await morning(tell)).toEqual(all([]));
}, 1_800_000);
