import type { IDataObject, INode } from 'n8n-workflow';

import type { Execution, ExecutionSummary } from '../../../host/apiTypes';
import { readExample } from '../../../host/examples';
import type { EventType } from '../../../sandbox/schemas';
import type { MailView } from '../../../sandbox/types';
import { sendDocument, templateValues } from '../../operations/service';
import { clientOf } from '../../support/credentials';
import { axios, post } from '../../support/http';
import { startPostOffice, type PostOffice } from './postOffice';
import { startAgain, useStage } from './stage';
import { until } from '../../support/until';
import { allExecutions, clearStage, loggedIn, retry as retryExecution } from './trigger';
import { waitingOnes } from './wait';

/** Somebody who signs. */
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

/** Changes an example before it is stored. @param node Finds one by its name. */
export type Adapt = (node: (name: string) => INode, nodes: INode[]) => void;

/** One n8n for all examples that a test file imports: its start takes as long as a dozen tests. */
export const stage = useStage('examples');
/** A mail server that can fail, which all mails pass. */
export let office: PostOffice;
/** The IDs of n8n's credentials by their type. */
export const credentials: Record<string, string> = {};

beforeAll(async () => {
	await clearStage(stage);
	office = await startPostOffice(stage.sandbox.smtp);
	const { api } = stage.n8n;
	for (const { id, type } of await api.listCredentials()) credentials[type] = id;
	const data = { host: '127.0.0.1', port: office.port, secure: false, disableStartTls: true };
	const { id } = await api.createCredential({ name: 'Post office', type: 'smtp', data });
	credentials.smtp = id;
});
let mailsOfTest: ReturnType<typeof newMails>;
beforeEach(() => {
	mailsOfTest = newMails();
});
afterEach(() => {
	stage.sandbox.faults.clear();
	Object.assign(office, { down: false, silent: false });
	office.unknown.clear();
});
afterAll(async () => {
	await stage.n8n?.stop();
	await office?.close();
});

/** Stores an example, with as many tries as in the file, and without the seconds between them. */
export async function store(file: string, adapt?: Adapt): Promise<string> {
	const workflow = await readExample(file, credentials);
	// An example can be stored twice, but its ID cannot.
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
 * Stores an example and publishes it; gives its ID. n8n has once refused a workflow with "Error
 * validating node parameters", which hides an exception of its own, and published the same one at
 * the next try. So this one refusal is printed, and tried again.
 */
export async function publish(file: string, adapt?: Adapt): Promise<string> {
	const id = await store(file, adapt);
	const { api } = stage.n8n;
	try {
		await api.activate(id);
	} catch (error) {
		if (!String(error).includes('Error validating node parameters')) throw error;
		console.warn(`${file} is published again, because n8n could not validate it: ${String(error)}`);
		await api.activate(id);
	}
	return id;
}

/** Unpublishes all workflows, for the tests of another example. */
export async function unpublish(): Promise<void> {
	for (const { id, active } of await stage.n8n.api.listWorkflows()) {
		if (active) await stage.n8n.api.deactivate(id);
	}
}

/** Runs a workflow by hand from a trigger that needs no event; gives how it ended. */
export async function run(id: string, trigger: string): Promise<Execution> {
	const { api } = stage.n8n;
	return await api.waitForExecution(await api.run(id, trigger));
}

/** Waits until an execution of a workflow waits. */
export async function waits(id: string): Promise<string> {
	return await until(
		'an execution waits',
		async () => (await waitingOnes(stage.n8n.api, id))[0]?.id,
	);
}

/** The executions of a workflow when there are so many, and none of them runs, newest first. */
export async function over(id: string, count: number): Promise<ExecutionSummary[]> {
	return await allExecutions(stage.n8n.api, id, count);
}

/** The bodies of the events of a type about some documents, oldest first. */
export function events(type: EventType, ...ids: string[]): EventBody[] {
	return stage.sandbox
		.deliveries()
		.filter((delivery) => delivery.type === type)
		.filter(({ body }) => ids.some((id) => JSON.stringify(body).includes(id)))
		.map(({ body }) => structuredClone(body as EventBody));
}

/** Posts events to the published trigger as the service would, all at once. */
export async function deliver(...bodies: EventBody[]): Promise<void> {
	// Executions that wait have registrations, too, at other URLs.
	const isOfTrigger = (url: string) => new URL(url).pathname.startsWith('/webhook/');
	const urlFor = async (type: EventType) =>
		await until('the registration', () => {
			const all = stage.sandbox.webhooks().filter((webhook) => webhook.type === type);
			// Those of the example before are removed some seconds after it is unpublished.
			return all.filter(({ webHookUrl }) => isOfTrigger(webHookUrl)).at(-1)?.webHookUrl;
		});
	const posts = bodies.map(async (body) => await post(await urlFor(body.type), body));
	expect(await Promise.all(posts)).toEqual(bodies.map(() => 200));
}

export const documentCount = () => stage.sandbox.documents().length;

/** The calls that documents were made by. */
export const creations = () =>
	stage.sandbox.requests.filter(({ path }) => path.includes('createDocument'));

/** Sends a document to people; gives its ID. */
export async function send(people: Person[], name = 'A deal'): Promise<string> {
	const inputs = { ...templateValues, employee_name: name };
	return await sendDocument({ client: clientOf(stage.sandbox) }, people, inputs);
}

/** Fills in a form; a file goes in with its name. */
export async function fill(form: string, values: Array<string | File>): Promise<void> {
	const data = new FormData();
	values.forEach((value, index) => data.append(`field-${index}`, value));
	const url = `${stage.n8n.url}/form/${form}`;
	const auth = { username: stage.owner.email, password: stage.owner.password };
	expect((await axios.post(url, data, { auth })).status).toBe(200);
}

/** The mails to an address since the test began, oldest first. Tests before it may have sent the same. */
export function mailsTo(address: string): MailView[] {
	return mailsOfTest().filter(({ to }) =>
		to.some((receiver) => receiver.toLowerCase() === address.toLowerCase()),
	);
}

/** Waits for a mail by its receiver, a part of its subject, and one of its text. */
export async function mailTo(to: string, subject: string, part = ''): Promise<MailView> {
	return await until(`a mail "${subject}" to ${to}`, () =>
		mailsTo(to).find((mail) => mail.subject.includes(subject) && mail.text.includes(part)),
	);
}

/** Remembers which mails there are; gives those that come after that, oldest first. */
export function newMails(): () => MailView[] {
	const [last] = stage.sandbox.mails();
	return () => {
		// Of many mails, the sandbox keeps only the newest.
		const all = stage.sandbox.mails();
		const at = all.findIndex(({ id }) => id === last?.id);
		return all.slice(0, at < 0 ? all.length : at).reverse();
	};
}

/** Kills n8n, ends all faults, and starts it again. */
export async function restart(): Promise<void> {
	await stage.n8n.kill();
	stage.sandbox.faults.clear();
	office.silent = false;
	await startAgain(stage);
}

/** Begins a retry of an execution; gives the new one. */
async function beginRetry(id: string): Promise<string> {
	return await retryExecution(await loggedIn(stage.n8n.url, stage.owner), id, false);
}

/** Retries an execution; gives how it ended. */
export async function retry(id: string): Promise<Execution> {
	return await stage.n8n.api.waitForExecution(await beginRetry(id));
}

/** Kills n8n, starts it again, and retries the execution that crashed. */
export async function crashAndRetry(workflowId: string): Promise<void> {
	await restart();
	const crashed = await until('an execution crashed', async () =>
		(await over(workflowId, 1)).find(({ status }) => status === 'crashed'),
	);
	await beginRetry(crashed.id);
}
