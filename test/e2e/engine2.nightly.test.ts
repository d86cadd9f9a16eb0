import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Execution } from '../../host/apiTypes';
import { outputOf } from '../../host/executions';
import { freePorts, loopback } from '../../host/ports';
import { sql, startPostgres } from '../../host/queue/postgres';
import type { OwnService } from '../../host/queue/service';
import { actionSteps, toRealPeople } from '../../host/workflow';
import { root } from '../../scripts/tools';
import { signDocument } from '../operations/service';
import { post } from '../support/http';
import { knownSecrets, leaksIn } from '../support/secrets';
import { despite, v2 } from '../support/service';
import { until } from '../support/until';
import { cannotWaitProblems } from '../../nodes/SignVerify/wait/canWait';
import { useStage } from './support/stage';
import { credentialsOf } from './support/workflow';
import {
	clearStage,
	createDocument,
	credentialId,
	loggedIn,
	triggerName,
	triggerWorkflow,
} from './support/trigger';
import { listWorkflow, sendAndWait } from './support/wait';

// Only a real n8n shows what its Engine 2.0 gives a node, and what it refuses. This engine stores its
// executions in PostgreSQL, even if n8n itself uses SQLite.
const folder = path.join(root, '.run', `e2e-engine2-postgres-${process.env.JEST_WORKER_ID}`);
let postgres: OwnService;

const stage = useStage('engine2', async () => {
	await rm(folder, { recursive: true, force: true });
	const [port = 0, enginePort, controlPort] = await freePorts(3);
	const password = randomBytes(12).toString('hex');
	postgres = await startPostgres({ folder, port, password });
	const { DB_POSTGRESDB_USER: user, DB_POSTGRESDB_DATABASE: database } = postgres.env;
	return {
		N8N_ENABLED_MODULES: 'engine-v2',
		N8N_ENGINE_DATABASE_URL: `postgres://${user}:${password}@${loopback}:${port}/${database}`,
		N8N_ENGINE_HOST: loopback,
		N8N_ENGINE_PORT: String(enginePort),
		N8N_ENGINE_CONTROL_PLANE_PORT: String(controlPort),
	};
});

beforeAll(async () => await clearStage(stage));

afterAll(async () => {
	await postgres?.service.stop();
	await rm(folder, { recursive: true, force: true });
});

const settings = { executionOrder: 'v1', engineType: 'v2' } as const;
const engine = async (query: string) => (await sql(postgres.env, ['-c', query])).trim();

/** Waits until the engine has ended an execution, and returns it. */
async function done(id: string): Promise<Execution> {
	return await until(`execution ${id} has ended`, async () => {
		const execution = await stage.n8n.api.execution(id);
		return ['success', 'error', 'canceled', 'crashed'].includes(execution.status)
			? execution
			: undefined;
	});
}

/**
 * Stores and publishes a workflow that runs the given nodes one after another, for a list of items.
 * @param forms The parameters of each node, by the node's name.
 * @param credential The nodes' credential. The default is the one for the stage's sandbox.
 */
async function publish(
	forms: Record<string, INodeParameters>,
	items: IDataObject[] = [{}],
	credential?: { id: string; name: string },
) {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const steps = Object.entries(forms).map(([name, parameters]) => ({
		...action(name, parameters),
		...(credential ? { credentials: { signVerifyApi: credential } } : {}),
	}));
	const { workflow, path: address } = listWorkflow(
		'With Engine 2.0',
		JSON.stringify({ list: items }),
		steps,
	);
	const { id } = await api.createWorkflow({ ...workflow, settings });
	await api.publish(id);
	const count = async () =>
		Number(await engine(`SELECT count(*) FROM workflow_execution WHERE workflow_id = '${id}'`));
	return {
		/** Runs the published workflow, as an event from outside does. */
		run: async () => {
			const before = await count();
			expect(await post(`${stage.n8n.url}/webhook/${address}`, {})).toBe(200);
			await until('the workflow has started', async () => (await count()) > before);
			const [started = ''] = (
				await engine(
					`SELECT id FROM workflow_execution WHERE workflow_id = '${id}' ORDER BY created_at DESC LIMIT 1`,
				)
			).split('\n');
			return await done(started);
		},
		/** Runs the workflow by hand. */
		test: async () => await done(await api.run(id, 'Start')),
	};
}

/** The form for sending a contract to one person, even if the workflow is run by hand, and for every item. */
const send = (options: IDataObject = {}) =>
	({ ...v2, ...toRealPeople, options: { ...despite, ...options } }) as unknown as INodeParameters;
const documents = () => stage.sandbox.documents().length;
const jsonOf = (execution: Execution, node: string) =>
	outputOf(execution, node).map(({ json }) => json);
const succeeded = (execution: Execution) => {
	expect(execution.error?.message).toBeUndefined();
	expect(execution.id).toMatch(/^[\da-f]{8}-/);
	return execution;
};

afterEach(() => {
	stage.sandbox.faults.clear();
	stage.sandbox.settings.reset();
});

test('the credential passes its test, and the form loads its lists', async () => {
	const { api, url } = stage.n8n;
	const { baseUrl, account } = stage.sandbox;
	const credential = {
		id: await credentialId(api),
		name: 'SignVerify sandbox',
		type: 'signVerifyApi',
		data: { baseUrl, ...account },
	};
	expect(await api.testCredential(credential)).toMatchObject({ status: 'OK' });
	const client = await loggedIn(url, stage.owner);
	const found = await client.call<{ results: Array<{ value: string }> }>(
		'POST',
		'/dynamic-node-parameters/resource-locator-results',
		{
			body: {
				path: 'parameters.templateId',
				methodName: 'searchTemplates',
				nodeTypeAndVersion: { name: 'n8n-nodes-signverify.signVerify', version: 1.1 },
				currentNodeParameters: send(),
				credentials: { signVerifyApi: { id: credential.id, name: credential.name } },
			},
		},
	);
	expect(found.results.map(({ value }) => value)).toContain(v2.templateId.value);
});

test('operations that do not wait work and share one access token', async () => {
	const items = Array.from({ length: 20 }, (_, index) => ({ row: index }));
	// The test above has n8n store a token in the stage's credential, so this test needs one without a token.
	const { baseUrl, account } = stage.sandbox;
	const name = 'Without a token';
	const data = { baseUrl, ...account };
	const { id } = await stage.n8n.api.createCredential({ name, type: 'signVerifyApi', data });
	const credential = { id, name };
	const sending = await publish({ Send: send({ includeInput: true }) }, items, credential);
	const asking = await publish(
		{
			Ask: {
				resource: 'identity',
				operation: 'request',
				email: 'ana@example.com',
				...toRealPeople,
			},
			Templates: { resource: 'template', operation: 'getAll', returnAll: true },
		},
		[{}],
		credential,
	);
	const exchanges = stage.sandbox.tokenExchanges();
	const before = documents();
	const sent = jsonOf(succeeded(await sending.run()), 'Send');
	expect(sent).toHaveLength(20);
	expect(sent[7]).toMatchObject({ documentId: expect.any(String) as string, input: { row: 7 } });
	expect(documents()).toBe(before + 20);

	const asked = succeeded(await asking.run());
	expect(jsonOf(asked, 'Ask')).toMatchObject([{ validationId: expect.any(String) as string }]);
	expect(jsonOf(asked, 'Templates').length).toBe(stage.sandbox.templates().length);
	expect(stage.sandbox.tokenExchanges()).toBeLessThanOrEqual(exchanges + 1);
});

test('a token that has expired since the last execution is renewed once for all items', async () => {
	const items = Array.from({ length: 30 }, () => ({}));
	const sending = await publish({ Send: send() }, items);
	succeeded(await sending.run());
	stage.sandbox.clock.set({ advance: '10m' });
	const exchanges = stage.sandbox.tokenExchanges();
	const before = documents();
	succeeded(await sending.run());
	expect(documents()).toBe(before + 30);
	expect(stage.sandbox.tokenExchanges()).toBe(exchanges + 1);

	// The next execution begins with the new token, although n8n hasn't stored it.
	stage.sandbox.forgetRequests();
	succeeded(await sending.run());
	const refused = stage.sandbox.requests.filter(({ status }) => status === 401);
	// A trigger of an earlier test may just be removing its webhooks.
	expect(refused.map(({ path }) => path).filter((path) => path !== '/webhooks')).toEqual([]);
});

test("a credential that reads the item is refused, because n8n doesn't evaluate it for the item", async () => {
	const { api } = stage.n8n;
	const { baseUrl, account } = stage.sandbox;
	const data = { baseUrl, ...account, userId: '={{ $json.user }}' };
	const { id } = await api.createCredential({ name: 'By item', type: 'signVerifyApi', data });
	const users = [account.userId, 'another'].map((user) => ({ user }));
	const sending = await publish({ Send: send() }, users, { id, name: 'By item' });
	const before = documents();
	const execution = await sending.run();
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toContain("n8n couldn't read the credential");
	expect(documents()).toBe(before);
});

test('a Send Once Key sends a contract only once in two executions', async () => {
	const sending = await publish({ Send: send({ sendOnceKey: 'C-1' }) });
	const before = documents();
	const [first] = jsonOf(succeeded(await sending.run()), 'Send');
	const [second] = jsonOf(succeeded(await sending.run()), 'Send');
	expect(first?.documentId).toBeTruthy();
	expect(second).toMatchObject({ outcome: 'skipped', title: 'Employment contract' });
	expect(documents()).toBe(before + 1);
});

test('"In Test Runs" sends nothing if the workflow is run by hand, and sends if it is published', async () => {
	const sending = await publish({ Send: { ...send(), inTestRuns: 'nothing' } });
	const before = documents();
	succeeded(await sending.test());
	expect(documents()).toBe(before);
	succeeded(await sending.run());
	expect(documents()).toBe(before + 1);
});

test('a document whose response is lost may have been created, and is not sent again', async () => {
	const sending = await publish({ Send: send() });
	const endpoint = 'POST /templates/createDocumentByTemplateV2';
	stage.sandbox.faults.set({ endpoint, times: 1, reset: 'after' });
	const before = documents();
	const execution = await sending.run();
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toMatch(
		/may have been created\. .*Check your provider's account/,
	);
	expect(documents()).toBe(before + 1);
});

test('a wait ends with an error, and nothing is sent', async () => {
	const waits = await publish({ Wait: sendAndWait(stage.sandbox) });
	const before = documents();
	const execution = await waits.run();
	expect(execution.status).toBe('error');
	const { problem, remedy } = cannotWaitProblems.engine2(
		'use Send document for signature, and continue in a second workflow that starts with a SignVerify Trigger',
	);
	expect(execution.error?.message).toContain(`${problem}. ${remedy}`);
	expect(execution.error?.message).toContain('Nothing was sent');
	expect(documents()).toBe(before);
	expect(stage.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl)).not.toContainEqual(
		expect.stringContaining('/webhook-waiting/'),
	);
});

/** Stores and publishes a workflow that starts when everyone has signed, and then runs an operation. */
async function publishSigned(form: IDataObject, parameters: INodeParameters): Promise<string> {
	const { api } = stage.n8n;
	const credential = await credentialId(api);
	const workflow = triggerWorkflow(
		'Signed, with Engine 2.0',
		{ events: ['completedDocument'], ...form },
		credential,
		{
			type: 'n8n-nodes-signverify.signVerify',
			parameters,
			credentials: credentialsOf(credential),
		},
	);
	const { id } = await api.createWorkflow({ ...workflow, settings });
	await api.publish(id);
	return id;
}

test('a trigger starts its workflow, which downloads the signed file', async () => {
	const id = await publishSigned({}, { resource: 'document', operation: 'download' });
	const document = await createDocument(stage.sandbox);
	await signDocument(stage.sandbox, document);
	const started = await until('the trigger has started its workflow', async () => {
		return await engine(`SELECT id FROM workflow_execution WHERE workflow_id = '${id}' LIMIT 1`);
	});
	const execution = succeeded(await done(started));
	expect(jsonOf(execution, triggerName)).toMatchObject([{ documentId: document }]);
	const [item] = outputOf(execution, 'Next');
	expect(item?.binary?.document).toMatchObject({ mimeType: 'application/pdf' });
	await stage.n8n.api.unpublish(id);
});

test('n8n rejects the event of a trigger that downloads files', async () => {
	const id = await publishSigned(
		{ downloadFiles: true },
		{ resource: 'template', operation: 'getAll' },
	);
	const document = await createDocument(stage.sandbox);
	await signDocument(stage.sandbox, document);
	await until('n8n has rejected the event', () =>
		stage.sandbox.deliveries().some(({ body, attempts }) => {
			const about = (body as { Document?: IDataObject }).Document?.documentID;
			return about === document && attempts.some(({ status }) => status === 400);
		}),
	);
	expect(await engine(`SELECT count(*) FROM workflow_execution WHERE workflow_id = '${id}'`)).toBe(
		'0',
	);
	await stage.n8n.api.unpublish(id);
});

test('nothing that the engine has stored contains a secret', async () => {
	const stored = await engine(
		'SELECT t::text FROM workflow_execution t UNION ALL SELECT t::text FROM workflow_step_execution t',
	);
	expect(stored).toContain(v2.signatories.signatory[0]?.email);
	expect(leaksIn("Engine 2.0's database", stored, knownSecrets())).toEqual([]);
});
