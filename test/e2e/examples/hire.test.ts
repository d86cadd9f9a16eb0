import type { INodeParameters } from 'n8n-workflow';

import { useExampleRuns } from '../support/exampleRuns';
import { until } from '../support/stage';
import { ended, signAll } from '../support/wait';

// The examples that wait until a document is signed, with all that a wait can end with.
const own = useExampleRuns('examples-hire');
const { stage } = own;
const staff = 'people@example.com';
const create = 'POST /templates/createDocumentByTemplateV2';
/** Seconds in place of days. */
const soon: INodeParameters = {
	options: { limitWaitTime: { values: { amount: 0.05, unit: 'minutes' } } },
};

describe('hire-wait-until-signed', () => {
	let workflow: string;
	beforeAll(async () => {
		workflow = await own.publish('hire-wait-until-signed', (changed) => {
			for (const { parameters } of changed.nodes) {
				if (parameters.operation !== 'sendAndWait') continue;
				Object.assign(parameters.options ?? {}, soon.options);
			}
		});
	}, 60_000);
	afterAll(async () => await own.n8n.api.deactivate(workflow));
	const hire = async (name: string, email: string) =>
		await own.send('hire', [name, email, 'Analyst', '2026-12-01']);
	const told = async (subject: string) =>
		await until(`"${subject}" to the team`, () =>
			own.mailsTo(staff).find((mail) => mail.subject === subject),
		);

	test('signed late, after two reminders: the welcome goes out, once', async () => {
		const name = `Zoë "Zed" O'Brien {{ 1 + 1 }}`;
		await hire(name, 'zoe@example.com');
		const execution = await own.waits(workflow);
		const subject = `Not signed yet: contract for ${name}`;
		await until(
			'two reminders',
			() => own.subjects(staff).filter((each) => each === subject).length === 2,
			60_000,
		);
		expect(own.subjects('zoe@example.com')).not.toContain('Welcome!');
		await until('it waits again', async () => (await own.waits(workflow)) === execution);
		await signAll(stage.sandbox, own.lastDocument());
		expect((await ended(own.n8n.api, execution)).lastNodeExecuted).toBe('Welcome');
		expect((await own.mailTo('zoe@example.com', 'Welcome!')).text).toContain(
			'Your account is zoe.',
		);
		await stage.sandbox.idle();
		expect(stage.sandbox.webhooks()).toEqual([]);
	}, 90_000);

	test('a second form for the same person sends no second contract, and the team hears of it', async () => {
		const count = own.documentCount();
		await hire('Zoë Zed', 'ZOE@example.com');
		const mail = await told('Sent before: contract for Zoë Zed');
		expect(mail.text).toContain(`Document: ${own.lastDocument()}`);
		expect(own.documentCount()).toBe(count);
	});

	test('refused by the service: not sent, with its reason', async () => {
		await hire('Bob', 'bob@example.com');
		const mail = await told('Not sent: contract for Bob');
		expect(mail.text).toMatch(/Reason: .*4 to 100/);
	});

	test('the answer is lost: uncertain, and the second try says so, too', async () => {
		stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
		await hire('Lost Lee', 'lost@example.com');
		await told('May have been sent: contract for Lost Lee');
		await hire('Lost Lee again', 'lost@example.com');
		await told('May have been sent: contract for Lost Lee again');
		expect(stage.sandbox.mails().filter(({ to }) => to.includes('lost@example.com'))).toHaveLength(
			1,
		);
	});

	test('the welcome is refused: somebody finishes by hand', async () => {
		own.office.unknown.add('gone@example.com');
		await hire('Gone Girl', 'gone@example.com');
		const execution = await own.waits(workflow);
		await signAll(stage.sandbox, own.lastDocument());
		const mail = await told('Please finish by hand: Gone Girl');
		expect(mail.text).toContain('550 No such user here');
		expect((await ended(own.n8n.api, execution)).status).toBe('success');
	});
});

describe('identity-then-contract', () => {
	const forget = 'Say how the check ended';
	let workflow: string;
	const apply = async (name: string, email: string) =>
		await own.send('identity-then-contract', [name, email, 'Analyst', '2026-12-01']);
	const lastRequest = () => stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
	const told = async (subject: string) =>
		await until(
			`"${subject}" to the team`,
			() => own.mailsTo(staff).find((mail) => mail.subject === subject),
			60_000,
		);
	beforeAll(async () => {
		workflow = await own.publish('identity-then-contract', (changed) => {
			for (const { name, parameters } of changed.nodes) {
				if (parameters.operation !== 'sendAndWait') continue;
				const amount = name === 'Wait until verified' ? 0.1 : 0.05;
				Object.assign(parameters.options ?? {}, {
					limitWaitTime: { values: { amount, unit: 'minutes' } },
				});
			}
		});
		expect(forget).toBeTruthy();
	}, 60_000);
	afterAll(async () => await own.n8n.api.deactivate(workflow));

	test('passed and signed late: told once that it is not signed, then "Signed"', async () => {
		await apply('Nina Jones', 'nina@example.com');
		await own.mailTo('nina@example.com', 'Please confirm who you are');
		const execution = await own.waits(workflow);
		await stage.sandbox.completeIdentity(lastRequest(), 'pass');
		await told('Not signed yet: contract for Nina Jones');
		expect(
			own.subjects('nina@example.com').filter((subject) => subject.startsWith('Signed')),
		).toEqual([]);
		await until('it waits again', async () => (await own.waits(workflow)) === execution);
		await signAll(stage.sandbox, own.lastDocument());
		expect((await own.mailTo('nina@example.com', 'Signed: ')).text).toMatch(
			/https?:\S+document\.pdf/,
		);
		expect((await ended(own.n8n.api, execution)).lastNodeExecuted).toBe('Signed');
	}, 90_000);

	test('not passed, and a review without an end: nobody gets a contract, and the team hears of both', async () => {
		const count = own.documentCount();
		await apply('Fred Fail', 'fred@example.com');
		await own.mailTo('fred@example.com', 'Please confirm');
		await own.waits(workflow);
		await stage.sandbox.completeIdentity(lastRequest(), 'fail');
		expect((await told('Identity check of Fred Fail: not passed')).text).toContain(
			'the overall score is FAIL',
		);
		await apply('Rita Review', 'rita@example.com');
		await own.mailTo('rita@example.com', 'Please confirm');
		await own.waits(workflow);
		await stage.sandbox.completeIdentity(lastRequest(), 'manualReview');
		expect((await told('Identity check of Rita Review: no result in 7 days')).text).toContain(
			lastRequest(),
		);
		expect(own.documentCount()).toBe(count);
	}, 90_000);

	test('a link that cannot be mailed, a contract that is refused, and one that was sent before', async () => {
		own.office.unknown.add('nobody@example.com');
		await apply('No Body', 'nobody@example.com');
		expect((await told('Identity check of No Body: stopped')).text).toContain(
			'550 No such user here',
		);
		for (const [name, email, subject] of [
			['Ann', 'ann@example.com', 'Please check: contract for Ann'],
			['Nina Twice', 'NINA@example.com', 'Sent before: contract for Nina Twice'],
		] as const) {
			await apply(name, email);
			await own.mailTo(email, 'Please confirm');
			await own.waits(workflow);
			await stage.sandbox.completeIdentity(lastRequest(), 'pass');
			await told(subject);
		}
		await stage.sandbox.idle();
		expect(stage.sandbox.webhooks()).toEqual([]);
	}, 90_000);
});
