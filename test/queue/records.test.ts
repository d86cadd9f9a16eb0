import { setTimeout as delay } from 'node:timers/promises';

import type { WorkflowInput } from '../../host/apiTypes';
import { readExample } from '../../host/examples';
import type { EventType } from '../../sandbox/schemas';
import { startGoogle, type Google } from '../e2e/examples/google';
import { dataTable } from '../e2e/support/dataTable';
import { evidencePage } from '../e2e/support/evidencePage';
import { nodeOf } from '../e2e/support/workflow';
import { sendDocument, templateValues } from '../operations/service';
import { clientOf } from '../support/credentials';
import { post } from '../support/http';
import { Stub } from '../support/stub';
import { until } from '../support/until';
import { Gates, placeText, type Place } from './support/gates';
import { restartMain } from './support/kills';
import {
	isInterrupted,
	report,
	retry,
	settled,
	storedExecutions,
	useQueueStage,
} from './support/stage';

// The examples that keep a record of events, in queue mode with two webhook processors and two workers. An
// execution stops between two nodes, and is killed there.
const stage = useQueueStage('records', { webhooks: 2 });
const types = ['sendDocument', 'signDocument', 'completedDocument'] as const;
const dayMs = 86_400_000;

const sentOrSigned = 'When a document is sent or signed';
const split = 'Split into one item per person';
const isNew = 'Go on if the row is new';
const combine = 'Combine the checksum and the link';
const fileRow = 'Write a row for the file';
const sha = 'Calculate the SHA-256';
const hasFile = 'Go on if there is a file';
const store = 'Store the signed file';
const morningAt9 = 'Every weekday at 9';
const people = 'Loop over the people';
const step = 'Which step is due?';

/** The places that an event passes, by the example and by the type of the event that is killed there. */
const placesOfEvents: Array<{ file: string; type: EventType; place: Place }> = [
	...(
		[
			[sentOrSigned, split],
			[split, 'Write the row'],
			['Write the row', isNew],
			[isNew, 'Add the row'],
		] satisfies Place[]
	).map((place) => ({ file: 'chase-unsigned', type: 'signDocument' as const, place })),
	...(
		[
			[sentOrSigned, split],
			[split, 'Keep the person of the event'],
			['Keep the person of the event', 'Write a row for the person'],
			['Write a row for the person', isNew],
			[isNew, 'Add the row'],
		] satisfies Place[]
	).map((place) => ({ file: 'keep-evidence', type: 'signDocument' as const, place })),
	...(
		[
			['When everyone has signed', 'Write a row for the document'],
			['Write a row for the document', isNew],
			['When everyone has signed', hasFile],
			[hasFile, sha],
			[hasFile, store],
			[sha, combine],
			[store, combine],
			[combine, fileRow],
			[fileRow, isNew],
		] satisfies Place[]
	).map((place) => ({ file: 'keep-evidence', type: 'completedDocument' as const, place })),
];
/** The places that a person passes on the morning of the reminder. */
const placesOfReminder: Place[] = [
	['Get all rows', 'Combine the rows of each person'],
	['Combine the rows of each person', 'Keep who has not signed'],
	['Keep who has not signed', 'Count the days'],
	['Count the days', people],
	[people, step],
	[step, 'Mark as reminded'],
	['Mark as reminded', 'Remind the person'],
	['Remind the person', people],
];
/** The places that a person passes on the morning when their manager gets the email. */
const placesOfManager: Place[] = [
	[step, 'Find the manager'],
	['Find the manager', 'Tell the manager'],
	['Tell the manager', 'Mark the manager as told'],
	['Mark the manager as told', people],
];

/** An event of the service, which a test can deliver several times and in any order. */
interface Event {
	type: EventType;
	body: { addedOn: number; Document: { documentID: string } };
}
interface Sent {
	id: string;
	emails: string[];
	/** The addresses of those who sign. */
	signed: string[];
}
interface Row {
	documentId: string;
	email: string;
	what: string;
	reminded?: string | null;
	happenedAt?: string;
}

const recorder = new Stub();
const gates = new Gates();
let google: Google<Record<string, string>>;
/** One document for each place where an event's execution is killed, in the order of the places. */
const killed: Sent[] = [];
/** The documents whose events arrive twice at the same moment. */
const twice: Sent[] = [];
let events: Event[] = [];
const ids: Record<string, string> = {};
const workflows: Record<string, WorkflowInput> = {};
const workflow = (file: string) => workflows[file] as WorkflowInput;

/** Stores and publishes an example whose executions can be killed at these places. */
async function publish(file: string, places: Place[]): Promise<void> {
	const credentials = Object.fromEntries(
		(await stage.api.listCredentials()).map(({ id, type }) => [type, id]),
	);
	const example = await readExample(file, { ...credentials, googleDriveOAuth2Api: 'none' });
	const { nodes } = example;
	const drives = nodes.filter(({ type }) => type.endsWith('.googleDrive'));
	google.replace((name) => drives.find((node) => node.name === name) as never, drives);
	startMorningsByHand(example);
	gates.insert(example, places);
	workflows[file] = example;
	({ id: ids[file] } = await stage.api.createWorkflow(example));
	await stage.api.publish(ids[file] ?? '');
}

/** Has a test start each morning, for one person or, without an address, for everyone. */
function startMorningsByHand({ nodes }: WorkflowInput): void {
	const path = 'morning';
	const schedule = nodes.find(({ name }) => name === morningAt9);
	const rows = nodes.find(({ name }) => name === 'Get all rows');
	if (!schedule || !rows) return;
	const webhook = nodeOf({
		name: morningAt9,
		type: 'n8n-nodes-base.webhook',
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	});
	nodes.splice(nodes.indexOf(schedule), 1, webhook);
	const keyValue = `={{ '%' + $('${morningAt9}').first().json.body.email + '%' }}`;
	rows.parameters.filters = { conditions: [{ keyName: 'email', condition: 'like', keyValue }] };
}
async function morning(email = ''): Promise<void> {
	await until('n8n starts the morning', async () => {
		return (await post(`${stage.url}/webhook/morning`, { email }).catch(() => 0)) === 200;
	});
}

/** Sends a document to people, some of whom sign it. */
async function send(name: string, count: number, signing: number): Promise<Sent> {
	const { sandbox } = stage;
	const emails = Array.from({ length: count }, (_, index) => `${name}-${index}@example.com`);
	const signatories = emails.map((email) => ({ email, name: email }));
	const id = await sendDocument({ client: clientOf(sandbox) }, signatories, templateValues);
	const signed = emails.slice(0, signing);
	for (const email of signed) {
		// An event contains the document as it is when the sandbox delivers the event.
		await sandbox.idle();
		await sandbox.sign(id, email);
	}
	return { id, emails, signed };
}

beforeAll(async () => {
	const { sandbox } = stage;
	google = await startGoogle();
	await gates.start();
	await recorder.start();
	for (const type of types) await clientOf(sandbox).registerWebhook(type, `${recorder.url}/`);
	for (const [index, { type }] of placesOfEvents.entries()) {
		// Two people don't sign these documents, so that the mornings have something to do.
		killed.push(await send(`killed-${index}`, type === 'signDocument' ? 3 : 1, 1));
	}
	for (let index = 0; index < 6; index++)
		twice.push(await send(`twice-${index}`, 2, 1 + (index % 2)));
	await sandbox.idle();
	events = sandbox.deliveries().map(({ type, body }) => {
		// Everything happened four days ago, so reminders are due.
		const age = (key: string, value: unknown): unknown =>
			key === 'addedOn' && typeof value === 'number' ? value - 4 * dayMs : value;
		return JSON.parse(JSON.stringify({ type, body }), age) as Event;
	});
	const placesIn = (file: string) =>
		placesOfEvents.filter((one) => one.file === file).map(({ place }) => place);
	const mornings = [...placesOfReminder, ...placesOfManager];
	await publish('chase-unsigned', [...placesIn('chase-unsigned'), ...mornings]);
	await publish('keep-evidence', placesIn('keep-evidence'));
}, 420_000);
afterAll(async () => {
	await recorder.close();
	await gates.close();
	await google.close();
});

const tableOf = async (name: string) =>
	await dataTable<Partial<Row>>({ n8n: { url: stage.url }, owner: stage.owner }, name);
/** Returns what the rows say. If rows say the same, they count once, as in the examples. */
const factsIn = async (table: string) =>
	[
		...new Set(
			(await (await tableOf(table)).rows()).map(({ documentId, email, what }) =>
				[documentId, email, what].join(' ').replace('  ', ' '),
			),
		),
	].sort();
const factsAbout = ({ id, emails, signed }: Sent) => [
	...emails.map((email) => `${id} ${email} sent`),
	...signed.map((email) => `${id} ${email} signed`),
];
const isCompleted = ({ emails, signed }: Sent) => emails.length === signed.length;
const outcome = (sent: Sent) =>
	isCompleted(sent) ? [`${sent.id} completed`, `${sent.id} stored`] : [];

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
const eventsOf = ({ id }: Sent) => events.filter(({ body }) => body.Document.documentID === id);

/** Waits until nothing is running, and retries what was interrupted, as a person would do. */
async function mend(...files: string[]): Promise<number> {
	const count = await Promise.all(
		files.map(async (file) => {
			const id = ids[file] ?? '';
			await settled(stage, id, 120_000);
			const all = await storedExecutions(stage, id);
			const interrupted = all.filter(isInterrupted);
			report(`${file}: ${all.length} executions, ${interrupted.length} of them interrupted`);
			await retry(stage, interrupted);
			await settled(stage, id, 120_000);
			return interrupted.length;
		}),
	);
	return count.reduce((sum, one) => sum + one, 0);
}

test('no row is missing and no fact counts twice, even if events arrive together, twice, out of order, and while processes are killed', async () => {
	// Each of these executions is killed between two nodes, before the document's earlier events arrive.
	const last = placesOfEvents.map(({ file, type, place }, index) => {
		const document = killed[index] as Sent;
		gates.arm(document.id, workflow(file), place);
		return eventsOf(document).find((event) => event.type === type) as Event;
	});
	await Promise.all(last.map(deliver));
	await gates.killAll(stage);

	// The remaining events arrive while the webhook processors are killed, and some of them twice at once.
	const once = killed.flatMap(eventsOf).filter((event) => !last.includes(event));
	const rest = [
		...once.map((event) => [event]),
		...twice.flatMap(eventsOf).map((event) => [event, event]),
	].reverse();
	let accepted = 0;
	const waiting = rest.values();
	const sending = Array.from({ length: 8 }, async () => {
		for (const copies of waiting) {
			await Promise.all(copies.map(deliver));
			accepted++;
		}
	});
	for (const [index, webhook] of stage.webhooks.entries()) {
		await until('n8n has accepted some events', () => accepted > (index * rest.length) / 4);
		report(`kill -9 of ${webhook.name}, after ${accepted} of ${rest.length} events`);
		await webhook.crash();
	}
	await Promise.all(sending);
	await restartMain(stage);
	expect(await mend('chase-unsigned', 'keep-evidence')).toBeGreaterThanOrEqual(last.length);

	const documents = [...killed, ...twice];
	expect(await factsIn('Who has signed')).toEqual(documents.flatMap(factsAbout).sort());
	const all = documents.flatMap((document) => [...factsAbout(document), ...outcome(document)]);
	expect(await factsIn('Signature evidence')).toEqual(all.sort());
	const { url, owner } = stage;
	const completed = twice.find(isCompleted);
	const page = await evidencePage(url, owner, completed?.id ?? '');
	expect(page).toContain('Every signature has a time and an IP address.');
	expect(page.match(/<tr><td>/g)).toHaveLength(2);
	const [open] = killed;
	const openPage = await evidencePage(url, owner, open?.id ?? '');
	expect(openPage).toContain(`missing for: ${open?.emails.slice(1).join(', ')}`);
}, 900_000);

test('no one is reminded twice, and every manager gets an email, even if mornings overlap and processes are killed', async () => {
	const { sandbox } = stage;
	const file = 'chase-unsigned';
	const everyone = [...killed, ...twice].flatMap(({ emails }) => emails);
	const signed = [...killed, ...twice].flatMap((document) => document.signed);
	const open = everyone.filter((email) => !signed.includes(email));
	const remindedCount = (email: string) =>
		sandbox
			.mails()
			.filter(({ subject, to }) => /^Reminder: please sign /.test(subject) && to.includes(email))
			.length;
	const toldCount = (email: string) =>
		sandbox
			.mails()
			.filter(({ subject, text }) => / hasn't signed .* yet$/.test(subject) && text.includes(email))
			.length;

	const atReminder = placesOfReminder.map((place) => ({ place, email: open.shift() ?? '' }));
	const atManager = placesOfManager.map((place) => ({ place, email: open.shift() ?? '' }));
	const [remindedTogether = '', toldTogether = '', ...others] = open;
	expect(others.length).toBeGreaterThan(0);
	const table = await tableOf('Who has signed');
	const happenedAt = new Date(Date.now() - 7.1 * dayMs).toISOString();
	for (const email of [...atManager.map((one) => one.email), toldTogether])
		await table.upsert('email', { email, happenedAt, reminded: happenedAt });

	// Two mornings reach each of these people at the same moment.
	gates.arm(remindedTogether, workflow(file), [step, 'Mark as reminded'], 2);
	gates.arm(toldTogether, workflow(file), [step, 'Find the manager'], 2);
	for (const email of [remindedTogether, toldTogether])
		await Promise.all([morning(email), morning(email)]);
	await gates.full();
	gates.release();

	for (const { email, place } of [...atReminder, ...atManager]) {
		gates.arm(email, workflow(file), place);
		await morning(email);
	}
	await gates.killAll(stage);
	expect(await mend(file)).toBeGreaterThanOrEqual(atReminder.length + atManager.length);
	for (let mornings = 0; mornings < 2; mornings++) {
		await Promise.all([morning(), morning()]);
		await settled(stage, ids[file] ?? '', 120_000);
	}

	const counts = (
		found: Array<{ place: Place; email: string }>,
		count: (email: string) => number,
	) => Object.fromEntries(found.map(({ place, email }) => [placeText(place), count(email)]));
	report(JSON.stringify(counts(atManager, toldCount)));
	// A crash while an email is sent can leave one reminder too few, but never one too many.
	const expected = placesOfReminder.map((place) => [
		placeText(place),
		place[1] === 'Remind the person' ? 0 : 1,
	]);
	expect(counts(atReminder, remindedCount)).toEqual(Object.fromEntries(expected));
	for (const email of [remindedTogether, ...others])
		expect([email, remindedCount(email)]).toEqual([email, 1]);
	for (const email of [...signed, ...atManager.map((one) => one.email), toldTogether])
		expect([email, remindedCount(email)]).toEqual([email, 0]);
	// A crash while an email is sent can leave one email to a manager too many, but never one too few.
	for (const { place, email } of [...atManager, { place: 'together', email: toldTogether }])
		expect([place, toldCount(email) >= 1]).toEqual([place, true]);
	for (const email of signed) expect([email, toldCount(email)]).toEqual([email, 0]);
}, 900_000);
