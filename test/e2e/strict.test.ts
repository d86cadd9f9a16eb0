import { existsSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Execution } from '../../host/apiTypes';
import { outputOf } from '../../host/executions';
import { colleague, contractForm } from '../../host/onboarding';
import { actionSteps, lineOf, toRealPeople, type Step } from '../../host/workflow';
import { waitProblems } from '../../nodes/SignVerify/wait/waitProblems';
import { operationNamed } from '../operations';
import { signDocument } from '../operations/service';
import { despite } from '../support/service';
import { envelope, serve, Stub, respondWith } from '../support/stub';
import { until } from '../support/until';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { keyProblems, positionProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';
import { useStage } from './support/stage';
import { clearStage, loggedIn } from './support/trigger';
import { sendAndWait, untilSucceeded, untilWaiting } from './support/wait';

// This n8n has every n8n 3 default that can already be turned on (docs/go-live.md). It is also set up
// as in a company that monitors n8n and lets it call only the service. The tests also check how n8n handles
// the credential, because only a real n8n shows this.
let storage = '';
/**
 * A trace collector like those that companies run alongside n8n. `traces` contains everything that it
 * received.
 */
const collector = new Stub();
let traces = '';
const stage = useStage('strict', async (folder) => {
	storage = path.join(folder, 'storage');
	await collector.start();
	collector.respond = (response, { body }) => {
		// OpenTelemetry's binary protocol contains every string unchanged.
		traces += body;
		response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
	};
	return {
		N8N_STORAGE_PATH: storage,
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_RUNNERS_TASK_TIMEOUT: '60',
		// Events are sent to n8n's webhook URL, even if the editor has a different URL.
		N8N_EDITOR_BASE_URL: 'https://editor.example.com/',
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_BLOCKED_IP_RANGES: 'default,100.64.0.0/10',
		N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_OTEL_ENABLED: 'true',
		N8N_OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
		N8N_OTEL_TRACES_PRODUCTION_ONLY: 'false',
		OTEL_BSP_SCHEDULE_DELAY: '200',
	};
});
afterAll(async () => await collector.close());
const ana = { email: 'ana@example.com', name: 'Ana Lovelace' };

/** Two other services. The tokens that they issue contain the service's index and the user ID. */
const stubs = [new Stub(), new Stub()] as const;
/** One of the two services. The calls that it receives show what n8n sends to other hosts. */
const [elsewhere] = stubs;

beforeAll(async () => {
	await clearStage(stage);
	for (const [index, stub] of stubs.entries()) {
		await stub.start();
		stub.respond = respondWith(envelope({ templates: [] }));
		stub.token = (response, request) => {
			const accessToken = `${index}-${String(request.headers['user-id'])}`;
			respondWith(envelope({ accessToken }))(response, request);
		};
	}
});
afterEach(() => {
	stage.sandbox.faults.clear();
	elsewhere.calls = [];
});
afterAll(async () => await Promise.all(stubs.map(async (stub) => await stub.close())));

/** Stores a credential for the stage's account, with the given changes. */
async function store(name: string, changes: IDataObject = {}) {
	const data = { baseUrl: stage.sandbox.baseUrl, ...stage.sandbox.account, ...changes };
	const credential = { name, type: 'signVerifyApi', data };
	const { id } = await stage.n8n.api.createCredential(credential);
	return { id, ...credential, credentials: { signVerifyApi: { id, name } } };
}

/** @param after A step that gets all items, including those on the error output. */
async function start(
	step: Step,
	items: IDataObject[] = [ana],
	changes = {},
	after?: Step,
): Promise<string> {
	const { api } = stage.n8n;
	const workflow = lineOf('Strict', [{ ...step, ...changes }, ...(after ? [after] : [])]);
	const { main = [] } = workflow.connections[step.name] ?? {};
	if (main[0]) main.push(main[0]);
	workflow.pinData = { Start: items.map((json) => ({ json })) };
	return await api.run((await api.createWorkflow(workflow)).id, 'Start');
}

async function run(
	parameters: INodeParameters,
	items?: IDataObject[],
	changes?: Partial<Step>,
	after?: Step,
): Promise<Execution> {
	const action = await actionSteps(stage.n8n.api);
	const id = await start(action('Do', parameters), items, changes, after);
	return await stage.n8n.api.waitForExecution(id);
}

/** Runs n8n's HTTP Request node with a SignVerify credential. By default, this is the stage's credential. */
async function callWith(
	url: string,
	options = {},
	credentials?: Step['credentials'],
	more: INodeParameters = {},
): Promise<Execution> {
	const { api } = stage.n8n;
	const given = credentials ?? (await actionSteps(api))('Do', {}).credentials;
	const step: Step = {
		name: 'Do',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url,
			options,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'signVerifyApi',
			...more,
		},
		...(given ? { credentials: given } : {}),
	};
	return await api.waitForExecution(await start(step));
}

test('a token is never used for another account or host after the credential is edited', async () => {
	const { api, url } = stage.n8n;
	const { id, name, type, credentials } = await store('Edited');
	const editor = await loggedIn(url, stage.owner);
	// The editor sends back the data that it got from n8n, with a placeholder instead of each secret.
	const edit = async (changes: IDataObject) => {
		const path = `/credentials/${id}?includeData=true`;
		const { data } = await editor.call<{ data: IDataObject }>('GET', path);
		await api.updateCredential(id, { name, type, data: { ...data, ...changes } });
	};
	const errors: unknown[] = [];
	const useNode = async () => {
		const list = { resource: 'template', operation: 'getAll' };
		errors.push((await run(list, [{}], { credentials })).error);
	};
	const useHttpRequest = async (host: Stub) =>
		errors.push((await callWith(`${host.url}/templates/v2`, {}, credentials)).error);
	const [first, second] = stubs;
	await useNode();
	await edit({ baseUrl: first.url, userId: 'anna' });
	await useNode();
	await useHttpRequest(first);
	await edit({ userId: 'berta' });
	await useHttpRequest(first);
	await useNode();
	// The last edit keeps the account but changes the host.
	await edit({ baseUrl: second.url });
	await useHttpRequest(second);
	await useNode();
	expect(errors).toEqual(Array(7).fill(undefined));
	// Three calls: the node reads two lists, and the HTTP Request node reads one.
	const three = (token: string) => Array<string>(3).fill(token);
	expect(first.tokens).toEqual([...three('0-anna'), ...three('0-berta')]);
	expect(second.tokens).toEqual(three('1-berta'));
});

test('a waiting node downloads the files, and n8n stores them in the folder that n8n 3 uses', async () => {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const id = await start(action('Do', sendAndWait(stage.sandbox, { downloadFiles: true })));
	await untilWaiting(api, id);
	await signDocument(stage.sandbox, stage.sandbox.documents().at(-1)?.documentID ?? '');
	const [item] = outputOf(await untilSucceeded(api, id), 'Do');
	const [, place = ''] = /^filesystem-v2:(.+)$/.exec(item?.binary?.document?.id ?? '') ?? [];
	expect(place).not.toBe('');
	expect(existsSync(path.join(storage, place))).toBe(true);
});

test("a node's trace reaches the collector without personal data", async () => {
	const parameters = { ...contractForm, options: { sendOnceKey: '={{ $json.key }}' } };
	const keys = ['one', 'two', 'two'].map((key) => ({ key }));
	expect((await run(parameters, keys)).status).toBe('success');
	// In the binary protocol, a key and its value are separated by a few bytes that encode the value's
	// length.
	await until('the collector gets the span of the node', () =>
		/n8n\.node\.name[^]{1,8}Do/.test(traces),
	);
	expect(traces).toMatch(/n8n\.node\.type[^]{1,8}n8n-nodes-signverify\.signVerify/);
	const { apiKey, userId } = stage.sandbox.account;
	for (const personal of [colleague.name, colleague.email, colleague.role, apiKey, userId]) {
		expect(traces).not.toContain(personal);
	}
});

/** The expression with which the pages and the examples read an outcome, whether an item failed or not. */
const readOutcome: Step = {
	name: 'Read',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: {
			assignments: [
				{
					id: 'read',
					name: 'read',
					type: 'string',
					value: '={{ $json.error?.outcome ?? $json.outcome }}',
				},
			],
		},
		options: {},
	},
};

/** How the items of a list leave the node: by which of its outputs, and with which outcome. */
const leaving = [
	{ onError: 'stopWorkflow', outputs: undefined },
	{
		onError: 'continueRegularOutput',
		outputs: [['sent', 'failed', 'skipped', 'check', 'check', 'sent'], []],
	},
	{
		onError: 'continueErrorOutput',
		outputs: [
			['sent', 'skipped', 'check', 'sent'],
			['failed', 'check'],
		],
	},
] as const;

test.each(leaving)(
	'with On Error set to $onError, each item leaves by the right output and contains its outcome',
	async ({ onError, outputs }) => {
		const parameters = {
			...contractForm,
			signatories: { signatory: [{ email: '={{ $json.email }}', name: 'Ana Gil' }] },
			options: { sendOnceKey: '={{ $json.key }}' },
		};
		const rowOf = (key: string, email = `${key}@example.com`) => ({
			key: `${onError}-${key}`,
			email,
			// n8n adds the input's fields to an item on the error output.
			outcome: "the row's own",
		});
		const rows = [
			rowOf('a'),
			rowOf('b', 'not an address'),
			rowOf('a'),
			rowOf('lost'),
			rowOf('lost'),
			rowOf('c'),
		];
		const credential = await store(`One by one, ${onError}`, { parallelRequests: 1 });
		const sent = stage.sandbox.documents().length;
		stage.sandbox.faults.set({
			endpoint: 'POST /templates/createDocumentByTemplateV2',
			skip: 1,
			times: 1,
			reset: 'after',
		});
		const changes = { onError, credentials: credential.credentials };
		const execution = await run(parameters, rows, changes, readOutcome);
		if (!outputs) {
			expect(execution.error?.description).toContain('not an address');
			expect(stage.sandbox.documents()).toHaveLength(sent);
			return;
		}
		const found = [0, 1].map((index) =>
			outputOf(execution, 'Do', index).map(({ json }) => {
				const fate = (json.error ?? json) as IDataObject;
				expect(fate.note === undefined).toBe(fate.outcome === 'sent');
				return fate.outcome;
			}),
		);
		expect(found).toEqual(outputs);
		const read = outputOf(execution, 'Read').map(({ json }) => json.read);
		expect(read).toEqual(outputs.flat());
		const added = outputOf(execution, 'Do', 1).map(({ json }) => json.outcome);
		expect(added).toEqual(outputs[1].map(() => "the row's own"));
	},
);

test('two people with one Send Once Key in a list both get an error, and nothing is sent unless the node continues', async () => {
	const parameters = {
		...contractForm,
		signatories: { signatory: [{ email: '={{ $json.email }}', name: 'Ana Gil' }] },
		options: { sendOnceKey: '={{ $json.key }}' },
	};
	const rows = [
		{ key: 'same', email: 'one@example.com' },
		{ key: 'other', email: 'other@example.com' },
		{ key: 'same', email: 'two@example.com' },
	];
	const people = 'Signatories (Ana Gil (one@example.com) and Ana Gil (two@example.com))';
	const message = `Send Once Key: ${keyProblems.otherContent('same', 2, [people]).problem}`;
	const before = stage.sandbox.documents().length;
	const stopped = await run(parameters, rows);
	expect(stopped.status).toBe('error');
	expect(stopped.error?.description).toContain(message);
	expect(stage.sandbox.documents()).toHaveLength(before);

	const continued = await run(parameters, rows, { onError: 'continueRegularOutput' });
	expect(continued.status).toBe('success');
	const outputs = outputOf(continued, 'Do').map(({ json }) => json);
	expect(outputs[0]?.error).toMatchObject({ message });
	expect(outputs[1]?.documentId).toBeTruthy();
	expect(outputs[2]?.error).toMatchObject({ message });
	expect(stage.sandbox.documents()).toHaveLength(before + 1);
});

test('the second of two items that are the same is skipped, and its output names the document and its people', async () => {
	const parameters = {
		...contractForm,
		signatories: { signatory: [{ email: 'ana@example.com', name: 'Ana Gil' }] },
		options: { sendOnceKey: "={{ 'one' }}" },
	};
	const [sent, skipped] = outputOf(await run(parameters, [ana, ana]), 'Do').map(({ json }) => json);
	expect(sent?.documentId).toBeTruthy();
	expect(skipped).toMatchObject({
		outcome: 'skipped',
		title: 'Employment contract',
		signatories: [{ email: 'ana@example.com', name: 'Ana Gil' }],
	});
});

test('the first document without an ID ends its wait with an error, and no further one is sent until the service returns an ID', async () => {
	const { sandbox } = stage;
	const signatories = { signatory: [{ email: 'ana@example.com', name: 'Ana Gil' }] };
	const sending = { ...contractForm, signatories };
	const awaiting = { ...sending, operation: 'sendAndWait' };
	const sentCount = () => sandbox.documents().length;
	const before = sentCount();
	sandbox.settings.set({ createReturnsOnlySuccess: true });
	const first = await run(awaiting);
	expect(first.error?.message).toContain(waitProblems.noDocumentId.problem);
	expect(sentCount()).toBe(before + 1);
	expect(sandbox.webhooks()).toEqual([]);

	for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
		const next = await run(awaiting, undefined, { onError });
		const shown = JSON.stringify([next.error?.message, outputOf(next, 'Do')]);
		expect(shown).toContain(waitProblems.noEarlierDocumentId.problem);
	}
	expect(sentCount()).toBe(before + 1);

	sandbox.settings.set({ createReturnsOnlySuccess: false });
	expect((await run(sending)).status).toBe('success');
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const execution = await start(action('Do', awaiting));
	await untilWaiting(api, execution);
	await signDocument(sandbox, sandbox.documents().at(-1)?.documentID ?? '');
	await untilSucceeded(api, execution);
});

/** The bodies of the calls that created documents since the sandbox last forgot its requests. */
const creations = () =>
	stage.sandbox.requests
		.filter(({ path: called }) => called.includes('createDocument'))
		.map(({ body }) => body);

/** A form whose fields are mapped automatically, as n8n saves it. */
const automatic = { mappingMode: 'autoMapInputData', value: null };

test("Map Automatically takes the column named after the field's label, and warns if the one named after its key differs", async () => {
	const row = {
		role: 17,
		'Job title': 'Analyst',
		'employee name': 'Ana Gil',
		'Start date': 'soon',
	};
	stage.sandbox.forgetRequests();
	const execution = await run({ ...contractForm, fields: automatic, options: despite }, [row]);
	expect(execution.status).toBe('success');
	const inputs = { employee_name: 'Ana Gil', role: 'Analyst', start_date: 'soon' };
	expect(creations()).toEqual([expect.objectContaining({ inputs })]);
	expect(outputOf(execution, 'Do')[0]?.json.warnings).toContainEqual(
		expect.stringContaining(
			`Job title: ${columnProblems.otherDiffers('Job title', 'role').problem}. `,
		),
	);
});

/**
 * Starts a service with a single template. Tests need different accounts, because the node shares what it knows about
 * templates within an account.
 * @returns The service, and the bodies of the documents that it has received.
 */
async function serviceWith(template: IDataObject) {
	const service = await new Stub().start();
	const sent: unknown[] = [];
	service.respond = (response, request) => {
		if (request.method === 'POST') sent.push(JSON.parse(request.body));
		respondWith(envelope({ templates: [template], documentID: 'd1' }))(response, request);
	};
	return { service, sent };
}

test('a column of csvHeader is read for what it stands for, even if a field has the same label as a role', async () => {
	const template = {
		templateID: 'labels',
		name: 'Labels',
		status: 'ACTIVE',
		signatories: [{ key: 'employee' }],
		form: ['Employee email', 'f_2'].map((key) => ({ key, label: 'Employee email' })),
	};
	const { service, sent } = await serviceWith(template);
	const { credentials } = await store('Labels', { baseUrl: service.url });
	const templateId = { __rl: true, mode: 'id', value: 'labels' };
	const lookup = { resource: 'template', operation: 'get', templateId };
	const looked = outputOf(await run(lookup, [{}], { credentials }), 'Do')[0]?.json;
	expect(looked?.csvHeader).toBe('employee name,employee.email,Employee email,f_2');
	const row = {
		'employee name': ana.name,
		'employee.email': ana.email,
		'Employee email': 'office@example.com',
		f_2: 'second@example.com',
	};
	const parameters = {
		...contractForm,
		templateId,
		fields: automatic,
		specifySignatories: 'byRole',
		signatoryRoles: automatic,
	};
	const execution = await run(parameters, [row], { credentials });
	await service.close();
	expect(execution.error?.message).toBeUndefined();
	const inputs = { 'Employee email': 'office@example.com', f_2: 'second@example.com' };
	expect(sent).toEqual([expect.objectContaining({ signatories: [ana], inputs })]);
});

test("roles that have the same key, or another role's number as their key, each get their own person", async () => {
	const roles = ['signer', 'signer', '2'].map((key) => ({ key }));
	const template = { templateID: 'twins', name: 'Twins', status: 'ACTIVE', signatories: roles };
	const { service, sent } = await serviceWith(template);
	const { credentials } = await store('Twins', { baseUrl: service.url });
	const parameters = {
		resource: 'document',
		operation: 'send',
		...contractForm,
		templateId: { __rl: true, mode: 'id', value: 'twins' },
		fields: automatic,
		specifySignatories: 'byRole',
	};
	const editor = await loggedIn(stage.n8n.url, stage.owner);
	const { type } = (await actionSteps(stage.n8n.api))('Do', parameters);
	const { fields } = await editor.call<{ fields: Array<{ id: string }> }>(
		'POST',
		'/dynamic-node-parameters/resource-mapper-fields',
		{
			body: {
				path: 'parameters.signatoryRoles',
				methodName: 'getSignatoryRoles',
				nodeTypeAndVersion: { name: type, version: 1 },
				currentNodeParameters: parameters,
				credentials,
			},
		},
	);
	const signatories = ['Ana', 'Ben', 'Cleo'].map((name) => ({
		name: `${name} Lee`,
		email: `${name}@example.com`,
	}));
	const texts = signatories.flatMap(({ name, email }) => [name, email]);
	const value = Object.fromEntries(fields.map(({ id }, index) => [id, texts[index] ?? '']));
	const signatoryRoles = { mappingMode: 'defineBelow', value };
	const execution = await run({ ...parameters, signatoryRoles }, [ana], { credentials });
	await service.close();
	expect(execution.error?.message).toBeUndefined();
	expect(sent).toEqual([expect.objectContaining({ signatories })]);
});

test('signature positions contain the size of their page, and optional fields are sent as empty text only if asked for', async () => {
	const inputs = { client_name: 'Ana', consultant_name: 'Ben', services: 'Advice', fee: '1' };
	const box = { email: ana.email, page: 2, x: 100, y: 900, width: 180, height: 60 };
	const parameters = {
		...contractForm,
		templateId: { __rl: true, mode: 'id', value: '65f1c0de0000000000000102' },
		specifySignatories: 'oneByOne',
		signatories: { signatory: [ana] },
		fields: { mappingMode: 'defineBelow', value: inputs },
	};
	const options = (pageSize: string) => ({
		signPositions: { position: [{ ...box, pageSize }] },
		sendEmptyFields: true,
	});
	stage.sandbox.forgetRequests();
	const refused = await run({ ...parameters, options: options('letter') }, [{}]);
	expect(refused.error?.message).toContain(
		`Signature Position 1, Top: ${positionProblems.outsidePage(960, '792 points high').problem}`,
	);
	expect((await run({ ...parameters, options: options('legal') }, [{}])).status).toBe('success');
	expect((await run(parameters, [{}])).status).toBe('success');
	const legal = { width: 612, height: 1008 };
	expect(creations()).toEqual([
		expect.objectContaining({
			inputs: { ...inputs, completion_date: '' },
			staticSignPositions: [
				expect.objectContaining({
					coordinates: { x: 100, y: 900 },
					page: 2,
					viewport: legal,
					parentImageSize: legal,
				}),
			],
		}),
		expect.objectContaining({ inputs, staticSignPositions: [] }),
	]);
});

test('each call is made as the contract requires, and raw output contains everything that the service returned', async () => {
	const more = { unknown: { deep: [1, null, 'x'] } };
	const form = [{ key: 'rent', type: 'text', isRequired: true, label: 'Rent', _id: 'f1' }];
	const templateV2 = {
		...{
			_id: 'a2',
			templateID: 't2',
			name: 'Lease',
			description: '',
			key: 'lease',
			status: 'ACTIVE',
		},
		...{
			signatories: [{ key: 'tenant', type: 'signature', _id: 's1' }],
			form,
			formSignatory: form,
		},
		...more,
	};
	const templateV1 = {
		...{ _id: 'a1', templateID: 't1', userID: 'u', name: 'Old lease', description: '' },
		inputs: form,
		...more,
	};
	const document = { documentID: 'd1', status: 'PENDING', signatory: [], ...more };
	const url = 'https://example.com/hook';
	const webhook = {
		webHookID: 'w1',
		type: 'signDocument',
		addedOn: 1,
		webHookUrl: url,
		options: [],
	};
	const verification = { name: 'Office', type: 'VERIFICATION_REQUEST_FINISHED', webHookUrl: url };
	const request = { emailId: ana.email, status: 'CREATED', sessionId: 'v1', userId: 'u', ...more };
	const results = { results: { score: { overall: { value: 1, status: 'OK' } } }, customerId: 'c' };
	const responses: Record<string, unknown> = {
		'GET /templates': { templates: [templateV1] },
		'GET /templates/v2': { templates: [templateV2] },
		'POST /templates/createDocumentByTemplate': document,
		'POST /templates/createDocumentByTemplateV2': document,
		'POST /webhooks': { ...webhook, ...more },
		'GET /webhooks': [{ ...webhook, ...more }],
		'DELETE /webhooks': {},
		'POST /webhooks/verify': { ...verification, webHookID: 'w2', options: [], ...more },
		'POST /identity/validation/request': { url: `${url}/v1`, validationId: 'v1', ...more },
		'GET /identity/validation/request/v1': request,
		'GET /identity/session/results/v1': { ...results, ...more },
	};
	const calls: IDataObject[] = [];
	const service = await new Stub().start();
	service.respond = (response, call) => {
		const { method, headers, path: called, body, url: target = '' } = call;
		const { token, authorization, 'content-type': type } = headers;
		const query = Object.fromEntries(new URL(target, service.url).searchParams);
		calls.push({
			...{ call: `${method} ${called}`, query, body: body && (JSON.parse(body) as IDataObject) },
			...{ user: headers['user-id'], key: headers['api-key'], token, authorization, type },
		});
		respondWith(envelope(responses[`${method} ${called}`]))(response, call);
	};
	const { credentials } = await store('Each call', { baseUrl: service.url });
	responses['POST /access/token'] = { accessToken: 'a-token' };
	service.token = (response, call) => service.respond(response, call);
	const json = 'application/json';
	const authorization = 'Bearer a-token';
	const listCalls = [
		{ call: 'GET /templates/v2', authorization },
		{ call: 'GET /templates', authorization },
	];
	const hook = { resource: 'webhook', operation: 'create', webhookUrl: url };
	const [signing, verifying] = ['signDocument', 'VERIFICATION_REQUEST_FINISHED'];
	const identity = { resource: 'identity', validationId: 'v1' };
	const v2 = {
		...{ resource: 'document', operation: 'send' },
		templateId: { __rl: true, mode: 'id', value: 't2' },
		...{ specifySignatories: 'oneByOne', signatories: { signatory: [ana] } },
		fields: { mappingMode: 'defineBelow', value: { rent: '1' } },
		country: { __rl: true, mode: 'name', value: 'Mexico' },
		options: { output: 'raw' },
	};
	const body = { templateID: 't2', country: 'Mexico', inputs: { rent: '1' }, signatories: [ana] };
	/** A form, the call that it makes, and its raw output. Operations without a choice of output come last. */
	const rows: Array<[INodeParameters, IDataObject, unknown[]]> = [
		[
			v2,
			{ call: 'POST /templates/createDocumentByTemplateV2', body, authorization, type: json },
			[{ outcome: 'sent', ...document }],
		],
		[
			{ ...hook, event: signing },
			{ call: 'POST /webhooks', query: { url, type: signing } },
			[{ ...webhook, ...more }],
		],
		[
			{ ...hook, event: verifying, name: 'Office' },
			{ call: 'POST /webhooks/verify', body: { name: 'Office', type: verifying, url }, type: json },
			[{ ...verification, webHookID: 'w2', options: [], ...more }],
		],
		[
			{ resource: 'webhook', operation: 'getAll' },
			{ call: 'GET /webhooks' },
			[{ ...webhook, ...more }],
		],
		[{ ...identity, operation: 'get' }, { call: 'GET /identity/validation/request/v1' }, [request]],
		[
			{ ...identity, operation: 'getResults', options: { includePersonalData: true } },
			{ call: 'GET /identity/session/results/v1' },
			[{ ...results, ...more }],
		],
		[
			{
				resource: 'webhook',
				operation: 'delete',
				webhookId: { __rl: true, mode: 'id', value: 'w1' },
			},
			{ call: 'DELETE /webhooks', query: { webHookID: 'w1' }, type: json },
			[{ deleted: true, webhookId: 'w1' }],
		],
		[
			{ resource: 'identity', operation: 'request', email: ana.email, ...toRealPeople },
			{
				call: 'POST /identity/validation/request',
				body: { email: ana.email, type: 'FACE', backgroundCheck: false },
				type: json,
			},
			[
				{
					outcome: 'sent',
					validationId: 'v1',
					email: ana.email,
					url: `${url}/v1`,
					...more,
					warnings: [],
				},
			],
		],
	];
	const outputOfRun = async (parameters: INodeParameters) => {
		const execution = await run({ output: 'raw', ...toRealPeople, ...parameters }, [{}], {
			credentials,
		});
		expect(execution.error?.message).toBeUndefined();
		return outputOf(execution, 'Do').map((item) => item.json);
	};
	const user = stage.sandbox.account.userId;
	const withToken = { query: {}, body: '', user, token: 'a-token' };

	expect(await outputOfRun({ resource: 'template', operation: 'getAll' })).toEqual([
		templateV2,
		templateV1,
	]);
	const [exchange, ...lists] = calls.splice(0);
	const key = stage.sandbox.account.apiKey;
	expect(exchange).toEqual({ call: 'POST /access/token', query: {}, body: '', user, key });
	expect(lists).toEqual(
		expect.arrayContaining(listCalls.map((call) => ({ ...withToken, ...call }))),
	);
	for (const [parameters, call, output] of rows) {
		expect(await outputOfRun(parameters)).toEqual(output);
		expect(calls.splice(0)).toContainEqual({ ...withToken, ...call });
	}
	await service.close();
});

test('the error about a value that is not text shows the value', async () => {
	const { fields } = contractForm;
	const value = { ...fields.value, role: '={{ $json.address }}' };
	const parameters = { ...contractForm, fields: { ...fields, value } };
	const { status, error } = await run(parameters, [{ address: { city: 'Berlin' } }]);
	expect(status).toBe('error');
	const { problem } = valueProblems.notText('an object ({"city":"Berlin"})');
	expect(error?.message).toBe(`Job title: ${problem}`);
});

test('a value in JSON with expressions stays where it was written, whatever it contains', async () => {
	const name = 'Eve Doe", "email": "eve@elsewhere.example.com';
	const role = 'Chef "de cuisine"\nand waiter';
	const inputs = { ...contractForm.fields.value, role: '{{ $json.role }}' };
	const parameters = {
		...contractForm,
		specifySignatories: 'expression',
		signatoriesList: '=[{ "name": "{{ $json.name }}", "email": "{{ $json.email }}" }]',
		specifyFields: 'expression',
		fieldsObject: `=${JSON.stringify(inputs)}`,
		options: despite,
	};
	stage.sandbox.forgetRequests();
	const { status, error } = await run(parameters, [{ ...ana, name, role }]);
	expect(error?.message).toBeUndefined();
	expect(status).toBe('success');
	const bodies = stage.sandbox.requests.flatMap(({ body }) => (body ? [body] : []));
	expect(bodies.at(-1)).toMatchObject({
		inputs: { ...inputs, role },
		signatories: [{ name, email: ana.email }],
	});
});

test('in a loop, an error mentions items that earlier iterations sent only if they did', async () => {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const loop: Step = {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: 1, options: {} },
	};
	const step = action('Do', {
		...contractForm,
		signatories: { signatory: [{ email: '={{ $json.email }}', name: 'Ana Gil' }] },
	});
	const workflow = lineOf('Loop', [loop, step]);
	workflow.connections.Loop = { main: [[], [{ node: 'Do', type: 'main', index: 0 }]] };
	workflow.connections.Do = { main: [[{ node: 'Loop', type: 'main', index: 0 }]] };
	const descriptionFor = async (emails: string[]) => {
		workflow.pinData = { Start: emails.map((email) => ({ json: { email } })) };
		const id = await api.run((await api.createWorkflow(workflow)).id, 'Start');
		return (await api.waitForExecution(id)).error?.description;
	};
	expect(await descriptionFor(['nobody'])).toContain('Nothing was sent.');
	expect(await descriptionFor(['a@example.com', 'nobody'])).toContain(
		'Nothing was sent this time. Earlier iterations may have sent other items.',
	);
});

test("the node calls only the allowed address while n8n's SSRF protection is on", async () => {
	const runWith = async (baseUrl: string) => {
		const { credentials } = await store(baseUrl, { baseUrl });
		return await run({ resource: 'template', operation: 'getAll' }, [{}], { credentials });
	};

	const allowed = await runWith(stage.sandbox.baseUrl);
	expect(outputOf(allowed, 'Do').length).toBeGreaterThan(3);

	// A server at an address that is not allowed. n8n must not call it.
	let calls = 0;
	const inside = await serve((response) => {
		calls++;
		response.end('{}');
	}, '127.0.0.2');
	const refused = await runWith(`${inside.url}/api`);
	await inside.close();
	expect(refused.status).toBe('error');
	expect(refused.error?.message).toContain(`n8n's SSRF protection blocks calls to ${inside.url}`);
	expect(calls).toBe(0);
});

/** Makes the sandbox redirect requests for its lists to the other service. */
function redirectLists(status: number): void {
	for (const path of ['/webhooks', '/templates/v2']) {
		const response = { status, headers: { location: `${elsewhere.url}${path}` } };
		stage.sandbox.faults.set({ endpoint: `GET ${path}`, response });
	}
}

test('the credential test succeeds unless the service redirects or rejects a call', async () => {
	const { id, name, type, data } = await store('Tried');
	const test = async () => await stage.n8n.api.testCredential({ id, name, type, data });
	expect(await test()).toEqual({ status: 'OK', message: 'Connection successful!' });
	redirectLists(307);
	expect(await test()).toEqual({
		status: 'Error',
		message:
			"The service redirects this call to another URL (HTTP 307). Open the Base URL in a browser, and enter the URL that you're redirected to.",
	});
	expect(elsewhere.calls).toEqual([]);
	for (const status of [200, 401, 403]) {
		const response = { status, body: { success: false, responseCode: 403 } };
		stage.sandbox.faults.clear();
		stage.sandbox.faults.set({ endpoint: 'GET /webhooks', response });
		expect((await test()).message).toBe(
			'Your User ID and API Key work, but the service refused to list the webhooks. Ask your provider which permissions the account needs.',
		);
	}
});

describe('the HTTP Request node with the credential', () => {
	test('returns the templates', async () => {
		const execution = await callWith(`${stage.sandbox.baseUrl}/templates/v2`);
		expect(execution.error?.message).toBeUndefined();
		expect(execution.status).toBe('success');
		expect(JSON.stringify(outputOf(execution, 'Do'))).toContain('65f1c0de0000000000000201');
	});

	test('sends a POST once if its response is lost, and repeats a GET', async () => {
		const { faults, requests, baseUrl } = stage.sandbox;
		const path = '/templates/createDocumentByTemplateV2';
		const callsTo = (called: string) =>
			requests.filter((request) => request.path === called).length;
		faults.set({ endpoint: `POST ${path}`, response: { status: 502, body: {} } });
		faults.set({ endpoint: 'GET /templates/v2', times: 1, response: { status: 502, body: {} } });
		stage.sandbox.forgetRequests();
		const failed = await callWith(`${baseUrl}${path}`, {}, undefined, { method: 'POST' });
		expect(failed.status).toBe('error');
		expect(callsTo(path)).toBe(1);
		expect((await callWith(`${baseUrl}/templates/v2`)).status).toBe('success');
		expect(callsTo('/templates/v2')).toBe(2);
	});

	test('does not send the token to any other host, even after a redirect', async () => {
		const { status, error } = await callWith(`${elsewhere.url}/templates/v2`);
		expect(status).toBe('error');
		expect(error?.description).toBe(
			'Use a URL that starts with the Base URL in the credential, or select another credential.',
		);
		redirectLists(302);
		expect((await callWith(`${stage.sandbox.baseUrl}/templates/v2`)).status).toBe('error');
		expect(elsewhere.calls).toEqual([]);
	});

	test.each([
		['a proxy that can read it', () => ({ proxy: elsewhere.url }), 'Remove the Proxy option'],
		[
			'a server whose certificate is not verified',
			() => ({ allowUnauthorizedCerts: true }),
			'Turn off Ignore SSL Issues (Insecure)',
		],
	])('does not send the token to %s', async (_what, options, remedy) => {
		const url = `${stage.sandbox.baseUrl}/templates/v2`;
		const { status, error } = await callWith(url, options());
		expect(status).toBe('error');
		expect(error?.description).toContain(remedy);
		expect(elsewhere.calls).toEqual([]);
	});
});

test('the HTTP Request node does not send the token with the name of another host', async () => {
	const url = `${stage.sandbox.baseUrl}/templates/v2`;
	const named = (value: string) => ({
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'HOST', value }] },
	});
	stage.sandbox.forgetRequests();
	const { status, error } = await callWith(url, {}, undefined, named('elsewhere.example.com'));
	expect(status).toBe('error');
	expect(error?.description).toContain("Remove Host from the node's headers");
	expect(stage.sandbox.requests.filter(({ path }) => path !== '/access/token')).toEqual([]);
	expect((await callWith(url, {}, undefined, named(new URL(url).host))).status).toBe('success');
});

describe('an expression in the credential', () => {
	const byItem = '={{ $json.user }}';
	const own = () => stage.sandbox.account.userId;
	/** Requests a verification for each user. @returns The execution, and the accounts that were used. */
	async function requestFor(users: string[], operation = 'request') {
		const { credentials } = await store('By item', { userId: byItem });
		const form = operationNamed(`identity/${operation}`).parameters;
		const items = users.map((user) => ({ user, email: 'ada@example.com', id: 'v1' }));
		stage.sandbox.forgetRequests();
		const execution = await run({ ...form, ...toRealPeople, options: despite }, items, {
			credentials,
		});
		const calls = stage.sandbox.requests.filter(({ method }) => method === 'POST');
		return { execution, users: calls.map(({ headers }) => headers['user-id']) };
	}

	test('is accepted if it returns the same account for all items', async () => {
		const { execution, users } = await requestFor([own(), own()]);
		expect(execution.error?.message).toBeUndefined();
		expect(execution.status).toBe('success');
		expect(new Set(users)).toEqual(new Set([own()]));
		expect(outputOf(execution, 'Do')).toHaveLength(2);
	});

	test('that n8n blocks is reported with the setting that blocks it', async () => {
		const { credentials } = await store('Blocked', { baseUrl: '={{ $env.SIGN_URL }}' });
		const list = { resource: 'template', operation: 'getAll' };
		for (const items of [[{}], [{}, {}]]) {
			const { error } = await run(list, items, { credentials });
			expect(error?.message).toMatch(
				/^n8n couldn't read the credential: access to env vars denied/,
			);
			expect(error?.description).toContain('N8N_BLOCK_ENV_ACCESS_IN_NODE to false');
		}
	});

	test('is rejected before anything is sent if it returns a different account for an item', async () => {
		const { execution, users } = await requestFor([own(), own(), 'somebody-else']);
		expect(execution.error?.message).toBe(
			'The credential uses a different account for item 3 than for item 1',
		);
		expect(users).toEqual([]);
	});

	test('is rejected before anything is sent if it reads item data in a waiting node', async () => {
		const { execution, users } = await requestFor([own()], 'sendAndWait');
		expect(execution.error?.message).toMatch(/^The credential has an expression that reads data/);
		expect(users).toEqual([]);
	});
});
