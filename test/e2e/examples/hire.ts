import type { Adapt } from '../support/exampleRuns';
import { until } from '../support/stage';
import { ended, signAll, waitingOnes } from '../support/wait';
import { own } from './runStage';

// The examples that wait for weeks, with all that a wait can end with.
const { stage } = own;
const staff = 'people@example.com';
const create = 'POST /templates/createDocumentByTemplateV2';
const hireFile = 'hire-wait-until-signed';
const identityFile = 'identity-then-contract';
let [hiring, hiringLate, checking, checkingLate, signingLate] = ['', '', '', '', ''];

/**
 * Another form, and seconds in place of days to wait for a document or an identity check. n8n looks
 * once a minute which of them are over.
 */
const late =
	(form: string, resource: 'document' | 'identity'): Adapt =>
	(_node, nodes) => {
		for (const { parameters } of nodes) {
			if (parameters.formFields) Object.assign(parameters.options ?? {}, { path: form });
			if (parameters.operation === 'sendAndWait' && parameters.resource === resource) {
				Object.assign(parameters, { limitWaitTime: 0.05, limitWaitTimeUnit: 'minutes' });
			}
		}
	};
const submit = async (form: string, name: string, email: string) =>
	await own.fill(form, [name, email, 'Analyst', '2026-12-01']);
const told = async (subject: string) =>
	await until(`"${subject}" to the team`, () =>
		own.mailsTo(staff).find((mail) => mail.subject === subject),
	);
const lastRequest = () => stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
const documentOf = (email: string) =>
	stage.sandbox
		.documents()
		.filter(({ signatory }) => signatory.some(({ emailID }) => emailID === email))
		.at(-1)?.documentID ?? '';

/** Applies, and ends the check when the execution waits for it. */
async function check(
	workflow: string,
	form: string,
	person: [string, string],
	outcome: 'pass' | 'fail' | 'manualReview',
	lost?: 'after',
) {
	await submit(form, ...person);
	await own.mailTo(person[1], 'Please confirm who you are');
	await own.waits(workflow);
	if (lost) stage.sandbox.faults.set({ endpoint: create, times: 1, reset: lost });
	await stage.sandbox.completeIdentity(lastRequest(), outcome);
}

/** Submits a form; gives the execution that waits after that. */
async function waitsAfter(workflow: string, act: () => Promise<void>): Promise<string> {
	const count = (await waitingOnes(own.n8n.api, workflow)).length;
	await act();
	return await until('one more execution waits', async () => {
		const all = await waitingOnes(own.n8n.api, workflow);
		return all.length > count && all[0]?.id;
	});
}

const odd = `Zoë "Zed" O'Brien {{ 1 + 1 }}`;
const started: Record<string, string> = {};
describe('hire-wait-until-signed, identity-then-contract', () => {
	afterAll(own.unpublish);
	beforeAll(async () => {
		hiring = await own.publish(hireFile);
		checking = await own.publish(identityFile);
		hiringLate = await own.publish(hireFile, late('late-hire', 'document'));
		checkingLate = await own.publish(identityFile, late('late-identity', 'identity'));
		signingLate = await own.publish(identityFile, late('late-contract', 'document'));
		// Their time is over while the other tests run.
		await submit('late-hire', odd, 'late@example.com');
		started.hire = await own.waits(hiringLate);
		await check(checkingLate, 'late-identity', ['Rita Review', 'rita@example.com'], 'manualReview');
		await check(signingLate, 'late-contract', ['Sam Slow', 'sam@example.com'], 'pass');
		await until('the contract is sent', () => documentOf('sam@example.com'));
		started.sam = await own.waits(signingLate);
	});
	test('hire: signed in time: account and welcome, and nobody else is told anything', async () => {
		const execution = await waitsAfter(
			hiring,
			async () => await submit('hire', 'Nathan Smith', 'nathan@example.com'),
		);
		await signAll(stage.sandbox, documentOf('nathan@example.com'));
		expect((await ended(own.n8n.api, execution)).lastNodeExecuted).toBe('Welcome');
		expect((await own.mailTo('nathan@example.com', 'Welcome!')).text).toContain(
			'Your account is nathan.',
		);
		expect(own.subjects(staff).filter((subject) => subject.includes('Nathan'))).toEqual([]);
	});

	test('hire: a second form for the same person sends no second contract, and the team gets an e-mail', async () => {
		const count = own.documentCount();
		await submit('hire', 'Nathan Again', ' NATHAN@example.com ');
		const mail = await told('Sent before: contract for Nathan Again');
		expect(mail.text).toContain('Document: not known');
		expect(own.documentCount()).toBe(count);
	});

	test('hire: the answer is lost: uncertain, and the second try says so, too', async () => {
		stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
		await submit('hire', 'Lost Lee', 'lost-hire@example.com');
		await told('May have been sent: contract for Lost Lee');
		await submit('hire', 'Lost Lee again', 'lost-hire@example.com');
		await told('May have been sent: contract for Lost Lee again');
		expect(own.mailsTo('lost-hire@example.com')).toHaveLength(1);
	});

	test('identity: passed, contract, signed', async () => {
		await check(checking, identityFile, ['Nina Jones', 'nina@example.com'], 'pass');
		await until('the contract is sent', () => documentOf('nina@example.com'));
		const execution = await own.waits(checking);
		expect(
			own.subjects('nina@example.com').filter((subject) => subject.startsWith('Signed')),
		).toEqual([]);
		await signAll(stage.sandbox, documentOf('nina@example.com'));
		expect((await ended(own.n8n.api, execution)).lastNodeExecuted).toBe('Signed');
		expect((await own.mailTo('nina@example.com', 'Signed: ')).text).toMatch(
			/https?:\S+document\.pdf/,
		);
	});

	test('identity: not passed, a link that cannot be mailed, a refused contract, a second one: the team gets an e-mail about each', async () => {
		const count = own.documentCount();
		await check(checking, identityFile, ['Fred Fail', 'fred@example.com'], 'fail');
		expect((await told('Identity check of Fred Fail: not passed')).text).toContain(
			'the overall score is FAIL',
		);
		own.office.unknown.add('nobody@example.com');
		await submit(identityFile, 'No Body', 'nobody@example.com');
		expect((await told('Identity check of No Body: stopped')).text).toContain(
			'550 No such user here',
		);
		await check(checking, identityFile, ['Ann', 'ann@example.com'], 'pass');
		expect((await told('Please check: contract for Ann')).text).toMatch(/Reason: .*4 to 100/);
		await check(checking, identityFile, ['Nina Twice', 'NINA@example.com'], 'pass');
		await told('Sent before: contract for Nina Twice');
		expect(own.documentCount()).toBe(count);
		await check(checking, identityFile, ['Lost Leo', 'leo@example.com'], 'pass', 'after');
		await told('May have been sent: contract for Lost Leo');
		expect(own.documentCount()).toBe(count + 1);
	});

	test('hire: not signed in time: the team is told, and the welcome is still sent after a late signature', async () => {
		const mail = await told(`Not signed yet: contract for ${odd}`);
		expect(mail.text).toContain(documentOf('late@example.com'));
		expect(own.subjects('late@example.com')).not.toContain('Welcome!');
		await until('it waits again', async () => (await own.waits(hiringLate)) === started.hire);
		await signAll(stage.sandbox, documentOf('late@example.com'));
		expect((await ended(own.n8n.api, started.hire ?? '')).lastNodeExecuted).toBe('Welcome');
		expect(
			own.subjects('late@example.com').filter((subject) => subject === 'Welcome!'),
		).toHaveLength(1);
	});

	test('identity: a review without an end in time: no contract, and the team is told', async () => {
		const mail = await told('Identity check of Rita Review: no result in 7 days');
		expect(mail.text).toContain('the service still reviews it');
		expect(documentOf('rita@example.com')).toBe('');
	});

	test('identity: not signed in time: the team is told, and a late signature is still noticed', async () => {
		const { text } = await told('Not signed yet: contract for Sam Slow');
		expect(text).toContain(documentOf('sam@example.com'));
		await until('it waits again', async () => (await own.waits(signingLate)) === started.sam);
		await signAll(stage.sandbox, documentOf('sam@example.com'));
		expect((await ended(own.n8n.api, started.sam ?? '')).lastNodeExecuted).toBe('Signed');
		expect(
			own.subjects('sam@example.com').filter((each) => each.startsWith('Signed')),
		).toHaveLength(1);
	});
});
