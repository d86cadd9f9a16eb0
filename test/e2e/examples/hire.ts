import type { Adapt } from '../support/exampleRuns';
import { until } from '../support/stage';
import { ended, signAll, waitingOnes } from '../support/wait';
import { own } from './runStage';
import { resultsWith } from './requests';

// The examples that wait for weeks, with all that a wait can end with.
const { stage } = own;
const staff = 'people@example.com';
const create = 'POST /templates/createDocumentByTemplateV2';
const hireFile = 'hire-wait-until-signed';
const identityFile = 'identity-then-contract';
let [hiring, hiringLate, checking, checkingLate] = ['', '', '', ''];

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
	before?: () => unknown,
) {
	await submit(form, ...person);
	await own.mailTo(person[1], 'Please confirm who you are');
	await own.waits(workflow);
	before?.();
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
		// Their time is over while the other tests run.
		await submit('late-hire', odd, 'late@example.com');
		started.hire = await own.waits(hiringLate);
		await check(checkingLate, 'late-identity', ['Rita Review', 'rita@example.com'], 'manualReview');
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
		expect(mail.text).toContain('maybe to somebody else');
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

	test('identity: every end but one has no contract, and the team is told about each', async () => {
		await check(checking, identityFile, ['Nina Jones', 'nina@example.com'], 'pass');
		await told('Sent: contract for Nina Jones');
		const count = own.documentCount();
		await check(checking, identityFile, ['Nina Twice', 'NINA@example.com'], 'pass');
		await told('Sent before: contract for Nina Twice');
		await check(checking, identityFile, ['Fred Fail', 'fred@example.com'], 'fail');
		expect((await told('Identity check of Fred Fail: not passed')).text).toContain('status: FAIL');
		own.office.unknown.add('nobody@example.com');
		await submit(identityFile, 'No Body', 'nobody@example.com');
		expect((await told('Please look: application of No Body')).text).toContain('550 No such user');
		await check(checking, identityFile, ['Ann', 'ann@example.com'], 'pass');
		expect((await told('Please look: application of Ann')).text).toMatch(/Reason: .*4 to 100/);
		for (const [name, status] of [
			['Emma Empty', ''],
			['Penny Pending', 'PENDING'],
		] as const) {
			await check(checking, identityFile, [name, `${name.split(' ')[1]}@example.com`], 'pass', () =>
				stage.sandbox.faults.set({ ...resultsWith(status) }),
			);
			const { text } = await told(`Please look: application of ${name}`);
			expect(text).toContain('No contract was sent.\nReason: the check has no verdict');
			stage.sandbox.faults.clear();
		}
		expect(own.documentCount()).toBe(count);
		await check(checking, identityFile, ['Lost Leo', 'leo@example.com'], 'pass', () =>
			stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' }),
		);
		const { text } = await told('Please look: application of Lost Leo');
		expect(text).toContain('The contract may have been sent.');
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
		const { text } = await told('Please look: application of Rita Review');
		expect(text).toContain('no result in 7 days');
		expect(documentOf('rita@example.com')).toBe('');
	});
});
