import { setTimeout as delay } from 'node:timers/promises';

import type { Service } from '../../../host/queue/service';
import type { QueueStage } from '../../../host/queue/stage';
import type { SupervisedProcess } from '../../../host/queue/supervise';
import { Outages, type Role } from './outages';
import { planOf, planText, seed, type Target } from './plan';
import { report } from './stage';

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
