import type { INodeExecutionData } from 'n8n-workflow';

import type { Fault } from '../faults';
import { defaultLimit, type WorkflowPlan } from '../workflows';
import { secretParameters } from '../promises/secrets';

/** Something that is done in a scenario. What it leads to comes to rest before the next one. */
export type Step = (
	| { do: 'run' | 'rest' }
	/** All sign the newest document of a person; the person of the newest identity request is done. */
	| { do: 'sign' | 'verify'; person: number }
	/** The same for something that was there before, and that nobody's workflow has made. */
	| { do: 'sign existing' | 'verify existing'; target: number }
	/** Of the newest execution. */
	| { do: 'stop' }
	| { do: 'retry'; withSavedWorkflow: boolean }
	/** n8n ends, and starts again; the limits of the waits are reached meanwhile or just after. */
	| { do: 'limit' }
	| ({ do: 'fault' } & Fault)
	| { do: 'publish' | 'unpublish' }
	/**
	 * Somebody calls the address that was registered last: with the notification that came last, or
	 * without knowing its secrets.
	 */
	| { do: 'post'; what: 'again' | 'forged' }
) & {
	/** Nothing is waited for that takes longer than a moment. */
	brief?: true;
};

/** A few things done with one workflow, in the model of n8n and in a real one. */
export interface Scenario {
	name: string;
	plan?: Partial<WorkflowPlan>;
	/** The events of a trigger, where the workflow begins with one. */
	trigger?: string[];
	steps: Step[];
}

/** Pauses (ms) between the tries of a delivery. */
export const deliveryPauses = [500, 1000, 2000];

const plainPlan: WorkflowPlan = {
	task: 'send',
	items: 2,
	wrongItem: -1,
	sameTarget: false,
	settings: {},
	batch: 0,
	sendOnce: false,
	limit: defaultLimit,
	files: false,
};

/** The plan of a scenario's workflow, with all that it does not name. */
export function planOf({ plan }: Scenario): WorkflowPlan {
	return { ...plainPlan, ...plan };
}

/** What is compared after each step: what people, the service and its receivers could see. */
export interface Outcome {
	/** Oldest first. */
	executions: ExecutionSeen[];
	/** The events with which the workflow was started by its trigger. */
	started: string[];
	/** Documents and identity requests, by person. */
	created: string[];
	/** What is registered at the service. */
	registrations: string[];
	/** The HTTP statuses with which n8n answered, by who was told of what. */
	answers: string[];
}

/** An execution: of its finished runs of the node, which item left by which output, and as what. */
export interface ExecutionSeen {
	status: string;
	runs: Array<{ success: string[]; error: string[] }>;
	/** What the error says that ended it. */
	error?: string;
}

/** An execution's run of the node, whichever n8n it is from. */
export interface RunToSee {
	success: INodeExecutionData[];
	error: INodeExecutionData[];
}

/** @param createdIds What was created, which an error may name. */
export function executionSeen(
	status: string,
	runs: RunToSee[],
	error: { message: string; description?: unknown } | undefined,
	createdIds: string[],
): ExecutionSeen {
	const words = `${error?.message} ${String(error?.description)}`;
	const may = /may have been created/.test(words) ? 'one may have been created, ' : '';
	const named = createdIds.filter((id) => words.includes(id)).length;
	return {
		status,
		runs: runs
			.filter(({ success, error: failed }) => success.length + failed.length > 0)
			.map(({ success, error: failed }) => ({
				success: success.map(itemSeen),
				error: failed.map(itemSeen),
			})),
		...(error && status === 'error' ? { error: `${may}${named} named` } : {}),
	};
}

function itemSeen(item: INodeExecutionData): string {
	return `${placeOf(item).join('+')} ${kindOf(item)}`;
}

function placeOf({ pairedItem }: INodeExecutionData): Array<number | undefined> {
	const pairs = Array.isArray(pairedItem) ? pairedItem : [pairedItem];
	return pairs.map((each) => (typeof each === 'object' ? each.item : each));
}

function kindOf({ json }: INodeExecutionData): string {
	if (json.error !== undefined) {
		const may = /may ?have ?been ?created"?:true|may have been created/i;
		return may.test(JSON.stringify(json.error)) ? 'error, may have been created' : 'error';
	}
	if (json.skipped === true) return 'skipped';
	if (json.timedOut === true) return 'timed out';
	// Only items that came in have it.
	if ('hook' in json) return 'as it came in';
	if (Object.keys(json).length === 0) return 'empty';
	if (json.timedOut === undefined) return 'done';
	return json.completed === false ? 'not completed' : 'completed';
}

/** `name: how often`, in the order of the names. */
export function counted(names: string[]): string[] {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return [...counts].map(([name, count]) => `${name}: ${count}`).sort();
}

/** Collects the statuses that n8n answered, by who was told of what. */
export function answersSeen(all: Array<[what: string, status: number | undefined]>): string[] {
	const statuses = new Map<string, string[]>();
	for (const [what, status] of all) {
		statuses.set(what, [...(statuses.get(what) ?? []), String(status ?? 'none')]);
	}
	return [...statuses].map(([what, each]) => `${what}: ${each.join(', ')}`).sort();
}

/** Whose address it is. @param executions IDs, oldest first. */
export function receiverOf(address: string, executions: string[]): string {
	const [, kind, id = ''] = new URL(address).pathname.split('/');
	return kind === 'webhook-waiting' ? `execution ${executions.indexOf(id) + 1}` : 'the trigger';
}

/** An address as somebody guesses it who does not know its secrets. */
export function forgedAddress(address: string): string {
	const url = new URL(address);
	for (const name of secretParameters) {
		if (url.searchParams.has(name)) url.searchParams.set(name, 'guessed');
	}
	return url.href;
}

/** A notification as somebody makes it up. */
export function forgedBody(documentID: string): Record<string, unknown> {
	return {
		type: 'completedDocument',
		addedOn: Date.now(),
		Document: { documentID, status: 'COMPLETED', signatory: [] },
	};
}
