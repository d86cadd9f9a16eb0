import { outputOf } from '../../host/executions';
import { post } from './support/http';
import { people, toldName, useSignatures } from './support/signatures';
import { until } from './support/stage';
import { createDocument, loggedIn } from './support/trigger';
import { ended, nextName, signAll, succeeded, waiting, waitingName } from './support/wait';

const { own, eachOf, loop, startLoop, told, sign, signAllLeft, types, eventsOfLastSignature } =
	useSignatures('wait-signatures');

/** An execution whose time is over in the first minute, after one signature; looked at last. */
let limited: string;

beforeAll(async () => {
	const options = { limitWaitTime: { values: { amount: 0.1, unit: 'minutes' } } };
	const { execution, document } = await startLoop(eachOf({ options }));
	limited = execution;
	await sign(limited, document, 0);
	await own.noRegistrations();
}, 60_000);

test('each signature goes out and comes back; n8n restarted in between; sent once', async () => {
	const before = own.stage.sandbox.documents().length;
	const { execution, document } = await startLoop(eachOf({ downloadFiles: true }));
	expect(types()).toEqual(['completedDocument', 'signDocument']);
	const registered = own.stage.sandbox.webhooks();

	await sign(execution, document, 1);
	expect(await told(execution)).toEqual([['person-1@example.com']]);
	const [first] = outputOf(await own.n8n.api.execution(execution), toldName);
	expect(first?.json).toMatchObject({
		event: 'signDocument',
		signatory: people[1],
		pendingSignatories: 2,
		completed: false,
		timedOut: false,
	});
	expect(own.stage.sandbox.webhooks()).toEqual(registered);
	await own.stage.sandbox.fire('signDocument', document);
	await own.stage.sandbox.fire('signDocument', document);
	await own.stage.sandbox.idle();
	expect(await told(execution)).toHaveLength(1);

	await own.restart();
	await sign(execution, document, 0);
	expect(await told(execution)).toEqual([['person-1@example.com'], ['person-0@example.com']]);

	await own.stage.sandbox.sign(document, people[2]?.email ?? '');
	expect(await own.documentOf(execution)).toEqual([document]);
	const [done] = outputOf(await own.n8n.api.execution(execution), nextName);
	expect(done?.json).toMatchObject({
		event: 'completedDocument',
		signedBy: [people[2]],
		pendingSignatories: 0,
		completed: true,
		timedOut: false,
	});
	expect(Object.keys(done?.binary ?? {}).sort()).toEqual([
		'certificate',
		'document',
		'pscCertificate',
	]);
	expect(await told(execution)).toHaveLength(2);
	expect(own.stage.sandbox.documents()).toHaveLength(before + 1);
	await own.noRegistrations();
}, 90_000);

test('the two events of the last signature, in either order and again afterwards', async () => {
	for (const order of [
		['signDocument', 'completedDocument'],
		['completedDocument', 'signDocument'],
	] as const) {
		const { execution, document } = await startLoop(
			eachOf({ signatories: { signatory: people.slice(0, 1) } }),
		);
		const addresses = Object.fromEntries(
			own.stage.sandbox.webhooks().map(({ type, webHookUrl }) => [type, webHookUrl]),
		);
		const bodies = await eventsOfLastSignature(document);
		const [first, second] = order;
		expect(await post(addresses[first] ?? '', bodies[first])).toBe(200);
		// n8n refuses it where the execution is just going on.
		expect([200, 409]).toContain(await post(addresses[second] ?? '', bodies[second]));
		expect(await own.documentOf(execution)).toEqual([document]);
		for (const type of order) expect(await post(addresses[type] ?? '', bodies[type])).toBe(200);
		expect(await told(execution)).toEqual([]);
		expect((await own.n8n.api.execution(execution)).runData[nextName]).toHaveLength(1);
		await own.noRegistrations();
	}
}, 60_000);

test('two sign at once: both are told, together or one after the other', async () => {
	const { execution, document } = await startLoop(eachOf());
	await Promise.all(
		people.slice(0, 2).map(async ({ email }) => await own.stage.sandbox.sign(document, email)),
	);
	await until('both are told', async () => (await told(execution)).flat().length === 2);
	expect((await told(execution)).flat().sort()).toEqual(
		people.slice(0, 2).map(({ email }) => email),
	);
	await own.stage.sandbox.idle();
	await waiting(own.n8n.api, execution);
	await own.stage.sandbox.sign(document, people[2]?.email ?? '');
	expect(await own.documentOf(execution)).toEqual([document]);
	await own.noRegistrations();
}, 60_000);

test('several documents: each signature with its own item, all of them in the end', async () => {
	const { execution } = await startLoop(eachOf(), 2);
	const ids = outputOf(await own.n8n.api.execution(execution), waitingName).map(({ json }) =>
		String(json.documentId),
	);
	await sign(execution, ids[1] ?? '', 0);
	await sign(execution, ids[0] ?? '', 2);
	// The last signature of one of them comes with its completed document.
	await sign(execution, ids[1] ?? '', 1);
	await sign(execution, ids[1] ?? '', 2);
	const items = outputOf(await own.n8n.api.execution(execution), toldName);
	expect(items.map(({ json }) => [json.documentId, json.completed])).toEqual([
		[ids[1], false],
		[ids[0], false],
		[ids[1], false],
		[ids[1], true],
	]);
	await signAllLeft(ids[0] ?? '');
	expect(await own.documentOf(execution)).toEqual(ids);
	await own.stage.sandbox.idle();
	await own.noRegistrations();
}, 60_000);

test('a document that was sent before: waited for in a loop by its ID', async () => {
	const document = await createDocument(own.stage.sandbox);
	const signatories = own.stage.sandbox
		.documents()
		.find(({ documentID }) => documentID === document)
		?.signatory.map(({ emailID }) => emailID);
	const count = own.stage.sandbox.documents().length;
	const { execution } = await startLoop({
		resource: 'document',
		operation: 'sendAndWait',
		document: 'existing',
		documentId: document,
		goOn: 'eachSignature',
	});
	for (const email of signatories ?? []) {
		await own.stage.sandbox.sign(document, email);
		await own.stage.sandbox.idle();
	}
	expect(await own.documentOf(execution)).toEqual([document]);
	expect(await told(execution)).toEqual((signatories ?? []).slice(0, -1).map((email) => [email]));
	expect(own.stage.sandbox.documents()).toHaveLength(count);
	await own.noRegistrations();
}, 60_000);

test('another document in the loop begins a new wait', async () => {
	const first = await createDocument(own.stage.sandbox);
	const second = await createDocument(own.stage.sandbox);
	const { execution } = await startLoop(
		{
			resource: 'document',
			operation: 'sendAndWait',
			document: 'existing',
			documentId: `={{ $json.documentId ?? '${first}' }}`,
			goOn: 'eachSignature',
		},
		1,
		{
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ documentId: second }) },
		},
	);
	const one = own.stage.sandbox.documents().find(({ documentID }) => documentID === first);
	await own.stage.sandbox.sign(first, one?.signatory[0]?.emailID ?? '');
	await until(
		'it came back',
		async () => outputOf(await own.n8n.api.execution(execution), toldName).length === 1,
	);
	await waiting(own.n8n.api, execution);
	await own.stage.sandbox.fire('completedDocument', first);
	await own.stage.sandbox.idle();
	expect((await own.n8n.api.execution(execution)).status).toBe('waiting');
	await own.stage.sandbox.fire('completedDocument', second);
	expect(await own.documentOf(execution)).toEqual([second]);
	await own.noRegistrations();
}, 60_000);

test('the second registration is refused: the first is undone, and nothing is sent', async () => {
	const before = own.stage.sandbox.documents().length;
	own.stage.sandbox.faults.set({
		endpoint: 'POST /webhooks',
		skip: 1,
		times: 1,
		answer: { status: 400, body: { success: false, message: 'Too many webhooks' } },
	});
	const execution = await own.n8n.api.run(await loop(eachOf()), 'Start');
	const failed = await ended(own.n8n.api, execution);
	expect([failed.status, failed.error?.message]).toEqual([
		'error',
		expect.stringContaining('Too many webhooks'),
	]);
	expect(own.stage.sandbox.documents()).toHaveLength(before);
	await own.noRegistrations();
}, 60_000);

test('a branch that failed: the execution tried again waits on for the same document', async () => {
	const failing = {
		type: 'n8n-nodes-base.stopAndError',
		typeVersion: 1,
		parameters: { errorMessage: 'The mail server is down' },
	};
	const { id, execution: first, document } = await startLoop(eachOf(), 1, failing);
	await own.stage.sandbox.sign(document, people[0]?.email ?? '');
	expect((await ended(own.n8n.api, first)).lastNodeExecuted).toBe(toldName);

	const { nodes } = await own.n8n.api.getWorkflow(id);
	await own.n8n.api.updateWorkflow(id, {
		nodes: nodes.map((node) =>
			node.name === toldName ? { ...node, type: 'n8n-nodes-base.noOp' } : node,
		),
	});
	const client = await loggedIn(own.n8n.url, own.stage.owner);
	await client.call('POST', `/executions/${first}/retry`, { body: { loadWorkflow: true } });
	const again = await until('it waits again', async () => {
		const [latest] = await own.n8n.api.executions({ workflowId: id });
		return latest?.id !== first && latest?.status === 'waiting' ? latest.id : undefined;
	});
	await sign(again, document, 1);
	await own.stage.sandbox.sign(document, people[2]?.email ?? '');
	expect(await own.documentOf(again)).toEqual([document]);
	expect(own.lastDocument()).toBe(document);
}, 60_000);

test('a branch that waits itself: n8n answers in place of the node, as the docs warn', async () => {
	const slow = { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 100 } };
	const { execution, document } = await startLoop(eachOf(), 1, slow);
	await own.stage.sandbox.sign(document, people[0]?.email ?? '');
	await until(
		'it waits in the branch',
		async () => (await own.n8n.api.execution(execution)).lastNodeExecuted === toldName,
	);
	await waiting(own.n8n.api, execution);
	const [delivery] = await own.stage.sandbox.fire('completedDocument', document);
	await own.stage.sandbox.idle();
	const attempts = own.stage.sandbox.deliveries().find(({ id }) => id === delivery?.id)?.attempts;
	expect(attempts?.map(({ status }) => status)).toEqual([200]);
	expect((await own.n8n.api.execution(execution)).status).toBe('waiting');
	const client = await loggedIn(own.n8n.url, own.stage.owner);
	await client.call('POST', `/executions/${execution}/stop`);

	// The next run of a waiting node removes what this one left.
	const next = await own.startWaiting();
	await signAll(own.stage.sandbox, next.document);
	expect(await own.documentOf(next.execution)).toEqual([next.document]);
	await own.noRegistrations();
}, 60_000);

test('a signature that comes back when the time is over goes out as done', async () => {
	const options = { limitWaitTime: { values: { amount: 0.05, unit: 'minutes' } } };
	const slow = { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 4 } };
	const { execution, document } = await startLoop(eachOf({ options }), 1, slow);
	await own.stage.sandbox.sign(document, people[1]?.email ?? '');
	const done = await succeeded(own.n8n.api, execution);
	expect(outputOf(done, nextName).map(({ json }) => json)).toMatchObject([
		{ pendingSignatories: 2, signedBy: [], completed: false, timedOut: true },
	]);
	await own.noRegistrations();
}, 60_000);

test('the time limit: the item says so, and how far it had come', async () => {
	const done = await succeeded(own.n8n.api, limited, 75_000);
	expect(outputOf(done, nextName).map(({ json }) => json)).toMatchObject([
		{ pendingSignatories: 2, signedBy: [], completed: false, timedOut: true },
	]);
	expect(await told(limited)).toEqual([[people[0]?.email]]);
}, 90_000);
