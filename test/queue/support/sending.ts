import type { IDataObject, IPairedItemData } from 'n8n-workflow';

import type { Execution } from '../../../host/apiTypes';
import { outputOf } from '../../../host/executions';
import type { QueueStage } from '../../../host/queue/stage';
import { actionSteps } from '../../../host/workflow';
import { listWorkflow } from '../../e2e/support/wait';
import { filledForm, templateFor } from '../../support/service';
import {
	isInterrupted,
	settled,
	startExecution,
	storedExecutions,
	type StartCall,
	type StoredExecution,
} from './stage';
import type { Outages } from './kills';

const nodeName = 'Send';

/**
 * A workflow that receives keys and sends one document for each key. A key can be followed by a space and a name, such
 * as "key-1 other", which makes it the same key for another person.
 */
async function sendingWorkflow({ api, sandbox }: QueueStage) {
	const key = "={{ $json.list.split(' ')[0] }}";
	const action = await actionSteps(api);
	const sending = action(nodeName, {
		resource: 'document',
		operation: 'send',
		...filledForm(templateFor(1, sandbox)),
		signatories: {
			signatory: [{ email: "={{ $json.list.replace(' ', '-') }}@example.com", name: 'Ana Lima' }],
		},
		// The workers don't know that the workflow is published. Even so, they must not treat its executions as
		// test runs.
		inTestRuns: 'nothing',
		options: { sendOnceKey: key },
	});
	const steps = [{ ...sending, onError: 'continueRegularOutput' as const }];
	return listWorkflow('Sends once', '={{ { list: $json.body.keys } }}', steps);
}

/** A published workflow that sends documents with a Send Once Key. */
export class Sending {
	private readonly calls: SendCall[] = [];
	private lists = 0;
	/** The IDs of other clients' documents. */
	private readonly others: Set<string>;

	private constructor(
		private readonly stage: QueueStage,
		private readonly outages: Outages,
		private readonly id: string,
		private readonly url: string,
	) {
		this.others = new Set(stage.sandbox.documents().map(({ documentID }) => documentID));
	}

	static async publish(stage: QueueStage, outages: Outages): Promise<Sending> {
		const { workflow, path } = await sendingWorkflow(stage);
		const { id } = await stage.api.createWorkflow(workflow);
		await stage.api.publish(id);
		return new Sending(stage, outages, id, `${stage.url}/webhook/${path}`);
	}

	/**
	 * Starts an execution that sends one document for each key. Repeats the call until n8n responds with 200.
	 */
	async start(keys: string[]): Promise<void> {
		const list = `send-${String(++this.lists).padStart(5, '0')}`;
		await startExecution(this.url, list, { keys }, this.calls);
	}

	/**
	 * Waits until no execution is running, or until `limitMs` has passed.
	 * @returns The number of executions in each status.
	 */
	async ended(limitMs: number): Promise<Record<string, number>> {
		return await settled(this.stage, this.id, limitMs);
	}

	/** Reads the current records of n8n and the service. */
	async look(): Promise<SendRun> {
		const { calls, outages, stage } = this;
		const executions = await storedExecutions(stage, this.id);
		const outputs: SendOutput[] = [];
		for (const { id, status } of executions) {
			if (status === 'success') outputs.push(...outputsOf(await stage.api.execution(id)));
		}
		const documents = stage.sandbox
			.documents()
			.filter(({ documentID }) => !this.others.has(documentID))
			.map(({ documentID: document, signatory }) => {
				return { document, key: signatory[0]?.emailID.split('@')[0] ?? '' };
			});
		return { calls, executions, outputs, documents, outages };
	}
}

/** The output of the sending node for each key, matched through paired items. */
function outputsOf(execution: Execution): SendOutput[] {
	const keys = outputOf(execution, 'Items').map(({ json }) => String(json.list));
	return outputOf(execution, nodeName).map(({ json, pairedItem }) => {
		const { item } = pairedItem as IPairedItemData;
		const key = keys[item] ?? `no item ${item}`;
		return { execution: execution.id, key, ...resultOf(json) };
	});
}

function resultOf(json: IDataObject): Pick<SendOutput, 'result' | 'document'> {
	const error = json.error as IDataObject | undefined;
	const { outcome } = error ?? json;
	// In these tests, an item's people can always be compared.
	if (outcome === 'check' && !json.invalidFields) return { result: 'mayHaveBeenCreated' };
	const isRefused = (error?.invalidFields as string[] | undefined)?.includes('Send Once Key');
	if (error ?? json.invalidFields) return { result: isRefused ? 'forOtherPeople' : 'failed' };
	if (outcome === 'skipped') return { result: 'skipped' };
	return { result: 'created', document: String(json.documentId) };
}

/** A call to n8n that sends a document for each of these Send Once Keys. */
export interface SendCall extends StartCall {
	keys: string[];
}

/** The output of the sending node for one key. */
export interface SendOutput {
	execution: string;
	key: string;
	result: 'created' | 'skipped' | 'mayHaveBeenCreated' | 'forOtherPeople' | 'failed';
	/** The ID of the created document, if there is one. */
	document?: string;
}

/** What was requested in a test, and what n8n and the service recorded. */
export interface SendRun {
	calls: SendCall[];
	executions: StoredExecution[];
	outputs: SendOutput[];
	documents: Array<{ document: string; key: string }>;
	outages: Outages;
}

/** A key with its executions, outputs and documents. */
interface Key {
	key: string;
	documents: string[];
	outputs: SendOutput[];
	/** The executions that were started to send this key. */
	executions: StoredExecution[];
	isAsked: boolean;
}

function keysOf({ calls, executions, outputs, documents }: SendRun): Key[] {
	const keys = new Map<string, Key>();
	const of = (key: string): Key => {
		const none: Key = { key, documents: [], outputs: [], executions: [], isAsked: false };
		const found = keys.get(key) ?? none;
		keys.set(key, found);
		return found;
	};
	for (const { call, keys: asked } of calls) {
		const own = executions.filter((execution) => execution.call === call);
		for (const key of asked) {
			of(key).isAsked = true;
			of(key).executions.push(...own);
		}
	}
	for (const { key, document } of documents) of(key).documents.push(document);
	for (const output of outputs) of(output.key).outputs.push(output);
	return [...keys.values()];
}

/** @returns One sentence for each violation of the rules in docs/send-a-list.md. */
export function sendProblems(run: SendRun): string[] {
	return [
		...run.calls
			.filter(
				({ call, isAccepted }) => isAccepted && !run.executions.some((one) => one.call === call),
			)
			.map(({ call }) => `${call} was accepted and started nothing.`),
		...run.executions.flatMap((execution) => silentProblems(execution, run)),
		...keysOf(run).flatMap((key) => [
			...documentProblems(key),
			...outputProblems(key),
			...excuseProblems(key, run),
		]),
	];
}

/** Rule: an execution that succeeds returns exactly one result for each key. */
function silentProblems({ id, status, call }: StoredExecution, run: SendRun): string[] {
	const asked = run.calls.find((one) => one.call === call)?.keys;
	if (status !== 'success' || !asked) return [];
	const said = run.outputs.filter(({ execution }) => execution === id).map(({ key }) => key);
	if ([...asked].sort().join() === [...said].sort().join()) return [];
	return [`Execution ${id} succeeded for ${said.length} of ${asked.length} keys.`];
}

function documentProblems({ key, documents, outputs, executions, isAsked }: Key): string[] {
	const problems: string[] = [];
	if (documents.length > 1) problems.push(`${key} was sent twice: ${documents.join(', ')}.`);
	if (!isAsked) problems.push(`${key} was sent, and no one asked for it.`);
	const isSaid = outputs.some(({ result }) => ['created', 'mayHaveBeenCreated'].includes(result));
	if (documents.length > 0 && !isSaid && !executions.some(isInterrupted)) {
		problems.push(`${key} was sent, and no output says so.`);
	}
	return problems;
}

function outputProblems({ key, documents, outputs }: Key): string[] {
	const created = outputs.filter(({ result }) => result === 'created');
	const unsent = outputs.filter(
		({ result, document = documents[0] }) =>
			(result === 'created' || result === 'skipped') && !documents.includes(document ?? ''),
	);
	return [
		...(created.length > 1 ? [`${created.length} outputs say that ${key} was created.`] : []),
		...unsent.map(
			({ execution, result }) =>
				`Execution ${execution} says "${result}" of ${key}, which the service does not have.`,
		),
	];
}

/**
 * Rule: a failure occurs only if a store was down. "May have been created" is also allowed if another
 * execution with the same key was open or interrupted.
 */
function excuseProblems({ key, outputs, executions }: Key, { outages }: SendRun): string[] {
	return outputs.flatMap(({ execution, result }) => {
		const own = executions.find(({ id }) => id === execution);
		if (!own || result === 'created' || result === 'skipped') return [];
		const { created, stopped = Infinity } = own;
		if (outages.during(['store'], created, stopped)) return [];
		const isOpen = (other: StoredExecution): boolean =>
			other !== own &&
			other.created <= stopped &&
			(isInterrupted(other) ||
				(other.stopped ?? Infinity) >= created ||
				outages.during(['store'], other.created, other.stopped ?? Infinity));
		if (result === 'mayHaveBeenCreated' && executions.some(isOpen)) return [];
		return [`Execution ${execution} says "${result}" of ${key} without a reason.`];
	});
}

/** A run's figures for docs/dev/benchmarks.md. */
export function sendSummary(run: SendRun): Record<string, unknown> {
	const keys = keysOf(run);
	const count = (is: (key: Key) => boolean): number => keys.filter(is).length;
	return {
		keys: keys.length,
		sent: count(({ documents }) => documents.length > 0),
		twice: count(({ documents }) => documents.length > 1),
		reported: count(({ outputs }) => outputs.some(({ result }) => result === 'mayHaveBeenCreated')),
	};
}
