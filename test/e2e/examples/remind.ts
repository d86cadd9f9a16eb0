import { dataTable } from '../support/dataTable';
import type { Adapt, Person } from '../support/exampleRuns';
import { until } from '../support/stage';
import { own } from './runStage';

// examples/remind-when-unsigned.json. The three days are over at once.
const { stage } = own;
const file = 'remind-when-unsigned';

const atOnce: Adapt = (node) => {
	const { conditions } = node('Sent three days ago').parameters.filters as {
		conditions: Array<{ keyValue?: string }>;
	};
	expect(conditions[0]?.keyValue).toContain('days: 3');
	(conditions[0] ?? {}).keyValue = '={{ $now.toISO() }}';
};
const people = (name: string, count: number): Person[] =>
	Array.from({ length: count }, (_, index) => ({
		email: `${name}-${index + 1}@example.com`,
		name: `${name} number ${index + 1}`,
	}));
const remind = async (id: string) => {
	const { status, error } = await own.run(id, 'Every morning');
	expect([status, error?.message]).toEqual(['success', undefined]);
};
/** How many reminders each of some people got. */
const reminders = (all: Person[]) => all.map(({ email }) => own.subjects(email).length);
const sentAndSigned = async (id: string, count: number) => {
	for (const { status } of await own.over(id, count)) expect(status).toBe('success');
};

describe('remind-when-unsigned', () => {
	afterEach(own.unpublish);
	test('the first morning, before any document: the table is made, and nobody gets an e-mail', async () => {
		const before = stage.sandbox.mails().length;
		await remind(await own.store(file));
		expect((await dataTable(stage, 'Signatures to remind of')).id).not.toBe('');
		expect(stage.sandbox.mails()).toHaveLength(before);
	});

	test('10 sign at the same moment, the 11th not: only this one is reminded, once', async () => {
		const id = await own.publish(file, atOnce);
		const [late, ...signers] = people('Same', 11) as [Person, ...Person[]];
		const document = await own.send([late, ...signers]);
		await stage.sandbox.idle();
		await Promise.all(signers.map(async ({ email }) => await stage.sandbox.sign(document, email)));
		await sentAndSigned(id, 21);
		await remind(id);
		await remind(id);
		expect(reminders([late, ...signers])).toEqual([1, ...signers.map(() => 0)]);
		expect(own.mails(late.email)[0]?.subject).toContain('Not signed yet: ');
	});

	test('late, repeated, out of order, without a signatory: nobody who has signed is reminded', async () => {
		const id = await own.publish(file, atOnce);
		const [ann, bo, cy] = people('Odd', 3) as [Person, Person, Person];
		cy.name = `Zoë "Zed" O'Brien, Jr. {{ 1 + 1 }} <b>`;
		const document = await own.send([ann, bo, cy]);
		await stage.sandbox.sign(document, ann.email);
		await stage.sandbox.idle();
		const sent = own.events('sendDocument', document);
		const signed = own.events('signDocument', document);
		await sentAndSigned(id, 4);
		// Another document, whose signature arrives before its sending, each of them twice.
		const other = [...signed, ...sent].map((event) => {
			event.Document.documentID = 'another-document';
			event.Document.webhookData.signatory.emailID = String(
				event.Document.webhookData.signatory.emailID,
			).toUpperCase();
			return event;
		});
		for (const event of other) await own.deliver(event);
		await own.republish(id);
		for (const event of [...other, ...own.events('sendDocument', document)])
			await own.deliver(event);
		await sentAndSigned(id, 15);
		await remind(id);
		// Both documents wait for these two.
		expect(reminders([ann, bo, cy])).toEqual([0, 2, 2]);
		expect(own.mails(cy.email)[0]?.text).toContain(`Hello ${cy.name},`);

		// Everybody has signed a third one, and only that was reported.
		const all = people('Whole', 2);
		const whole = await own.send(all);
		for (const { email } of all) await stage.sandbox.sign(whole, email);
		await stage.sandbox.idle();
		const [completed] = own.events('completedDocument', whole);
		if (!completed) throw new Error('Not completed.');
		completed.Document.documentID = 'a-third-document';
		await own.deliver(completed);
		const [first] = own.events('sendDocument', whole);
		await own.deliver({
			...first,
			Document: { ...first?.Document, documentID: 'a-third-document' },
		} as never);
		await sentAndSigned(id, 22);
		await remind(id);
		expect(reminders(all)).toEqual([0, 0]);
	});

	test('n8n crashes at the due time, and is down: everybody is reminded later, nobody twice', async () => {
		const all = people('Down', 20);
		let id = '';
		await own.crash(async () => {
			id = await own.publish(file, (node, nodes) => {
				atOnce(node, nodes);
				// Longer than a run takes: a second run beside it would remind the same people.
				const interval = [{ field: 'seconds', secondsInterval: 30 }];
				node('Every morning').parameters.rule = { interval };
			});
			await own.send(all);
		});
		expect(reminders(all)).toEqual(all.map(() => 0));
		await until('all are reminded', () => reminders(all).every((count) => count > 0));
		await stage.n8n.api.deactivate(id);
		const executions = await own.over(id, 22);
		const crashed = executions.find(({ status }) => status === 'crashed');
		// The execution that crashed, retried when all is done, reminds nobody.
		expect((await own.retry(crashed?.id ?? '')).status).toBe('success');
		expect(reminders(all)).toEqual(all.map(() => 1));
	});
});
