import fc from 'fast-check';

import { faultArbitrary } from './faults';
import { Broken } from './promises/broken';
import { plainPlan } from './service/deliveryPlan';
import { plainVariants } from './service/variants';
import type { Plan } from './plan';
import type { Simulation } from './simulation';
import type { Task } from './workflows';

/** Tasks that call the service for each item. */
const tasks: Task[] = [
	...(['getRequest', 'getResults', 'download', 'deleteWebhook', 'createWebhook'] as const),
	...(['send', 'sendV1', 'request', 'sendAndWait', 'requestAndWait', 'waitForIdentity'] as const),
];

/** Many items, and a service that is out of order all the time. */
export const outagePlanArbitrary: fc.Arbitrary<Plan> = fc
	.record({
		task: fc.constantFrom(...tasks),
		items: fc.integer({ min: 1, max: 300 }),
		parallel: fc.constantFrom(10, 1, 50),
		trouble: faultArbitrary.map(({ kind }) => ({ on: 'all' as const, kind, after: 0, times: 0 })),
		chance: fc.nat(),
	})
	.filter(({ trouble: { kind } }) =>
		['refused', 'broken', 'lost', 'unavailable', 'gateway'].includes(kind),
	)
	.map(({ task, items, parallel, trouble, chance }) => ({
		chance,
		variants: plainVariants,
		deliveries: plainPlan,
		processes: 1,
		workflows: [
			{
				task,
				items,
				wrongItem: -1,
				sameTarget: true,
				settings: { onError: 'continueRegularOutput' as const },
				batch: 0,
				sendOnce: false,
				limit: 0,
				parallel,
				wrongOption: false,
				files: false,
			},
		],
		triggers: [],
		triggerFiles: false,
		publishedInTrouble: false,
		runs: 1,
		trouble: [trouble],
		steps: 0,
	}));

/** What an outage may cost beyond 1.1 calls for each item: the retries of a budget. */
const allowance = (parallel: number) => 3 * Math.max(10, parallel);

/** Runs the one workflow through the outage. @throws Broken when it costs too many calls. */
export async function runOutage(simulation: Simulation): Promise<void> {
	const [{ items, parallel } = { items: 0, parallel: 0 }] = simulation.plan.workflows;
	await simulation.begin();
	await simulation.world.settle(3_600_000);
	const calls = simulation.network.calls.length;
	const most = Math.floor(1.1 * items) + allowance(parallel);
	if (calls > most) {
		throw new Broken(
			'work is bounded',
			`${calls} calls for ${items} items in an outage; ${most} are the most`,
		);
	}
	simulation.promises.check();
	if (simulation.executions.some(({ status }) => status !== 'success')) {
		throw new Broken('work is bounded', 'the execution does not come to an end');
	}
}
