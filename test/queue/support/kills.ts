import { setTimeout as delay } from 'node:timers/promises';

import fc from 'fast-check';

import type { Service } from '../../../host/queue/service';
import type { QueueStage } from '../../../host/queue/stage';
import type { SupervisedProcess } from '../../../host/queue/supervise';
import { seed } from '../../support/sample';
import { report } from './stage';

/** Picks a value that depends only on the seed, without fast-check's usual bias toward extreme values. */
export function chosen<Value>(arbitrary: fc.Arbitrary<Value>, number: number): Value {
	const [value] = fc.sample(fc.noBias(arbitrary), { seed: number, numRuns: 1 });
	return value as Value;
}

export type Role = 'main' | 'webhook' | 'worker' | 'store';

/** A period in which a part of n8n was down. */
interface Outage {
	target: string;
	role: Role;
	/** Epoch-ms. */
	from: number;
	/** Infinity while the outage lasts. */
	to: number;
}

/**
 * How long (ms) n8n's processes may keep failing after a store is back, because they first have to notice and
 * reconnect.
 */
const reconnectMs = 30_000;

/** Records when parts of n8n were down. A test excuses failures only at those times. */
export class Outages {
	private readonly all: Outage[] = [];

	began(target: string, role: Role, from = Date.now()): void {
		this.all.push({ target, role, from, to: Infinity });
	}

	ended(target: string, to = Date.now()): void {
		const last = this.all.filter((outage) => outage.target === target).at(-1);
		if (last) last.to = to;
	}

	/** Whether one of these roles was down, or had just come back, between two times (epoch-ms). */
	during(roles: Role[], from: number, to: number): boolean {
		return this.all.some((outage) => {
			const overMs = outage.role === 'store' ? outage.to + reconnectMs : outage.to;
			return roles.includes(outage.role) && outage.from <= to && overMs >= from;
		});
	}
}

/** The kinds of parts that a plan can kill. */
type Kind = Exclude<Role, 'store'> | 'redis' | 'postgres';

/** A part of n8n that can be killed, and the way to kill it. */
interface Victim {
	name: string;
	kind: Kind;
	/** The shortest time (ms) before the part is started again. */
	minDownMs: number;
	maxDownMs: number;
	/** Resolves when the part is up again or will restart on its own. */
	kill: (downMs: number) => Promise<void>;
}

interface Kill {
	victim: Victim;
	/** The time since the start of the plan. */
	afterMs: number;
	downMs: number;
}

/** Plans a kill of one of these parts at a random moment. */
const killOf = (victims: Victim[], lastsMs: number): fc.Arbitrary<Kill> =>
	fc.constantFrom(...victims).chain((victim) =>
		fc.record({
			victim: fc.constant(victim),
			afterMs: fc.integer({ min: Math.round(lastsMs * 0.03), max: Math.round(lastsMs * 0.97) }),
			downMs: fc.integer({ min: victim.minDownMs, max: victim.maxDownMs }),
		}),
	);

const processesOf = ({ main, webhooks, workers }: QueueStage): SupervisedProcess[] => [
	main,
	...webhooks,
	...workers,
];

function roleOf({ main, webhooks }: QueueStage, kept: SupervisedProcess): Exclude<Role, 'store'> {
	if (kept === main) return 'main';
	return webhooks.includes(kept) ? 'webhook' : 'worker';
}

/** Starts recording the times at which n8n processes exit, whether killed or not, and become ready again. */
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
	const store = (kind: Kind, service: Service, end: () => Promise<void>): Victim => ({
		kind,
		name: service.name,
		// An n8n process exits on its own after 10 s without Redis. Both shorter and longer outages are
		// tested.
		minDownMs: 1000,
		maxDownMs: 14_000,
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
			kind: roleOf(stage, kept),
			name: kept.name,
			// The actual downtime is a few seconds longer, because an n8n process takes that long to start.
			minDownMs: 0,
			maxDownMs: 5000,
			kill: async (downMs: number) => await kept.crash(downMs),
		})),
		...(redis ? [store('redis', redis, redis.kill)] : []),
		...(postgres ? [store('postgres', postgres, postgres.stop)] : []),
	];
}

/**
 * Kills parts of n8n at random moments and waits until all of them are up again. Prints the plan.
 * @param options.of The kinds of parts to kill. Each part is killed once for every time that its kind is
 * listed.
 * @param options.more The number of additional kills, each of a random part.
 */
export async function killAtRandom(
	stage: QueueStage,
	outages: Outages,
	options: { of: Kind[]; more: number; lastsMs: number },
): Promise<void> {
	const { of, more, lastsMs } = options;
	const victims = victimsOf(stage, outages);
	const targets = of.flatMap((name) => victims.filter(({ kind }) => kind === name));
	const any = Array.from({ length: more }, () => killOf(targets, lastsMs));
	const ofEach = targets.map((victim) => killOf([victim], lastsMs));
	const plan = chosen(fc.tuple(...ofEach, ...any), seed);
	plan.sort((first, second) => first.afterMs - second.afterMs);
	report(`--seed ${seed} makes this plan of kills again:`);
	for (const { afterMs, victim, downMs } of plan) {
		const [after, down] = [afterMs, downMs].map((ms) => (ms / 1000).toFixed(1));
		report(`  after ${after} s: ${victim.name}, away for ${down} s`);
	}

	const begun = Date.now();
	const killInTurn = async (victim: Victim): Promise<void> => {
		// A part is killed again only after it has restarted, because a part that is down cannot be killed.
		for (const { afterMs, downMs } of plan.filter((kill) => kill.victim === victim)) {
			await delay(Math.max(0, begun + afterMs - Date.now()));
			report(`kill of ${victim.name}`);
			await victim.kill(downMs);
		}
	};
	await Promise.all(victims.map(killInTurn));
	await allUp(stage);
}

/** Waits until every n8n process is ready, including those that have just exited on their own. */
async function allUp(stage: QueueStage): Promise<void> {
	for (;;) {
		for (const kept of processesOf(stage)) await kept.running();
		// If a process is about to exit because it cannot reach a store, it does so within this time.
		await delay(3000);
		if (processesOf(stage).every((kept) => kept.isUp())) return;
	}
}

/**
 * Kills the main process and waits until it is up again. On startup, the main process looks for executions
 * that no process is running.
 */
export async function restartMain({ main }: Pick<QueueStage, 'main'>): Promise<void> {
	report('kill -9 of main, which looks at its start for executions that no process runs');
	const before = main.ends();
	await main.crash();
	while (main.ends() === before || !main.isUp()) await delay(100);
}
