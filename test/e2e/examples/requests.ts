import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../../../scripts/tools';
import { commandLine } from '../support/copies';
import { axios } from '../support/http';
import { until } from '../support/stage';
import { createDocument, requestIdentity } from '../support/trigger';
import { own } from './runStage';

// The examples that other programs and events start, and the one that tells of failures.
const { stage } = own;
const staff = 'people@example.com';
const create = 'POST /templates/createDocumentByTemplateV2';
const secret = 'not-a-secret-of-anybody';
const told = async (subject: string) =>
	await until(`"${subject}" to the team`, () =>
		own
			.mailsTo(staff)
			.filter((mail) => mail.subject.startsWith(subject))
			.at(-1),
	);

const person = {
	name: 'Zoë O\'Brien "Zed"',
	email: 'zoe@example.com',
	role: 'Cook',
	start: '2027-01-01',
};
/** Has the service say that a check has this overall status. */
export const resultsWith = (status: string) => ({
	endpoint: 'GET /identity/session/results/:sessionId',
	answer: {
		status: 200,
		body: {
			success: true,
			responseCode: 200,
			responseData: { customerId: 'one', results: { score: { overall: { value: '', status } } } },
		},
	},
});

/** Asks for a contract, as a program does. */
const ask = async (body: unknown, headers: Record<string, string> = { 'x-secret': secret }) => {
	const { status, data } = await axios.post(`${stage.n8n.url}/webhook/contracts`, body, {
		headers: { 'content-type': 'application/json', ...headers },
	});
	return { status, ...(data as { documentId?: string; outcome?: string; reason?: string }) };
};
/** How often a contract for an address was asked for at the service. */
const contractsOf = (email: string) =>
	own.creations().filter(({ body }) => JSON.stringify(body).includes(email)).length;

const noTemplates = {
	status: 200,
	body: { success: true, responseCode: 200, responseData: { templates: [] } },
};

const gone = {
	status: 404,
	body: { success: false, responseCode: 404, message: 'Not here: http://10.0.0.1/templates' },
};

describe('request-over-http', () => {
	afterAll(own.unpublish);
	beforeAll(async () => {
		const { id } = await own.n8n.api.createCredential({
			name: 'Header Auth account',
			type: 'httpHeaderAuth',
			data: { name: 'X-Secret', value: secret },
		});
		own.credentials.httpHeaderAuth = id;
		const workflow = await own.publish('request-over-http');
		const { nodes } = await own.n8n.api.getWorkflow(workflow);
		const hook = nodes.find(({ name }) => name === 'A request arrives');
		expect(hook?.webhookId).toBeTruthy();
	});

	test('ten at once with one key, and one a moment later: one document, and the others are told so', async () => {
		const count = own.documentCount();
		const answers = await Promise.all(
			Array.from({ length: 10 }, async () => await ask({ key: 'K-1', ...person })),
		);
		const later = await ask({ key: 'K-1', ...person });
		expect(own.documentCount()).toBe(count + 1);
		const created = answers.filter(({ status }) => status === 201);
		expect(created).toEqual([{ status: 201, outcome: 'created', documentId: own.lastDocument() }]);
		for (const each of [...answers, later]) {
			if (each.status === 201) continue;
			const said = [each.status, each.outcome, each.documentId];
			expect([
				[200, 'repeated', undefined],
				[409, 'uncertain', undefined],
			]).toContainEqual(said);
		}
		expect([later.status, later.reason]).toEqual([200, 'This key was sent before']);
		// Only the key is compared.
		const other = await ask({ key: 'K-1', ...person, name: 'Somebody Else' });
		expect([other.status, other.outcome]).toEqual([200, 'repeated']);
		expect(own.documentCount()).toBe(count + 1);
	});

	test.each([
		['no key', { ...person }, 'Send Once Key'],
		['a wrong address', { ...person, key: 'K-2', email: 'zoe' }, '"zoe" is not an e-mail address'],
		['a name that the service refuses', { ...person, key: 'K-2', name: 'Al' }, '4 to 100'],
		['nothing', undefined, ''],
	])('%s: 422 with the reason, and nobody gets a contract', async (_what, body, reason) => {
		const count = own.documentCount();
		const answer = await ask(body);
		expect([answer.status, answer.outcome]).toEqual([422, 'refused']);
		expect(answer.reason).toContain(reason);
		expect(own.documentCount()).toBe(count);
	});

	test('a lost answer: 409 now and at each repeat, never a document; the team gets an e-mail', async () => {
		stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
		for (let round = 0; round < 2; round++) {
			const answer = await ask({ key: 'K-lost', ...person });
			expect([answer.status, answer.outcome, answer.documentId]).toEqual([
				409,
				'uncertain',
				undefined,
			]);
		}
		expect((await told('May have been sent: contract K-lost')).text).toContain('zoe@example.com');
	});

	test.each([
		['the template is gone', { endpoint: create, answer: gone }, 'Not here'],
		['the list is empty', { endpoint: 'GET /templates/v2', answer: noTemplates }, 'no template'],
	])(
		'%s: 503 that says nothing of the service, a mail, and it can go out later',
		async (what, fault, why) => {
			// The list of templates is shared for ten seconds.
			if (fault.answer === noTemplates) await delay(10_500);
			stage.sandbox.faults.set(fault);
			const answer = await ask({ key: what, ...person });
			expect([answer.status, answer.outcome]).toEqual([503, 'unavailable']);
			expect(answer.reason).toBe('Nothing was sent. Send the same request again later.');
			expect((await told(`Not sent: contract ${what}`)).text).toContain(why);
			stage.sandbox.faults.clear();
			await until('it is sent', async () => (await ask({ key: what, ...person })).status === 201);
		},
	);
});

describe('identity-result', () => {
	afterAll(own.unpublish);
	let workflow = '';
	beforeAll(async () => {
		workflow = await own.publish('identity-result');
	});

	test('passed, not passed, in review, failed, an image that cannot be read: each has its mail, once', async () => {
		const [good, bad] = [
			await requestIdentity(stage.sandbox),
			await requestIdentity(stage.sandbox),
		];
		await Promise.all([
			stage.sandbox.completeIdentity(good, 'pass'),
			stage.sandbox.completeIdentity(bad, 'fail'),
		]);
		expect((await told('Identity check passed: ana@example.com')).text).toContain(good);
		const failed = await told('Identity check not passed: ana@example.com');
		expect(failed.text).toContain(bad);
		expect(failed.text).toContain('status: FAIL');
		// Reported again, with another time, when the trigger knows nothing of it any more.
		await own.republish(workflow);
		await stage.sandbox.fire('VERIFICATION_REQUEST_FINISHED', good);
		await own.over(workflow, 3);
		const passed = own.subjects(staff).filter((each) => each.startsWith('Identity check passed'));
		expect(passed).toHaveLength(1);
		const document = await createDocument(stage.sandbox);
		for (const event of [
			'pendingBiometric',
			'failedBiometric',
			'failedBiometricRequest',
		] as const) {
			await stage.sandbox.fire(event, document);
			const { text } = await told(`Identity check without a verdict: ${event}`);
			expect(text).toContain(`Check: ${document}`);
		}
	});

	test.each([
		['an event that is not true', undefined, 'not ready yet'],
		['an overall status that is empty', resultsWith(''), 'not ready yet'],
		['an overall status that is no verdict', resultsWith('PENDING'), 'no verdict'],
	])(
		'%s is neither passed nor not passed, and the result that follows is told',
		async (_what, fault, why) => {
			const id = await requestIdentity(stage.sandbox);
			if (fault) stage.sandbox.faults.set(fault);
			await stage.sandbox.fire('VERIFICATION_REQUEST_FINISHED', id);
			const about = (subject: string) =>
				own
					.mails(staff)
					.filter((mail) => mail.subject.startsWith(subject) && mail.text.includes(id));
			const [mail] = await until('the mail', () => {
				const found = about('Identity check without a verdict');
				return found.length > 0 && found;
			});
			expect(mail?.text).toContain(why);
			stage.sandbox.faults.clear();
			await stage.sandbox.completeIdentity(id, 'pass');
			await until('the result', () => about('Identity check passed')[0]);
			expect(about('Identity check not passed')).toEqual([]);
		},
	);
});

describe('tell-when-it-fails', () => {
	afterAll(own.unpublish);
	test('an execution that fails, and one that crashes, are told of; a request that was under way is repeated', async () => {
		expect(await own.publish('tell-when-it-fails')).toBe('tellWhenItFails1');
		const subject = 'Workflow failed: 05 Contract after an approval';
		const submit = async (name: string) =>
			await own.fill('ask-for-a-contract', [
				name,
				'una@example.com',
				'Analyst',
				'2026-12-01',
				'gone@example.com',
			]);
		const workflow = await own.publish('approval-before-sending');
		await own.publish('request-over-http');
		for (const address of ['boss@example.com', 'gone@example.com']) own.office.unknown.add(address);
		await submit('Una Heard');
		const mail = await told(subject);
		expect(mail.text).toContain('Node: Tell who asked');
		expect(mail.text).toContain('550 No such user here');
		expect(mail.text).toContain(`/workflow/${workflow}/executions/`);

		own.office.unknown.clear();
		own.office.silent = true;
		const before = own.office.offered;
		await submit('Carla Crash');
		await until('n8n talks to the mail server', () => own.office.offered > before);
		const crashing = { ...person, email: 'crash-http@example.com' };
		stage.sandbox.faults.set({ endpoint: create, delayMs: 5_000 });
		const broken = expect(ask({ key: 'K-crash', ...crashing })).rejects.toThrow();
		await until('the contract is being created', () => contractsOf(crashing.email) > 0);
		await own.crashAndRetry(workflow);
		await broken;
		await until(
			'the team is told',
			() => own.subjects(staff).filter((each) => each === subject).length === 2,
		);
		// The connection of the program broke: it repeats its request.
		for (let round = 0; round < 2; round++) {
			expect([200, 409]).toContain((await ask({ key: 'K-crash', ...crashing })).status);
		}
		expect(contractsOf(crashing.email)).toBe(1);
		// The retry goes on where the crash was.
		await own.mailTo('boss@example.com', 'Send a contract to Carla Crash?');
	});

	test('imported with the command line of n8n, each example names the workflow that tells of failures', async () => {
		const { api } = own.n8n;
		const before = (await api.listWorkflows()).map(({ id }) => id);
		const folder = path.join(root, 'examples');
		await commandLine(own.n8n, 'import:workflow', '--separate', `--input=${folder}`);
		const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
		const imported = (await api.listWorkflows()).filter(({ id }) => !before.includes(id));
		// Those that others name are there already, by their IDs.
		expect(imported).toHaveLength(files.length - 2);
		for (const { id, name } of imported) {
			const { settings } = await api.getWorkflow(id);
			expect([name, settings?.errorWorkflow]).toEqual([name, 'tellWhenItFails1']);
		}
	});
});
