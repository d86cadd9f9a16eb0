import { outputOf } from '../../../host/executions';
import { until } from '../../support/until';
import * as own from '../support/exampleRuns';
import type { Person } from '../support/exampleRuns';
import {
	dayMs,
	daysAgo,
	person,
	register,
	storeInNewYork,
	useRegister,
	type Row,
} from '../support/register';
import { replaceSchedule, runAt } from '../support/schedule';

// The examples that email people about the rows of the register. n8n writes the time at which a row was added, so the
// tests run the workflows at later times instead.
own.useExamples();
const { stage } = own;
const office = 'people@example.com';
const tester = 'tester@example.com';
const inDays = (days: number) => new Date(Date.now() + days * dayMs);

function rowOf({ email, name }: Person, more: Partial<Row> = {}): Row {
	const documentId = more.documentId ?? `d-${name}`;
	const sentAt = daysAgo(1);
	const row = { documentId, email, name, title: 'Lease', people: name, sentAt };
	return { ...row, rowId: `${documentId}/${name}`, ...more };
}
async function add(...all: Row[]): Promise<void> {
	const table = await register();
	for (const row of all) await table.insert(row);
}
/** The row with this ID, as n8n has stored it. */
async function stored(rowId: string): Promise<Row> {
	const found = (await (await register()).rows()).find((row) => row.rowId === rowId);
	if (!found) throw new Error(`The register has no row "${rowId}".`);
	return found;
}
/** The IDs of the rows that are marked in this column. */
const marked = async (column: 'reminded' | 'managerTold') =>
	(await (await register()).rows())
		.filter((row) => row[column])
		.map(({ rowId }) => rowId)
		.sort();

/** Stores an example that another workflow can start. */
const store = async (file: string, adapt?: own.Adapt) =>
	await storeInNewYork(file, (node, nodes) => {
		replaceSchedule(nodes);
		adapt?.(node, nodes);
	});
/** Runs a workflow once, by default when the rows of now are four days old. */
async function morning(id: string, at = inDays(4)): Promise<void> {
	const { error, status } = await runAt(stage.n8n.api, id, at);
	expect([error?.message, status]).toEqual([undefined, 'success']);
}

useRegister();

const remindersTo = ({ email }: Person) =>
	own.mailsTo(email).filter(({ subject }) => subject.startsWith('Reminder: please sign '));
const tellingsTo = (to: string) =>
	own.mailsTo(to).filter(({ subject }) => subject.startsWith('Missing signatures: '));
const linesOf = (text: string) =>
	text.split(/\r?\n/).filter((line) => /Lease(?:,| \(|$)/.test(line));

describe('remind-person', () => {
	test('writes one email to someone who has to sign several contracts with the same title, and names their other signatories', async () => {
		const id = await store('remind-person');
		const boss = person('rc-boss');
		const hires = ['Ana', 'Ben', 'Zoë <b>'];
		await add(
			...hires.map((hire) =>
				rowOf(boss, { documentId: `d-${hire}`, people: `${hire}, ${boss.name}` }),
			),
		);
		await morning(id);
		const [mail, ...others] = remindersTo(boss);
		expect(others).toEqual([]);
		expect(mail?.subject).toBe('Reminder: please sign your documents');
		expect(linesOf(mail?.text ?? '').map((line) => line.replace(/, sent to .*/, ''))).toEqual(
			hires.map((hire) => `Lease (${hire}, ${boss.name})`),
		);
		expect(await marked('reminded')).toEqual(hires.map((hire) => `d-${hire}/${boss.name}`).sort());
		await morning(id, inDays(5));
		expect(remindersTo(boss)).toHaveLength(1);
	});

	test('reminds each person once, three days after their row was added, until they sign or the document is completed', async () => {
		const id = await store('remind-person');
		const [due, signer, completed] = [person('rd-1'), person('rd-2'), person('rd-3')];
		const completedAt = daysAgo(1);
		await add(rowOf(due), rowOf(signer, { signed: true }), rowOf(completed, { completedAt }));
		await morning(id, inDays(2.9));
		expect(remindersTo(due)).toEqual([]);
		for (const days of [3.1, 4, 5]) await morning(id, inDays(days));
		expect([due, signer, completed].map((one) => remindersTo(one).length)).toEqual([1, 0, 0]);
		expect(remindersTo(due)[0]?.subject).toBe('Reminder: please sign Lease');
		expect(own.mailsTo(office)).toEqual([]);
	});

	test('leaves a row that turns old enough while the reminders go out for the next morning', async () => {
		const id = await store('remind-person', (node) => {
			for (const name of ['Get who has no reminder', 'Mark as reminded']) {
				const { parameters } = node(name);
				const text = JSON.stringify(parameters.filters);
				expect(text).toContain("minus(3, 'days')");
				parameters.filters = JSON.parse(text.replace("3, 'days'", "3, 'seconds'"));
			}
		});
		const boss = person('rt-boss');
		const [early, late] = ['early', 'late'].map((documentId) => rowOf(boss, { documentId }));
		if (!early || !late) throw new Error('no rows');
		await add(early);
		const added = async ({ rowId }: Row) => Date.parse((await stored(rowId)).createdAt ?? '');
		const first = await added(early);
		await until('the clock has moved on', () => Date.now() > first + 20);
		await add(late);
		const second = await added(late);
		// Both rows are old enough by now, but only one was when the schedule started the workflow.
		await until('three seconds have passed', () => Date.now() > second + 3100);
		await morning(id, new Date(first + 3001));
		expect(remindersTo(boss)).toHaveLength(1);
		expect(await marked('reminded')).toEqual([early.rowId]);
		await morning(id, new Date(second + 3001));
		expect(remindersTo(boss)).toHaveLength(2);
		expect(await marked('reminded')).toEqual([early.rowId, late.rowId].sort());
	});

	test('does not mark the row of someone who signs while the email is on its way', async () => {
		const id = await store('remind-person');
		const boss = person('rs-boss');
		const [open, signed] = ['open', 'signed'].map((documentId) => rowOf(boss, { documentId }));
		if (!open || !signed) throw new Error('no rows');
		await add(open, signed);
		own.office.onItsWay = async () => {
			await (await register()).upsert('rowId', { ...signed, signed: true });
		};
		await morning(id);
		expect(remindersTo(boss)).toHaveLength(1);
		expect(await marked('reminded')).toEqual([open.rowId]);
	});

	test('writes to no one who has signed according to another row, and counts two rows of one signature once', async () => {
		const id = await store('remind-person');
		const [signer, open] = [person('r2-1'), person('r2-2')];
		// Two events at the same moment can each add a row.
		await add(rowOf(signer), rowOf(signer, { signed: true }), rowOf(open), rowOf(open));
		await morning(id);
		await morning(id, inDays(5));
		expect([signer, open].map((one) => remindersTo(one).length)).toEqual([0, 1]);
		expect(linesOf(remindersTo(open)[0]?.text ?? '')).toHaveLength(1);
	});

	test('addresses two people with one email address in one email', async () => {
		const id = await store('remind-person');
		const email = 'family@example.com';
		const family = ['Ana Gil', 'Ben Gil'].map((name) => ({ name, email }));
		await add(
			...family.map((one) => rowOf(one, { documentId: 'lease', people: 'Ana Gil, Ben Gil' })),
		);
		await morning(id);
		const [mail, ...others] = remindersTo({ name: '', email });
		expect(others).toEqual([]);
		expect(mail?.subject).toBe('Reminder: please sign Lease');
		expect(mail?.text).toMatch(/^Hi Ana Gil and Ben Gil,/);
		expect(linesOf(mail?.text ?? '').map((line) => line.replace(/ on .*/, ''))).toEqual(
			family.map(({ name }) => `Lease (Ana Gil, Ben Gil), sent to ${name}`),
		);
	});

	test('reports an address that does not work, and in one email everyone without an address, while all others get their reminder', async () => {
		const id = await store('remind-person');
		const [lost, other] = [person('rb-1'), person('rb-2')];
		const nameless = ['No Mail', 'Nor Mail'].map((name) => ({ name, email: '' }));
		const [no = lost, nor = lost] = nameless;
		await add(rowOf(lost), rowOf(no), rowOf(other), rowOf(nor, { email: null }));
		own.office.unknown.add(lost.email);
		await morning(id);
		const reports = () =>
			own.mailsTo(office).filter(({ subject }) => subject.startsWith('Action needed: no reminder'));
		expect(reports().map(({ subject }) => subject)).toEqual([
			`Action needed: no reminder to ${lost.email}`,
			'Action needed: no reminder to people without an address',
		]);
		const [ofLost, ofNameless] = reports().map(({ text }) => text);
		expect(ofLost).toMatch(/^Reason: .*No such user here/m);
		expect(linesOf(ofLost ?? '')).toHaveLength(1);
		expect(ofNameless).toMatch(/sent to No Mail on .*\r?\n.*sent to Nor Mail on /);
		expect(await marked('reminded')).toEqual([rowOf(other).rowId]);

		own.office.unknown.clear();
		await morning(id, inDays(5));
		expect([lost, other].map((one) => remindersTo(one).length)).toEqual([1, 1]);
		expect(reports()).toHaveLength(3);
	});

	test('loses no reminder while the mail server is down', async () => {
		const id = await store('remind-person');
		const people = ['rs-1', 'rs-2', 'rs-3'].map((key) => person(key));
		await add(...people.map((one) => rowOf(one)));
		own.office.down = true;
		expect((await runAt(stage.n8n.api, id, inDays(4))).status).toBe('error');
		own.office.down = false;
		await morning(id);
		await morning(id);
		expect(people.map((one) => remindersTo(one).length)).toEqual([1, 1, 1]);
	});

	test('writes to the tester about a single row, and marks nothing, when someone tries it by hand', async () => {
		const id = await own.store('remind-person', (node) => {
			for (const [name, key] of [
				['Get who has no reminder', 'filters'],
				['Mark as reminded', 'filters'],
				['Remind the person', 'toEmail'],
			] as const) {
				const { parameters } = node(name);
				const text = JSON.stringify(parameters[key]);
				const changed = text.replace('minus(3,', 'minus(0,').replace(office, tester);
				expect(changed).not.toBe(text);
				parameters[key] = JSON.parse(changed);
			}
		});
		const people = [person('ry-1'), person('ry-2')];
		await add(...people.map((one) => rowOf(one)));
		for (let times = 0; times < people.length; times++) {
			const execution = await own.runFrom(id, 'Weekdays at 9');
			expect([execution.error?.message, execution.status]).toEqual([undefined, 'success']);
			expect(outputOf(execution, 'Mark as reminded').length).toBeGreaterThan(0);
		}
		expect(
			remindersTo({ name: '', email: tester }).map(({ text }) => linesOf(text).length),
		).toEqual([1, 1]);
		expect(people.flatMap((one) => remindersTo(one))).toEqual([]);
		expect(await marked('reminded')).toEqual([]);
	});
});

describe('remind-manager', () => {
	const reminded = daysAgo(1);

	test('writes one email to each manager, and one to the office for the people without a manager', async () => {
		const id = await store('remind-manager');
		const team = ['ma-1', 'ma-2', 'ma-3'].map((key) => person(key));
		const [none, empty, early, signer, done] = ['ma-4', 'ma-5', 'ma-6', 'ma-7', 'ma-8'].map((key) =>
			rowOf(person(key), { reminded }),
		);
		if (!none || !empty || !early || !signer || !done) throw new Error('no rows');
		const manager = 'manager@example.com';
		const managed = team.map((one) => rowOf(one, { reminded, manager }));
		await add(
			...managed,
			none,
			{ ...empty, manager: '' },
			{ ...early, reminded: inDays(1).toISOString() },
			{ ...signer, signed: true },
			{ ...done, completedAt: reminded },
		);
		await morning(id, inDays(2.9));
		expect([manager, office].flatMap(tellingsTo)).toEqual([]);
		await morning(id, inDays(3.1));
		await morning(id, inDays(3.2));
		const namesIn = (to: string) =>
			tellingsTo(to).map(({ text }) => linesOf(text).map((line) => line.replace(/ \(.*/, '')));
		expect(namesIn(manager)).toEqual([team.map(({ name }) => name)]);
		expect(namesIn(office)).toEqual([[none.name, empty.name]]);
		expect(tellingsTo(manager)[0]?.subject).toBe('Missing signatures: 3');
		const reasonFor = (to: string) =>
			/^.*the manager of these people/.exec(tellingsTo(to)[0]?.text ?? '');
		expect(reasonFor(manager)?.[0]).toContain('this email as the manager');
		expect(reasonFor(office)?.[0]).toContain('this email instead of the manager');
		expect(await marked('managerTold')).toEqual(
			[...managed, none, empty].map(({ rowId }) => rowId).sort(),
		);
	});

	test('reports an address that does not work to the office, and tries it again', async () => {
		const id = await store('remind-manager');
		const [lost, other] = [person('mb-1'), person('mb-2')];
		const manager = 'gone@example.com';
		await add(rowOf(lost, { reminded, manager }), rowOf(other, { reminded }));
		own.office.unknown.add(manager);
		await morning(id);
		const report = await own.mailTo(office, `Action needed: no email to ${manager}`);
		expect(linesOf(report.text)).toEqual([expect.stringContaining(lost.name)]);
		expect(await marked('managerTold')).toEqual([rowOf(other).rowId]);
		own.office.unknown.clear();
		await morning(id);
		expect([manager, office].map((to) => tellingsTo(to).length)).toEqual([1, 1]);
	});

	test('writes to the office about a single row, and marks nothing, when someone tries it by hand', async () => {
		const id = await own.store('remind-manager');
		const manager = 'manager@example.com';
		const rows = ['mt-1', 'mt-2'].map((key) => rowOf(person(key), { manager }));
		await add(...rows.map((row) => ({ ...row, reminded: daysAgo(5) })));
		const execution = await own.runFrom(id, 'Weekdays at 9');
		expect([execution.error?.message, execution.status]).toEqual([undefined, 'success']);
		expect(tellingsTo(office).map(({ text }) => linesOf(text).length)).toEqual([1]);
		expect(tellingsTo(manager)).toEqual([]);
		expect(await marked('managerTold')).toEqual([]);
	});
});

test('the reminders and the report name the day on which a document was sent in New York', async () => {
	const late = person('rz-1');
	// 22:30 in New York, when it's the next day in UTC.
	const sentAt = new Date(Date.now() - 6 * dayMs);
	sentAt.setUTCHours(3, 30, 0, 0);
	const dayIn = (timeZone: string) =>
		sentAt.toLocaleDateString('en-US', { dateStyle: 'long', timeZone });
	const day = dayIn('America/New_York');
	expect(day).not.toBe(dayIn('UTC'));
	await add(rowOf(late, { sentAt: sentAt.toISOString(), reminded: null }));
	await morning(await store('remind-person'));
	expect(remindersTo(late)[0]?.text).toContain(`sent to ${late.name} on ${day}`);
	await morning(await store('remind-manager'), inDays(5));
	expect(tellingsTo(office)[0]?.text).toContain(`sent on ${day}, reminder on `);
	await morning(await store('report-every-monday'));
	const report = await own.mailTo(office, 'Contracts: 1 waiting');
	expect(report.text).toContain(`\n${day}, ${late.name}: Lease`);
});

test('report-every-monday counts what was sent and signed in a week, and lists who is waiting, the oldest first', async () => {
	const id = await store('report-every-monday');
	await morning(id);
	const empty = await own.mailTo(office, 'Contracts: 0 waiting, 0 signed in the last 7 days');
	expect(empty.text).toContain('Sent: 0');

	const people = ['mo-1', 'mo-2', 'mo-3', 'mo-4', 'mo-5'].map((key) => person(key));
	const [old, fresh, signer, gone, missing] = people.map((one) => rowOf(one));
	if (!old || !fresh || !signer || !gone || !missing) throw new Error('no rows');
	const signedAt = daysAgo(1);
	const signed = { ...signer, sentAt: daysAgo(3), signed: true, signedAt };
	await add(
		{ ...fresh, sentAt: daysAgo(2), people: `Someone else, ${fresh.name}` },
		{ ...old, sentAt: daysAgo(30) },
		{ ...signer, sentAt: daysAgo(3) },
		signed,
		{ ...gone, sentAt: daysAgo(30), signed: true, signedAt: daysAgo(8) },
		// The provider has reported the document as completed, but not this signature.
		{ ...missing, sentAt: daysAgo(30) },
		{ ...missing, sentAt: daysAgo(30), completedAt: daysAgo(1) },
	);
	await morning(id);
	const report = await own.mailTo(office, 'Contracts: 2 waiting, 1 signed in the last 7 days');
	expect(report.text).toMatch(/^Sent: 2\r?\nSigned: 1\r?$/m);
	expect(linesOf(report.text).map((line) => line.replace(/^\w+ \d+, \d+, /, ''))).toEqual([
		`${old.name}: Lease`,
		`${fresh.name}: Lease (Someone else, ${fresh.name})`,
	]);

	await (await register()).clear('documentId');
	await add(signed);
	await morning(id);
	await own.mailTo(office, 'Contracts: 0 waiting, 1 signed in the last 7 days');
});

// The last test, because it restarts n8n.
test('remind-person reminds everyone, and some of them twice, if n8n is killed while reminders go out', async () => {
	const id = await store('remind-person');
	const people = Array.from({ length: 30 }, (_, index) => person(`rk-${index}`));
	await add(...people.map((one) => rowOf(one)));
	const before = own.office.recipients.length;
	const killed = runAt(stage.n8n.api, id, inDays(4)).catch(() => undefined);
	await until('some reminders have gone out', () => own.office.recipients.length > before + 8);
	await own.restart();
	await killed;
	await morning(id);
	const counts = people.map((one) => remindersTo(one).length);
	expect(Math.min(...counts)).toBe(1);
	expect(Math.max(...counts)).toBe(2);
	await morning(id, inDays(5));
	expect(people.map((one) => remindersTo(one).length)).toEqual(counts);
});
