import { setTimeout as delay } from 'node:timers/promises';

import type { SupervisedProcess } from '../../../../host/queue/supervise';
import type { Service } from '../../../../host/queue/service';
import type { QueueStage } from '../../../../host/queue/stage';
import { report } from '../stage';
import type { Role } from './entries';
import type { History } from './history';
import { planOf, planText, seed, type Kill, type Target } from './plan';

/** A process of n8n needs seconds to start; these are on top of that. */
const processDown = { minDownMs: 0, maxDownMs: 5000 };
/** Above 10 s every process of n8n ends itself. */
const redisDown = { minDownMs: 0, maxDownMs: 14_000 };
const postgresDown = { minDownMs: 1000, maxDownMs: 14_000 };

/** The names under which a plan asks for parts of n8n. */
type Kind = Role | 'redis' | 'postgres';

/** What can be killed of a stage, with how it is done. */
interface Victim extends Target {
	kind: Kind;
	/** Settles when it is up again, or will be by itself. */
	kill: (downMs: number) => Promise<void>;
}

function roleOf({ main, webhook }: QueueStage, kept: SupervisedProcess): Role {
	if (kept === main) return 'main';
	return kept === webhook ? 'webhook' : 'worker';
}

const processesOf = ({ main, webhook, workers }: QueueStage): SupervisedProcess[] => [
	main,
	webhook,
	...workers,
];

/** Notes in a history, from now on, whenever a process of n8n ends or is ready again. */
export function watchProcesses(stage: QueueStage, history: History): void {
	for (const kept of processesOf(stage)) {
		const role = roleOf(stage, kept);
		const target = kept.name;
		kept.onChange((isUp) =>
			history.note(isUp ? { type: 'up', target } : { type: 'down', target, role }),
		);
	}
}

function storeVictim(
	kind: Kind,
	service: Service,
	times: Omit<Target, 'name'>,
	end: () => Promise<void>,
	history: History,
): Victim {
	const target = service.name;
	return {
		...{ kind, name: target, ...times },
		kill: async (downMs) => {
			history.note({ type: 'down', target, role: 'store' });
			await end();
			await delay(downMs);
			await service.start();
			history.note({ type: 'up', target });
		},
	};
}

function victimsOf(stage: QueueStage, names: Kind[], history: History) {
	const { redis, postgres } = stage;
	const victims: Victim[] = processesOf(stage)
		.map((kept) => ({ kept, kind: roleOf(stage, kept) }))
		.filter(({ kind }) => names.includes(kind))
		.map(({ kept, kind }) => ({ kind, name: kept.name, ...processDown, kill: kept.crash }));
	if (redis && names.includes('redis')) {
		victims.push(storeVictim('redis', redis, redisDown, redis.kill, history));
	}
	if (postgres && names.includes('postgres')) {
		victims.push(storeVictim('postgres', postgres, postgresDown, postgres.stop, history));
	}
	return victims;
}

/** A plan that can be carried out. */
export interface Kills {
	plan: Kill[];
	/** Carries it out from now on. Settles when everything that was killed is up again. */
	run(): Promise<void>;
}

/**
 * Makes the plan of kills for a stage, and prints it.
 *
 * @param options.of which parts of n8n are killed; every one of them as often as it is named
 * @param options.more how many kills there are besides
 * @param options.nth tells the plans of one run apart
 */
export function killsOf(
	stage: QueueStage,
	history: History,
	options: {
		of: Kind[];
		more: number;
		lastsMs: number;
		nth?: number;
	},
): Kills {
	const victims = victimsOf(stage, options.of, history);
	// What is named twice is killed twice.
	const targets = options.of.flatMap((name) => victims.filter(({ kind }) => kind === name));
	const number = seed + (options.nth ?? 0) * 1_000_003;
	const plan = planOf(number, targets, options.more, options.lastsMs);
	history.note({ type: 'plan', seed });
	report(`QUEUE_SEED=${seed} makes this plan of kills again:`);
	for (const line of planText(plan)) report(`  ${line}`);

	const execute = async (victim: Victim): Promise<void> => {
		const begun = Date.now();
		// One after another: what is away cannot be killed.
		for (const { afterMs, target, downMs } of plan) {
			if (target !== victim.name) continue;
			await delay(Math.max(0, begun + afterMs - Date.now()));
			report(`kill of ${target}`);
			history.note({ type: 'kill', target, downMs });
			await victim.kill(downMs);
		}
	};
	return {
		plan,
		run: async () => {
			await Promise.all(victims.map(execute));
			await allUp(stage);
		},
	};
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

/**
 * Ends main and waits until it is up again: a main that starts looks at once for executions that
 * nobody runs any more.
 */
export async function restartMain({ main }: QueueStage): Promise<void> {
	const before = main.ends();
	await main.crash();
	while (main.ends() === before || !main.isUp()) await delay(100);
}
