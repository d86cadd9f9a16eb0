import type { IDataObject, INode } from 'n8n-workflow';

import type { Execution, ExecutionSummary } from '../../../host/apiTypes';
import { readExample } from '../../../host/examples';
import { toRealPeople } from '../../../host/workflow';
import type { EventType } from '../../../sandbox/schemas';
import type { MailView } from '../../../sandbox/types';
import { sendDocument, templateValues } from '../../operations/service';
import { clientOf } from '../../support/credentials';
import { axios, post } from '../../support/http';
import { startPostOffice, type PostOffice } from './postOffice';
import { startAgain, useStage } from './stage';
import { until } from '../../support/until';
import { allExecutions, clearStage, loggedIn, retryExecution } from './trigger';
import { waitingExecutions } from './wait';

export interface Person {
	email: string;
	name: string;
}

/** The body of an event about a document, as the service sends it. */
export interface EventBody {
	type: EventType;
	addedOn: number | null;
	Document: {
		documentID: string;
		title?: string;
		signatory: IDataObject[];
		webhookData?: { signatory: IDataObject };
	};
}

/** Changes an example before it is stored. @param node Finds a node by its name. */
export type Adapt = (node: (name: string) => INode, nodes: INode[]) => void;

/** Lets an example send to the real people when a test runs its schedule by hand ({@link runFrom}). */
export const sendByHand: Adapt = (_node, nodes) => {
	for (const { type, parameters } of nodes)
		if (type === 'n8n-nodes-signverify.signVerify') Object.assign(parameters, toRealPeople);
};

/** The n8n in which the calling file runs the examples. */
export const stage = useStage('examples');
/** The mail server that all emails pass through. Tests can make it fail. */
export let office: PostOffice;
/** The IDs of n8n's credentials, by type. */
export const credentials: Record<string, string> = {};

let mailsOfTest: ReturnType<typeof newMails>;

/** Prepares n8n and the mail server for the examples that the calling file runs. */
export function useExamples(): void {
	beforeAll(async () => {
		await clearStage(stage);
		office = await startPostOffice(stage.sandbox.smtp);
		const { api } = stage.n8n;
		for (const type of Object.keys(credentials)) delete credentials[type];
		for (const { id, type } of await api.listCredentials()) credentials[type] = id;
		const data = { host: '127.0.0.1', port: office.port, secure: false, disableStartTls: true };
		const { id } = await api.createCredential({ name: 'Post office', type: 'smtp', data });
		credentials.smtp = id;
	});
	beforeEach(() => {
		mailsOfTest = newMails();
	});
	afterEach(() => {
		stage.sandbox.faults.clear();
		Object.assign(office, { down: false, silent: false, onItsWay: undefined });
		office.unknown.clear();
	});
	afterAll(async () => await office?.close());
}

/** Stores an example. Its nodes retry as many times as the file specifies, but with shorter pauses. */
export async function store(file: string, adapt?: Adapt): Promise<string> {
	const workflow = await readExample(file, credentials);
	// The same example can be stored twice, so its ID is omitted if it is already taken.
	const { api } = stage.n8n;
	if ((await api.listWorkflows()).some(({ id }) => id === workflow.id)) delete workflow.id;
	for (const node of workflow.nodes) if (node.retryOnFail) node.waitBetweenTries = 100;
	adapt?.((name) => {
		const found = workflow.nodes.find((node) => node.name === name);
		if (!found) throw new Error(`The example ${file} has no node "${name}".`);
		return found;
	}, workflow.nodes);
	return (await api.createWorkflow(workflow)).id;
}

/**
 * Stores an example and publishes it. n8n once rejected a workflow with "Error validating node parameters", a
 * message that hides an exception in n8n, but accepted the same workflow on the next attempt. If this error
 * occurs, the function therefore prints it and publishes the example again.
 */
export async function publish(file: string, adapt?: Adapt): Promise<string> {
	const id = await store(file, adapt);
	const { api } = stage.n8n;
	try {
		await api.publish(id);
	} catch (error) {
		if (!String(error).includes('Error validating node parameters')) throw error;
		console.warn(`${file} is published again, because n8n could not validate it: ${String(error)}`);
		await api.publish(id);
	}
	return id;
}

/** Unpublishes all workflows so that the tests of another example can begin. */
export async function unpublish(): Promise<void> {
	for (const { id, active } of await stage.n8n.api.listWorkflows()) {
		if (active) await stage.n8n.api.unpublish(id);
	}
}

/** Runs a workflow manually from a trigger that does not need an event. @returns The finished execution. */
export async function runFrom(id: string, trigger: string): Promise<Execution> {
	const { api } = stage.n8n;
	return await api.waitForExecution(await api.run(id, trigger));
}

/** Waits until one of a workflow's executions is waiting. @returns Its ID. */
export async function waitingExecution(id: string): Promise<string> {
	return await until(
		'an execution waits',
		async () => (await waitingExecutions(stage.n8n.api, id))[0]?.id,
	);
}

/**
 * Waits until a workflow has this many executions, none of which is running.
 * @returns The executions, newest first.
 */
export async function endedExecutions(id: string, count: number): Promise<ExecutionSummary[]> {
	return await allExecutions(stage.n8n.api, id, count);
}

/** The bodies of all events of one type for these documents, oldest first. */
export function events(type: EventType, ...ids: string[]): EventBody[] {
	return stage.sandbox
		.deliveries()
		.filter((delivery) => delivery.type === type)
		.filter(({ body }) => ids.some((id) => JSON.stringify(body).includes(id)))
		.map(({ body }) => structuredClone(body as EventBody));
}

/** Sends events to the published trigger in parallel, like events from the service. */
export async function deliver(...bodies: EventBody[]): Promise<void> {
	// Waiting executions have webhooks, too, but at different URLs.
	const isOfTrigger = (url: string) => new URL(url).pathname.startsWith('/webhook/');
	const urlFor = async (type: EventType) =>
		await until('the webhook is registered', () => {
			const all = stage.sandbox.webhooks().filter((webhook) => webhook.type === type);
			// Use the newest webhook: those of an earlier example remain for some seconds after it is
			// unpublished.
			return all.filter(({ webHookUrl }) => isOfTrigger(webHookUrl)).at(-1)?.webHookUrl;
		});
	const posts = bodies.map(async (body) => await post(await urlFor(body.type), body));
	expect(await Promise.all(posts)).toEqual(bodies.map(() => 200));
}

export const documentCount = () => stage.sandbox.documents().length;

export const creations = () =>
	stage.sandbox.requests.filter(({ path }) => path.includes('createDocument'));

/** Sends a document to people. @returns Its ID. */
export async function send(people: Person[], name = 'A deal'): Promise<string> {
	const inputs = { ...templateValues, employee_name: name };
	return await sendDocument({ client: clientOf(stage.sandbox) }, people, inputs);
}

/** Fills in and submits a form. Files are sent with their names. */
export async function fill(form: string, values: Array<string | File>): Promise<void> {
	const data = new FormData();
	values.forEach((value, index) => data.append(`field-${index}`, value));
	const url = `${stage.n8n.url}/form/${form}`;
	const auth = { username: stage.owner.email, password: stage.owner.password };
	expect((await axios.post(url, data, { auth })).status).toBe(200);
}

/**
 * The emails sent to an address since the test began, oldest first. Earlier tests may have sent identical
 * ones.
 */
export function mailsTo(address: string): MailView[] {
	return mailsOfTest().filter(({ to }) =>
		to.some((receiver) => receiver.toLowerCase() === address.toLowerCase()),
	);
}

/** Waits for an email to this recipient with these parts in its subject and text. */
export async function mailTo(to: string, subject: string, part = ''): Promise<MailView> {
	return await until(`${to} gets an email "${subject}"`, () =>
		mailsTo(to).find((mail) => mail.subject.includes(subject) && mail.text.includes(part)),
	);
}

/**
 * Records which emails exist now.
 * @returns A function that returns the emails that arrive later, oldest first.
 */
export function newMails(): () => MailView[] {
	const [last] = stage.sandbox.mails();
	return () => {
		// The sandbox keeps only the newest emails, so an email's position in the list can change.
		const all = stage.sandbox.mails();
		const at = all.findIndex(({ id }) => id === last?.id);
		return all.slice(0, at < 0 ? all.length : at).reverse();
	};
}

/** Kills n8n, clears all faults, and restarts n8n. */
export async function restart(): Promise<void> {
	await stage.n8n.kill();
	stage.sandbox.faults.clear();
	office.silent = false;
	await startAgain(stage);
}

/** Starts retrying an execution. @returns The ID of the new execution. */
async function beginRetry(id: string): Promise<string> {
	return await retryExecution(await loggedIn(stage.n8n.url, stage.owner), id, false);
}

/** Retries an execution and waits until the retry has ended. @returns The new execution. */
export async function retry(id: string): Promise<Execution> {
	return await stage.n8n.api.waitForExecution(await beginRetry(id));
}

/** Kills n8n, starts it again, and retries the execution that crashed. */
export async function crashAndRetry(workflowId: string): Promise<void> {
	await restart();
	const crashed = await until('an execution crashed', async () =>
		(await endedExecutions(workflowId, 1)).find(({ status }) => status === 'crashed'),
	);
	await beginRetry(crashed.id);
}
