import { axios } from '../support/http';
import { until } from '../support/stage';
import { bad, expected, good, person, sheet } from './bulkFiles';
import { own } from './runStage';

// examples/bulk-send-from-spreadsheet.json, with the files that people really upload.
const { stage } = own;
const staff = 'people@example.com';
const create = 'POST /templates/createDocumentByTemplateV2';
/** The reports so far, oldest first. */
const reports = () =>
	own.mailsTo(staff).filter(({ subject }) => subject.includes(' contracts sent, '));

/** Uploads a file; gives the report about it, and who got which contract. */
async function upload(file: File) {
	const [before, documents] = [reports().length, own.creations().length];
	await own.fill('bulk-send', [file]);
	await until('the report', () => reports().length > before);
	const mail = reports().at(-1);
	const sent = own.creations().slice(documents);
	return {
		subject: mail?.subject,
		text: mail?.text.replaceAll('\r', '') ?? '',
		people: sent.map(({ body }) => sentTo(body as Creation)).sort(),
	};
}

interface Creation {
	inputs: Record<string, string>;
	signatories: Array<{ email: string; name: string }>;
}
const sentTo = ({ inputs, signatories: [signatory] }: Creation) =>
	`${signatory?.name} ${signatory?.email} ${inputs.start_date}`;
const counts = (sent: number, failed: number, uncertain = 0, before = 0) =>
	`${sent} contracts sent, ${failed} not sent, ${uncertain} uncertain, ${before} sent before`;
describe('bulk-send-from-spreadsheet', () => {
	afterAll(own.unpublish);
	let workflow: string;
	beforeAll(async () => {
		workflow = await own.publish('bulk-send-from-spreadsheet');
	});

	test.each(good)('is sent: %s', async (_what, make, people) => {
		const report = await upload(await make());
		expect([report.subject, report.people]).toEqual([counts(people.length, 0), people]);
	});

	test.each(bad)('nobody gets a contract: %s', async (_what, make, ...lines) => {
		const report = await upload(await make());
		expect([report.subject, report.people]).toEqual([expect.stringMatching(/^0 .*, [^0]/), []]);
		for (const line of lines) expect(report.text).toContain(line);
	});

	test('a form without the login is refused', async () => {
		expect((await axios.get(`${stage.n8n.url}/form/bulk-send`)).status).toBe(401);
		expect((await axios.post(`${stage.n8n.url}/form/bulk-send`, new FormData())).status).toBe(401);
	});

	test('a wrong address and a lost answer: each row says so, also at the next upload, and an uncertain one is never "sent before"', async () => {
		const rows = [person('J-1'), person('J-2').replace('@', ' at '), person('J-3')];
		stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'before' });
		const first = await upload(sheet(...rows));
		expect(first.subject).toBe(counts(1, 1, 1));
		expect(first.text).toMatch(/Row 3, J-2, .*is not an e-mail address/);
		const second = await upload(sheet(...rows));
		expect([second.subject, second.people]).toEqual([counts(0, 1, 1, 1), []]);
		// As the report says, after a look at the service: another contract number.
		const [, lost = ''] = /Row \d, (J-\d), .* may have been created/.exec(first.text) ?? [];
		const numbers = ['J-1', 'J-2', 'J-3'].map((each) => (each === lost ? 'J-4' : each));
		const third = await upload(sheet(...numbers.map((each) => person(each))));
		expect([third.subject, third.people]).toEqual([counts(2, 0, 0, 1), expected('J-2', 'J-4')]);
	});

	test('n8n crashes while it sends 200: after the next upload each person has one contract or is named as uncertain', async () => {
		const file = sheet(...Array.from({ length: 200 }, (_, index) => person(`K-${index + 1}`)));
		stage.sandbox.faults.set({ endpoint: create, skip: 60, delayMs: 3_000 });
		const before = stage.sandbox.documents().length;
		const earlier = reports().length;
		await own.fill('bulk-send', [file]);
		await until('some are sent', () => stage.sandbox.documents().length >= before + 60);
		await own.crashAndRetry(workflow);
		await until('the report', () => reports().length > earlier);
		const [sent = 0, failed, uncertain = 0, skipped = 0] = [
			...(reports().at(-1)?.subject ?? '').matchAll(/\d+/g),
		].map(Number);
		expect([failed, sent + uncertain + skipped]).toEqual([0, 200]);
		expect(skipped).toBeGreaterThanOrEqual(50);
		expect(uncertain).toBeGreaterThan(0);
		const documents = stage.sandbox.documents().slice(before);
		const people = documents.map(({ signatory }) => signatory[0]?.emailID);
		expect(new Set(people).size).toBe(people.length);
		expect(people.length).toBeGreaterThanOrEqual(sent + skipped);

		const again = await upload(file);
		expect([again.subject, again.people]).toEqual([counts(0, 0, uncertain, sent + skipped), []]);
	});
});
