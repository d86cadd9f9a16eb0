import type { INodeParameters } from 'n8n-workflow';

import type { WorkflowInput } from '../../../host/apiTypes';
import { readExample } from '../../../host/examples';
import { ensureHost } from '../../../host/install';
import { startN8n, type N8n } from '../../../host/n8n';
import type { EventType } from '../../../sandbox/schemas';
import type { MailView } from '../../../sandbox/types';
import { mailThroughPostOffice, useExamples, type ExampleStage } from './examples';
import { axios, post } from './http';
import type { PostOffice } from './postOffice';
import { until } from './stage';
import { allExecutions, loggedIn } from './trigger';

/** Changes to an example in a test: parameters by node, or the whole workflow. */
export type Change = Record<string, INodeParameters> | ((workflow: WorkflowInput) => void);

/** A stage for the tests of one example, with a mail server that can fail. */
export interface ExampleRun extends ExampleStage {
	office: PostOffice;
	/** The running n8n; another one after a crash. */
	n8n: N8n;
	/** Imports an example and publishes it; gives its ID. */
	publish(file: string, change?: Change): Promise<string>;
	/** Unpublishes all workflows, for the tests of another example. */
	unpublish(): Promise<void>;
	/**
	 * Sends the last event of a type that names something again, three times at once, when the trigger
	 * knows nothing of before; waits until that has come to its end.
	 */
	redeliver(workflowId: string, type: EventType, named: string): Promise<void>;
	/** Fills in a form; a file goes in with its name. */
	send(form: string, values: Array<string | File>): Promise<void>;
	/** The mails to an address, oldest first. */
	mailsTo(to: string): MailView[];
	/** The subjects of the mails to an address, oldest first. */
	subjects(to: string): string[];
	/** Kills n8n, ends all faults, starts it again and retries the execution that crashed, as the button in the list does. */
	crashAndRetry(workflowId: string): Promise<string>;
}

/** A real n8n for the tests of the calling file, whose mails pass the post office. */
export function useExampleRuns(name: string): ExampleRun {
	const own = useExamples(name) as ExampleRun;
	const { stage } = own;
	beforeAll(async () => {
		own.n8n = stage.n8n;
		own.office = await mailThroughPostOffice(own);
	});
	afterEach(() => {
		stage.sandbox.faults.clear();
		own.office.unknown.clear();
	});
	afterAll(async () => {
		await own.n8n?.stop();
		await own.office?.close();
	});
	return Object.assign(own, {
		publish: async (file: string, change: Change = {}) => await publish(own, file, change),
		async unpublish() {
			for (const { id, active } of await own.n8n.api.listWorkflows()) {
				if (active) await own.n8n.api.deactivate(id);
			}
		},
		redeliver: async (workflowId: string, type: EventType, named: string) =>
			await redeliver(own, workflowId, type, named),
		async send(form: string, values: Array<string | File>) {
			const data = new FormData();
			values.forEach((value, index) => data.append(`field-${index}`, value));
			expect((await axios.post(`${stage.n8n.url}/form/${form}`, data)).status).toBe(200);
		},
		mailsTo: (to: string) =>
			stage.sandbox
				.mails()
				.filter((mail) => mail.to.includes(to))
				.reverse(),
		subjects: (to: string) => own.mailsTo(to).map(({ subject }) => subject),
		crashAndRetry: async (workflowId: string) => await crashAndRetry(own, workflowId),
	});
}

async function publish(own: ExampleRun, file: string, change: Change): Promise<string> {
	const workflow = await readExample(file, own.credentials);
	// As many tries as in the file, without the seconds between them.
	for (const node of workflow.nodes) if (node.retryOnFail) node.waitBetweenTries = 100;
	if (typeof change === 'function') change(workflow);
	else {
		for (const [name, parameters] of Object.entries(change)) {
			const node = workflow.nodes.find((each) => each.name === name);
			expect([name, node !== undefined]).toEqual([name, true]);
			Object.assign(node?.parameters ?? {}, parameters);
		}
	}
	const { id } = await own.n8n.api.createWorkflow(workflow);
	await own.n8n.api.activate(id);
	return id;
}

async function redeliver(
	{ n8n: { api }, stage: { sandbox } }: ExampleRun,
	workflowId: string,
	type: EventType,
	named: string,
): Promise<void> {
	const { length } = await allExecutions(api, workflowId, 1);
	const event = sandbox
		.deliveries()
		.filter((each) => each.type === type && JSON.stringify(each.body).includes(named))
		.at(-1);
	expect(event).toBeDefined();
	await api.deactivate(workflowId);
	await api.activate(workflowId);
	// Executions that wait have registrations, too, at other URLs.
	const isOfTrigger = (url: string) => new URL(url).pathname.startsWith('/webhook/');
	const url = await until(
		'the registration',
		() =>
			sandbox.webhooks().find((each) => each.type === type && isOfTrigger(each.webHookUrl))
				?.webHookUrl,
	);
	const posted = await Promise.all([1, 2, 3].map(async () => await post(url, event?.body)));
	expect(posted).toEqual([200, 200, 200]);
	await allExecutions(api, workflowId, length + 1);
}

async function crashAndRetry(own: ExampleRun, workflowId: string): Promise<string> {
	const { userFolder, port, logFile } = own.stage.n8n;
	await own.n8n.kill();
	own.stage.sandbox.faults.clear();
	own.office.silent = false;
	const installation = await ensureHost({ log: () => undefined });
	own.n8n = await startN8n({ installation, userFolder, port, logFile });
	await own.n8n.api.login(own.stage.owner);
	const crashed = await until('an execution crashed', async () =>
		(await allExecutions(own.n8n.api, workflowId, 1)).find(({ status }) => status === 'crashed'),
	);
	const client = await loggedIn(own.n8n.url, own.stage.owner);
	await client.call('POST', `/executions/${crashed.id}/retry`, { body: { loadWorkflow: false } });
	return crashed.id;
}
