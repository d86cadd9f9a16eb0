import { readdir } from 'node:fs/promises';
import path from 'node:path';
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

	test('the service is down: 503, and the same request goes out later', async () => {
		// The list of templates is shared for ten seconds.
		await new Promise((resolve) => setTimeout(resolve, 10_000));
		stage.sandbox.faults.set({ endpoint: 'GET /templates/v2', answer: { status: 500 } });
		const answer = await ask({ key: 'K-down', ...person });
		expect([answer.status, answer.outcome]).toEqual([503, 'unavailable']);
		stage.sandbox.faults.clear();
		expect((await ask({ key: 'K-down', ...person })).status).toBe(201);
	});
});

describe('identity-result', () => {
	afterAll(own.unpublish);
	beforeAll(async () => {
		await own.publish('identity-result');
	});

	test('passed, not passed, in review, failed, an image that cannot be read: each has its mail', async () => {
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
		expect(failed.text).toContain('liveness: FAIL');
		const document = await createDocument(stage.sandbox);
		for (const [event, subject] of [
			['pendingBiometric', 'Identity check in review'],
			['failedBiometric', 'Identity check failed'],
			['failedBiometricRequest', 'Image of an identity check cannot be read'],
		] as const) {
			await stage.sandbox.fire(event, document);
			expect((await told(subject)).text).toContain(`Check: ${document}`);
		}
	});

	test('an event that is not true, and a service that does not answer: no "passed", and the team gets an e-mail', async () => {
		const before = own
			.subjects(staff)
			.filter((subject) => subject.startsWith('Identity check passed')).length;
		const open = await requestIdentity(stage.sandbox);
		await stage.sandbox.fire('VERIFICATION_REQUEST_FINISHED', open);
		const { text } = await told('Identity check: the result cannot be fetched');
		expect(text).toMatch(/not ready yet/);
		expect(text).toContain(open);
		expect(
			own.subjects(staff).filter((subject) => subject.startsWith('Identity check passed')),
		).toHaveLength(before);
	});
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
		// The one that tells of failures is there already, by its ID.
		expect(imported).toHaveLength(files.length - 1);
		for (const { id, name } of imported) {
			const { settings } = await api.getWorkflow(id);
			expect([name, settings?.errorWorkflow]).toEqual([name, 'tellWhenItFails1']);
		}
	});
});
