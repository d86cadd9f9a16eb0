import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { startBrowser } from '../../../host/browser';
import type { EventType } from '../../../sandbox/schemas';
import { axios } from '../../support/http';
import { until } from '../../support/until';
import { dataTable } from '../support/dataTable';
import { evidencePage } from '../support/evidencePage';
import * as own from '../support/exampleRuns';
import type { EventBody, Person } from '../support/exampleRuns';
import { screenshot } from '../support/stage';
import { startGoogle, type Google } from './google';

// The starters that store every document's events in a data table, and later work out from the rows what is
// missing.
const { stage } = own;
const office = 'people@example.com';
const dayMs = 86_400_000;
/** Two hours (ms) more than a number of days, because a day on which the clocks change has 25 hours. */
const marginMs = 7_200_000;
const person = (key: string, name = `Person ${key}`): Person => ({
	name,
	email: `${key}@example.com`,
});

beforeAll(async () => await own.publish('tell-when-it-fails'));
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

/** The same events as if the document had been sent, and everything else had happened, some days earlier. */
const daysAgo = (days: number, bodies: EventBody[]): EventBody[] =>
	JSON.parse(JSON.stringify(bodies), (key, value: unknown) =>
		key === 'addedOn' && typeof value === 'number' ? value - days * dayMs - marginMs : value,
	) as EventBody[];

describe('chase-unsigned', () => {
	interface Row {
		documentId?: string;
		email: string;
		what?: string;
		happenedAt?: string;
		link?: string | null;
	}
	const rows = async () => await dataTable<Row>(stage, 'Who has signed');
	const nextMorning = async (id: string) => await own.runFrom(id, 'Every weekday at 9');
	const reminders = ({ email }: Person) =>
		own.mailsTo(email).filter(({ subject }) => subject.startsWith('Reminder: please sign '));
	const tellings = (to: string) =>
		own.mailsTo(to).filter(({ subject }) => / hasn't signed .* yet$/.test(subject));
	const reports = () =>
		own.mailsTo(office).filter(({ subject }) => subject.includes(' not signed yet, '));
	/** Makes all rows about these people older, so that they have the given age. */
	async function age(days: number, ...people: Person[]): Promise<void> {
		const happenedAt = new Date(Date.now() - days * dayMs - marginMs).toISOString();
		for (const { email } of people) await (await rows()).upsert('email', { email, happenedAt });
	}
	/** Sends a document to people, as if it had happened some days ago. @returns The document's ID. */
	async function sentDaysAgo(days: number, ...people: Person[]): Promise<string> {
		const document = await sendAndSign('Deal', people);
		await until('each person has a row', async () => {
			const all = await (await rows()).rows();
			return people.every(({ email }) => all.some((row) => row.email === email));
		});
		await age(days, ...people);
		return document;
	}
	/** Clears the table, because a morning concerns all of its rows. */
	async function publishEmpty(): Promise<string> {
		const id = await own.publish('chase-unsigned');
		await nextMorning(id);
		await (await rows()).clear('documentId');
		return id;
	}

	test('reminds only people who have not signed, once and with their own link, even if events arrive twice, together, or out of order', async () => {
		const id = await publishEmpty();
		const [signer, other] = [person('ch-1'), person('ch-2', 'Zoë {{ 1 + 1 }} & <b>Ann</b>')];
		const document = await sendAndSign('ch', [signer, other], signer);
		const sent = daysAgo(3, eventsOf('sendDocument', document));
		const signed = daysAgo(3, eventsOf('signDocument', document));
		// The workflow is published, so it has received the events of today. Those of three days ago are the
		// only ones that a test can deliver in any order.
		const count = sent.length + signed.length;
		await own.endedExecutions(id, 1 + count);
		await (await rows()).clear('documentId');
		// A restart makes the trigger forget which events it has received.
		await own.restart();
		await own.deliver(...signed, ...signed);
		await own.endedExecutions(id, 1 + count + signed.length);
		await own.deliver(...sent, ...sent);
		await own.endedExecutions(id, 1 + 2 * count);
		await own.restart();
		await own.deliver(...sent, ...signed);
		await own.endedExecutions(id, 1 + 3 * count);
		await Promise.all([nextMorning(id), nextMorning(id)]);
		await nextMorning(id);
		expect(reminders(signer)).toEqual([]);
		const [mail, ...more] = reminders(other);
		expect(more).toEqual([]);
		const { signatory = [] } = sent[0]?.Document ?? {};
		const linked = signatory.filter(({ signing }) =>
			mail?.text.includes((signing as { url: string }).url),
		);
		expect(linked.map(({ emailID }) => emailID)).toEqual([other.email]);
		const text = reports().at(-1)?.text;
		expect(text).toContain(`<${other.email}>`);
		expect(text).not.toContain(signer.email);
	});

	test('reminds the person after 3 days, tells the manager after 7, and asks the office to call after 14', async () => {
		const id = await publishEmpty();
		const [early, due, stopped] = [person('ch-3'), person('ch-4'), person('ch-5')];
		await sentDaysAgo(2, early);
		await sentDaysAgo(3, due);
		const canceled = await sentDaysAgo(3, stopped);
		const table = await rows();
		await table.upsert('documentId', { documentId: canceled, email: stopped.email, what: 'stop' });
		const managers = await dataTable<{ email: string; manager: string }>(stage, 'Managers');
		await managers.upsert('email', { email: due.email, manager: 'manager@example.com' });
		await nextMorning(id);
		expect([early, due, stopped].map((one) => reminders(one).length)).toEqual([0, 1, 0]);
		expect(reports().at(-1)?.subject).toBe('2 not signed yet, 0 for 14 days or more');
		await age(6, due);
		await nextMorning(id);
		expect(tellings('manager@example.com')).toEqual([]);
		await age(7, due, early, stopped);
		await nextMorning(id);
		await nextMorning(id);
		const [told, ...again] = tellings('manager@example.com');
		expect(again).toEqual([]);
		expect(told?.text).toContain(`Please ask ${due.name} (${due.email}) to sign`);
		// This person had not been reminded before the seventh day, and has no manager in the table.
		expect(reminders(early)).toHaveLength(1);
		expect(tellings(office).map(({ text }) => text)).toEqual([
			expect.stringContaining('the data table Managers has no row for this person'),
		]);
		await age(14, due);
		await nextMorning(id);
		const report = reports().at(-1);
		expect(report?.subject).toBe('Action needed: 2 not signed yet, 1 for 14 days or more');
		expect(report?.text).toMatch(/^What to do: call the people at the top/);
		expect(report?.text).toMatch(new RegExp(`<${due.email}>, .*, reminded, manager told$`, 'm'));
		expect(report?.text).not.toContain(stopped.email);
		expect([early, due, stopped].map((one) => reminders(one).length)).toEqual([1, 1, 0]);
	});

	test('tells the manager whom the list of contracts names last, and the office if the list names none', async () => {
		const id = await publishEmpty();
		await own.publish('send-a-list');
		const header =
			'Contract number,Manager email,Employee name,Employee email,role,start_date,employer,workplace';
		/** Uploads the list with these managers. @returns The email to the office. */
		const upload = async (...managers: string[]) => {
			const rows = managers.map(
				(manager, n) =>
					`Manager-${n},${manager},Person ${n},Managed-${n}@Example.com,Cook,2027-01-01,,`,
			);
			const mails = own.newMails();
			await own.fill('send-a-list', [new File([[header, ...rows].join('\n')], 'people.csv')]);
			return await until('the office gets an email', () =>
				mails().find(({ to }) => to.includes(office)),
			);
		};
		const wrong = await upload(' Old@Example.com ', '', 'manager at example.com');
		expect(wrong.subject).toBe('Action needed: Contracts: 3 sent, 0 to check, 0 skipped');
		expect(wrong.text).toMatch(
			/^Please correct the manager's address in these rows, and then upload/,
		);
		expect(wrong.text.match(/^Person .*/gm)).toEqual(['Person 2, row 4: manager at example.com']);
		const right = await upload(' New@Example.com ', '', 'two@example.com');
		expect(right.subject).toBe('Contracts: 0 sent, 0 to check, 3 skipped');
		expect(right.text).toMatch(/^You don't have to do anything\.\r?\n/);

		const people = [0, 1, 2].map((n) => person(`managed-${n}`, `Person ${n}`));
		await until('each person has a row', async () => {
			const all = await (await rows()).rows();
			return people.every(({ email }) => all.some((row) => row.email === email));
		});
		await age(7, ...people);
		await nextMorning(id);
		await nextMorning(id);
		const told = [office, 'new@example.com', 'old@example.com', 'two@example.com'].map((to) =>
			tellings(to).map(({ text }) => /^Please ask (.*?) \(/.exec(text)?.[1]),
		);
		expect(told).toEqual([['Person 1'], ['Person 0'], [], ['Person 2']]);
	});

	test('tells the office about an email that could not be sent, and still reminds everyone else', async () => {
		const id = await publishEmpty();
		const [lost, other] = [person('ch-6'), person('ch-7')];
		await sentDaysAgo(4, lost, other);
		own.office.unknown.add(lost.email);
		await nextMorning(id);
		const subject = `Action needed: ${lost.name} hasn't signed `;
		const told = await own.mailTo(office, subject, 'remind them yourself');
		expect(told.text).toContain(lost.email);
		expect(reminders(other)).toHaveLength(1);
		own.office.unknown.clear();
		await nextMorning(id);
		expect(reminders(lost)).toEqual([]);
	});

	test('tells the office whom an email to a manager was about if it could not be sent, and tries again', async () => {
		const id = await publishEmpty();
		const signer = person('ch-11');
		const manager = 'gone@example.com';
		await sentDaysAgo(4, signer);
		await nextMorning(id);
		const managers = await dataTable<{ email: string; manager: string }>(stage, 'Managers');
		await managers.upsert('email', { email: signer.email, manager });
		await age(7, signer);
		own.office.unknown.add(manager);
		await nextMorning(id);
		const subject = `Action needed: ${signer.name} hasn't signed `;
		const told = await own.mailTo(office, subject, "correct the manager's address");
		expect(told.text).toContain(signer.email);
		own.office.unknown.clear();
		await nextMorning(id);
		expect(tellings(manager)).toHaveLength(1);
	});

	test('deletes each link after a week and each row after 90 days', async () => {
		const id = await publishEmpty();
		const [fresh, week, old] = [person('ch-8'), person('ch-9'), person('ch-10')];
		await sentDaysAgo(6, fresh);
		await sentDaysAgo(7, week);
		await sentDaysAgo(90, old);
		await nextMorning(id);
		const stored = await (await rows()).rows();
		expect(stored.map(({ email, link }) => [email, Boolean(link)])).toEqual([
			[fresh.email, true],
			[week.email, false],
		]);
	});
});

describe('keep-evidence', () => {
	interface Row {
		documentId: string;
		what: string;
		happenedAt?: string;
	}
	const rows = async () => await dataTable<Row>(stage, 'Signature evidence');
	let google: Google<Record<string, string>>;
	beforeAll(async () => {
		google = await startGoogle();
		own.credentials.googleDriveOAuth2Api = 'none';
	});
	afterAll(async () => await google.close());

	const evidenceFor = async (document: string) =>
		await evidencePage(stage.n8n.url, stage.owner, document);
	/** A page without the time at which it was created. */
	const lasting = (page: string) => page.replace(/Created on \S+/, '');
	/** The cells of the row that contains an email address. */
	const cellsOf = (page: string, email: string) =>
		[
			...(page.split('<tr').find((row) => row.includes(email)) ?? '').matchAll(/<td>(.*?)<\/td>/g),
		].map(([, cell]) => cell);

	test('shows who signed when and from where, and both checksums, even if events arrive twice or out of order', async () => {
		const id = await own.publish('keep-evidence', google.replace);
		const [ana, ben] = [person('ev-1', '<b>Ana</b> & "Co" {{ 1 + 1 }}'), person('ev-2')];
		const document = await sendAndSign('Ev <i>', [ana, ben], ana, ben);
		await own.endedExecutions(id, 5);
		const page = await evidenceFor(document);
		const timesOf = ({ email }: Person) =>
			(['sendDocument', 'signDocument'] as const).map((type) => {
				const about = eventsOf(type, document).find(
					({ Document }) => Document.webhookData?.signatory.emailID === email,
				);
				return new Date(about?.addedOn ?? NaN).toISOString();
			});
		expect(cellsOf(page, ana.email)).toEqual([
			'&lt;b>Ana&lt;/b> &amp; "Co" {{ 1 + 1 }}',
			ana.email,
			...timesOf(ana),
			'127.0.0.1',
		]);
		expect(cellsOf(page, ben.email)).toEqual([ben.name, ben.email, ...timesOf(ben), '127.0.0.1']);
		const { documentHash } = stage.sandbox.documents().at(-1) ?? {};
		expect(documentHash).toMatch(/^[0-9a-f]{64}$/);
		expect(page.split(`<td>${documentHash}</td>`)).toHaveLength(3);
		expect(page).toContain('<td>https://drive.example.com/1</td>');
		expect(page).toMatch(/Days to sign<\/th><td>0<\/td>/);
		expect(page).toContain('Every signature has a time and an IP address.');
		expect(page).not.toContain('Missing');
		expect(page).not.toMatch(/<[bi]>/);

		await own.restart();
		const all = (['completedDocument', 'signDocument', 'sendDocument'] as const).flatMap((type) =>
			eventsOf(type, document),
		);
		const count = (await own.endedExecutions(id, 0)).length;
		await own.deliver(...all, ...all);
		await own.endedExecutions(id, count + all.length);
		expect(lasting(await evidenceFor(document))).toBe(lasting(page));
	});

	test('says what is missing', async () => {
		const id = await own.publish('keep-evidence', google.replace);
		const [ana, ben] = [person('ev-3'), person('ev-4')];
		const document = await sendAndSign('Ev', [ana, ben], ana);
		await own.endedExecutions(id, 3);
		const open = await evidenceFor(document);
		expect(open).toContain(`The signature or its IP address is missing for: ${ben.name}`);
		expect(cellsOf(open, ben.email).slice(3)).toEqual(['Missing', 'Missing']);
		expect(open).toContain('Missing: not everyone has signed yet');
		expect(open).toContain('Missing: no file is stored');
		expect(await evidenceFor('no-such-document')).toContain(
			'There&#x27;s no evidence for this document',
		);

		// A provider that reports no checksum: the page still shows the checksum of the stored file.
		await stage.sandbox.sign(document, ben.email);
		await stage.sandbox.idle();
		const [event] = own.events('completedDocument', document);
		const other = `${document}-other`;
		const body = { ...event?.Document, documentID: other, documentHash: '' };
		const { length } = google.stored;
		await own.deliver({ ...(event as EventBody), Document: body as EventBody['Document'] });
		await until('the file is stored', () => google.stored.length > length);
		await own.endedExecutions(id, 0);
		const page = await evidenceFor(other);
		expect(page).toContain('Missing: the provider has reported none');
		expect(page).toMatch(/SHA-256 of the stored file, calculated by n8n<\/th><td>[0-9a-f]{64}</);
	});

	test('is downloaded as an HTML file that a browser shows', async () => {
		const id = await own.publish('keep-evidence', google.replace);
		const ana = person('ev-6', 'Ána <Öz>');
		const document = await sendAndSign('Ev', [ana], ana);
		await own.endedExecutions(id, 3);
		const browser = await startBrowser();
		try {
			const { email: username, password } = stage.owner;
			const page = await browser.newPage({ httpCredentials: { username, password } });
			page.setDefaultTimeout(60_000);
			await page.goto(`${stage.n8n.url}/form/evidence`);
			await page.getByLabel('Document ID').fill(document);
			const downloading = page.waitForEvent('download');
			await page.getByRole('button', { name: 'Download the evidence' }).click();
			const download = await downloading;
			expect(download.suggestedFilename()).toBe(`evidence-${document}.html`);
			await page.getByText('Your download is ready').waitFor();
			const file = path.join(await mkdtemp(path.join(tmpdir(), 'evidence-')), 'evidence.html');
			await download.saveAs(file);
			await page.goto(pathToFileURL(file).href);
			expect(await page.getByRole('cell', { name: ana.name }).count()).toBe(1);
			await page.screenshot({ path: screenshot('evidence') });
			await rm(path.dirname(file), { recursive: true });
		} finally {
			await browser.close();
		}
	});

	test('emails the office if the signed file cannot be stored, and stores it once someone retries', async () => {
		const id = await own.publish('keep-evidence', google.replace);
		google.isFull = true;
		const ana = person('ev-5');
		const document = await sendAndSign('Ev', [ana], ana);
		await own.mailTo(office, 'Workflow failed: 14 Keep evidence of each signature');
		google.isFull = false;
		expect(await evidenceFor(document)).toContain('Missing: no file is stored');
		const failed = (await own.endedExecutions(id, 3)).find(({ status }) => status === 'error');
		await own.retry(failed?.id ?? '');
		expect(await evidenceFor(document)).toContain('drive.example.com');
	});

	test('requires a login, and deletes rows after ten years', async () => {
		const id = await own.publish('keep-evidence', google.replace);
		expect((await axios.get(`${stage.n8n.url}/form/evidence`)).status).toBe(401);
		await own.runFrom(id, 'Every night');
		const table = await rows();
		const yearsAgo = (years: number) => new Date(Date.now() - years * 366 * dayMs).toISOString();
		await table.upsert('documentId', { documentId: 'old', what: 'sent', happenedAt: yearsAgo(10) });
		await table.upsert('documentId', { documentId: 'new', what: 'sent', happenedAt: yearsAgo(9) });
		await own.runFrom(id, 'Every night');
		const left = (await table.rows()).map(({ documentId }) => documentId);
		expect(left).toContain('new');
		expect(left).not.toContain('old');
	});
});
