import type { IDataObject } from 'n8n-workflow';

import { isRunning, outputOf } from '../../../host/executions';
import type { EventType } from '../../../sandbox/schemas';
import { axios } from '../../support/http';
import { until } from '../../support/until';
import * as own from '../support/exampleRuns';
import type { EventBody, Person } from '../support/exampleRuns';
import { lastPage } from '../support/formPage';
import {
	dayMs,
	daysAgo,
	person,
	register,
	storeInNewYork,
	useRegister,
	type Row,
} from '../support/register';
import { loggedIn } from '../support/trigger';
import { manualTrigger, subWorkflowCall, workflowWith } from '../support/workflow';

// The register of contracts, and the examples that read it. The tests change the rows' times instead of the clock.
own.useExamples();
const { stage } = own;
const rows = async () => await (await register()).rows();
const rowOf = async (email: string) => (await rows()).find((row) => row.email === email);

async function publish(file: string): Promise<string> {
	const id = await storeInNewYork(file);
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
	for (const row of all) await table.upsert('rowId', row);
}

useRegister();
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
			.map(({ rowId, documentId, email, name, title, people, sentAt, signed, ...row }) => {
				const { signedAt, completedAt, ip, documentHash } = row;
				const age = Date.now() - Date.parse(sentAt ?? '');
				const when = { isSentLately: age < dayMs, signed, signedAt, completedAt };
				return { rowId, documentId, email, name, title, people, ...when, ip, documentHash };
			})
			.sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? 1 : -1));

	test('knows the same about each person even if events arrive twice, together, in reverse, or after a restart', async () => {
		const id = await publish('keep-a-register');
		const [ana, ben] = [person('kr-1', 'Zoë {{ 1 + 1 }} & <b>Ann</b>'), person('kr-2')];
		const document = await sendAndSign('Kr', [ana, ben], ana, ben);
		// Two people get the document, two sign it, and it's completed.
		const count = (await own.endedExecutions(id, 5)).length;
		const known = await facts();
		const [, hash] = /^([0-9a-f]{64})$/.exec(known[0]?.documentHash ?? '') ?? [];
		const common = {
			rowId: expect.stringMatching(`^${document}/\\w{24}$`),
			documentId: document,
			title: expect.any(String),
			people: `${ana.name}, ${ben.name}`,
			documentHash: hash,
		};
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

	test('loses nothing to an event that knows less, and shows that someone has not signed a completed document', async () => {
		const id = await publish('keep-a-register');
		const [ana, ben] = [person('kp-1'), person('kp-2')];
		const document = await sendAndSign('Kp', [ana, ben], ana, ben);
		const count = (await own.endedExecutions(id, 5)).length;
		const known = await facts();
		await own.restart();
		const [sent] = eventsOf('sendDocument', document) as [EventBody];
		const poor = (body: EventBody) => {
			const { documentID, webhookData, signatory } = body.Document;
			const people = signatory.map(({ signatoryID, emailID, name }) => ({
				signatoryID,
				emailID,
				name,
			}));
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
		// In the provider's list, the second person hasn't signed.
		const open = { ...completed.Document, documentID: `${document}-open`, logsStatus: [] };
		open.signatory = open.signatory.map((one, index) => ({ ...one, isSigned: 1 - index }));
		await own.deliver({ ...completed, Document: open });
		await own.endedExecutions(id, count + 3);
		const found = await facts();
		const of = (documentId: string) =>
			found
				.filter((row) => row.documentId === documentId)
				.map(({ signed, signedAt, completedAt }) => [signed, signedAt, typeof completedAt]);
		expect(of(other)).toEqual([
			[true, null, 'string'],
			[true, null, 'string'],
		]);
		expect(of(open.documentID)).toEqual([
			[null, null, 'string'],
			[true, null, 'string'],
		]);
	});

	test('has a row for each person, even if they have no address, share one, or it is corrected', async () => {
		const id = await publish('keep-a-register');
		const [ana, ben] = [person('ks-1', 'Ana'), person('ks-2', 'Ben')];
		const document = await sendAndSign('Ks', [ana, ben]);
		const count = (await own.endedExecutions(id, 2)).length;
		const [sent] = eventsOf('sendDocument', document) as [EventBody];
		const addresses = [
			['none', ['', '']],
			['shared', ['office@example.com', 'office@example.com']],
			['corrected', ['an@example.com', ben.email]],
			['corrected', [ana.email, ben.email]],
			['markup', ['<iframe src="//evil.example">@example.com', ben.email]],
		] as const;
		for (const [index, [key, emails]] of addresses.entries()) {
			const signatory = sent.Document.signatory
				.filter(({ signatoryID }) => signatoryID !== undefined)
				.map((one, at) => ({ ...one, emailID: emails[at], isSigned: at }));
			const webhookData = { signatory: { emailID: emails[0] } };
			const Document = { ...sent.Document, documentID: `ks-${key}`, signatory, webhookData };
			await own.deliver({ ...sent, addedOn: Date.now() + index, Document });
			await own.endedExecutions(id, count + index + 1);
		}
		const found = await facts();
		const of = (key: string) =>
			found
				.filter(({ documentId }) => documentId === `ks-${key}`)
				.map(({ name, email, signed }) => [name, email, signed]);
		expect(of('none')).toEqual([
			['Ben', null, true],
			['Ana', null, null],
		]);
		expect(of('shared')).toEqual([
			['Ben', 'office@example.com', true],
			['Ana', 'office@example.com', null],
		]);
		expect(of('corrected')).toEqual([
			['Ben', ben.email, true],
			['Ana', ana.email, null],
		]);
		expect(of('markup')).toEqual([
			['Ben', ben.email, true],
			['Ana', null, null],
		]);
	});
});

const sentTo = ({ email, name }: Person, days: number, more: Partial<Row> = {}): Row => ({
	rowId: `d-${email}/${name}`,
	documentId: `d-${email}`,
	email,
	name,
	title: 'Lease',
	sentAt: daysAgo(days),
	...more,
});

/** The rows of the file that the last execution of keep-evidence has made. */
async function columnsOf(id: string): Promise<IDataObject[]> {
	const [last] = await stage.n8n.api.executions({ workflowId: id, limit: 1 });
	const execution = await stage.n8n.api.execution(last?.id ?? '');
	return outputOf(execution, 'Name the columns').map(({ json }) => json);
}

test('keep-evidence returns a file with what the events contained, and names what they did not', async () => {
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

	// In the provider's list of a completed document, this person hasn't signed.
	const unsigned = sentTo(person('ev-3'), 1, { completedAt: '2026-11-24T03:30:00.000Z' });
	await add(unsigned);
	await lastPage(stage, 'evidence', [unsigned.documentId]);
	expect(await columnsOf(id)).toMatchObject([
		{ Signed: 'not reported', 'Completed (UTC)': '2026-11-24 03:30:00' },
	]);

	const { page } = await lastPage(stage, 'evidence', ['no-such-document']);
	expect(page).toContain('There&#x27;s no evidence for this document');
	expect((await axios.get(`${stage.n8n.url}/form/evidence`)).status).toBe(401);
});

test('keep-evidence names the moments in UTC, although the workflow runs in New York', async () => {
	const id = await publish('keep-evidence');
	const late = person('ez-1');
	// 22:30 in New York, when it's the next day in UTC.
	await add(sentTo(late, 0, { sentAt: '2026-11-24T03:30:00.000Z' }));
	await lastPage(stage, 'evidence', [`d-${late.email}`]);
	const [row] = await columnsOf(id);
	expect(row?.['Sent (UTC)']).toBe('2026-11-24 03:30:00');
});

test("who-hasnt-signed answers a form and a workflow with each open signature's title, name, email, and day", async () => {
	const id = await publish('who-hasnt-signed');
	const call = subWorkflowCall('Ask', id);
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
	const frame = '<iframe src="//evil.example"></iframe>';
	const table = await register();
	const ip = '127.0.0.1';
	const completed = person('wh-3');
	for (const row of [
		sentTo(open, 0, { sentAt: '2026-11-24T03:30:00.000Z', ip, title: frame, email: frame }),
		sentTo(open, 1, { title: null }),
		sentTo(completed, 3, { completedAt: daysAgo(1) }),
		sentTo(signer, 3, { signed: true }),
		sentTo(signer, 3),
	])
		await table.insert(row);
	expect(await ask()).toEqual([
		{ title: frame, name: open.name, email: frame, sentOn: 'November 23, 2026' },
	]);
	const { page } = await lastPage(stage, 'who-hasnt-signed', []);
	const cells = [open.name, frame, frame, 'November 23, 2026'];
	const shown = cells.map(
		(text) => `<td>${text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</td>`,
	);
	expect(page).toContain(`<tr>${shown.join('')}</tr>`);
	expect(page.match(/<tr>/g)).toHaveLength(2);
	for (const { email } of [signer, completed]) expect(page).not.toContain(email);
	expect(page).not.toMatch(/<iframe|<b onclick/);
});

// The last test, because it restarts n8n.
test('report-every-monday counts the executions of the register that n8n ended, until a retry writes their rows', async () => {
	const pause = { amount: 5, unit: 'seconds', resume: 'timeInterval' };
	const keep = await own.publish('keep-a-register', (node) => {
		const before = { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: pause };
		Object.assign(node('Create the table if needed'), before);
	});
	const client = await loggedIn(stage.n8n.url, stage.owner);
	const { rawApiKey } = await client.call<{ rawApiKey: string }>('POST', '/api-keys', {
		body: { label: 'Monday', expiresAt: null, scopes: ['execution:list', 'workflow:list'] },
	});
	const data = { apiKey: rawApiKey, baseUrl: `${stage.n8n.url}/api/v1` };
	const credential = { name: 'n8n account', type: 'n8nApi', data };
	const { id: n8nApi } = await stage.n8n.api.createCredential(credential);
	const report = await own.store('report-every-monday', (node) => {
		const find = node('Find crashed executions');
		find.disabled = false;
		find.credentials = { n8nApi: { id: n8nApi, name: credential.name } };
		(find.parameters.filters as IDataObject).workflowId = { __rl: true, mode: 'id', value: keep };
	});
	const reportText = async () => {
		const mails = own.newMails();
		await run(report, 'Every Monday at 9');
		const mail = await until('the report arrives', () =>
			mails().find(({ subject }) => subject.startsWith('Contracts: ')),
		);
		return mail.text.replaceAll('\r', '');
	};
	expect(await reportText()).not.toContain('Executions of the register');

	const ana = person('mk-1');
	await own.send([ana]);
	await until('the register has got the event', async () =>
		(await stage.n8n.api.executions({ workflowId: keep })).some(isRunning),
	);
	await own.restart();
	const crashed = await until('n8n has ended the execution', async () =>
		(await stage.n8n.api.executions({ workflowId: keep })).find(
			({ status }) => status === 'crashed',
		),
	);
	expect(await rowOf(ana.email)).toBeUndefined();
	const count = 'Executions of the register that ended before their rows were written: ';
	expect(await reportText()).toContain(`${count}1\nRetry each of them: `);
	expect((await own.retry(crashed.id)).status).toBe('success');
	expect(await rowOf(ana.email)).toBeDefined();
	expect(await reportText()).toContain(`${count}0\n`);
});
