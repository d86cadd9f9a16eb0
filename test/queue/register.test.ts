import { setTimeout as delay } from 'node:timers/promises';

import { readExample } from '../../host/examples';
import type { EventType } from '../../sandbox/schemas';
import { dataTable } from '../e2e/support/dataTable';
import { replaceSchedule, runAt } from '../e2e/support/schedule';
import { sendDocument, templateValues } from '../operations/service';
import { clientOf } from '../support/credentials';
import { post } from '../support/http';
import { Stub } from '../support/stub';
import { until } from '../support/until';
import { report, settled, useQueueStage } from './support/stage';

// The register of contracts with PostgreSQL, two webhook processors, and two workers. n8n's upsert is an update
// and then an insert, so two events at the same moment can each add a row for the same person.
const stage = useQueueStage('register', { webhooks: 2 });
const types = ['sendDocument', 'signDocument'] as const;
const documents = 50;
const dayMs = 86_400_000;
const recorder = new Stub();

interface Event {
	type: EventType;
	body: { Document: { documentID: string } };
}
interface Row {
	documentId: string;
	email: string;
	signed?: boolean | null;
}

beforeAll(async () => await recorder.start());
afterAll(async () => await recorder.close());

async function store(file: string): Promise<string> {
	const credentials = Object.fromEntries(
		(await stage.api.listCredentials()).map(({ id, type }) => [type, id]),
	);
	const workflow = await readExample(file, credentials);
	replaceSchedule(workflow.nodes);
	return (await stage.api.createWorkflow(workflow)).id;
}

/** Delivers an event to the register, as the service does, until n8n accepts it. */
async function deliver({ type, body }: Event): Promise<void> {
	const { webHookUrl = '' } =
		stage.sandbox
			.webhooks()
			.find((webhook) => webhook.type === type && webhook.webHookUrl.startsWith(stage.url)) ?? {};
	await until('n8n accepts the event', async () => {
		if ((await post(webHookUrl, body).catch(() => undefined)) === 200) return true;
		await delay(500);
		return false;
	});
}

test('nobody who has signed is reminded, even if the events of sending and signing arrive at the same moment', async () => {
	const { api, sandbox } = stage;
	const client = clientOf(sandbox);
	for (const type of types) await client.registerWebhook(type, `${recorder.url}/`);
	const signers: string[] = [];
	const open: string[] = [];
	for (let index = 0; index < documents; index++) {
		const [signer, other] = [`signer-${index}@example.com`, `open-${index}@example.com`];
		const people = [signer, other].map((email) => ({ email, name: email }));
		const id = await sendDocument({ client }, people, templateValues);
		// An event contains the document as it is when the sandbox delivers the event.
		await sandbox.idle();
		await sandbox.sign(id, signer);
		signers.push(signer);
		open.push(other);
	}
	await sandbox.idle();
	const events = sandbox.deliveries().map(({ type, body }) => ({ type, body }) as Event);
	const ids = [...new Set(events.map(({ body }) => body.Document.documentID))];
	expect(ids).toHaveLength(documents);
	const [first = [], ...rest] = ids.map((id) =>
		events.filter(({ body }) => body.Document.documentID === id),
	);

	const register = await store('keep-a-register');
	await api.publish(register);
	// The first event creates the table.
	for (const event of first) await deliver(event);
	await settled(stage, register, 120_000);
	for (const ofDocument of rest) await Promise.all(ofDocument.map(deliver));
	await settled(stage, register, 120_000);

	const table = await dataTable<Row>(
		{ n8n: { url: stage.url }, owner: stage.owner },
		'Register of signatures',
	);
	const rows = await table.rows();
	const people = new Map<string, Row[]>();
	for (const row of rows) people.set(row.email, [...(people.get(row.email) ?? []), row]);
	const twice = [...people.values()].filter(({ length }) => length > 1);
	const unsure = twice.filter(
		(all) => all.some(({ signed }) => signed) && all.some((row) => !row.signed),
	);
	report(
		`${twice.length} people have two rows, ${unsure.length} of them one that says they have not signed`,
	);
	expect([...people.keys()].sort()).toEqual([...signers, ...open].sort());

	const remind = await store('remind-person');
	for (let mornings = 0; mornings < 2; mornings++) {
		// The rows of now are four days old.
		const { status } = await runAt(api, remind, new Date(Date.now() + 4 * dayMs), 300_000);
		expect(status).toBe('success');
	}
	const reminded = sandbox
		.mails()
		.filter(({ subject }) => subject.startsWith('Reminder: please sign '))
		.flatMap(({ to }) => to);
	expect(reminded.sort()).toEqual(open.sort());
}, 900_000);
