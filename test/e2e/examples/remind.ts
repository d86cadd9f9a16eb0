import { dataTable } from '../support/dataTable';
import type { Adapt, EventBody, Person } from '../support/exampleRuns';
import { until } from '../support/stage';
import { own } from './runStage';

// examples/remind-when-unsigned.json. The three days are over at once.
const { stage } = own;
const file = 'remind-when-unsigned';

const atOnce: Adapt = (node) => {
	const { parameters } = node('List all signatories');
	expect(parameters.jsCode).toContain('{ days: 3 }');
	parameters.jsCode = String(parameters.jsCode).replace('{ days: 3 }', '{ days: 0 }');
};
const people = (name: string, count: number): Person[] =>
	Array.from({ length: count }, (_, index) => ({
		email: `${name}-${index + 1}@example.com`.toLowerCase(),
		name: `${name} number ${index + 1}`,
	}));
const remind = async (id: string) => {
	const { status, error } = await own.run(id, 'Every hour from 9 to 17');
	expect([status, error?.message]).toEqual(['success', undefined]);
};
/** How many reminders each of some people got. */
const reminders = (all: Person[]) => all.map(({ email }) => own.subjects(email).length);
const sentAndSigned = async (id: string, count: number) => {
	for (const { status } of await own.over(id, count)) expect(status).toBe('success');
};

describe('remind-when-unsigned', () => {
	afterEach(own.unpublish);
	test('the first hour, before any document: the table is made, and nobody gets an e-mail', async () => {
		const before = stage.sandbox.mails().length;
		await remind(await own.store(file));
		expect((await dataTable(stage, 'Signatures to remind of')).id).not.toBe('');
		expect(stage.sandbox.mails()).toHaveLength(before);
	});

	test('10 sign at the same moment, two do not: only these are reminded, once, also by two runs at once', async () => {
		const id = await own.publish(file, atOnce);
		const [late, later, ...signers] = people('Same', 12) as [Person, Person, ...Person[]];
		late.name = `Zoë "Zed" O'Brien, Jr. {{ 1 + 1 }} <b>`;
		const document = await own.send([late, later, ...signers]);
		await stage.sandbox.idle();
		await Promise.all(signers.map(async ({ email }) => await stage.sandbox.sign(document, email)));
		await sentAndSigned(id, 22);
		await Promise.all([remind(id), remind(id)]);
		await remind(id);
		expect(reminders([late, later, ...signers])).toEqual([1, 1, ...signers.map(() => 0)]);
		const [mail] = own.mails(late.email);
		expect(mail?.subject).toContain('Not signed yet: ');
		expect(mail?.text).toContain(`Hello ${late.name},`);
	});

	test('events with bad days: nobody who has signed is reminded, and nobody else is left out', async () => {
		const id = await own.publish(file, atOnce);
		const [ann, bo] = people('Odd', 2) as [Person, Person];
		const document = await own.send([ann, bo]);
		await stage.sandbox.sign(document, ann.email);
		await stage.sandbox.sign(document, bo.email);
		await stage.sandbox.idle();
		const [sent] = own.events('sendDocument', document) as [EventBody];
		const [signed] = own.events('signDocument', document) as [EventBody];
		const [completed] = own.events('completedDocument', document) as [EventBody];
		await own.over(id, 4);
		const spaced = ` ${ann.email.toUpperCase()} `;
		// How the signatories of a new document are named, which events come in this order, and who is reminded.
		const days: Array<[string, Array<[EventBody, number?]>, Person[], Array<string | null>?]> = [
			['sent, not signed, only one is named', [[sent]], [ann, bo]],
			['sent twice, the second with a new time', [[sent], [sent, 60_000]], [ann, bo]],
			['signed before sent, twice', [[signed], [sent], [signed], [sent, 60_000]], [bo]],
			['only its end was reported, before it was sent', [[completed], [sent]], []],
			['in capitals and with spaces', [[sent], [signed]], [bo], [spaced, bo.email]],
			['the same person twice', [[sent]], [ann], [ann.email, spaced]],
			['without e-mails', [[sent]], [], ['', null]],
		];
		let executions = 4;
		for (const [what, events, expected, emails] of days) {
			const before = reminders([ann, bo]);
			for (const [event, later = 0] of events) {
				const body = structuredClone(event);
				body.Document.documentID = what;
				// Not after now, so that everybody is due.
				body.addedOn = (body.addedOn ?? 0) - 600_000 + later;
				body.Document.signatory.forEach((each, index) => {
					if (event === sent) Object.assign(each, { signed: false, isSigned: false });
					if (emails) each.emailID = emails[index];
				});
				// The end of a document names nobody in particular.
				if (emails && event !== completed) body.Document.webhookData.signatory.emailID = emails[0];
				await own.deliver(body);
			}
			// A repeat with the same time starts nothing.
			executions += new Set(events.map(([{ type }, later = 0]) => `${type} ${later}`)).size;
			await own.over(id, executions);
			await remind(id);
			executions += 1;
			const got = reminders([ann, bo]).map((count, index) => count - (before[index] ?? 0));
			expect([what, got]).toEqual([what, [ann, bo].map((each) => Number(expected.includes(each)))]);
		}
	});

	test('an address that is refused stops no other: it is tried again the next day, and the execution fails', async () => {
		const [wrong, right] = people('Refused', 2) as [Person, Person];
		own.office.unknown.add(wrong.email);
		const id = await own.publish(file, atOnce);
		await own.send([wrong, right]);
		await sentAndSigned(id, 1);
		const statuses = [];
		for (let run = 0; run < 3; run++)
			statuses.push((await own.run(id, 'Every hour from 9 to 17')).status);
		expect(statuses).toEqual(['error', 'success', 'success']);
		expect(reminders([wrong, right])).toEqual([0, 1]);
	});

	test('n8n crashes at the due time, and is down: everybody is reminded later, nobody twice', async () => {
		const all = people('Down', 20);
		let id = '';
		await own.crash(async () => {
			id = await own.publish(file, (node, nodes) => {
				atOnce(node, nodes);
				const interval = [{ field: 'seconds', secondsInterval: 20 }];
				node('Every hour from 9 to 17').parameters.rule = { interval };
				const { value } = node('Try again tomorrow, if it fails').parameters.columns as {
					value: { remindAt: string };
				};
				value.remindAt = value.remindAt.replace('days: 1', 'seconds: 30');
			});
			await own.send(all);
		});
		expect(reminders(all)).toEqual(all.map(() => 0));
		await until('all are reminded', () => reminders(all).every((count) => count > 0));
		await stage.n8n.api.deactivate(id);
		const executions = await own.over(id, 3);
		const crashed = executions.find(({ status }) => status === 'crashed');
		// The execution that crashed, retried when all is done, reminds nobody.
		expect((await own.retry(crashed?.id ?? '')).status).toBe('success');
		expect(reminders(all)).toEqual(all.map(() => 1));
	});
});
