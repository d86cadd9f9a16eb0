import { setTimeout as delay } from 'node:timers/promises';

import fc from 'fast-check';

import type { Service } from '../../../host/queue/service';
import type { QueueStage } from '../../../host/queue/stage';
import type { SupervisedProcess } from '../../../host/queue/supervise';
import { report } from './stage';

/** What can be killed, and for how long it may be away. */
export interface Target {
	name: string;
	minDownMs: number;
	maxDownMs: number;
}

/** One kill. */
export interface Kill {
	/** Counted from when the plan begins. */
	afterMs: number;
	target: string;
	/** For so long it is kept from being started again. */
	downMs: number;
}

/** The seed of this run: `QUEUE_SEED` makes an earlier one again. */
export const seed = Number(process.env.QUEUE_SEED) || Math.floor(Math.random() * 1e6) + 1;

/** A value that is the same for the same seed, without fast-check's preference for limits. */
export function chosen<Value>(arbitrary: fc.Arbitrary<Value>, number: number): Value {
	const [value] = fc.sample(fc.noBias(arbitrary), { seed: number, numRuns: 1 });
	return value as Value;
}

/**
 * A plan of kills at random moments, so that they meet in ways that nobody has thought of.
 *
 * @param targets each is killed once
 * @param more how many kills there are besides, of any of the targets
 * @param lastsMs all kills are begun within that time
 * @returns in the order of time, the same for the same seed
 */
export function planOf(number: number, targets: Target[], more: number, lastsMs: number): Kill[] {
	const any = fc.integer({ min: 0, max: targets.length - 1 });
	const second = fc.record({
		afterMs: fc.integer({ min: Math.round(lastsMs * 0.03), max: Math.round(lastsMs * 0.97) }),
		part: fc.integer({ min: 0, max: 1000 }),
	});
	const count = targets.length + more;
	const { others, moments } = chosen(
		fc.record({
			others: fc.array(any, { minLength: more, maxLength: more }),
			moments: fc.array(second, { minLength: count, maxLength: count }),
		}),
		number,
	);
	const all = [...targets, ...others.map((index) => targets[index] as Target)];
	return all
		.map(({ name, minDownMs, maxDownMs }, index) => {
			const { afterMs = 0, part = 0 } = moments[index] ?? {};
			const downMs = Math.round(minDownMs + ((maxDownMs - minDownMs) * part) / 1000);
			return { afterMs, target: name, downMs };
		})
		.sort((a, b) => a.afterMs - b.afterMs);
}

/** A plan as a person reads it. */
export function planText(plan: Kill[]): string[] {
	return plan.map(
		({ afterMs, target, downMs }) =>
			`after ${(afterMs / 1000).toFixed(1)} s: ${target}, away for ${(downMs / 1000).toFixed(1)} s`,
	);
}

/** What a part of n8n is for. */
export type Role = 'main' | 'webhook' | 'worker' | 'store';

/** A time in which a part of n8n was away. */
interface Outage {
	target: string;
	role: Role;
	/** Epoch-ms. */
	from: number;
	/** Infinity while it lasts. */
	to: number;
}

/**
 * For so long (ms) after a store is back, its users may still fail: they must notice it and connect
 * again.
 */
const reconnectMs = 30_000;

/** When parts of n8n were away: what a test may excuse with it, and nothing else. */
export class Outages {
	private readonly all: Outage[] = [];

	began(target: string, role: Role, from = Date.now()): void {
		this.all.push({ target, role, from, to: Infinity });
	}

	ended(target: string, to = Date.now()): void {
		const last = this.all.filter((each) => each.target === target).at(-1);
		if (last) last.to = to;
	}

	/** Whether one of these roles was away, or had just come back, between two moments (epoch-ms). */
	during(roles: Role[], from: number, to: number): boolean {
		return this.all.some((each) => {
			const overMs = each.role === 'store' ? each.to + reconnectMs : each.to;
			return roles.includes(each.role) && each.from <= to && overMs >= from;
		});
	}

	/** How often each part was away. */
	counts(): Record<string, number> {
		const counts: Record<string, number> = {};
		for (const { target } of this.all) counts[target] = (counts[target] ?? 0) + 1;
		return counts;
	}
}

/** A process of n8n needs seconds to start; these are on top of that. */
const processDown = { minDownMs: 0, maxDownMs: 5000 };
/** Above 10 s every process of n8n ends itself. */
const redisDown = { minDownMs: 0, maxDownMs: 14_000 };
const postgresDown = { minDownMs: 1000, maxDownMs: 14_000 };

/** The names under which a plan asks for parts of n8n. */
type Kind = Exclude<Role, 'store'> | 'redis' | 'postgres';

/** What can be killed of a stage, and how. */
interface Victim extends Target {
	kind: Kind;
	/** Settles when it is up again, or will be by itself. */
	kill: (downMs: number) => Promise<void>;
}

const processesOf = ({ main, webhook, workers }: QueueStage): SupervisedProcess[] => [
	main,
	webhook,
	...workers,
];

function roleOf({ main, webhook }: QueueStage, kept: SupervisedProcess): Exclude<Role, 'store'> {
	if (kept === main) return 'main';
	return kept === webhook ? 'webhook' : 'worker';
}

/** Notes from now on when a process of n8n ends, by a kill or by itself, and when it is ready again. */
export function watchOutages(stage: QueueStage): Outages {
	const outages = new Outages();
	for (const kept of processesOf(stage)) {
		kept.onChange((isUp) =>
			isUp ? outages.ended(kept.name) : outages.began(kept.name, roleOf(stage, kept)),
		);
	}
	return outages;
}

function victimsOf(stage: QueueStage, outages: Outages): Victim[] {
	const { redis, postgres } = stage;
	const store = (
		kind: Kind,
		times: Omit<Target, 'name'>,
		service: Service,
		end: () => Promise<void>,
	): Victim => ({
		...{ kind, name: service.name, ...times },
		kill: async (downMs) => {
			outages.began(service.name, 'store');
			await end();
			await delay(downMs);
			await service.start();
			outages.ended(service.name);
		},
	});
	return [
		...processesOf(stage).map((kept) => ({
			...{ kind: roleOf(stage, kept), name: kept.name, ...processDown },
			kill: async (downMs: number) => await kept.crash(downMs),
		})),
		...(redis ? [store('redis', redisDown, redis, redis.kill)] : []),
		...(postgres ? [store('postgres', postgresDown, postgres, postgres.stop)] : []),
	];
}

/**
 * Kills parts of n8n at random moments, and waits until all of them are up again. Prints the plan.
 * @param options.of Which parts; every one of them as often as it is named.
 * @param options.more How many kills there are besides.
 * @param options.nth Tells the plans of one run apart.
 */
export async function killAtRandom(
	stage: QueueStage,
	outages: Outages,
	options: { of: Kind[]; more: number; lastsMs: number; nth?: number },
): Promise<void> {
	const { of, more, lastsMs, nth = 0 } = options;
	const victims = victimsOf(stage, outages);
	const targets = of.flatMap((name) => victims.filter(({ kind }) => kind === name));
	const plan = planOf(seed + nth * 1_000_003, targets, more, lastsMs);
	report(`QUEUE_SEED=${seed} makes this plan of kills again:`);
	for (const line of planText(plan)) report(`  ${line}`);

	const begun = Date.now();
	const killInTurn = async (victim: Victim): Promise<void> => {
		// One after another: what is away cannot be killed.
		for (const { afterMs, target, downMs } of plan) {
			if (target !== victim.name) continue;
			await delay(Math.max(0, begun + afterMs - Date.now()));
			report(`kill of ${target}`);
			await victim.kill(downMs);
		}
	};
	await Promise.all(victims.map(killInTurn));
	await allUp(stage);
}

/** Waits until every process of n8n is ready, also those that ended themselves a moment ago. */
async function allUp(stage: QueueStage): Promise<void> {
	for (;;) {
		for (const kept of processesOf(stage)) await kept.running();
		// One that is about to end itself for want of a store does so within this time.
		await delay(3000);
		if (processesOf(stage).every((kept) => kept.isUp())) return;
	}
}

/** Kills main and waits until it is up again: it then looks for executions that nobody runs. */
export async function restartMain({ main }: Pick<QueueStage, 'main'>): Promise<void> {
	report('kill -9 of main, which looks for executions that nobody runs when it starts');
	const before = main.ends();
	await main.crash();
	while (main.ends() === before || !main.isUp()) await delay(100);
}
