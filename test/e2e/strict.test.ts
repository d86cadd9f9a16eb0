import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Execution } from '../../host/apiTypes';
import { outputOf } from '../../host/executions';
import { actionSteps, lineOf, type Step } from '../../host/workflow';
import { operationNamed } from '../operations';
import { signDocument } from '../operations/service';
import { byId } from '../support/service';
import { envelope, Stub, text } from '../support/stub';
import { post } from '../support/http';
import { useStage } from './support/stage';
import {
	allExecutions,
	clearStage,
	createDocument,
	credentialId,
	eventsOf,
	loggedIn,
	triggerWorkflow,
} from './support/trigger';
import { identityAndWait, sendAndWait, succeeded, waiting } from './support/wait';

// What n8n 3 has by default (docs/compatibility.md), as far as this n8n can be set so.
let storage = '';
const stage = useStage('strict', async (folder) => ({
	N8N_STORAGE_PATH: (storage = path.join(folder, 'storage')),
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_BLOCKED_IP_RANGES: 'default,100.64.0.0/10',
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
}));
const creation = 'POST /templates/createDocumentByTemplateV2';
const send = operationNamed('document/createFromTemplate').parameters;
const ana = { email: 'ana@example.com', name: 'Ana Lovelace' };

/** Two other services, whose tokens say from which they are, and for whom. */
const stubs = [new Stub(), new Stub()] as const;

beforeAll(async () => {
	await clearStage(stage);
	for (const [index, stub] of stubs.entries()) {
		await stub.start();
		stub.answer = text(envelope({ templates: [] }));
		stub.token = (response, request) => {
			const accessToken = `${index}-${String(request.headers['user-id'])}`;
			text(envelope({ accessToken }))(response, request);
		};
	}
});
afterEach(() => stage.sandbox.faults.clear());
afterAll(async () => await Promise.all(stubs.map(async (stub) => await stub.close())));

/** Starts a workflow of one node. */
async function start(step: Step, items: IDataObject[] = [ana], changes = {}): Promise<string> {
	const { api } = stage.n8n;
	const workflow = lineOf('Strict', [{ ...step, ...changes }]);
	workflow.pinData = { Start: items.map((json) => ({ json })) };
	return await api.run((await api.createWorkflow(workflow)).id, 'Start');
}

/** Runs a SignVerify node, which by default continues with its errors. */
async function run(
	parameters: INodeParameters,
	items?: IDataObject[],
	changes: Partial<Step> = { onError: 'continueErrorOutput' },
): Promise<Execution> {
	const action = await actionSteps(stage.n8n.api);
	const id = await start(action('Do', parameters), items, changes);
	return await stage.n8n.api.waitForExecution(id);
}

const doneIn = (execution: Execution) => outputOf(execution, 'Do').map(({ json }) => json);
const errorsIn = (execution: Execution) =>
	outputOf(execution, 'Do', 1).map(({ json }) => json.error as IDataObject);

describe('a 200 is a success only if it says so', () => {
	const refused = (words: string) => `The service refused the request (HTTP 400: ${words})`;
	const message = 'Some emails are repeated';
	const unclear = `The service does not say clearly whether it worked (HTTP 200: ${message}), so the document may have been created`;

	test.each<[string, IDataObject, string, boolean]>([
		['no success', { responseCode: 400, message }, refused(message), false],
		['success as a text', { success: 'false', message }, refused(message), false],
		['an error alone', { error: 'No credits left' }, refused('No credits left'), false],
		['both', { success: true, responseCode: 400, message }, unclear, true],
	])('creation: %s', async (_name, body, words, mayExist) => {
		stage.sandbox.faults.set({ endpoint: creation, times: 1, answer: { status: 200, body } });
		const execution = await run(send);
		expect(doneIn(execution)).toEqual([]);
		const [error] = errorsIn(execution);
		expect([error?.message, 'mayHaveBeenCreated' in Object(error)]).toEqual([words, mayExist]);
	});

	test.each([
		['document/sendAndWait', '/templates/createDocumentByTemplateV2'],
		['identity/sendAndWait', '/identity/validation/request'],
	])('a wait that is refused: %s sends nothing', async (name, path) => {
		stage.sandbox.forgetRequests();
		const preset = `${stage.sandbox.url}/sandbox/presets/refused-in-200`;
		expect(await post(preset, undefined)).toBe(200);
		const execution = await run(operationNamed(name).parameters);
		expect(errorsIn(execution)).toMatchObject([{ message: expect.stringContaining(message) }]);
		expect(stage.sandbox.requests.map((each) => each.path)).not.toContain(path);
	});
});

test('a token stays with its account and its host when the credential is edited', async () => {
	const { api, url } = stage.n8n;
	const [name, type] = ['Edited', 'signVerifyApi'] as const;
	const made = { baseUrl: stage.sandbox.baseUrl, ...stage.sandbox.account };
	const { id } = await api.createCredential({ name, type, data: made });
	const credentials = { [type]: { id, name } };
	const editor = await loggedIn(url, stage.owner);
	// As the editor does: it sends back what it got, with n8n's mark for what it must not show.
	const edit = async (changes: IDataObject) => {
		const path = `/credentials/${id}?includeData=true`;
		const { data } = await editor.call<{ data: IDataObject }>('GET', path);
		await api.updateCredential(id, { name, type, data: { ...data, ...changes } });
	};
	const errors: unknown[] = [];
	const useNode = async () => {
		const filters = { generation: 'v2' };
		const list = { resource: 'template', operation: 'getAll', filters };
		errors.push((await run(list, [{}], { credentials })).error);
	};
	const useHttpRequest = async (host: Stub) => {
		const rest = { authentication: 'predefinedCredentialType', nodeCredentialType: type };
		const parameters = { url: `${host.url}/templates/v2`, ...rest, options: {} };
		const node = { name: 'Do', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
		errors.push((await api.waitForExecution(await start({ ...node, credentials }))).error);
	};
	const [first, second] = stubs;
	await useNode();
	await edit({ baseUrl: first.url, userId: 'anna' });
	await useNode();
	await useHttpRequest(first);
	await edit({ userId: 'berta' });
	await useHttpRequest(first);
	await useNode();
	// The same account at another host.
	await edit({ baseUrl: second.url });
	await useHttpRequest(second);
	await useNode();
	expect(errors).toEqual(Array(7).fill(undefined));
	expect(first.tokens).toEqual(['0-anna', '0-anna', '0-berta', '0-berta']);
	expect(second.tokens).toEqual(['1-berta', '1-berta']);
});

test('an identity wait ends neither by another person nor by results in which nobody looked', async () => {
	const { api } = stage.n8n;
	const { id: execution } = await run(identityAndWait({ email: ana.email }));
	const address = stage.sandbox.webhooks().at(-1)?.webHookUrl ?? '';
	const validationId = stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
	const type = 'VERIFICATION_REQUEST_FINISHED';
	const score = { faceRecognition: { overall: { value: 0, status: '' } } };
	const results = { score, ocr: { name: '', birthDate: 0 } };
	const answer = { status: 200, body: { success: true, responseData: { results } } };
	stage.sandbox.faults.set({ endpoint: 'GET /identity/session/results/:sessionId', answer });
	for (const body of [
		{ type },
		{ type, status: 'COMPLETED' },
		{ type, sessionId: 'of another', data: { validationId: 'of another' } },
		{ type, responseData: { validationId: 'of another', results: { score: 97 } } },
		// What is the request's ID decides before what is the session's.
		{ type, validationId: 'of another', data: { sessionId: validationId } },
	]) {
		expect(await post(address, body)).toBe(200);
		expect((await api.execution(execution)).status).toBe('waiting');
	}
	stage.sandbox.faults.clear();
	await stage.sandbox.completeIdentity(validationId, 'pass');
	const [item] = outputOf(await succeeded(api, execution), 'Do');
	expect(item?.json).toMatchObject({ validationId, status: 'COMPLETED', timedOut: false });
});

test('a filter that matches nobody is refused at publishing, and one with two addresses starts', async () => {
	const { api } = stage.n8n;
	const credential = await credentialId(api);
	const withEmails = async (signatory: string) => {
		const parameters = { events: ['sendDocument'], filters: { signatory } };
		return (await api.createWorkflow(triggerWorkflow('Filter', parameters, credential))).id;
	};
	const wrong = await withEmails('Ana <ana@example.com>');
	await expect(api.activate(wrong)).rejects.toThrow(
		'Signatory: "Ana" is not an e-mail address, and "‹ana@example.com›" is not an e-mail address',
	);
	await api.deactivate(wrong);
	const right = await withEmails('nobody@example.com; Person-0@example.com');
	await api.activate(right);
	// Two people get it, and one of them is in the filter.
	await createDocument(stage.sandbox);
	await stage.sandbox.idle();
	const told = stage.sandbox.deliveries().filter(({ type }) => type === 'sendDocument');
	expect(told).toHaveLength(2);
	const started = await eventsOf(api, await allExecutions(api, right, 1));
	expect(started.map(({ signatory }) => signatory)).toMatchObject([
		{ email: 'person-0@example.com' },
	]);
	await api.deactivate(right);
});

test('wrong values are refused in their words, and what can be meant is sent', async () => {
	const right = { ...ana, employee: 'Ana', from: '2027-03-31', country: 'Germany' };
	const employee_name = '={{ $json.employee }}';
	const value = { employee_name, role: 'Analyst', start_date: '={{ $json.from }}' };
	const person = { email: '={{ $json.email }}', name: '={{ $json.name }}' };
	const parameters = {
		...send,
		fields: { mappingMode: 'defineBelow', value },
		signatories: { signatory: [person] },
		country: { __rl: true, mode: 'name', value: '={{ $json.country }}' },
	};
	const noName = 'Fields: Employee name: the template requires a value, and there is none';
	const refused: Array<[IDataObject, string]> = [
		[{ email: 'a@b..com' }, 'Signatory 1, Email: "a@b..com" is not an e-mail address'],
		[{ employee: '\u200b' }, noName],
		[{ name: ['Ana'] }, 'Signatory 1, Name: it is not a text'],
		[{ country: 'Germny' }, 'Country: there is no country "Germny"'],
	];
	const given = [...refused.map(([item]) => item), { name: 4711 }, { from: 'March 1st' }];
	const items = given.map((item) => ({ ...right, ...item }));
	const before = stage.sandbox.documents().length;
	const execution = await run(parameters, items);
	const errors = errorsIn(execution);
	expect(errors.map((error) => error.message)).toEqual(refused.map(([, message]) => message));
	expect(errors.at(-1)?.description).toContain('Choose one from the list.');
	const sent = stage.sandbox.documents().slice(before);
	expect(sent.map(({ signatory }) => signatory[0]?.name).sort()).toEqual(['4711', ana.name]);
	expect(execution.runData.Do?.[0]?.hints?.map(({ message }) => message)).toEqual([
		'Fields: Start date: a value is not a date such as 2027-03-31. The service may not understand it.',
	]);
});

test('a wait brings the files, and n8n stores them where n8n 3 does', async () => {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const id = await start(action('Do', sendAndWait(stage.sandbox, { downloadFiles: true })));
	await waiting(api, id);
	await signDocument(stage.sandbox, stage.sandbox.documents().at(-1)?.documentID ?? '');
	const [item] = outputOf(await succeeded(api, id), 'Do');
	const [, place = ''] = /^filesystem-v2:(.+)$/.exec(item?.binary?.document?.id ?? '') ?? [];
	expect(place).not.toBe('');
	expect(existsSync(path.join(storage, place))).toBe(true);
});

test('a refusal with the word "canceled" is an error, and not a canceled execution', async () => {
	const body = { success: false, responseCode: 400, message: 'The contract was canceled' };
	stage.sandbox.faults.set({ endpoint: creation, answer: { status: 200, body } });
	const { status, error } = await run(send, [ana], {});
	const words = 'The service refused the request (HTTP 400: The contract was cancelled)';
	expect([status, error?.message]).toEqual(['error', words]);
});

test('roles of the same name are three people', async () => {
	const { api } = stage.n8n;
	const signatories = ['signer', 'signer', '2'].map((key) => ({ key, type: 'signature' }));
	const template = { _id: 'twins', templateID: 'twins', name: 'Twins', status: 'ACTIVE' };
	const responseData = { accessToken: 'a', templates: [{ ...template, signatories }] };
	const answer = { status: 200, body: { success: true, responseData } };
	stage.sandbox.faults.set({ endpoint: '*', answer });
	// A list of templates that another test has loaded is used for ten seconds.
	await delay(10_500);
	const roles = {
		...{ ...send, templateId: byId('twins'), signatoriesFrom: 'role' },
		fields: { mappingMode: 'defineBelow', value: null },
	};
	const { credentials } = (await actionSteps(api))('Do', roles);
	const { fields } = await api.resourceMapperFields({
		nodeType: 'n8n-nodes-signverify.signVerify',
		methodName: 'getSignatoryRoles',
		path: 'parameters.signatoryRoles',
		parameters: roles,
		credentials: credentials as Record<string, { id: string; name: string }>,
	});
	// Name and e-mail of each person.
	const people = ['Ada', 'Ben', 'Cleo'].map((name) => ({ name, email: `${name}@example.com` }));
	const texts = people.flatMap(({ name, email }) => [name, email]);
	const value = Object.fromEntries(fields.map(({ id }, index) => [id, texts[index] ?? '']));
	const signatoryRoles = { mappingMode: 'defineBelow', value };
	expect(doneIn(await run({ ...roles, signatoryRoles }))).toHaveLength(1);
	expect(stage.sandbox.requests.at(-1)?.body).toMatchObject({ signatories: people });
});
