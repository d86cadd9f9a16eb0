import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readExample } from '../../host/examples';
import { outputOf } from '../../host/executions';
import { ensureHost } from '../../host/install';
import { startN8n, type N8n } from '../../host/n8n';
import { clientOf } from '../support/client';
import { useExamples } from './support/examples';
import { post } from './support/http';
import { startPostOffice, type PostOffice } from './support/postOffice';
import { until } from './support/stage';
import { allExecutions, loggedIn } from './support/trigger';

// examples/tell-about-each-signature.json, with what people, mail servers and n8n really do.
const own = useExamples('examples-each-signature');
const { stage, finished } = own;
let n8n: N8n;
let office: PostOffice;
let smtp: string;

/** Who signs: names that could break an expression, a header or a list. */
const [zoe, bob, chloe] = [
	{ email: 'Zoe.Zed@example.com', name: `Zoë "Zed" O'Brien, Jr. {{ 1 + 1 }}` },
	{ email: 'bob@example.com', name: '<b>Bob & Sons</b>' },
	{ email: 'chloe@example.com', name: '王小明 $json.title' },
] as const;
const people = [zoe, bob, chloe];
const gone = 'gone@example.com';

beforeAll(async () => {
	n8n = stage.n8n;
	office = await startPostOffice(stage.sandbox.smtp);
	const { id } = await n8n.api.createCredential({
		name: 'Post office',
		type: 'smtp',
		data: { host: '127.0.0.1', port: office.port, secure: false, disableStartTls: true },
	});
	smtp = id;
}, 60_000);
afterAll(async () => {
	await n8n?.stop();
	await office?.close();
});

/** Stores the example and publishes it. */
async function publish(to: string[], options?: INodeParameters): Promise<string> {
	const workflow = await readExample('tell-about-each-signature', { ...own.credentials, smtp });
	const parametersOf = (name: string) =>
		workflow.nodes.find((each) => each.name === name)?.parameters ?? {};
	const { assignments } = parametersOf('What to tell').assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	const field = assignments.find(({ name }) => name === 'to') ?? { value: '' };
	expect(JSON.parse(field.value)).toContain('people@example.com');
	field.value = JSON.stringify(to);
	if (options) parametersOf('Only if it is new').options = options;
	const { id } = await n8n.api.createWorkflow(workflow);
	await n8n.api.activate(id);
	return id;
}

/** Sends a document to three people; gives its ID. */
async function send(): Promise<string> {
	return await clientOf(stage.sandbox).createDocument({
		templateID: '65f1c0de0000000000000201',
		country: 'Mexico',
		inputs: {
			employee_name: 'A deal',
			role: 'Partner',
			start_date: '2027-03-01',
			workplace: 'Remote',
		},
		signatories: people,
	});
}

/** What an address was told, oldest first. */
const told = (address: string) =>
	stage.sandbox
		.mails()
		.filter(({ to, from }) => to.includes(address) && from.includes('people@example.com'))
		.map(({ subject, text }) => ({ subject, text: text.replaceAll('\r', '') }))
		.reverse();
const subjects = (address: string) => told(address).map(({ subject }) => subject);
const lastTold = (address: string) => told(address).at(-1)?.text;

/** The bodies of the events about a document, oldest first. */
const eventsOf = (document: string, event: string) =>
	stage.sandbox
		.deliveries()
		.filter(({ type }) => type === event)
		.map(({ body }) => structuredClone(body) as Body)
		.filter(({ Document }) => Document.documentID === document);

interface Body {
	addedOn: number;
	Document: {
		documentID: string;
		signatory: IDataObject[];
		webhookData: { signatory: IDataObject };
	};
}

/** Posts an event as the service would. */
async function deliver(body: object): Promise<void> {
	const registration = stage.sandbox.webhooks().find(({ type }) => type === 'signDocument');
	expect(await post(registration?.webHookUrl ?? '', body)).toBe(200);
}

test('three sign, two at once; one address of three does not exist: each is told all', async () => {
	office.unknown.add(gone);
	const workflow = await publish(['people@example.com', gone, 'sales@example.com']);
	const document = await send();
	await Promise.all([zoe, bob].map(async ({ email }) => await stage.sandbox.sign(document, email)));
	await finished(workflow, 2);
	for (const { text } of told('sales@example.com')) {
		expect(text).toMatch(new RegExp(`Still missing: .*${chloe.name.slice(0, 3)}`));
	}
	await stage.sandbox.sign(document, chloe.email);
	await finished(workflow, 4);

	const title = stage.sandbox.documents().find((each) => each.documentID === document)?.title;
	const all = [
		...people.map(({ name }) => `${name} signed: ${title}`),
		`Signed by everybody: ${title}`,
	];
	expect(subjects('sales@example.com').sort()).toEqual([...all].sort());
	const reports = all.map(() => `Not sent to ${gone}: ${title}`);
	expect(subjects('people@example.com').sort()).toEqual([...all, ...reports].sort());
	for (const { subject, text } of told('people@example.com')) {
		if (!subject.startsWith('Not sent')) continue;
		expect(text).toContain('550 No such user here');
		expect(text).toContain(document);
	}
	const textOf = (start: string) =>
		told('sales@example.com').find(({ subject }) => subject.startsWith(start))?.text;
	const names = people.map(({ name }) => name).join(', ');
	expect(textOf(chloe.name)).toContain(`Signed: ${names}\nStill missing: nobody\n`);
	expect(textOf('Signed by everybody')).toMatch(/https?:\S+document\.pdf/);
	await n8n.api.deactivate(workflow);
	office.unknown.clear();
}, 90_000);

test('a repeat is not told again; a late event and an empty one say nothing untrue', async () => {
	const workflow = await publish(['late@example.com']);
	const document = await send();
	for (const { email } of people) await stage.sandbox.sign(document, email);
	await finished(workflow, 4);
	const before = subjects('late@example.com');
	expect(before).toHaveLength(4);

	// Published anew: the trigger no longer knows what it received.
	await n8n.api.deactivate(workflow);
	await n8n.api.activate(workflow);
	const [first] = eventsOf(document, 'signDocument');
	await deliver(first ?? {});
	await deliver(first ?? {});
	await finished(workflow, 5);
	expect(subjects('late@example.com')).toEqual(before);

	// The first signature, reported after all have signed, by a list from before the signature.
	const late = first as Body;
	late.addedOn = Date.UTC(2026, 2, 1, 12, 30, 5);
	for (const each of late.Document.signatory) each.isSigned = 0;
	late.Document.webhookData.signatory.emailID = zoe.email.toUpperCase();
	await deliver(late);
	await finished(workflow, 6);
	expect(lastTold('late@example.com')).toMatch(/The service reported on 1 March 2026, \d+:\d+:05 /);
	expect(lastTold('late@example.com')).toContain(
		`Signed: ${zoe.name}\nStill missing: ${bob.name}, ${chloe.name}\n`,
	);

	await deliver({ type: 'signDocument', addedOn: null, Document: { documentID: document } });
	await finished(workflow, 7);
	expect(subjects('late@example.com').at(-1)).toBe(`Somebody signed: document ${document}`);
	expect(lastTold('late@example.com')).toContain(
		'The service reported on a date that it did not say:\nSigned: not reported\nStill missing: not reported\n',
	);
	await n8n.api.deactivate(workflow);
}, 90_000);

test('the history of events is full: people are told all the same', async () => {
	const workflow = await publish(['full@example.com'], { historySize: 1 });
	const document = await send();
	for (const { email } of people) await stage.sandbox.sign(document, email);
	await finished(workflow, 4);
	expect(subjects('full@example.com')).toHaveLength(4);
	await n8n.api.deactivate(workflow);
}, 90_000);

test('n8n crashes while it sends: the execution, tried again, sends the e-mail', async () => {
	const workflow = await publish(['crash@example.com']);
	const document = await send();
	office.silent = true;
	const before = office.offered;
	await stage.sandbox.sign(document, bob.email);
	await until('n8n talks to the mail server', () => office.offered > before);
	await n8n.kill();
	office.silent = false;
	const { userFolder, port, logFile } = stage.n8n;
	const installation = await ensureHost({ log: () => undefined });
	n8n = await startN8n({ installation, userFolder, port, logFile });
	await n8n.api.login(stage.owner);
	const [crashed] = await allExecutions(n8n.api, workflow, 1);
	expect(crashed?.status).toBe('crashed');

	// As the button in the list of executions does it.
	const client = await loggedIn(n8n.url, stage.owner);
	await client.call('POST', `/executions/${crashed?.id}/retry`, { body: { loadWorkflow: false } });
	const all = await allExecutions(n8n.api, workflow, 2);
	const retried = all.find(({ mode }) => mode === 'retry');
	const whole = await n8n.api.execution(retried?.id ?? '');
	expect([whole.status, outputOf(whole, 'Tell who signed').length]).toEqual(['success', 1]);
	expect(subjects('crash@example.com')).toEqual([expect.stringContaining(`${bob.name} signed: `)]);
	await n8n.api.deactivate(workflow);
}, 120_000);
