import type { IDataObject } from 'n8n-workflow';

import { outputOf } from '../../../host/executions';
import type { EventType } from '../../../sandbox/schemas';
import { axios } from '../../support/http';
import { until } from '../../support/until';
import { dataTable } from '../support/dataTable';
import * as own from '../support/exampleRuns';
import type { EventBody, Person } from '../support/exampleRuns';
import { lastPage } from '../support/formPage';
import { manualTrigger, nodeOf, workflowWith } from '../support/workflow';

// The register of contracts, and the examples that read it. The tests change the rows' times instead of the clock.
own.useExamples();
const { stage } = own;
const office = 'people@example.com';
const dayMs = 86_400_000;
const person = (key: string, name = `Person ${key}`): Person => ({
	name,
	email: `${key}@example.com`,
});

interface Row {
	id?: number;
	documentId: string;
	email: string;
	name?: string | null;
	title?: string | null;
	sentAt?: string | null;
	signed?: boolean | null;
	signedAt?: string | null;
	completedAt?: string | null;
	ip?: string | null;
	documentHash?: string | null;
	reminded?: string | null;
	manager?: string | null;
	managerTold?: string | null;
	createdAt?: string;
}
const register = async () => await dataTable<Row>(stage, 'Register of signatures');
const rows = async () => await (await register()).rows();
const rowOf = async (email: string) => (await rows()).find((row) => row.email === email);
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

/** Stores an example that runs in New York, whatever the zone of this machine. */
async function store(file: string): Promise<string> {
	const id = await own.store(file);
	const { settings } = await stage.n8n.api.getWorkflow(id);
	await stage.n8n.api.updateWorkflow(id, {
		settings: { ...settings, timezone: 'America/New_York' },
	});
	return id;
}
async function publish(file: string): Promise<string> {
	const id = await store(file);
	await stage.n8n.api.publish(id);
	return id;
}
/** Runs a workflow that has no errors. @returns The output of one of its nodes. */
async function run(id: string, trigger: string, node?: string): Promise<IDataObject[]> {
	const execution = await own.runFrom(id, trigger);
	expect([execution.error?.message, execution.status]).toEqual([undefined, 'success']);
	return node ? outputOf(execution, node).map(({ json }) => json) : [];
}
/** Writes the rows of a document, in addition to those of other tests. */
async function add(...all: Row[]): Promise<void> {
	const table = await register();
	for (const row of all) await table.upsert('email', row);
}

beforeAll(async () => {
	await own.publish('tell-when-it-fails');
	// n8n creates the register with the first event, so the tests that only read it need one.
	const id = await own.publish('keep-a-register');
	await own.send([person('first')], 'First');
	await own.endedExecutions(id, 1);
	await stage.n8n.api.unpublish(id);
});
beforeEach(async () => {
	await (await register()).clear('documentId');
});
afterEach(async () => {
	for (const { id, active, name } of await stage.n8n.api.listWorkflows())
		if (active && !name.endsWith('Tell someone when a workflow fails'))
			await stage.n8n.api.unpublish(id);
});

/** Sends a document, and has some of its signatories sign it. @returns Its ID. */
async function sendAndSign(title: string, people: Person[], ...signing: Person[]): Promise<string> {
	const id = await own.send(people, title);
	// People sign after they have got their email.
	await stage.sandbox.idle();
	for (const { email } of signing) await stage.sandbox.sign(id, email);
	await stage.sandbox.idle();
	return id;
}
/** The document's events of one type, each of them once, even though several webhooks have received it. */
const eventsOf = (type: EventType, document: string): EventBody[] => [
	...new Map(own.events(type, document).map((body) => [JSON.stringify(body), body])).values(),
];

describe('keep-a-register', () => {
	/**
	 * What the register knows, without what changes whenever a row is written. The events of a document give the
	 * time of sending in different milliseconds.
	 */
	const facts = async () =>
		(await rows())
			.map(({ documentId, email, name, title, sentAt, signed, ...row }) => {
				const { signedAt, completedAt, ip, documentHash } = row;
				const age = Date.now() - Date.parse(sentAt ?? '');
				const when = { isSentLately: age < dayMs, signed, signedAt, completedAt };
				return { documentId, email, name, title, ...when, ip, documentHash };
			})
			.sort((a, b) => (a.email < b.email ? -1 : 1));

	test('knows the same about each person even if events arrive twice, together, in reverse, or after a restart', async () => {
		const id = await publish('keep-a-register');
		const [ana, ben] = [person('kr-1', 'Zoë {{ 1 + 1 }} & <b>Ann</b>'), person('kr-2')];
		const document = await sendAndSign('Kr', [ana, ben], ana, ben);
		// Two people get the document, two sign it, and it's completed.
		const count = (await own.endedExecutions(id, 5)).length;
		const known = await facts();
		const [, hash] = /^([0-9a-f]{64})$/.exec(known[0]?.documentHash ?? '') ?? [];
		const common = { documentId: document, title: expect.any(String), documentHash: hash };
		const timeOf = (type: EventType, email: string): unknown =>
			expect.stringContaining(
				new Date(
					eventsOf(type, document).find(
						({ Document }) => Document.webhookData?.signatory.emailID === email,
					)?.addedOn ?? NaN,
				)
					.toISOString()
					.slice(0, 19),
			);
		const completedAt = expect.any(String);
		expect(known).toEqual(
			[ana, ben].map(({ name, email }) => ({
				...common,
				name,
				email,
				isSentLately: true,
				signed: true,
				signedAt: timeOf('signDocument', email),
				completedAt,
				ip: '127.0.0.1',
			})),
		);

		await (await register()).clear('documentId');
		// A restart makes the trigger forget which events it has received.
		await own.restart();
		const all = (['completedDocument', 'signDocument', 'sendDocument'] as const).flatMap((type) =>
			eventsOf(type, document).reverse(),
		);
		for (const body of all) await own.deliver(body);
		await own.endedExecutions(id, count + all.length);
		expect(await facts()).toEqual(known);
		await own.restart();
		await own.deliver(...all, ...all);
		await own.endedExecutions(id, count + 2 * all.length);
		expect(await facts()).toEqual(known);
	});

	test('loses nothing to an event that knows less, and adds a row for a person without an address', async () => {
		const id = await publish('keep-a-register');
		const [ana, ben] = [person('kp-1'), person('kp-2')];
		const document = await sendAndSign('Kp', [ana, ben], ana, ben);
		const count = (await own.endedExecutions(id, 5)).length;
		const known = await facts();
		await own.restart();
		const [sent] = eventsOf('sendDocument', document) as [EventBody];
		const people = [ana, ben].map(({ email }) => ({ emailID: email }));
		const poor = (body: EventBody) => {
			const { documentID, webhookData } = body.Document;
			return {
				...body,
				addedOn: null,
				Document: { documentID, signatory: people, webhookData },
			} as EventBody;
		};
		await own.deliver(poor(sent));
		await own.endedExecutions(id, count + 1);
		expect(await facts()).toEqual(known);

		// A completed document whose history nobody knows: everyone has signed, at a time that isn't known.
		const other = `${document}-other`;
		const [completed] = eventsOf('completedDocument', document) as [EventBody];
		const noHistory = { ...completed.Document, documentID: other, documentActivity: [] };
		noHistory.signatory = noHistory.signatory.map(({ emailID, name }) => ({ emailID, name }));
		await own.deliver({ ...completed, Document: noHistory });
		// A person without an address.
		const noAddress = { ...sent.Document, documentID: `${document}-none` };
		noAddress.signatory = [{ name: 'No Address' }];
		delete noAddress.webhookData;
		await own.deliver({ ...sent, Document: noAddress });
		await own.endedExecutions(id, count + 3);
		const found = await facts();
		expect(
			found
				.filter(({ documentId }) => documentId === other)
				.map(({ signed, signedAt, completedAt }) => [signed, signedAt, typeof completedAt]),
		).toEqual([
			[true, null, 'string'],
			[true, null, 'string'],
		]);
		expect(found.filter(({ email }) => email === '').map(({ name }) => name)).toEqual([
			'No Address',
		]);
	});
});

const remindersTo = ({ email }: Person) =>
	own.mailsTo(email).filter(({ subject }) => subject.startsWith('Reminder: please sign '));
const tellingsTo = (to: string) =>
	own.mailsTo(to).filter(({ subject }) => / hasn't signed .* yet$/.test(subject));
const sentTo = ({ email, name }: Person, days: number, more: Partial<Row> = {}): Row => ({
	documentId: `d-${email}`,
	email,
	name,
	title: 'Lease',
	sentAt: daysAgo(days),
	...more,
});

describe('remind-person and remind-manager', () => {
	const morning = 'Every weekday at 9';

	test('remind each person once after three days, and tell the manager four days after the reminder', async () => {
		const [remind, tell] = [await store('remind-person'), await store('remind-manager')];
		const [early, due, signer] = [person('rm-1'), person('rm-2'), person('rm-3')];
		const manager = 'manager@example.com';
		await add(sentTo(early, 2.9), sentTo(due, 3.1), sentTo(signer, 9, { signed: true }));
		await run(remind, morning);
		await run(tell, morning);
		await run(remind, morning);
		expect([early, due, signer].map((one) => remindersTo(one).length)).toEqual([0, 1, 0]);
		expect(tellingsTo(office)).toEqual([]);

		await add(
			sentTo(due, 9, { manager, reminded: daysAgo(4.1) }),
			sentTo(early, 9, { reminded: daysAgo(4.1) }),
			sentTo(signer, 9, { signed: true, reminded: daysAgo(5) }),
		);
		await Promise.all([run(remind, morning), run(tell, morning)]);
		await run(tell, morning);
		expect(tellingsTo(manager).map(({ subject }) => subject)).toEqual([
			`${due.name} hasn't signed Lease yet`,
		]);
		// A row that names no manager.
		expect(tellingsTo(office).map(({ subject }) => subject)).toEqual([
			`${early.name} hasn't signed Lease yet`,
		]);
		expect([early, due, signer].map((one) => remindersTo(one).length)).toEqual([0, 1, 0]);
	});

	test('remind nobody who has signed although two rows exist, and write to each person once', async () => {
		const [remind, tell] = [await store('remind-person'), await store('remind-manager')];
		const [signer, open] = [person('rd-1'), person('rd-2')];
		const table = await register();
		// Two events at the same moment can each add a row.
		const twice = [sentTo(signer, 5), sentTo(signer, 5, { signed: true }), sentTo(open, 5)];
		for (const row of [...twice, sentTo(open, 5, { title: null, sentAt: null })])
			await table.insert(row);
		await run(remind, morning);
		await run(remind, morning);
		expect([signer, open].map((one) => remindersTo(one).length)).toEqual([0, 1]);
		for (const { email } of [signer, open])
			await table.upsert('email', { email, documentId: `d-${email}`, reminded: daysAgo(5) });
		await run(tell, morning);
		await run(tell, morning);
		expect(tellingsTo(office).map(({ subject }) => subject)).toEqual([
			`${open.name} hasn't signed Lease yet`,
		]);
	});

	test('report an address that does not work to the office, and still write to everyone else', async () => {
		const [remind, tell] = [await store('remind-person'), await store('remind-manager')];
		const [lost, other] = [person('rb-1'), person('rb-2')];
		await add(sentTo(lost, 4), sentTo(other, 4), sentTo({ email: '', name: 'No Address' }, 4));
		own.office.unknown.add(lost.email);
		await run(remind, morning);
		await own.mailTo(office, `Action needed: no reminder to ${lost.name}`, lost.email);
		await own.mailTo(office, 'Action needed: no reminder to No Address');
		expect(remindersTo(other)).toHaveLength(1);
		own.office.unknown.clear();
		await run(remind, morning);
		expect(remindersTo(lost)).toHaveLength(1);
		expect(remindersTo(other)).toHaveLength(1);

		const manager = 'gone@example.com';
		const reminded = daysAgo(5);
		await add(sentTo(lost, 9, { manager, reminded }), sentTo(other, 9, { reminded }));
		own.office.unknown.add(manager);
		await run(tell, morning);
		await own.mailTo(office, `Action needed: no email to the manager of ${lost.name}`, manager);
		expect(tellingsTo(office)).toHaveLength(1);
		own.office.unknown.clear();
		await run(tell, morning);
		expect(tellingsTo(manager)).toHaveLength(1);
		expect(tellingsTo(office)).toHaveLength(1);
	});

	test('lose no reminder while the mail server is down', async () => {
		const remind = await store('remind-person');
		const people = ['rs-1', 'rs-2', 'rs-3'].map((key) => person(key));
		await add(...people.map((one) => sentTo(one, 4)));
		own.office.down = true;
		expect((await own.runFrom(remind, morning)).status).toBe('error');
		own.office.down = false;
		await run(remind, morning);
		await run(remind, morning);
		expect(people.map((one) => remindersTo(one).length)).toEqual([1, 1, 1]);
	});

	test('remind everyone, and some of them twice, if n8n is killed while reminders go out', async () => {
		const remind = await store('remind-person');
		const people = Array.from({ length: 30 }, (_, index) => person(`rk-${index}`));
		await add(...people.map((one) => sentTo(one, 4)));
		const before = own.office.recipients.length;
		await stage.n8n.api.run(remind, morning);
		await until('some reminders have gone out', () => own.office.recipients.length > before + 8);
		await own.restart();
		await run(remind, morning);
		const counts = people.map((one) => remindersTo(one).length);
		expect(Math.min(...counts)).toBe(1);
		expect(Math.max(...counts)).toBe(2);
		await run(remind, morning);
		expect(people.map((one) => remindersTo(one).length)).toEqual(counts);
	});

	test('name the day on which the document was sent in New York, like the report, while the evidence names the moment in UTC', async () => {
		const [remind, tell] = [await store('remind-person'), await store('remind-manager')];
		const late = person('rz-1');
		// 22:30 in New York, when it's the next day in UTC.
		const sentAt = new Date(Date.now() - 6 * dayMs);
		sentAt.setUTCHours(3, 30, 0, 0);
		const day = sentAt.toLocaleDateString('en-US', {
			dateStyle: 'long',
			timeZone: 'America/New_York',
		});
		expect(day).not.toBe(
			sentAt.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
		);
		await add(sentTo(late, 0, { sentAt: sentAt.toISOString() }));
		await run(remind, morning);
		expect(remindersTo(late)[0]?.text).toContain(`the email that you got on ${day},`);
		await add(sentTo(late, 0, { sentAt: sentAt.toISOString(), reminded: daysAgo(4.5) }));
		await run(tell, morning);
		expect(tellingsTo(office)[0]?.text).toContain(`was sent to them on ${day},`);
		await run(await store('report-every-monday'), 'Every Monday at 9');
		const report = await own.mailTo(office, 'Contracts: 1 waiting');
		expect(report.text).toContain(`\n${day}, ${late.name}: Lease`);
		const evidence = await publish('keep-evidence');
		await lastPage(stage, 'evidence', [`d-${late.email}`]);
		const [row] = await columnsOf(evidence);
		expect(row?.['Sent (UTC)']).toBe(sentAt.toISOString().slice(0, 19).replace('T', ' '));
	});
});

test('report-every-monday counts what was sent and signed in a week, and lists who is waiting, the oldest first', async () => {
	const id = await store('report-every-monday');
	const monday = async () => await run(id, 'Every Monday at 9');
	await monday();
	const empty = await own.mailTo(office, 'Contracts: 0 waiting, 0 signed last week');
	expect(empty.text).toContain('Sent: 0');

	const [old, fresh, signer, gone] = ['mo-1', 'mo-2', 'mo-3', 'mo-4'].map((key) => person(key));
	const signedAt = daysAgo(1);
	const table = await register();
	for (const row of [
		sentTo(fresh as Person, 2),
		sentTo(old as Person, 30),
		sentTo(signer as Person, 3),
		sentTo(signer as Person, 3, { signed: true, signedAt }),
		sentTo(gone as Person, 30, { signed: true, signedAt: daysAgo(8) }),
	])
		await table.insert(row);
	await monday();
	const report = await own.mailTo(office, 'Contracts: 2 waiting, 1 signed last week');
	expect(report.text).toMatch(/^Sent: 2\r?\nSigned: 1\r?$/m);
	const lines = report.text.split(/\r?\n/).filter((line) => line.endsWith(': Lease'));
	expect(lines.map((line) => line.replace(/^\w+ \d+, \d+, /, ''))).toEqual([
		`${old?.name}: Lease`,
		`${fresh?.name}: Lease`,
	]);

	await table.clear('documentId');
	await add(sentTo(signer as Person, 3, { signed: true, signedAt }));
	await monday();
	await own.mailTo(office, 'Contracts: 0 waiting, 1 signed last week');
});

/** The rows of the file that the last execution of keep-evidence has made. */
async function columnsOf(id: string): Promise<IDataObject[]> {
	const [last] = await stage.n8n.api.executions({ workflowId: id, limit: 1 });
	const execution = await stage.n8n.api.execution(last?.id ?? '');
	return outputOf(execution, 'Name the columns').map(({ json }) => json);
}

test('keep-evidence gives a file with what the events said, and says what they did not', async () => {
	const id = await publish('keep-evidence');
	const keep = await publish('keep-a-register');
	const [ana, ben] = [person('ev-1', '=HYPERLINK("x")'), person('ev-2')];
	const document = await sendAndSign('Ev', [ana, ben], ana);
	await own.endedExecutions(keep, 3);
	const { files } = await lastPage(stage, 'evidence', [` ${document} `]);
	expect(files.map(({ fileName }) => fileName)).toEqual([`evidence-${document}.xlsx`]);
	expect(files[0]?.content.subarray(0, 2).toString()).toBe('PK');
	const found = await columnsOf(id);
	const of = ({ email }: Person) => found.find((row) => row.Email === email) as IDataObject;
	expect(found).toHaveLength(2);
	expect(of(ana)).toMatchObject({
		'Document ID': document,
		Name: ana.name,
		Signed: 'yes',
		'IP address': '127.0.0.1',
		'Completed (UTC)': 'not reported',
	});
	const row = await rowOf(ana.email);
	expect(of(ana)['Signed at (UTC)']).toBe(row?.signedAt?.slice(0, 19).replace('T', ' '));
	expect(of(ben)).toMatchObject({
		Signed: 'not reported',
		'Signed at (UTC)': 'not reported',
		'IP address': 'not reported',
		'Checksum of the document': 'not reported',
	});
	await stage.sandbox.sign(document, ben.email);
	await stage.sandbox.idle();
	await own.endedExecutions(keep, 5);
	await lastPage(stage, 'evidence', [document]);
	const completed = await columnsOf(id);
	const { documentHash } = (await rowOf(ben.email)) ?? {};
	expect(completed.map((one) => one['Checksum of the document'])).toEqual([
		documentHash,
		documentHash,
	]);
	expect(documentHash).toMatch(/^[0-9a-f]{64}$/);

	const { page } = await lastPage(stage, 'evidence', ['no-such-document']);
	expect(page).toContain('There&#x27;s no evidence for this document');
	expect((await axios.get(`${stage.n8n.url}/form/evidence`)).status).toBe(401);
});

test("who-hasnt-signed answers a form and a workflow with each open signature's title, name, email, and day", async () => {
	const id = await publish('who-hasnt-signed');
	const call = nodeOf({
		name: 'Ask',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			source: 'database',
			workflowId: { __rl: true, mode: 'id', value: id },
			options: {},
		},
	});
	const nodes = [manualTrigger(), call];
	const caller = await stage.n8n.api.createWorkflow(workflowWith('Ask', nodes, [['Start', 'Ask']]));
	const ask = async () => await run(caller.id, 'Start', 'Ask');
	expect(await ask()).toEqual([
		{ title: 'No one is waiting to sign', name: null, email: null, sentOn: null },
	]);
	expect((await lastPage(stage, 'who-hasnt-signed', [])).page).toContain(
		'No one is waiting to sign',
	);

	const [open, signer] = [person('wh-1', 'Ána <b onclick="x">Öz</b>'), person('wh-2')];
	const table = await register();
	const ip = '127.0.0.1';
	for (const row of [
		sentTo(open, 0, { sentAt: '2026-11-24T03:30:00.000Z', ip }),
		sentTo(open, 1, { title: null }),
		sentTo(signer, 3, { signed: true }),
		sentTo(signer, 3),
	])
		await table.insert(row);
	expect(await ask()).toEqual([
		{ title: 'Lease', name: open.name, email: open.email, sentOn: 'November 23, 2026' },
	]);
	const { page } = await lastPage(stage, 'who-hasnt-signed', []);
	expect(page).toContain(`Ána Öz (${open.email}): Lease, sent on November 23, 2026`);
	expect(page).not.toContain(signer.email);
	expect(page).not.toContain('onclick="x"');
});
