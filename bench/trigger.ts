import { withService } from './service';
import { median, quantile } from './statistics';
import type { Bench, Outcome, Row } from './types';
import {
	deliver,
	eventsOf,
	listenByTrigger,
	listenByWebhook,
	type Delivered,
	type Events,
	type Listener,
} from './webhooks';

const warmUpEvents = 30;
/** Single events are sent in so many portions, the two sides in turns. */
const portions = 4;

/** What one listener did. */
interface Tries {
	listener: Listener;
	/** Events a second, of each round. */
	rates: number[];
	/** Milliseconds from sending a single event to the start of its execution. */
	starts: number[];
}

/**
 * Genuine events to this trigger beside the same bodies to n8n's Webhook node, each with a No
 * Operation node behind it: how many a second, until the last execution has ended, and how long one
 * takes to start an execution. Short rounds in turns: what else goes on on the machine hits both.
 */
export async function measureTrigger(bench: Bench): Promise<Outcome> {
	const { rounds, events: count, parallel, single } = bench.plan.trigger;
	return await withService(bench, {}, async (service) => {
		const tries = [await listenByTrigger(bench, service), await listenByWebhook(bench)].map(
			(listener): Tries => ({ listener, rates: [], starts: [] }),
		);
		const events = await eventsOf(bench, service);
		for (const { listener } of tries) {
			await deliver(bench, listener, events.next(warmUpEvents), parallel);
		}
		for (let round = 0; round < rounds; round++) {
			// Whoever comes first may have it easier: each does so every other round.
			for (const each of round % 2 ? [...tries].reverse() : tries) {
				each.rates.push(rateOf(await deliver(bench, each.listener, events.next(count), parallel)));
			}
		}
		for (let portion = 0; portion < portions; portion++) {
			for (const each of tries) {
				each.starts.push(...(await startsOf(bench, each.listener, events, single / portions)));
			}
		}
		for (const { listener } of tries) await bench.n8n.api.deactivate(listener.workflowId);
		const [own, other] = tries;
		return {
			tables: [
				{
					id: 'trigger',
					title: `Genuine events, ${parallel} in parallel`,
					columns: [
						{ key: 'side', title: 'Who' },
						{ key: 'rate', title: 'Events a second', digits: 1 },
						{ key: 'startMs', title: 'Sent to started, one at a time (ms)', digits: 1 },
						{ key: 'startMs95', title: '95 % are below (ms)', digits: 1 },
					],
					rows: tries.map(rowOf),
				},
			],
			// Of each round, then the median: the two halves of a round lie next to each other.
			ratios: {
				trigger: median(own?.rates.map((rate, at) => rate / (other?.rates[at] ?? NaN)) ?? []),
			},
		};
	});
}

function rateOf({ sentAt, executions }: Delivered): number {
	const end = Math.max(...executions.map(({ stoppedAt }) => Date.parse(stoppedAt)));
	return executions.length / ((end - Math.min(...sentAt)) / 1000);
}

async function startsOf(
	bench: Bench,
	listener: Listener,
	events: Events,
	count: number,
): Promise<number[]> {
	const { sentAt, executions } = await deliver(bench, listener, events.next(Math.ceil(count)), 1);
	return executions.map(({ startedAt }, at) => Date.parse(startedAt) - (sentAt[at] ?? NaN));
}

function rowOf({ listener, rates, starts }: Tries): Row {
	return {
		side: listener.name,
		rate: median(rates),
		startMs: median(starts),
		startMs95: quantile(starts, 0.95),
	};
}
