import { until } from '../support/stage';
import { counts, person, reports, sheet, staff, upload } from './bulkUpload';
import { own } from './runStage';

// examples/bulk-send-from-spreadsheet.json: what happens to the people of a list.
const { stage } = own;

describe('bulk-send-from-spreadsheet', () => {
	afterAll(own.unpublish);
	let workflow: string;
	beforeAll(async () => {
		workflow = await own.publish('bulk-send-from-spreadsheet');
	});

	test('an answer that is lost: the row is uncertain now and at the next upload, and never "sent before"', async () => {
		const file = sheet(person('J-1'), person('J-2'), person('J-3'));
		stage.sandbox.faults.set({
			endpoint: 'POST /templates/createDocumentByTemplateV2',
			times: 1,
			reset: 'before',
		});
		const first = await upload(file);
		expect([first.subject, first.people.length]).toEqual([counts(2, 0, 1), 2]);
		expect(first.text).toMatch(
			/Uncertain:[^]*Row \d, J-\d, Person J-\d, j-\d@example.com: .*may have been created/,
		);
		const second = await upload(file);
		expect([second.subject, second.people]).toEqual([counts(0, 0, 1, 2), []]);
		expect(second.text).toMatch(
			/Sent before.*\nRow \d, J-\d, Person J-\d, j-\d@example.com: This key was sent before\nRow/,
		);
		// As the report says, after a look at the service: another contract number.
		const [, lost = ''] = /Row \d, (J-\d), .* may have been created/.exec(first.text) ?? [];
		const third = await upload(
			sheet(...['J-1', 'J-2', 'J-3'].map((each) => person(each === lost ? 'J-4' : each))),
		);
		expect([third.subject, third.people]).toEqual([
			counts(1, 0, 0, 2),
			['Person J-4 j-4@example.com'],
		]);
	});

	test('n8n crashes while it sends: after the next upload each person has one contract or is named as uncertain', async () => {
		const file = sheet(...Array.from({ length: 200 }, (_, index) => person(`K-${index + 1}`)));
		stage.sandbox.faults.set({
			endpoint: 'POST /templates/createDocumentByTemplateV2',
			skip: 60,
			delayMs: 3_000,
		});
		const before = stage.sandbox.documents().length;
		await own.fill('bulk-send', [file]);
		await until('some are sent', () => stage.sandbox.documents().length >= before + 60);
		await own.crashAndRetry(workflow);
		await until('the report', () =>
			own
				.subjects(staff)
				.some(
					(subject) =>
						/^\d+ contracts sent, 0 not sent, \d+ uncertain, \d+ sent before$/.test(subject) &&
						!subject.startsWith('0 '),
				),
		);
		const [, sent = '', uncertain = '', skipped = ''] =
			/^(\d+) .* (\d+) uncertain, (\d+)/.exec(reports().at(-1)?.subject ?? '') ?? [];
		expect(Number(sent) + Number(uncertain) + Number(skipped)).toBe(200);
		expect(Number(skipped)).toBeGreaterThanOrEqual(50);
		expect(Number(uncertain)).toBeGreaterThan(0);
		const people = stage.sandbox
			.documents()
			.slice(before)
			.map(({ signatory }) => signatory[0]?.emailID);
		expect(new Set(people).size).toBe(people.length);
		expect(people.length).toBeGreaterThanOrEqual(Number(sent) + Number(skipped));

		const again = await upload(file);
		expect([again.subject, again.people]).toEqual([
			counts(0, 0, Number(uncertain), Number(sent) + Number(skipped)),
			[],
		]);
	});
});
