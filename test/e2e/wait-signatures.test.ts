import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { readExample } from '../../host/examples';
import { outputOf } from '../../host/executions';
import { axios, post } from './support/http';
import { until } from './support/stage';
import { createDocument, loggedIn, type NextNode } from './support/trigger';
import {
	ended,
	nextName,
	sendAndWait,
	signAll,
	useWaiting,
	waiting,
	waitingName,
} from './support/wait';

const own = useWaiting('wait-signatures');
const people = [0, 1, 2].map((index) => ({
	email: `person-${index}@example.com`,
	name: `Person number ${index}`,
}));

/** The form of a node that also goes on at each of three signatures. */
const eachOf = (rest: object = {}): INodeParameters =>
	sendAndWait(own.stage.sandbox, {
		goOn: 'eachSignature',
		signatories: { signatory: people },
		...rest,
	});

/**
 * Stores a workflow in which each signature comes back to the node that waits.
 * @param told The node that it comes through.
 */
async function loop(
	parameters: INodeParameters,
	items = 1,
	told: NextNode = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
): Promise<string> {
	const { id } = await own.add(parameters, items);
	const { nodes, connections } = await own.n8n.api.getWorkflow(id);
	const next = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	await own.n8n.api.updateWorkflow(id, {
		nodes: [...nodes, { ...told, id: randomUUID(), name: 'Told', position: [0, 0] }],
		connections: {
			...connections,
			[waitingName]: { main: [next(nextName), next('Told')] },
			Told: { main: [next(waitingName)] },
		},
	});
	return id;
}

/** Who signed, as it went out at each signature so far. */
async function told(execution: string): Promise<unknown[]> {
	const items = outputOf(await own.n8n.api.execution(execution), 'Told');
	return items.map(({ json }) =>
		(json.signedBy as Array<{ email: string }>).map(({ email }) => email),
	);
}

/** One person signs, and the execution waits again. */
async function sign(execution: string, document: string, index: number): Promise<void> {
	const before = (await told(execution)).length;
	await own.stage.sandbox.sign(document, people[index]?.email ?? '');
	await until('it is told', async () => (await told(execution)).length > before);
	await waiting(own.n8n.api, execution);
}

const lastDocument = () => own.stage.sandbox.documents().at(-1)?.documentID ?? '';
const types = () =>
	own.stage.sandbox
		.webhooks()
		.map(({ type }) => type)
		.sort();

/** An execution whose time is over in the first minute, after one signature; looked at last. */
let limited: string;

beforeAll(async () => {
	const options = { limitWaitTime: { values: { amount: 0.1, unit: 'minutes' } } };
	limited = await own.n8n.api.run(await loop(eachOf({ options })), 'Start');
	await waiting(own.n8n.api, limited);
	await sign(limited, lastDocument(), 0);
	await own.noRegistrations();
}, 60_000);

test('each signature goes out and comes back; n8n restarted in between; sent once', async () => {
	const before = own.stage.sandbox.documents().length;
	const id = await loop(eachOf({ downloadFiles: true }));
	const execution = await own.n8n.api.run(id, 'Start');
	await waiting(own.n8n.api, execution);
	const document = lastDocument();
	expect(types()).toEqual(['completedDocument', 'signDocument']);
	const registered = own.stage.sandbox.webhooks();

	await sign(execution, document, 1);
	expect(await told(execution)).toEqual([['person-1@example.com']]);
	const [first] = outputOf(await own.n8n.api.execution(execution), 'Told');
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

/** The bodies of the two events, taken from a document of others. */
async function eventsOfLastSignature(document: string): Promise<Record<string, unknown>> {
	const { sandbox } = own.stage;
	const foreign = await createDocument(sandbox);
	const before = sandbox.deliveries().length;
	await signAll(sandbox, foreign);
	await sandbox.idle();
	const later = sandbox.deliveries().slice(before);
	expect(later.flatMap(({ attempts }) => attempts.map(({ status }) => status))).not.toContain(500);
	return Object.fromEntries(
		later.map(({ type, body }) => [
			type,
			JSON.parse(JSON.stringify(body).replaceAll(foreign, document)) as unknown,
		]),
	);
}

test('the two events of the last signature, in either order and again afterwards', async () => {
	for (const order of [
		['signDocument', 'completedDocument'],
		['completedDocument', 'signDocument'],
	] as const) {
		const id = await loop(eachOf({ signatories: { signatory: people.slice(0, 1) } }));
		const execution = await own.n8n.api.run(id, 'Start');
		await waiting(own.n8n.api, execution);
		const document = lastDocument();
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
	const execution = await own.n8n.api.run(await loop(eachOf()), 'Start');
	await waiting(own.n8n.api, execution);
	const document = lastDocument();
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
	const execution = await own.n8n.api.run(await loop(eachOf(), 2), 'Start');
	const waits = await waiting(own.n8n.api, execution);
	const ids = outputOf(waits, waitingName).map(({ json }) => String(json.documentId));
	await sign(execution, ids[1] ?? '', 0);
	await sign(execution, ids[0] ?? '', 2);
	// The last signature of one of them comes with its completed document.
	await sign(execution, ids[1] ?? '', 1);
	await sign(execution, ids[1] ?? '', 2);
	const items = outputOf(await own.n8n.api.execution(execution), 'Told');
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

async function signAllLeft(document: string): Promise<void> {
	const found = own.stage.sandbox.documents().find(({ documentID }) => documentID === document);
	for (const { emailID, isSigned } of found?.signatory ?? []) {
		if (!Number(isSigned)) await own.stage.sandbox.sign(document, emailID);
	}
}

test('a document that was sent before: waited for in a loop by its ID', async () => {
	const document = await createDocument(own.stage.sandbox);
	const signatories = own.stage.sandbox
		.documents()
		.find(({ documentID }) => documentID === document)
		?.signatory.map(({ emailID }) => emailID);
	const count = own.stage.sandbox.documents().length;
	const execution = await own.n8n.api.run(
		await loop({
			resource: 'document',
			operation: 'sendAndWait',
			document: 'existing',
			documentId: document,
			goOn: 'eachSignature',
		}),
		'Start',
	);
	await waiting(own.n8n.api, execution);
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
	const execution = await own.n8n.api.run(
		await loop(
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
		),
		'Start',
	);
	await waiting(own.n8n.api, execution);
	const one = own.stage.sandbox.documents().find(({ documentID }) => documentID === first);
	await own.stage.sandbox.sign(first, one?.signatory[0]?.emailID ?? '');
	await until(
		'it came back',
		async () => outputOf(await own.n8n.api.execution(execution), 'Told').length === 1,
	);
	await waiting(own.n8n.api, execution);
	await own.stage.sandbox.fire('completedDocument', first);
	await own.stage.sandbox.idle();
	expect((await own.n8n.api.execution(execution)).status).toBe('waiting');
	await own.stage.sandbox.fire('completedDocument', second);
	expect(await own.documentOf(execution)).toEqual([second]);
	await own.noRegistrations();
}, 60_000);

test('the example, from form to the last mail', async () => {
	const credentials = Object.fromEntries(
		(await own.n8n.api.listCredentials()).map(({ id, type }) => [type, id]),
	);
	const { id } = await own.n8n.api.createWorkflow(
		await readExample('wait-for-each-signature', credentials),
	);
	await own.n8n.api.activate(id);
	const form = new FormData();
	['Nathan Smith', 'nathan@example.com'].forEach((value, index) =>
		form.append(`field-${index}`, value),
	);
	expect((await axios.post(`${own.n8n.url}/form/deal`, form)).status).toBe(200);
	const [execution] = await until('it waits', async () => {
		const found = await own.n8n.api.executions({ workflowId: id });
		return found.some(({ status }) => status === 'waiting') ? found : undefined;
	});
	const mails = () =>
		own.stage.sandbox
			.mails()
			.map(({ subject }) => subject)
			.filter((subject) => subject.includes('the deal with'));
	const document = lastDocument();
	const emails = ['board@example.com', 'nathan@example.com', 'legal@example.com'];
	for (const [index, email] of emails.entries()) {
		await own.stage.sandbox.sign(document, email);
		await until('the mail is there', () => mails().length === index + 1);
		await own.stage.sandbox.idle();
	}
	expect((await ended(own.n8n.api, execution?.id ?? '')).status).toBe('success');
	expect(mails().sort()).toEqual([
		'Nathan Smith signed the deal with Nathan Smith',
		'Signed: the deal with Nathan Smith',
		'The Board signed the deal with Nathan Smith',
	]);
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
	const id = await loop(eachOf(), 1, failing);
	const first = await own.n8n.api.run(id, 'Start');
	await waiting(own.n8n.api, first);
	const document = lastDocument();
	await own.stage.sandbox.sign(document, people[0]?.email ?? '');
	expect((await ended(own.n8n.api, first)).lastNodeExecuted).toBe('Told');

	const { nodes } = await own.n8n.api.getWorkflow(id);
	await own.n8n.api.updateWorkflow(id, {
		nodes: nodes.map((node) =>
			node.name === 'Told' ? { ...node, type: 'n8n-nodes-base.noOp' } : node,
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
	expect(lastDocument()).toBe(document);
}, 60_000);

test('a branch that waits itself: n8n answers in place of the node, as the docs warn', async () => {
	const slow = { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 100 } };
	const execution = await own.n8n.api.run(await loop(eachOf(), 1, slow), 'Start');
	await waiting(own.n8n.api, execution);
	const document = lastDocument();
	await own.stage.sandbox.sign(document, people[0]?.email ?? '');
	await until(
		'it waits in the branch',
		async () => (await own.n8n.api.execution(execution)).lastNodeExecuted === 'Told',
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
	const execution = await own.n8n.api.run(await loop(eachOf({ options }), 1, slow), 'Start');
	await waiting(own.n8n.api, execution);
	await own.stage.sandbox.sign(lastDocument(), people[1]?.email ?? '');
	const done = await ended(own.n8n.api, execution);
	expect([done.status, done.error?.message]).toEqual(['success', undefined]);
	expect(outputOf(done, nextName).map(({ json }) => json)).toMatchObject([
		{ pendingSignatories: 2, signedBy: [], completed: false, timedOut: true },
	]);
	await own.noRegistrations();
}, 60_000);

test('the time limit: the item says so, and how far it had come', async () => {
	const done = await ended(own.n8n.api, limited, 75_000);
	expect([done.status, done.error?.message]).toEqual(['success', undefined]);
	expect(outputOf(done, nextName).map(({ json }) => json)).toMatchObject([
		{ pendingSignatories: 2, signedBy: [], completed: false, timedOut: true },
	]);
	expect(await told(limited)).toEqual([[people[0]?.email]]);
}, 90_000);
