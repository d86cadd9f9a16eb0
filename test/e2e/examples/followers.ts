import { clientOf } from '../../support/credentials';
import { Stub } from '../../support/stub';
import { until } from '../../support/until';
import { dataTable } from '../support/dataTable';
import * as own from '../support/exampleRuns';
import type { Adapt, EventBody, Person } from '../support/exampleRuns';
import { tableName, type TableRow } from './table/senders';

// The examples for builders that are started by events or a schedule.
const { stage } = own;
const office = 'people@example.com';
const person = (key: string, name = `Person ${key}`): Person => ({
	name,
	email: `${key}@example.com`,
});

// Receives all events so that a test can deliver them in any order.
const recorder = new Stub();
beforeAll(async () => {
	await recorder.start();
	for (const event of ['sendDocument', 'signDocument', 'completedDocument'])
		await clientOf(stage.sandbox).registerWebhook(event, `${recorder.url}/`);
});
afterAll(async () => await recorder.close());

interface Sent {
	id: string;
	/** The title, which a table row stores as the contract number. */
	title: string;
	people: Person[];
}
async function sendAndSign(title: string, people: Person[], ...signing: Person[]): Promise<Sent> {
	const id = await own.send(people, title);
	for (const { email } of signing) await stage.sandbox.sign(id, email);
	await stage.sandbox.idle();
	return { id, title, people };
}
const atAnotherTime = (body: EventBody): EventBody => ({
	...body,
	addedOn: Number(body.addedOn) - 60_000,
});

describe('thousands-signed', () => {
	/** The example thousands-send creates the table that this example reads. */
	beforeAll(async () => {
		const id = await own.store('thousands-send', (node) => {
			node('Get the recipients').parameters.jsCode = 'return [];';
		});
		await own.run(id, 'Start');
	});
	const rows = async () => await dataTable<TableRow>(stage, tableName);
	/** Adds documents to the table in the same way as thousands-send. */
	async function remember(...documents: Sent[]): Promise<void> {
		const table = await rows();
		for (const { id, title, people } of documents) {
			const { name = '', email = '' } = people[0] ?? {};
			await table.upsert('documentId', { documentId: id, contract: title, name, email });
		}
	}
	const signed = async (key: string, name?: string) =>
		await sendAndSign(key, [person(key, name)], person(key));
	const eventOf = ({ id }: Sent) => own.events('completedDocument', id);
	const atOnce: Adapt = (node) => {
		const { filters } = node('Get signed contracts').parameters as {
			filters: { conditions: Array<{ condition: string }> };
		};
		filters.conditions = filters.conditions.filter(({ condition }) => condition !== 'lt');
	};

	/**
	 * The contracts whose signature was reported by email, either to the person or, if that failed, to the
	 * office.
	 */
	const followUps = (mails: ReturnType<typeof own.newMails>) =>
		mails()
			.map(
				({ subject }) =>
					/^(?:Signed: your contract|Action needed: let .* know that contract) (\S+)/.exec(
						subject,
					)?.[1],
			)
			.filter((title) => title !== undefined)
			.sort();

	test('follows up once on each of its own contracts and never on other documents, even if events arrive early or twice', async () => {
		const known = await signed('fu-1', '<b hidden>Zoë {{ 1 + 1 }}</b>');
		const early = await signed('fu-2');
		const foreign = await signed('fu-3');
		await remember(known);
		const mails = own.newMails();
		const id = await own.publish('thousands-signed', atOnce);
		const events = [known, early, foreign].flatMap(eventOf);
		await own.deliver(...events, ...events);
		await own.over(id, 3);
		await remember(early);
		// After a restart, the trigger no longer remembers the events that it has already received.
		await own.restart();
		await own.deliver(...events.map(atAnotherTime));
		await own.over(id, 6);
		await Promise.all([own.run(id, 'Every hour'), own.run(id, 'Every hour')]);
		await until('both contracts are followed up', () => followUps(mails).length >= 2);
		await own.over(id, 8);
		expect(followUps(mails)).toEqual(['fu-1', 'fu-2']);
	});

	test('does not lose a follow-up if the mail server is down or n8n is killed while sending an email', async () => {
		const documents = [await signed('fu-4'), await signed('fu-5')];
		await remember(...documents);
		const mails = own.newMails();
		const id = await own.publish('thousands-signed', atOnce);
		/**
		 * The executions that have already been retried. As a user would, this test retries each execution
		 * only once.
		 */
		const retried = new Set<string>();
		const retryAll = async () => {
			for (const { id: failed, status, mode } of await own.over(id, 1)) {
				if (mode === 'manual' || retried.has(failed) || !/error|crashed/.test(status)) continue;
				retried.add(failed);
				await own.retry(failed);
			}
		};
		own.office.down = true;
		await own.deliver(...documents.slice(0, 1).flatMap(eventOf));
		await own.over(id, 1);
		own.office.down = false;
		await retryAll();
		await own.run(id, 'Every hour');
		await until('the first contract is followed up', () => followUps(mails).includes('fu-4'));

		own.office.silent = true;
		const { offered } = own.office;
		await own.deliver(...documents.slice(1).flatMap(eventOf));
		await until('n8n offers the email to the mail server', () => own.office.offered > offered);
		await own.restart();
		await retryAll();
		await own.run(id, 'Every hour');
		await until('the second contract is followed up', () => followUps(mails).includes('fu-5'));
		await own.over(id, 0);
		expect(followUps(mails)).toEqual(['fu-4', 'fu-5']);
	});

	test('emails the office a list of open contracts every morning', async () => {
		// The email covers the entire table, so other tests' rows are deleted first.
		await (await rows()).clear('documentId');
		await remember(
			await sendAndSign('fu-6', [person('fu-6')]),
			await sendAndSign('fu-7', [person('fu-7')]),
		);
		await own.run(await own.store('thousands-signed'), 'Every morning');
		const { text } = await own.mailTo(office, 'Contracts: 2 open, 0 to follow up on');
		const [, open = ''] = text.split('Waiting for a signature, oldest first');
		for (const key of ['fu-6', 'fu-7'])
			expect(open).toContain(`${key}, Person ${key} <${key}@example.com>,`);
	});
});
