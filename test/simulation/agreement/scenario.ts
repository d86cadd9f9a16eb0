import type { Fault } from '../faults';
import { defaultLimit, type WorkflowPlan } from '../workflows';

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
	// One after another: it must be certain which item a fault hits.
	parallel: 1,
	wrongOption: false,
	files: false,
};

/** The plan of a scenario's workflow, with all that it does not name. */
export function planOf({ plan }: Scenario): WorkflowPlan {
	return { ...plainPlan, ...plan };
}
