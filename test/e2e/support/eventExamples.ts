import type { IDataObject, INode } from 'n8n-workflow';

import type { Execution, ExecutionSummary } from '../../../host/apiTypes';
import { readExample } from '../../../host/examples';
import { ensureHost } from '../../../host/install';
import { startN8n } from '../../../host/n8n';
import type { EventType } from '../../../sandbox/schemas';
import { clientOf } from '../../support/client';
import { mailThroughPostOffice, useExamples, type ExampleStage } from './examples';
import { post } from './http';
import type { PostOffice } from './postOffice';
import { until } from './stage';
import { allExecutions, loggedIn } from './trigger';

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
		webhookData: { signatory: IDataObject };
	};
}

/** Changes an example before it is stored: finds a node by its name. */
export type Adapt = (node: (name: string) => INode) => void;

/** A stage for the examples that start from events, with a mail server that can fail. */
export interface EventStage extends ExampleStage {
	office: PostOffice;
	/** Stores an example. */
	store(file: string, adapt?: Adapt): Promise<string>;
	/** Stores an example and publishes it. */
	publish(file: string, adapt?: Adapt): Promise<string>;
	/** Unpublishes a workflow and publishes it: the trigger then knows no event of before. */
	republish(id: string): Promise<void>;
	/** Sends a document to people; gives its ID. */
	send(people: Person[], name?: string): Promise<string>;
	/** The bodies of the events of a type about some documents, oldest first. */
	events(type: EventType, ...documents: string[]): EventBody[];
	/** Posts events as the service would, all at once. */
	deliver(...bodies: EventBody[]): Promise<void>;
	/** Runs a workflow by hand from a trigger that needs no event; gives how it ended. */
	run(id: string, trigger: string): Promise<Execution>;
	/** The executions of a workflow when there are so many, and none of them runs, newest first. */
	over(id: string, count: number): Promise<ExecutionSummary[]>;
	/** Waits until something happens at the silent mail server, ends n8n as a crash would, starts it. */
	crash(happens: () => Promise<unknown>): Promise<void>;
	/** Retries an execution, as the button in the list does; gives how it ended. */
	retry(id: string): Promise<Execution>;
	/** The mails of the examples to an address, oldest first. */
	mails(address: string): Array<{ subject: string; text: string; attachments: string[] }>;
	/** Their subjects. */
	subjects(address: string): string[];
}

/** A real n8n for the tests of the calling file: see {@link EventStage}. */
export function useEventExamples(name: string): EventStage {
	const base = useExamples(name);
	const { stage } = base;
	const own = Object.assign(base, { office: {} as PostOffice }, mailsOf(base)) as EventStage;
	Object.assign(own, workflowsOf(own), eventsOf(own), executionsOf(own));
	beforeAll(async () => {
		own.office = await mailThroughPostOffice(own);
	});
	afterEach(async () => {
		own.office.silent = false;
		own.office.unknown.clear();
		stage.sandbox.faults.clear();
		for (const { id, active } of await stage.n8n.api.listWorkflows()) {
			if (active) await stage.n8n.api.deactivate(id);
		}
	});
	afterAll(async () => {
		await stage.n8n?.stop();
		await own.office.close?.();
	});
	return own;
}

function workflowsOf(own: EventStage): Partial<EventStage> {
	const { stage } = own;
	const store: EventStage['store'] = async (file, adapt) => {
		const workflow = await readExample(file, own.credentials);
		adapt?.((name) => {
			const node = workflow.nodes.find((each) => each.name === name);
			if (!node) throw new Error(`The example ${file} has no node "${name}".`);
			return node;
		});
		return (await stage.n8n.api.createWorkflow(workflow)).id;
	};
	return {
		store,
		async publish(file, adapt) {
			const id = await store(file, adapt);
			await stage.n8n.api.activate(id);
			return id;
		},
		async republish(id) {
			await stage.n8n.api.deactivate(id);
			await stage.n8n.api.activate(id);
		},
	};
}

function eventsOf({ stage }: EventStage): Partial<EventStage> {
	return {
		async send(people, name = 'A deal') {
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
		events: (type, ...documents) =>
			stage.sandbox
				.deliveries()
				.filter((each) => each.type === type)
				.map(({ body }) => structuredClone(body as EventBody))
				.filter(({ Document }) => documents.includes(Document.documentID)),
		async deliver(...bodies) {
			const statuses = await Promise.all(
				bodies.map(async (body) => {
					const found = stage.sandbox.webhooks().find(({ type }) => type === body.type);
					return await post(found?.webHookUrl ?? '', body);
				}),
			);
			expect(statuses).toEqual(bodies.map(() => 200));
		},
	};
}

function executionsOf(own: EventStage): Partial<EventStage> {
	const { stage } = own;
	return {
		run: async (id, trigger) =>
			await stage.n8n.api.waitForExecution(await stage.n8n.api.run(id, trigger)),
		over: async (id, count) => await allExecutions(stage.n8n.api, id, count),
		async crash(happens) {
			own.office.silent = true;
			const before = own.office.offered;
			await happens();
			await until('n8n talks to the mail server', () => own.office.offered > before);
			await stage.n8n.kill();
			own.office.silent = false;
			const { userFolder, port, logFile } = stage.n8n;
			const installation = await ensureHost({ log: () => undefined });
			stage.n8n = await startN8n({ installation, userFolder, port, logFile });
			await stage.n8n.api.login(stage.owner);
		},
		async retry(id) {
			const client = await loggedIn(stage.n8n.url, stage.owner);
			const { id: retried } = await client.call<{ id: string }>('POST', `/executions/${id}/retry`, {
				body: { loadWorkflow: false },
			});
			return await stage.n8n.api.waitForExecution(retried);
		},
	};
}

function mailsOf({ stage }: ExampleStage): Pick<EventStage, 'mails' | 'subjects'> {
	const mails: EventStage['mails'] = (address) =>
		stage.sandbox
			.mails()
			.filter(
				({ to, from }) =>
					to.some((each) => each.toLowerCase() === address.toLowerCase()) &&
					from.includes('people@example.com'),
			)
			.map(({ subject, text, attachments }) => ({
				subject,
				text: text.replaceAll('\r', ''),
				attachments: attachments.map(({ fileName }) => fileName),
			}))
			.reverse();
	return { mails, subjects: (address) => mails(address).map(({ subject }) => subject) };
}
