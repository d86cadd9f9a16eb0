import { processorMs } from './process';
import { withService } from './service';
import { withBench } from './stage';
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
/** Single events are sent in so many portions, the sides in turns. */
const portions = 4;

/**
 * n8n's own setting. By default n8n makes an isolate for expressions at each call of a webhook and
 * throws it away afterwards; only its Webhook node, and only without any expression, is spared. With
 * this it makes one where an expression is there to be evaluated, for whichever node.
 */
const lazy = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** What one listener did. */
interface Tries {
	listener: Listener;
	/** Events a second, of each round. */
	rates: number[];
	/** n8n's processor time for an event (ms), of each round. */
	costs: number[];
	/** Milliseconds from sending a single event to the start of its execution. */
	starts: number[];
}

/**
 * Genuine events to this trigger beside the same bodies to n8n's Webhook node, each with a No
 * Operation node behind it: how many a second, until the last execution has ended, and how long one
 * takes to start an execution. In an n8n as it is by default, and in one that handles both nodes alike.
 */
export async function measureTrigger(bench: Bench): Promise<Outcome> {
	bench.log(`  n8n with ${Object.keys(lazy).join()}…`);
	const alike = await withBench(
		bench.plan,
		bench.log,
		async (other) => await tryAll(other, async () => [await listenByWebhook(other)]),
		lazy,
	);
	const byDefault = bench.plan.quick
		? []
		: await tryAll(bench, async () => [
				await listenByWebhook(bench),
				await listenByWebhook(bench, { name: 'Webhook node with an expression', expression: true }),
			]);
	return {
		tables: [
			{
				id: 'trigger',
				title: `Genuine events, ${bench.plan.trigger.parallel} in parallel`,
				columns: [
					{ key: 'n8n', title: 'n8n' },
					{ key: 'side', title: 'Who' },
					{ key: 'ratio', title: 'This trigger / it', digits: 2 },
					{ key: 'rate', title: 'Events a second', digits: 1 },
					{ key: 'cost', title: "n8n's processor time for one (ms)", digits: 1 },
					{ key: 'startMs', title: 'Sent to started, one at a time (ms)', digits: 1 },
					{ key: 'startMs95', title: '95 % are below (ms)', digits: 1 },
				],
				rows: [...rowsOf('isolates made lazily', alike), ...rowsOf('by default', byDefault)],
			},
		],
		ratios: { trigger: ratio(alike[0], alike[1]) },
	};
}

/** This trigger first, then the others; in short rounds, so that what else goes on hits all. */
async function tryAll(bench: Bench, others: () => Promise<Listener[]>): Promise<Tries[]> {
	const { rounds, events: count, parallel, single } = bench.plan.trigger;
	return await withService(bench, {}, async (service) => {
		const listeners = [await listenByTrigger(bench, service), ...(await others())];
		const tries = listeners.map((listener): Tries => ({
			listener,
			rates: [],
			costs: [],
			starts: [],
		}));
		const events = await eventsOf(bench, service);
		for (const { listener } of tries) {
			await deliver(bench, listener, events.next(warmUpEvents), parallel);
		}
		for (let round = 0; round < rounds; round++) {
			// Whoever comes first may have it easier: that changes with each round.
			for (const each of round % 2 ? [...tries].reverse() : tries) {
				const before = await processorMs(bench.n8n.pid);
				each.rates.push(rateOf(await deliver(bench, each.listener, events.next(count), parallel)));
				each.costs.push(((await processorMs(bench.n8n.pid)) - before) / count);
			}
		}
		for (let portion = 0; portion < portions; portion++) {
			for (const each of tries) {
				each.starts.push(...(await startsOf(bench, each.listener, events, single / portions)));
			}
		}
		for (const { listener } of tries) await bench.n8n.api.deactivate(listener.workflowId);
		return tries;
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

/** Of each round, then the median: the parts of a round lie next to each other. */
function ratio(own: Tries | undefined, other: Tries | undefined): number {
	return median(own?.rates.map((rate, round) => rate / (other?.rates[round] ?? NaN)) ?? []);
}

function rowsOf(n8n: string, tries: Tries[]): Row[] {
	return tries.map((each, at) => {
		const cost = median(each.costs);
		return {
			n8n,
			side: each.listener.name,
			ratio: at > 0 ? ratio(tries[0], each) : undefined,
			rate: median(each.rates),
			cost: Number.isNaN(cost) ? undefined : cost,
			startMs: median(each.starts),
			startMs95: quantile(each.starts, 0.95),
		};
	});
}
