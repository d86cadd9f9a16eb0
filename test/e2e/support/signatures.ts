import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { outputOf } from '../../../host/executions';
import { until } from './stage';
import { createDocument, type NextNode } from './trigger';
import {
	nextName,
	sendAndWait,
	signAll,
	useWaiting,
	waiting,
	waitingName,
	type WaitingStage,
} from './wait';

/** The node that each signature comes through on its way back to the node that waits. */
export const toldName = 'Told';

/** Who signs. */
export const people = [0, 1, 2].map((index) => ({
	email: `person-${index}@example.com`,
	name: `Person number ${index}`,
}));

/** A stage for the tests of executions that go on at each signature. */
export interface SignatureStage {
	own: WaitingStage;
	/** The form of a node that also goes on at each of three signatures. */
	eachOf(rest?: IDataObject): INodeParameters;
	/**
	 * Stores a workflow in which each signature comes back to the node that waits.
	 * @param told The node that it comes through.
	 */
	loop(parameters: INodeParameters, items?: number, told?: NextNode): Promise<string>;
	/** Stores one and starts it by hand; gives the execution that waits, and its document. */
	startLoop(
		parameters: INodeParameters,
		items?: number,
		told?: NextNode,
	): Promise<Record<'id' | 'execution' | 'document', string>>;
	/** Who signed, as it went out at each signature so far. */
	told(execution: string): Promise<unknown[]>;
	/** One person signs, and the execution waits again. */
	sign(execution: string, document: string, index: number): Promise<void>;
	/** Everybody signs who has not yet. */
	signAllLeft(document: string): Promise<void>;
	/** The events that are registered, in the order of their names. */
	types(): string[];
	/** The bodies of the two events of a last signature, taken from a document of others. */
	eventsOfLastSignature(document: string): Promise<Record<string, unknown>>;
}

/** A real n8n for the tests of the calling file, for workflows that go on at each signature. */
export function useSignatures(name: string): SignatureStage {
	const own = useWaiting(name);
	const { stage } = own;
	const each: SignatureStage = {
		own,
		eachOf: (rest = {}) =>
			sendAndWait(stage.sandbox, {
				goOn: 'eachSignature',
				signatories: { signatory: people },
				...rest,
			}),
		async loop(
			parameters,
			items = 1,
			told = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
		) {
			const { id } = await own.add(parameters, items);
			const { nodes, connections } = await own.n8n.api.getWorkflow(id);
			const next = (node: string) => [{ node, type: 'main' as const, index: 0 }];
			await own.n8n.api.updateWorkflow(id, {
				nodes: [...nodes, { ...told, id: randomUUID(), name: toldName, position: [0, 0] }],
				connections: {
					...connections,
					[waitingName]: { main: [next(nextName), next(toldName)] },
					[toldName]: { main: [next(waitingName)] },
				},
			});
			return id;
		},
		async startLoop(parameters, items, told) {
			const id = await each.loop(parameters, items, told);
			const execution = await own.n8n.api.run(id, 'Start');
			await waiting(own.n8n.api, execution);
			return { id, execution, document: own.lastDocument() };
		},
		async told(execution) {
			const items = outputOf(await own.n8n.api.execution(execution), toldName);
			return items.map(({ json }) =>
				(json.signedBy as Array<{ email: string }>).map(({ email }) => email),
			);
		},
		async sign(execution, document, index) {
			const before = (await each.told(execution)).length;
			await stage.sandbox.sign(document, people[index]?.email ?? '');
			await until('it is told', async () => (await each.told(execution)).length > before);
			await waiting(own.n8n.api, execution);
		},
		async signAllLeft(document) {
			const found = stage.sandbox.documents().find(({ documentID }) => documentID === document);
			for (const { emailID, isSigned } of found?.signatory ?? []) {
				if (!Number(isSigned)) await stage.sandbox.sign(document, emailID);
			}
		},
		types: () =>
			stage.sandbox
				.webhooks()
				.map(({ type }) => type)
				.sort(),
		async eventsOfLastSignature(document) {
			const { sandbox } = stage;
			const foreign = await createDocument(sandbox);
			const before = sandbox.deliveries().length;
			await signAll(sandbox, foreign);
			await sandbox.idle();
			const later = sandbox.deliveries().slice(before);
			const statuses = later.flatMap(({ attempts }) => attempts.map(({ status }) => status));
			expect(statuses).not.toContain(500);
			return Object.fromEntries(
				later.map(({ type, body }) => [
					type,
					JSON.parse(JSON.stringify(body).replaceAll(foreign, document)) as unknown,
				]),
			);
		},
	};
	return each;
}
