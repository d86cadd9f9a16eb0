import { readPdf } from '../../../sandbox/documents/read';
import type { EventBody, Person } from '../support/exampleRuns';
import { own } from './runStage';

// The two examples that pass the signed files on: signed-copy-to-mail-and-storage, onboarding-signed.
const { stage } = own;
const office = 'people@example.com';
const [ann, bo] = [
	{ email: 'ann@example.com', name: 'Ann Árbor' },
	{ email: 'bo@example.com', name: 'Bo <b>Bold</b>' },
] as const;

/** Sends a document to people, who sign it; its title has the name of the first. Gives its ID. */
async function signed(people: Person[], name: string): Promise<string> {
	const document = await own.send(people.map((each, index) => (index ? each : { ...each, name })));
	for (const { email } of people) await stage.sandbox.sign(document, email);
	return document;
}
/** Each of the executions so far has succeeded. */
async function succeeded(id: string, count: number): Promise<void> {
	for (const { status } of await own.over(id, count)) expect(status).toBe('success');
}
/** The mails about a document to an address. */
const mailsAbout = (title: string, address: string) =>
	own.mails(address).filter(({ subject }) => subject.includes(title));
/** The keys of the stored files of a document. */
const stored = (document: string) =>
	own.outside.files
		.map(({ key }) => decodeURIComponent(key))
		.filter((key) => key.includes(document));
/** The event, with links that give nothing to its certificate, or to the files that are named. */
const withoutFiles = (event: EventBody, names = /\/certificate\.pdf\?/g) =>
	JSON.parse(JSON.stringify(event).replaceAll(names, '/none.pdf?')) as EventBody;
/** Makes of an event one about another document. */
function about(document: string, event?: EventBody): EventBody {
	const other = structuredClone(event) as EventBody;
	other.Document.documentID = document;
	return other;
}

/** Events that name nobody whom a mail could reach, by what they have for signatories. */
const nobody = {
	'no signatories': [],
	'a signatory without an address': [{ name: 'Ann', emailID: '' }],
};
const fileOf = { stores: 'signed-copy-to-mail-and-storage', mails: 'onboarding-signed' };

describe('signed-copy-to-mail-and-storage, onboarding-signed', () => {
	afterEach(own.unpublish);
	test.each(Object.values(fileOf))(
		'%s: the office is told that nobody got a mail',
		async (file) => {
			const id = await own.publish(file);
			const document = await signed([ann], 'Nobody There');
			await succeeded(id, 1);
			const [event] = own.events('completedDocument', document);
			let count = 1;
			for (const [what, signatory] of Object.entries(nobody)) {
				const other = about(`${file} ${what}`, event);
				Object.assign(other.Document, { signatory });
				await own.deliver(other);
				await succeeded(id, ++count);
				const reports = own.mails(office).filter(({ text }) => text.includes(`${file} ${what}`));
				expect(reports.map(({ text }) => /\nnobody: No recipients/.test(text))).toEqual([true]);
			}
		},
	);
});

describe('signed-copy-to-mail-and-storage', () => {
	afterEach(own.unpublish);
	const file = 'signed-copy-to-mail-and-storage';

	test('a title with odd characters: all three files are stored, each signatory gets them', async () => {
		const id = await own.publish(file);
		const document = await signed([ann, bo], 'Zoë & Co. / 50% #1? "x" <y>: {{ 1 }}');
		await succeeded(id, 1);
		const keys = stored(document);
		expect(keys).toHaveLength(3);
		for (const key of keys) {
			expect(key).toMatch(new RegExp(`^contracts/${new Date().getFullYear()}/${document} [^/]+$`));
			expect(key).toContain('Zoë');
		}
		const texts = await Promise.all(
			own.outside.files.map(async ({ content }) => (await readPdf(content)).text),
		);
		expect(texts.filter((text) => text.includes('Signed by: Zoë'))).not.toHaveLength(0);
		for (const { email } of [ann, bo]) {
			const [mail, ...others] = mailsAbout('Zoë', email);
			expect([mail?.attachments.length, others.length]).toEqual([3, 0]);
			expect(mail?.text).toContain('Attached: document,certificate,pscCertificate');
			expect(mail?.text).not.toContain('Not attached');
		}
		await own.repeat(id, 'completedDocument', document);
		await succeeded(id, 2);
		expect([stored(document).length, mailsAbout('Zoë', ann.email).length]).toEqual([3, 1]);
	});

	test('a file is missing: the mail says so, the others are stored, the office hears of it', async () => {
		const id = await own.publish(file);
		const document = await signed([ann], 'Missing File');
		await succeeded(id, 1);
		const [event] = own.events('completedDocument', document);
		await own.deliver(withoutFiles(about('missing-one', event)));
		await succeeded(id, 2);
		expect(stored('missing-one')).toHaveLength(2);
		const mail = mailsAbout('Missing', ann.email).at(-1);
		expect(mail?.attachments).toHaveLength(2);
		expect(mail?.text).toContain('Attached: document,pscCertificate');
		expect(mail?.text).toMatch(/Not attached: certificate, http\S+none\.pdf/);
		const report = mailsAbout('Missing', office).at(-1);
		expect(report?.text).toContain('missing-one');
		expect(report?.text).toMatch(/\ncertificate: The link to the certificate is not valid/);

		await own.deliver(withoutFiles(about('missing-all', event), /\/[^/"]+\.pdf\?/g));
		await succeeded(id, 3);
		expect(stored('missing-all')).toEqual([]);
		const without = mailsAbout('Missing', ann.email).at(-1);
		expect(without?.attachments).toEqual([]);
		expect(without?.text).toContain('Attached: no file');
		expect(without?.text.match(/Not attached: /g)).toHaveLength(3);
		const reports = own.mails(office).filter(({ text }) => text.includes('missing-all'));
		expect(reports).toHaveLength(1);
		expect(reports[0]?.text.match(/\n\w+: The link/g)).toHaveLength(3);
	});

	test('n8n crashes while it mails: the files are stored, the Retry sends the mail', async () => {
		const id = await own.publish(file);
		let document = '';
		await own.crash(async () => (document = await signed([bo], 'Crashed Mail')));
		expect(stored(document)).toHaveLength(3);
		const [crashed] = await own.over(id, 1);
		expect((await own.retry(crashed?.id ?? '')).status).toBe('success');
		await own.repeat(id, 'completedDocument', document);
		await own.over(id, 3);
		expect(mailsAbout('Crashed', bo.email)).toHaveLength(1);
		expect(mailsAbout('Crashed', bo.email)[0]?.attachments).toHaveLength(3);
		expect(stored(document)).toHaveLength(3);
	});
});

describe('onboarding-signed', () => {
	afterEach(own.unpublish);
	const file = 'onboarding-signed';

	test('each gets the files, a wrong address is reported, a repeat does nothing', async () => {
		own.office.unknown.add(ann.email);
		const id = await own.publish(file);
		const document = await signed([ann, bo], 'Onboarded One');
		await succeeded(id, 1);
		const [mail, ...others] = mailsAbout('Signed: ', bo.email);
		expect(others).toEqual([]);
		expect(mail?.attachments).toHaveLength(3);
		expect(mail?.text).toContain('and the signed document is attached.');
		const [report] = mailsAbout('Onboarded', office);
		expect(report?.text).toContain(`${ann.email}: `);
		expect(report?.text).toContain('550 No such user here');
		await own.repeat(id, 'completedDocument', document);
		await succeeded(id, 2);
		expect(mailsAbout('Signed: ', bo.email)).toHaveLength(1);

		const [event] = own.events('completedDocument', document);
		await own.deliver(withoutFiles(about('without', event)));
		await succeeded(id, 3);
		const last = mailsAbout('Signed: ', bo.email).at(-1);
		expect(last?.attachments).toHaveLength(2);
		expect(last?.text).toMatch(/Not attached: certificate, http\S+none\.pdf/);
	});
});
