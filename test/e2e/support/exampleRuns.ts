import type { IDataObject, INode } from 'n8n-workflow';

import type { Execution, ExecutionSummary } from '../../../host/apiTypes';
import { readExample } from '../../../host/examples';
import type { N8n } from '../../../host/n8n';
import type { Stage } from '../../../host/stage';
import type { EventType } from '../../../sandbox/schemas';
import type { MailView } from '../../../sandbox/types';
import { clientOf } from '../../support/credentials';
import { axios, post } from '../../support/http';
import { startPostOffice, type PostOffice } from './postOffice';
import { startAgain, useStage } from './stage';
import { until } from '../../support/until';
import { allExecutions, clearStage, loggedIn, retry } from './trigger';
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

/** A stage for the tests of the examples, with a mail server that can fail. */
interface ExampleStage {
	stage: Stage;
	office: PostOffice;
	/** The IDs of n8n's credentials by their type. */
	credentials: Record<string, string>;
}

/** The same with what the tests do on it. */
interface ExampleRun extends ExampleStage, ReturnType<typeof actionsOf> {
	/** The running n8n; another one after a crash. */
	readonly n8n: N8n;
}

/** A real n8n for the tests of the calling file, whose mails pass the post office. */
function useExampleRuns(): ExampleRun {
	const stage = useStage('examples');
	const own: ExampleStage = { stage, office: {} as PostOffice, credentials: {} };
	beforeAll(async () => {
		await clearStage(stage);
		own.office = await startPostOffice(stage.sandbox.smtp);
		const { api } = stage.n8n;
		for (const { id, type } of await api.listCredentials()) own.credentials[type] = id;
		const data = { host: '127.0.0.1', port: own.office.port, secure: false, disableStartTls: true };
		const { id } = await api.createCredential({ name: 'Post office', type: 'smtp', data });
		own.credentials.smtp = id;
	});
	afterEach(() => {
		stage.sandbox.faults.clear();
		own.office.down = false;
		own.office.silent = false;
		own.office.unknown.clear();
	});
	afterAll(async () => {
		await stage.n8n?.stop();
		await own.office.close?.();
	});
	const whole = Object.assign(own, actionsOf(own));
	return Object.defineProperty(whole, 'n8n', { get: () => stage.n8n }) as ExampleRun;
}

function actionsOf(own: ExampleStage) {
	return { ...workflowsOf(own), ...eventsOf(own), ...mailsOf(own), ...crashesOf(own) };
}

function workflowsOf(own: ExampleStage) {
	const { stage } = own;
	/** Stores an example, with as many tries as in the file, and without the seconds between them. */
	async function store(file: string, adapt?: Adapt): Promise<string> {
		const workflow = await readExample(file, own.credentials);
		// An example can be stored twice, but its ID cannot.
		const { api } = stage.n8n;
		if ((await api.listWorkflows()).some(({ id }) => id === workflow.id)) delete workflow.id;
		for (const node of workflow.nodes) if (node.retryOnFail) node.waitBetweenTries = 100;
		adapt?.((name) => {
			const node = workflow.nodes.find((each) => each.name === name);
			if (!node) throw new Error(`The example ${file} has no node "${name}".`);
			return node;
		}, workflow.nodes);
		return (await api.createWorkflow(workflow)).id;
	}
	return {
		store,
		/** Stores an example and publishes it; gives its ID. */
		async publish(file: string, adapt?: Adapt): Promise<string> {
			const id = await store(file, adapt);
			await stage.n8n.api.activate(id);
			return id;
		},
		/** Unpublishes all workflows, for the tests of another example. */
		async unpublish(): Promise<void> {
			for (const { id, active } of await stage.n8n.api.listWorkflows()) {
				if (active) await stage.n8n.api.deactivate(id);
			}
		},
		/** Runs a workflow by hand from a trigger that needs no event; gives how it ended. */
		run: async (id: string, trigger: string): Promise<Execution> =>
			await stage.n8n.api.waitForExecution(await stage.n8n.api.run(id, trigger)),
		/** Waits until an execution of a workflow waits. */
		waits: async (id: string): Promise<string> =>
			await until('an execution waits', async () => (await waitingOnes(stage.n8n.api, id))[0]?.id),
		/** The executions of a workflow when there are so many, and none of them runs, newest first. */
		over: async (id: string, count: number): Promise<ExecutionSummary[]> =>
			await allExecutions(stage.n8n.api, id, count),
	};
}

function eventsOf(own: ExampleStage) {
	const { stage } = own;
	/** The bodies of the events of a type about some documents, oldest first. */
	const events = (type: EventType, ...ids: string[]): EventBody[] =>
		stage.sandbox
			.deliveries()
			.filter((each) => each.type === type)
			.filter(({ body }) => ids.some((id) => JSON.stringify(body).includes(id)))
			.map(({ body }) => structuredClone(body as EventBody));
	/** Posts events to the published trigger as the service would, all at once. */
	async function deliver(...bodies: EventBody[]): Promise<void> {
		// Executions that wait have registrations, too, at other URLs.
		const isOfTrigger = (url: string) => new URL(url).pathname.startsWith('/webhook/');
		const urlFor = async (type: EventType) =>
			await until('the registration', () => {
				const own = stage.sandbox.webhooks().filter((each) => isOfTrigger(each.webHookUrl));
				// Those of the example before are removed some seconds after it is unpublished.
				return own.filter((each) => each.type === type).at(-1)?.webHookUrl;
			});
		const statuses = await Promise.all(
			bodies.map(async (body) => await post(await urlFor(body.type), body)),
		);
		expect(statuses).toEqual(bodies.map(() => 200));
	}
	return {
		events,
		deliver,
		documentCount: () => stage.sandbox.documents().length,
		/** The calls that documents were made by. */
		creations: () => stage.sandbox.requests.filter(({ path }) => path.includes('createDocument')),
		/** Sends a document to people; gives its ID. */
		async send(people: Person[], name = 'A deal'): Promise<string> {
			return await clientOf(stage.sandbox).createDocument({
				templateID: '65f1c0de0000000000000201',
				country: 'Mexico',
				inputs: {
					employee_name: name,
					role: 'Partner',
					start_date: '2027-03-01',
					workplace: 'Remote',
				},
				signatories: people,
			});
		},
		/** Fills in a form; a file goes in with its name. */
		async fill(form: string, values: Array<string | File>): Promise<void> {
			const data = new FormData();
			values.forEach((value, index) => data.append(`field-${index}`, value));
			const url = `${stage.n8n.url}/form/${form}`;
			const auth = { username: stage.owner.email, password: stage.owner.password };
			expect((await axios.post(url, data, { auth })).status).toBe(200);
		},
	};
}

function mailsOf({ stage }: ExampleStage) {
	/** The mails to an address, oldest first. */
	const mailsTo = (address: string): MailView[] =>
		stage.sandbox
			.mails()
			.filter(({ to }) => to.some((each) => each.toLowerCase() === address.toLowerCase()))
			.reverse();
	return {
		mailsTo,
		/** Waits for a mail by its receiver and a part of its subject. */
		mailTo: async (to: string, subject: string): Promise<MailView> =>
			await until(`a mail "${subject}" to ${to}`, () =>
				stage.sandbox
					.mails()
					.find((mail) => mail.subject.includes(subject) && mail.to.includes(to)),
			),
		/** Remembers which mails there are; gives those that come after that, oldest first. */
		newMails(): () => MailView[] {
			const [last] = stage.sandbox.mails();
			return () => {
				// Of many mails, the sandbox keeps only the newest.
				const all = stage.sandbox.mails();
				const at = all.findIndex(({ id }) => id === last?.id);
				return all.slice(0, at < 0 ? all.length : at).reverse();
			};
		},
	};
}

function crashesOf(own: ExampleStage) {
	const { stage } = own;
	/** Kills n8n, ends all faults, and starts it again. */
	async function restart(): Promise<void> {
		await stage.n8n.kill();
		stage.sandbox.faults.clear();
		own.office.silent = false;
		await startAgain(stage);
	}
	const begin = async (id: string) =>
		await retry(await loggedIn(stage.n8n.url, stage.owner), id, false);
	return {
		restart,
		/** Retries an execution; gives how it ended. */
		retry: async (id: string): Promise<Execution> =>
			await stage.n8n.api.waitForExecution(await begin(id)),
		/** Kills n8n, starts it again, and retries the execution that crashed. */
		async crashAndRetry(workflowId: string): Promise<void> {
			await restart();
			const crashed = await until('an execution crashed', async () =>
				(await allExecutions(stage.n8n.api, workflowId, 1)).find(
					({ status }) => status === 'crashed',
				),
			);
			await begin(crashed.id);
		},
	};
}

/** One n8n for all examples that a test file imports: its start takes as long as a dozen tests. */
export const own = useExampleRuns();
