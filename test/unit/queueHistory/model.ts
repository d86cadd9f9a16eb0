import fc from 'fast-check';

import type { Entry, Role } from '../../queue/support/history/entries';
import { runSends, type Asked } from './modelSends';
import { runWaits, type AskedWait } from './modelWaits';
import { type Outage, meets } from './modelOutages';

const targets: Array<[target: string, role: Role]> = [
	['webhook', 'webhook'],
	['worker-1', 'worker'],
	['worker-2', 'worker'],
	['Redis', 'store'],
	['main', 'main'],
];
const lastsMs = 200_000;
const moment = fc.nat({ max: lastsMs });

const outages = fc
	.array(
		fc.record({
			target: fc.constantFrom(...targets),
			from: moment,
			lasts: fc.integer({ min: 1, max: 9000 }),
		}),
		{ maxLength: 8 },
	)
	.map((all) => {
		const kept: Outage[] = [];
		for (const { target, from, lasts } of all) {
			const [name, role] = target;
			const to = from + lasts;
			// What is away cannot end once more.
			const meets = kept.some((each) => each.target === name && each.from <= to && each.to >= from);
			if (!meets) kept.push({ target: name, role, from, to });
		}
		return kept;
	});

/** What chance decides of one event. */
const event = fc.record({
	begun: moment,
	/** Whether a call that cannot be answered has been stored before. */
	isStored: fc.boolean(),
	/** When it is delivered once more, after its beginning. */
	repeats: fc.array(fc.nat({ max: 60_000 }), { maxLength: 2 }),
	/** How long its execution takes, and where it runs. */
	takes: fc.integer({ min: 1, max: 3000 }),
	worker: fc.constantFrom('worker-1', 'worker-2'),
	isForged: fc.boolean(),
});

const keys = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5'];
const asked: fc.Arbitrary<Asked> = fc.record({
	begun: moment,
	keys: fc.uniqueArray(fc.constantFrom(...keys), { minLength: 1, maxLength: 5 }),
	worker: fc.constantFrom('worker-1', 'worker-2'),
	/** How long each key takes at the service. */
	takes: fc.integer({ min: 10, max: 3000 }),
	/** Whether the document under way was created when the worker died. */
	isCreated: fc.boolean(),
});

const waits: fc.Arbitrary<AskedWait> = fc.record({
	begun: moment,
	count: fc.integer({ min: 1, max: 3 }),
	isLimited: fc.boolean(),
	worker: fc.constantFrom('worker-1', 'worker-2'),
	signed: fc.array(fc.option(fc.nat({ max: 90_000 }), { nil: undefined }), {
		minLength: 3,
		maxLength: 3,
	}),
});

type Chance = typeof event extends fc.Arbitrary<infer Value> ? Value : never;
const isStore = (each: Outage) => each.role === 'store';
const isWebhook = (each: Outage) => each.role === 'webhook';

/** The execution that a call starts, and its "Retry" where it is interrupted. */
function execute(
	call: string,
	at: number,
	{ begun, worker, takes }: Chance,
	all: Outage[],
): Entry[] {
	const execution = `x-${call}`;
	const died = all.find(
		(each) => each.target === worker && each.from >= at && each.from <= at + takes,
	);
	const away = meets(all, isStore, at, at + takes);
	const end = Math.max(at + takes, (died ?? away)?.to ?? 0);
	const status = died || away ? 'error' : 'success';
	const entries: Entry[] = [
		{ type: 'started', at, execution, call },
		{ type: 'finished', at: end, execution, status },
	];
	if (status === 'success') return entries;
	const retryAt = 2 * lastsMs + begun;
	return [
		...entries,
		{ type: 'retry', at: retryAt, execution },
		{ type: 'started', at: retryAt + 1, execution: `r-${call}`, call, retryOf: execution },
		{ type: 'finished', at: retryAt + 2, execution: `r-${call}`, status: 'success' },
	];
}

/** Delivers one event, by all the rules, until it is accepted and its repeats are over. */
function runEvent(name: string, chance: Chance, all: Outage[]): Entry[] {
	const { begun, isStored, repeats } = chance;
	const entries: Entry[] = [];
	let calls = 0;
	/** When the process that now runs took it. */
	let takenAt: number | undefined;

	/** One call: 20 ms from its beginning to its answer, stored after 10. */
	const deliver = (at: number): boolean => {
		const call = `${name}#${++calls}`;
		entries.push({ type: 'call', at, call, event: name });
		const since = takenAt;
		if (since !== undefined && meets(all, isWebhook, since, at)) takenAt = undefined;
		const failure = meets(all, isWebhook, at, at + 20) ?? meets(all, isStore, at, at + 20);
		const status = failure ? (failure.role === 'store' ? 500 : 'ECONNRESET') : 200;
		entries.push({ type: 'answer', at: at + 20, call, status });
		const isUp = !failure || (failure.role === 'webhook' && failure.from > at + 10);
		const mayStore = isUp || failure.role === 'store';
		if (takenAt === undefined && mayStore && (!failure || isStored)) {
			entries.push(...execute(call, at + 10, chance, all));
		}
		if (!failure) takenAt ??= at + 10;
		return !failure;
	};
	const due = repeats.map((after) => begun + after);
	for (let at = begun; ; at += 500) {
		const isAccepted = deliver(at);
		if (isAccepted) {
			for (const repeat of due.sort((a, b) => a - b)) deliver(Math.max(at + 30, repeat));
			return entries;
		}
	}
}

/** A forged call, which an n8n that is there refuses. */
function forge(name: string, at: number): Entry[] {
	return [
		{ type: 'call', at, call: `${name}#1`, event: name, forged: true },
		{ type: 'answer', at: at + 5, call: `${name}#1`, status: 401 },
	];
}

/** Histories that a correct n8n with correct nodes makes. */
export const allowedHistory: fc.Arbitrary<Entry[]> = fc
	.record({
		away: outages,
		events: fc.array(event, { maxLength: 8 }),
		asked: fc.array(asked, { maxLength: 5 }),
		waiting: fc.array(waits, { maxLength: 5 }),
	})
	.map(({ away, events, asked: lists, waiting }) => [
		...away.flatMap(({ target, role, from, to }): Entry[] => [
			{ type: 'down', at: from, target, role },
			{ type: 'up', at: to, target },
		]),
		...events.flatMap((each, index) => runEvent(`event-${index}`, each, away)),
		...events.flatMap(({ begun, isForged }, index) =>
			isForged ? forge(`forged-${index}`, begun) : [],
		),
		...runSends(lists, away),
		...runWaits(waiting, away),
	]);
