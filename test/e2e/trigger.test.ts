import { setTimeout as sleep } from 'node:timers/promises';
import type { N8n } from '../../host/n8n';
import { axios } from '../support/http';
import { startAgain, useStage } from './support/stage';
import { until } from '../support/until';
import {
	allExecutions,
	clearStage,
	createDocument,
	credentialId,
	eventsOf,
	loggedIn,
	registered,
	republish,
	retry,
	triggerName,
	triggerWorkflow,
	type NextNode,
} from './support/trigger';

const identity = 'VERIFICATION_REQUEST_FINISHED';
const stage = useStage('trigger');
/** The running n8n; another one after the restart. */
let n8n: N8n;
let credential: string;
let documentID: string;

const addWorkflow = async (events: string[], next?: NextNode) =>
	(
		await n8n.api.createWorkflow(
			triggerWorkflow(`Trigger ${events.join(' ')}`, { events }, credential, next),
		)
	).id;
const rows = (...types: string[]) => types.map((type) => `${type} webhook`).sort();
const remove = async (...ids: string[]) => {
	for (const id of ids) await n8n.api.deleteWorkflow(id);
	await noneLeft();
};
/** The webhooks are removed a moment after unpublishing. */
const noneLeft = async () =>
	await until('the end of the webhooks', () => registered(stage.sandbox).length === 0);

beforeAll(async () => {
	n8n = stage.n8n;
	await clearStage(stage);
	credential = await credentialId(n8n.api);
	documentID = await createDocument(stage.sandbox);
});
afterAll(async () => await n8n?.stop());
afterEach(() => stage.sandbox.faults.clear());

test('activate, change the events, change nothing of the trigger, deactivate', async () => {
	const id = await addWorkflow(['completedDocument', 'signDocument', identity]);
	await n8n.api.activate(id);
	expect(registered(stage.sandbox)).toEqual(rows('completedDocument', identity, 'signDocument'));

	await republish(n8n.api, id, { events: ['signDocument', 'sendDocument'] });
	expect(registered(stage.sandbox)).toEqual(rows('sendDocument', 'signDocument'));

	const before = stage.sandbox.webhooks();
	await n8n.api.updateWorkflow(id, { name: 'Another name' });
	await n8n.api.activate(id);
	expect(stage.sandbox.webhooks()).toEqual(before);

	await n8n.api.deactivate(id);
	await noneLeft();
	await remove(id);
});

test('a test run beside the active workflow', async () => {
	const id = await addWorkflow(['signDocument']);
	await n8n.api.activate(id);
	await n8n.api.listen(id, triggerName);
	expect(registered(stage.sandbox)).toEqual(['signDocument webhook', 'signDocument webhook-test']);
	await stage.sandbox.fire('signDocument', documentID);
	const executions = await allExecutions(n8n.api, id, 2);
	expect(executions.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
	await until('the end of the test run', () => stage.sandbox.webhooks().length === 1);
	expect(registered(stage.sandbox)).toEqual(rows('signDocument'));

	// A test run that is given up.
	await n8n.api.listen(id, triggerName);
	await n8n.api.stopListening(id);
	await until('the end of the test run', () => stage.sandbox.webhooks().length === 1);
	expect(registered(stage.sandbox)).toEqual(rows('signDocument'));
	await remove(id);
});

test('a service that fails at each step of registration, once', async () => {
	const { faults } = stage.sandbox;
	const events = ['completedDocument', 'signDocument', identity];
	const failed = { times: 1, answer: { status: 500 } };
	const published: string[] = [];
	for (const fault of [
		{ endpoint: 'GET /webhooks', ...failed },
		{ endpoint: 'GET /webhooks', skip: 1, ...failed },
		{ endpoint: 'POST /webhooks', ...failed },
		{ endpoint: 'POST /webhooks', skip: 1, ...failed },
		{ endpoint: 'POST /webhooks', skip: 1, times: 1, reset: 'after' as const },
		{ endpoint: 'POST /webhooks/verify', ...failed },
		{ endpoint: 'POST /webhooks/verify', times: 1, reset: 'after' as const },
	]) {
		const id = await addWorkflow(events);
		faults.set(fault);
		await n8n.api.activate(id);
		published.push(id);
		expect(registered(stage.sandbox)).toEqual(published.flatMap(() => rows(...events)).sort());
		faults.clear();
	}

	faults.set({ endpoint: 'DELETE /webhooks', ...failed });
	faults.set({ endpoint: 'DELETE /webhooks', skip: 3, times: 1, reset: 'after' });
	for (const id of published) await n8n.api.deactivate(id);
	await remove(...published);
});

test('kill -9: what was answered 2xx is there after it, what came meanwhile arrives, once', async () => {
	const wait = { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 4 } };
	const id = await addWorkflow(['signDocument'], wait);
	await n8n.api.activate(id);
	const before = stage.sandbox.webhooks();
	const documents: string[] = [];
	// Each of another document: the same signature is a repeat.
	const fire = async () => {
		const document = await createDocument(stage.sandbox);
		documents.push(document);
		const [delivery] = await stage.sandbox.fire('signDocument', document);
		await stage.sandbox.idle();
		expect(stage.sandbox.deliveries().at(-1)).toMatchObject({
			id: delivery?.id,
			state: 'delivered',
		});
	};
	// One execution is killed at its second node, the other maybe before its first has ended.
	await fire();
	await sleep(1000);
	await fire();
	await n8n.kill();

	// While its database migrates, n8n answers everything with 200, and such an event is lost
	// (docs/production.md, test/queue/restart.test.ts): the service tries again only after that.
	stage.sandbox.settings.set({ deliveryBackoffMs: [3_600_000] });
	const [missed] = await stage.sandbox.fire('signDocument', documentID);
	const state = () => stage.sandbox.deliveries().find(({ id: own }) => own === missed?.id);
	await until('the first attempt', () => state()?.attempts.length);
	await startAgain(stage);
	n8n = stage.n8n;
	expect(stage.sandbox.webhooks()).toEqual(before);
	await axios.post(`${stage.sandbox.url}/sandbox/deliveries/${missed?.id}/resend`);
	await until('the delivery after the restart', () => state()?.state === 'delivered');
	const executions = await allExecutions(n8n.api, id, 3);
	expect(executions.map(({ status }) => status).sort()).toEqual(['crashed', 'crashed', 'success']);

	const client = await loggedIn(n8n.url, stage.owner);
	const crashed = executions.filter(({ status }) => status === 'crashed');
	for (const execution of crashed) await retry(client, execution.id, false);
	const after = await allExecutions(n8n.api, id, 5);
	const retried = after.filter(({ mode }) => mode === 'retry');
	const succeeded = { status: 'success' };
	expect(retried).toMatchObject([succeeded, succeeded]);
	const events = await eventsOf(n8n.api, retried);
	expect(events.map(({ documentId }) => documentId).sort()).toEqual(documents.sort());
	await remove(id);
});
