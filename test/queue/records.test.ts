import { setTimeout as delay } from 'node:timers/promises';

import { readExample } from '../../host/examples';
import type { EventType } from '../../sandbox/schemas';
import { startGoogle, type Google } from '../e2e/examples/google';
import { dataTable } from '../e2e/support/dataTable';
import { evidencePage } from '../e2e/support/evidencePage';
import { sendDocument, templateValues } from '../operations/service';
import { clientOf } from '../support/credentials';
import { post } from '../support/http';
import { Stub } from '../support/stub';
import { until } from '../support/until';
import { restartMain } from './support/kills';
import {
	isInterrupted,
	report,
	retry,
	settled,
	storedExecutions,
	useQueueStage,
} from './support/stage';

// The examples that keep a record of events, in queue mode with two webhook processors and two workers.
const stage = useQueueStage('records', { webhooks: 2 });
const types = ['sendDocument', 'signDocument', 'completedDocument'] as const;
const count = 12;
const dayMs = 86_400_000;

/** An event of the service, which a test can deliver several times and in any order. */
interface Event {
	type: EventType;
	body: { addedOn: number; Document: { documentID: string } };
}
/** A document with two signatories. The first signs every document, the second only every other one. */
interface Sent {
	id: string;
	emails: [string, string];
	isCompleted: boolean;
}
interface Row {
	documentId: string;
	email: string;
	what: string;
	reminded?: string | null;
	happenedAt?: string;
}

const recorder = new Stub();
let google: Google<Record<string, string>>;
const documents: Sent[] = [];
let events: Event[] = [];
const ids: Record<string, string> = {};

/** Stores and publishes an example. */
async function publish(file: string): Promise<void> {
	const credentials = Object.fromEntries(
		(await stage.api.listCredentials()).map(({ id, type }) => [type, id]),
	);
	const workflow = await readExample(file, { ...credentials, googleDriveOAuth2Api: 'none' });
	const drives = workflow.nodes.filter(({ type }) => type.endsWith('.googleDrive'));
	const drive = (name: string) => drives.find((node) => node.name === name) as never;
	google.replace(drive, drives);
	const { id } = await stage.api.createWorkflow(workflow);
	await stage.api.activate(id);
	ids[file] = id;
}

beforeAll(async () => {
	const { sandbox } = stage;
	google = await startGoogle();
	await recorder.start();
	const client = clientOf(sandbox);
	for (const type of types) await client.registerWebhook(type, `${recorder.url}/`);
	for (let index = 0; index < count; index++) {
		const emails: Sent['emails'] = [`first-${index}@example.com`, `second-${index}@example.com`];
		const people = emails.map((email) => ({ email, name: email }));
		const id = await sendDocument({ client }, people, templateValues);
		const isCompleted = index % 2 === 0;
		// An event contains the document as it is when the sandbox delivers the event.
		await sandbox.idle();
		await sandbox.sign(id, emails[0]);
		await sandbox.idle();
		if (isCompleted) await sandbox.sign(id, emails[1]);
		documents.push({ id, emails, isCompleted });
	}
	await sandbox.idle();
	events = sandbox.deliveries().map(({ type, body }) => {
		// Everything happened four days ago, so reminders are due.
		const age = (key: string, value: unknown): unknown =>
			key === 'addedOn' && typeof value === 'number' ? value - 4 * dayMs : value;
		return JSON.parse(JSON.stringify({ type, body }), age) as Event;
	});
	await publish('chase-unsigned');
	await publish('keep-evidence');
}, 420_000);
afterAll(async () => {
	await recorder.close();
	await google.close();
});

const rowsOf = async (table: string) =>
	await (await dataTable<Row>({ n8n: { url: stage.url }, owner: stage.owner }, table)).rows();
/** Returns what the rows say. If rows say the same, they count once, as in the examples. */
const factsIn = async (table: string) =>
	[
		...new Set(
			(await rowsOf(table)).map(({ documentId, email, what }) =>
				[documentId, email, what].join(' ').replace('  ', ' '),
			),
		),
	].sort();
const people = ({ id, emails, isCompleted }: Sent) =>
	emails.flatMap((email, index) => [
		`${id} ${email} sent`,
		...(index === 0 || isCompleted ? [`${id} ${email} signed`] : []),
	]);
const outcome = ({ id, isCompleted }: Sent) =>
	isCompleted ? [`${id} completed`, `${id} stored`] : [];

/** Delivers an event to each trigger, as the service does, until n8n accepts it. */
async function deliver({ type, body }: Event): Promise<void> {
	const urls = stage.sandbox
		.webhooks()
		.filter((webhook) => webhook.type === type && webhook.webHookUrl.startsWith(stage.url))
		.map(({ webHookUrl }) => webHookUrl);
	expect(urls).toHaveLength(2);
	const sending = urls.map(async (url) => {
		await until('n8n accepts the event', async () => {
			if ((await post(url, body).catch(() => undefined)) === 200) return true;
			await delay(500);
			return false;
		});
	});
	await Promise.all(sending);
}

/** Waits until nothing is running, and retries what was interrupted, as a person would do. */
async function mend(...workflows: string[]): Promise<void> {
	for (const id of workflows) await settled(stage, id, 60_000);
	await restartMain(stage);
	for (const id of workflows) {
		await settled(stage, id, 60_000);
		const all = await storedExecutions(stage, id);
		const retried = new Set(all.map(({ retryOf }) => retryOf));
		const interrupted = all.filter((one) => isInterrupted(one) && !retried.has(one.id));
		report(`${all.length} executions, ${interrupted.length} of them interrupted`);
		await retry(stage, interrupted);
		await settled(stage, id, 60_000);
	}
}

test('no row is missing and no fact counts twice, even if events arrive together, twice, out of order, and while processes are killed', async () => {
	const { webhooks, workers } = stage;
	const killing = [webhooks[0], workers[0], webhooks[1], workers[1]].map(async (one, index) => {
		await delay(1500 * (index + 1));
		report(`kill -9 of ${one?.name}`);
		await one?.crash();
	});
	// The last event of a document arrives first, and each event arrives twice at the same moment.
	const sending = events.reverse().map(async (event, index) => {
		await delay(index * 120);
		await Promise.all([deliver(event), deliver(event)]);
	});
	await Promise.all([...killing, ...sending]);
	await mend(...Object.values(ids));
	expect(await factsIn('Who has signed')).toEqual(documents.flatMap(people).sort());
	const all = documents.flatMap((document) => [...people(document), ...outcome(document)]);
	expect(await factsIn('Signature evidence')).toEqual(all.sort());
	const [completed, open] = documents;
	const { url, owner } = stage;
	const page = await evidencePage(url, owner, completed?.id ?? '');
	expect(page).toContain('Every signature has a time and an IP address.');
	expect(page.match(/<tr><td>/g)).toHaveLength(2);
	expect(await evidencePage(url, owner, open?.id ?? '')).toContain(
		`missing for: ${open?.emails[1]}`,
	);
}, 420_000);

test('nobody is reminded twice, and every boss is told, even if mornings overlap and processes are killed', async () => {
	const { api, sandbox, workers } = stage;
	const id = ids['chase-unsigned'] ?? '';
	const late = documents.filter(({ isCompleted }) => !isCompleted).map(({ emails }) => emails[1]);
	const mails = (subject: RegExp, email: string) =>
		sandbox.mails().filter((mail) => subject.test(mail.subject) && mail.text.includes(email));
	const reminded = (email: string) =>
		sandbox
			.mails()
			.filter(({ subject, to }) => /^Reminder: please sign /.test(subject) && to.includes(email))
			.length;
	const told = (email: string) => mails(/ hasn't signed .* yet$/, email).length;
	const emailCount = () =>
		sandbox.mails().filter(({ subject }) => /^Reminder: | hasn't signed /.test(subject)).length;
	/** Publishes the workflow with a morning every few seconds, and kills workers in the meantime. */
	const mornings = async (): Promise<number> => {
		const { nodes } = await api.getWorkflow(id);
		const schedule = nodes.find(({ name }) => name === 'Every weekday at 9');
		const original = structuredClone(schedule?.parameters ?? {});
		const update = async (parameters: typeof original) => {
			Object.assign(schedule ?? {}, { parameters });
			await api.updateWorkflow(id, { nodes });
			await api.activate(id);
		};
		await update({ rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } });
		let kills = 0;
		for (const worker of [...workers, ...workers]) {
			await worker.running();
			// Kill the worker right after an email, when it has probably begun the next one.
			const before = emailCount();
			const deadline = Date.now() + 6000;
			while (emailCount() === before && Date.now() < deadline) await delay(5);
			report(`kill -9 of ${worker.name}`);
			await worker.crash();
			kills++;
		}
		await delay(8000);
		await update(original);
		await mend(id);
		return kills;
	};
	const kills = await mornings();
	const counts = late.map(reminded);
	report(`reminders: ${counts.join(', ')}`);
	// A crash while an email is sent can leave one reminder too few, but never one too many.
	expect(Math.max(...counts)).toBe(1);
	expect(counts.filter((sent) => sent === 0).length).toBeLessThanOrEqual(kills);
	for (const { emails, isCompleted } of documents)
		for (const email of isCompleted ? emails : emails.slice(0, 1)) expect(reminded(email)).toBe(0);

	const table = await dataTable<Partial<Row>>(
		{ n8n: { url: stage.url }, owner: stage.owner },
		'Who has signed',
	);
	const happenedAt = new Date(Date.now() - 7.1 * dayMs).toISOString();
	for (const email of late) await table.upsert('email', { email, happenedAt });
	await mornings();
	// A crash while an email is sent can leave one email to a boss too many, but never one too few.
	const tellings = late.map(told);
	report(`emails to bosses: ${tellings.join(', ')}`);
	expect(Math.min(...tellings)).toBeGreaterThanOrEqual(1);
	expect(late.map(reminded)).toEqual(counts);
}, 420_000);
