import type { IDataObject, IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { startSandbox, type EventType, type Sandbox } from '../../sandbox';
import { events, isIdentityEvent } from '../../nodes/SignVerify/api/events';
import {
	awaitedBy,
	operationNamed,
	resolvedFor,
	testedOperations,
	type Item,
	type TestedOperation,
} from '../operations';
import { isObject } from '../../nodes/SignVerify/util/values';
import { clientOf, CredentialKeeper } from './credentials';
import { runAction, type RunSetup } from './contexts';
import { httpRequest } from './http';
import { until } from './until';
import { waitingHost } from './waiting';
import { standInOrigin } from './standIn';
import { fileResponse, storedCredential, triggerNode } from './triggerNode';

/** The outputs of the nodes. Each key is the file in `__schema__` that describes them. */
export type Outputs = Record<string, IDataObject[]>;

type TriggerCall = ReturnType<typeof triggerNode>['call'];

const types = events.map(({ type }) => type);

/** The number of items needed to get every variant of a response, such as one without questions. */
const samples = 6;

/** Runs every operation of the action node, and the trigger with every event. */
export async function realOutputs(): Promise<Outputs> {
	const outputs: Outputs = { 'v1.1.0.json': await triggerOutputs() };
	for (const tested of testedOperations) {
		outputs[`v1.1.0/${tested.name}.json`] = await outputsOf(tested);
	}
	return outputs;
}

/**
 * Returns an operation's outputs. Each call uses a new sandbox, in which all people sign and complete their
 * verification.
 */
async function outputsOf(tested: TestedOperation): Promise<IDataObject[]> {
	const sandbox = await startSandbox({ deliveryBackoffMs: [20, 20, 20] });
	const { host, listen, close } = waitingHost();
	await listen();
	try {
		const keeper = new CredentialKeeper({ baseUrl: sandbox.baseUrl, ...sandbox.account });
		const service = { sandbox, client: clientOf(sandbox) };
		const waiting = tested.waits ? tested : operationNamed('document/sendAndWait');
		const [first, second] = await waiting.prepare(service, 2);
		const limited = await host.start(keeper, setupOf(waiting, waiting.parameters, [first]));
		if (!tested.waits) {
			const items = await tested.prepare(service, samples);
			const forms = [{}, ...(tested.variants ?? [])].map((more) => ({
				...tested.parameters,
				...more,
			}));
			const runs = forms.map(async (form) => runAction(keeper, setupOf(tested, form, items)));
			return (await Promise.all(runs)).flat().map(({ json }) => json);
		}
		const form = { ...tested.parameters, downloadFiles: true };
		const execution = await host.start(keeper, setupOf(tested, form, [second]));
		const awaited = second ? awaitedBy(tested, sandbox, [second]) : [];
		for (const id of awaited) await tested.waits.finish(sandbox, id);
		await until(`${tested.name} is done`, () => execution.status === 'success');
		return [...execution.output, ...(await limited.timeOut())].map(({ json }) => json);
	} finally {
		await close();
		await sandbox.close();
	}
}

function setupOf(
	{ name }: TestedOperation,
	parameters: INodeParameters,
	given: Array<Item | undefined>,
): RunSetup {
	const items = given.filter((item) => item !== undefined);
	if (items.length === 0) throw new Error(`prepare of ${name} gave no item`);
	return {
		parameters,
		// Remove `n`, which only the tests use, because an item that passes through keeps all its fields.
		items: items.map((item) =>
			Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'n')),
		),
		perItem: items.map((item) => resolvedFor(item, parameters)),
	};
}

/**
 * Returns the outputs of the trigger, with those of document events first and those of One Item per Person last.
 */
async function triggerOutputs(): Promise<IDataObject[]> {
	const bodies = await bodiesOfEvents();
	const isAboutDocument = (type: EventType) => !isIdentityEvent(type);
	const inOrder = [...types.filter(isAboutDocument), ...types.filter(isIdentityEvent)];
	const include = ['history', 'signingLinks'];
	const forms = [{ include }, { include, oneItemPerPerson: true }];
	const outputs: IDataObject[] = [];
	for (const [index, options] of forms.entries()) {
		const form = { events: inOrder, downloadFiles: true, options };
		const items = async (call: TriggerCall) => await itemsOf(inOrder, bodies, call);
		outputs.push(...(await withTrigger(form, `schemas ${index}`, items)));
	}
	return outputs;
}

/**
 * Runs work with a trigger that calls a sandbox. The sandbox contains the templates that the events refer to.
 */
export async function withTrigger<Value>(
	form: IDataObject,
	instance: string,
	use: (call: TriggerCall) => Promise<Value>,
): Promise<Value> {
	const sandbox = await startSandbox();
	try {
		// The sandbox that made the events, and their files, is gone.
		const fetch = async (options: IHttpRequestOptions) =>
			options.url.includes('/files/')
				? fileResponse('%PDF-1.7')
				: await httpRequest({ ...options, url: options.url.replace(standInOrigin, sandbox.url) });
		const credential = { ...storedCredential, ...sandbox.account };
		return await use(triggerNode(form, { instance, credential, fetch }).call);
	} finally {
		await sandbox.close();
	}
}

async function itemsOf(
	types: EventType[],
	bodies: Record<EventType, IDataObject>,
	call: TriggerCall,
): Promise<IDataObject[]> {
	const items: IDataObject[] = [];
	for (const type of types) {
		// A service may include a verification's results in the event.
		const results = { score: { overall: { status: 'OK' } } };
		const sent = type === 'sendDocument' ? withoutFile(bodies[type]) : bodies[type];
		const body = { ...sent, ...(isIdentityEvent(type) ? { results } : {}) };
		const result = await call({ body, event: type });
		if (result.items.length === 0) throw new Error(`${type} started nothing: ${result.status}`);
		items.push(...result.items.map(({ json }) => json));
	}
	return items;
}

const zoe = { name: 'Zoë Åkerström', email: 'zoe@example.com' };
const mateo = { name: 'Mateo Ibarra', email: 'mateo@example.com' };

/** One person signs this document. */
const contract = {
	templateID: '65f1c0de0000000000000201',
	country: 'United States',
	inputs: {
		employee_name: zoe.name,
		role: 'Data Analyst',
		start_date: '2027-02-01',
		employer: 'Example Company',
		workplace: 'Main office, 1 Example Street, Springfield',
	},
	signatories: [zoe],
};

/** Two people sign this document so that one signature can be missing. */
export const agreement = {
	templateID: '65f1c0de0000000000000202',
	country: 'United States',
	inputs: {
		first_party: 'Example Company',
		second_party: 'Another Example Inc',
		purpose: 'A joint offer',
		effective_date: '2027-02-01',
	},
	signatories: [zoe, mateo],
};

/** These events have their usual body only after someone has signed. */
const afterSigning = ['completedDocument', 'signDocument'];

/** Returns a body for each event type. Every call returns the same bodies. */
export async function bodiesOfEvents(): Promise<Record<EventType, IDataObject>> {
	const sandbox = await startSandbox();
	try {
		const client = clientOf(sandbox);
		for (const type of types) await client.registerWebhook(type, `${sandbox.url}/nobody`);
		const bodies: Partial<Record<EventType, unknown>> = {};
		const note = async (type: EventType, id: string): Promise<void> => {
			bodies[type] = (await sandbox.fire(type, id))[0]?.body;
		};
		sandbox.clock.set({ at: '2027-01-11T09:00Z', frozen: true });
		const contractId = await client.createDocument(contract);
		const agreementId = await client.createDocument(agreement);
		for (const type of types) {
			if (!isIdentityEvent(type) && !afterSigning.includes(type)) await note(type, contractId);
		}
		sandbox.clock.set({ at: '2027-01-11T10:30Z' });
		await sandbox.sign(contractId, zoe.email);
		await note('completedDocument', contractId);
		await sandbox.sign(agreementId, mateo.email);
		await note('signDocument', agreementId);
		await client.requestIdentity(zoe.email);
		const validationId = sandbox.identityRequests()[0]?.validationId ?? '';
		await sandbox.completeIdentity(validationId, 'pass');
		for (const type of types.filter(isIdentityEvent)) await note(type, validationId);
		return withFixedValues(bodies, sandbox);
	} finally {
		await sandbox.close();
	}
}

/** Replaces the values that differ between sandboxes with fixed values. */
function withFixedValues(bodies: object, { url }: Sandbox): Record<EventType, IDataObject> {
	const ids = new Map<string, string>();
	const fixedId = (id: string): string => {
		const fixed = ids.get(id) ?? `65f1c0de0000000000001${String(ids.size + 1).padStart(3, '0')}`;
		ids.set(id, fixed);
		return fixed;
	};
	const text = JSON.stringify(bodies)
		.replaceAll(url, 'https://sign.example.com')
		.replace(/(?<=\/sign\/)[\w-]+/g, 'a-secret-that-is-not-in-this-file')
		.replace(/(?<=signature=)\w+/g, 'none')
		.replace(/(?<="(?:document|nom)Hash":")\w+/g, '0'.repeat(64))
		// Template IDs are always the same, so they are not replaced.
		.replace(/\b(?!65f1c0de)[\da-f]{24}\b/g, fixedId);
	return JSON.parse(text) as Record<EventType, IDataObject>;
}

/** Breaks a link, so that an output shows a missing file. */
function withoutFile(body: IDataObject): IDataObject {
	const { webhookData, ...document } = body.Document as IDataObject;
	const broken = { ...(webhookData as IDataObject), certificateURL: 'no link' };
	return { ...body, Document: { ...document, webhookData: broken } };
}

/** The parts of a JSON schema that n8n's editor reads: names and types. */
export interface OutputSchema {
	/** The editor shows the first type. */
	type?: string | string[];
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
	/**
	 * Whether an object or a list can be null. Null is not listed as a second type, because the editor
	 * expands only values with a single type.
	 */
	nullable?: boolean;
}

/** Describes the names and types in these values, but leaves out the values themselves. */
export function schemaOf(values: unknown[]): OutputSchema {
	const kinds = [...new Set(values.map(kindOf))];
	const types = kinds.filter((kind) => kind !== 'null');
	const [type = 'null'] = types;
	const isNullable = kinds.includes('null') && type !== 'null';
	if (types.length === 1 && type === 'object') return nullable(objectOf(values), isNullable);
	if (types.length === 1 && type === 'array') return nullable(listOf(values), isNullable);
	if (types.some((kind) => kind === 'object' || kind === 'array')) return {};
	return { type: kinds.length > 1 ? [...types, ...(isNullable ? ['null'] : [])] : type };
}

function nullable(schema: OutputSchema, isNullable: boolean): OutputSchema {
	return isNullable ? { ...schema, nullable: true } : schema;
}

function objectOf(values: unknown[]): OutputSchema {
	const entries = values.filter(isObject).flatMap((value) => Object.entries(value));
	const names = [...new Set(entries.map(([name]) => name))];
	const valuesOf = (wanted: string) =>
		entries.filter(([name]) => name === wanted).map(([, value]) => value);
	return {
		type: 'object',
		properties: Object.fromEntries(names.map((name) => [name, schemaOf(valuesOf(name))])),
	};
}

/** Describes a list. If the list is empty in every value, its entries are not described. */
function listOf(values: unknown[]): OutputSchema {
	const entries = values.filter((value) => Array.isArray(value)).flat();
	return { type: 'array', ...(entries.length ? { items: schemaOf(entries) } : {}) };
}

function kindOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}
