import fc from 'fast-check';

import { faultArbitrary, halfRegisteredArbitrary, type Fault } from './faults';
import { deliveryPlanArbitrary, type DeliveryPlan } from './service/deliveries';
import {
	plainVariants,
	peculiaritiesOf,
	variantsArbitrary,
	type ServiceVariants,
} from './service/variants';
import { planArbitrary, type WorkflowPlan } from './workflows';

/** The setup of one run, as data that can be shrunk and printed with a failure. */
export interface Plan {
	/** The seed for IDs, secrets and random pauses. */
	chance: number;
	variants: ServiceVariants;
	deliveries: DeliveryPlan;
	processes: number;
	/** The credential's value for Parallel Requests. */
	parallel: number;
	workflows: WorkflowPlan[];
	/** For each trigger, the event types that it listens for. */
	triggers: string[][];
	/** The account of the triggers' credential. */
	triggerAccount: number;
	/** Whether the triggers download the files of documents. */
	triggerFiles: boolean;
	/** Whether the triggers have a filter for the template in use, with both of its IDs. */
	triggerFilter: boolean;
	/** The faults that are active when the first workflow is started. */
	trouble: Fault[];
	/** Whether these faults are already active when the triggers are published. */
	publishedInTrouble: boolean;
	/** The number of executions of the first workflow that start at the same time. */
	runs: number;
	/** The number of steps before the first command. */
	steps: number;
}

const events = ['completedDocument', 'signDocument', 'VERIFICATION_REQUEST_FINISHED'];

/**
 * Services with one or two nonstandard variants. They are chosen often, because random generation rarely
 * produces exactly these combinations.
 */
const oftenTogether: ServiceVariants[] = [
	{ ...plainVariants, created: 'onlySuccess' },
	{ ...plainVariants, deletesIdentity: false },
	{ ...plainVariants, listsIdentity: false },
	{ ...plainVariants, listedAfter: 12 },
	{ ...plainVariants, ids: 'number' },
];

export const simulationPlanArbitrary: fc.Arbitrary<Plan> = fc.record({
	chance: fc.nat(),
	variants: fc.oneof(
		{ weight: 8, arbitrary: fc.constant(plainVariants) },
		{ weight: 8, arbitrary: variantsArbitrary },
		...oftenTogether.map((variants) => ({
			weight: 3,
			arbitrary: fc.constant(variants),
		})),
	),
	deliveries: deliveryPlanArbitrary,
	processes: fc.constantFrom(1, 1, 2),
	parallel: fc.constantFrom(10, 1, 2),
	workflows: fc.array(planArbitrary, { minLength: 1, maxLength: 2 }),
	triggers: fc.array(fc.subarray(events, { minLength: 1 }), { maxLength: 2 }),
	triggerAccount: fc.constantFrom(0, 0, 1),
	triggerFiles: fc.boolean(),
	triggerFilter: fc.boolean(),
	trouble: fc.oneof(
		{ weight: 1, arbitrary: fc.constant<Fault[]>([]) },
		{
			weight: 3,
			arbitrary: fc.array(faultArbitrary, { maxLength: 3, size: 'max' }),
		},
		{ weight: 2, arbitrary: halfRegisteredArbitrary },
	),
	publishedInTrouble: fc.boolean(),
	runs: fc.constantFrom(1, 1, 2),
	steps: fc.oneof(fc.constant(100_000), fc.nat(60)),
});

/** Summarizes a plan in a few lines, for anyone investigating a failure. */
export function describePlan(plan: Plan): string {
	const { variants, workflows, ...rest } = plan;
	const lines = [
		...workflows.map((workflow, index) => `workflow ${index}: ${JSON.stringify(workflow)}`),
		`service: ${JSON.stringify(peculiaritiesOf(variants))}`,
		JSON.stringify(rest),
	];
	return lines.join('\n');
}
