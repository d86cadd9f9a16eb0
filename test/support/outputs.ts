import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type EventType, type Sandbox } from '../../sandbox';
import { events } from '../../nodes/SignVerify/api/events';
import { runAction, type RunSetup } from './contexts';
import { ada, v2 } from './contract';
import { CredentialKeeper } from './credentials';
import { byId } from './service';
import { until } from './until';
import { waitingHost } from './waitingHost';
import { activeTrigger } from './webhook';

/** What the nodes put out, by the file in `__schema__` that describes it. */
export type Outputs = Record<string, IDataObject[]>;

/** The events whose bodies are documented (docs/dev/service.md#events). */
export const documentedEvents: EventType[] = ['sendDocument', 'signDocument', 'completedDocument'];

/** One of everything that the sandbox is asked for, with the nodes' own code. */
interface Scene {
	sandbox: Sandbox;
	keeper: CredentialKeeper;
	waits: ReturnType<typeof waitingHost>['host'];
	/** Runs an operation with its default options, and gives the items. */
	run(parameters: IDataObject, input?: IDataObject): Promise<IDataObject[]>;
}

/** Runs every operation of the action node, and the trigger with every event. */
export async function realOutputs(): Promise<Outputs> {
	const sandbox = await startSandbox({ deliveryBackoffMs: [20, 20, 20] });
	const { host, listen, close } = waitingHost();
	await listen();
	const keeper = new CredentialKeeper({ baseUrl: sandbox.baseUrl, ...sandbox.account });
	const run = async (parameters: IDataObject, input: IDataObject = {}) =>
		(await runAction(keeper, { parameters, items: [input] })).map(({ json }) => json);
	try {
		const scene = { sandbox, keeper, waits: host, run };
		const webhooks = await webhookOutputs(scene);
		const started = await triggerOutputs(scene);
		const documents = await documentOutputs(scene, started.slice(0, documentedEvents.length));
		const identity = await identityOutputs(scene);
		const action = { ...documents, ...identity, ...(await templateOutputs(scene)), ...webhooks };
		const folder = 'v1.1.0';
		const files = Object.entries(action).map(([file, items]) => [`${folder}/${file}`, items]);
		return { ...(Object.fromEntries(files) as Outputs), [`${folder}.json`]: started };
	} finally {
		await close();
		await sandbox.close();
	}
}

const file = (resource: string, operation: string) => `${resource}/${operation}.json`;

async function templateOutputs({ run, sandbox }: Scene): Promise<Outputs> {
	const resource = 'template';
	const ids = sandbox.templates().filter(({ generation }) => generation === 'v2');
	const single = ids.map(async ({ templateID }) =>
		run({ resource, operation: 'get', templateId: byId(templateID) }),
	);
	return {
		[file(resource, 'getAll')]: await run({ resource, operation: 'getAll', returnAll: true }),
		[file(resource, 'get')]: (await Promise.all(single)).flat(),
	};
}

/** Leaves a registration for each event. */
async function webhookOutputs({ run, waits, keeper }: Scene): Promise<Outputs> {
	const resource = 'webhook';
	await waits.start(keeper, { parameters: { ...v2, operation: 'sendAndWait' } });
	const webhookUrl = `${waits.url}/nobody`;
	const create = async (event: string) =>
		await run({ resource, operation: 'create', event, webhookUrl, name: 'Checks' });
	const created = await create('completedDocument');
	const getAll = await run({ resource, operation: 'getAll', returnAll: true });
	const webhookId = byId(String(created[0]?.webHookID));
	const deleted = await run({ resource, operation: 'delete', webhookId });
	for (const { value } of events) await create(value);
	return {
		[file(resource, 'create')]: created,
		[file(resource, 'getAll')]: getAll,
		[file(resource, 'delete')]: deleted,
	};
}

/** The documented events first; of the others only what the node itself adds is known. */
async function triggerOutputs({ sandbox, run, keeper }: Scene): Promise<IDataObject[]> {
	const [sent] = await run(v2);
	const id = String(sent?.documentId);
	await sandbox.sign(id, ada.email);
	const request = { resource: 'identity', operation: 'request', email: ada.email };
	const [requested] = await run(request);
	const validationId = String(requested?.validationId);
	await sandbox.completeIdentity(validationId, 'pass');
	const others = events
		.map(({ value }) => value)
		.filter((value) => !documentedEvents.includes(value));
	const types = [...documentedEvents, ...others];
	const { call } = activeTrigger({ events: types }, { keeper });
	const items: IDataObject[] = [];
	for (const type of types) {
		const target = type === 'VERIFICATION_REQUEST_FINISHED' ? validationId : id;
		const [delivery] = await sandbox.fire(type, target);
		const result = await call({ body: delivery?.body, event: type });
		const [item] = result.items;
		if (!item) throw new Error(`${type} started nothing: ${result.status}`);
		items.push(item.json);
	}
	return items;
}

async function documentOutputs(
	{ run, sandbox, waits, keeper }: Scene,
	started: IDataObject[],
): Promise<Outputs> {
	const resource = 'document';
	const setup: RunSetup = { parameters: { ...v2, operation: 'sendAndWait' } };
	const limited = await waits.start(keeper, setup);
	const waiting = await waits.start(keeper, setup);
	const created = sandbox.documents().at(-1);
	await sandbox.sign(created?.documentID ?? '', ada.email);
	await until('the document is signed', () => waiting.status === 'success');
	const completed = started.find(({ event }) => event === 'completedDocument');
	return {
		[file(resource, 'createFromTemplate')]: await run(v2),
		[file(resource, 'sendAndWait')]: [...waiting.output, ...(await limited.timeOut())].map(
			({ json }) => json,
		),
		[file(resource, 'download')]: await run({ resource, operation: 'download' }, completed),
	};
}

async function identityOutputs({ run, sandbox, waits, keeper }: Scene): Promise<Outputs> {
	const resource = 'identity';
	const email = ada.email;
	const requested = await run({ resource, operation: 'request', email });
	const validationId = String(requested[0]?.validationId);
	const get = async () => await run({ resource, operation: 'get', validationId });
	const open = await get();
	await sandbox.completeIdentity(validationId, 'pass');
	const setup: RunSetup = { parameters: { resource, operation: 'sendAndWait', email } };
	const limited = await waits.start(keeper, setup);
	const waiting = await waits.start(keeper, setup);
	const awaited = sandbox.identityRequests().at(-1)?.validationId ?? '';
	await sandbox.completeIdentity(awaited, 'pass');
	await until('the person is verified', () => waiting.status === 'success');
	return {
		[file(resource, 'request')]: requested,
		[file(resource, 'get')]: [...open, ...(await get())],
		[file(resource, 'getResults')]: await run({
			resource,
			operation: 'getResults',
			sessionId: validationId,
		}),
		[file(resource, 'sendAndWait')]: [...waiting.output, ...(await limited.timeOut())].map(
			({ json }) => json,
		),
	};
}
