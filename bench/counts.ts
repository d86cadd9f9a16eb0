import type { Sandbox, SandboxOptions } from '../sandbox';
import { createAll, createDocuments, type Side } from './documents';
import { written } from './measure';
import type { Outcome, Row } from './report';
import { withService, type Bench } from './stage';

/** How long the service takes to create a document in each measurement, in milliseconds. */
const latency = { rateLimit: 20, tokens: 100 };
const parallel = 10;
const own: Side = { kind: 'node', parallel };

/**
 * Counts how many people got a document (`created`), how many got more than one (`twice`), and how many got
 * none even though one was requested for them (`lost`).
 */
function tally(sandbox: Sandbox, asked: number): { created: number; twice: number; lost: number } {
	const counts = new Map<string, number>();
	for (const { signatory } of sandbox.documents()) {
		const who = signatory[0]?.emailID ?? '';
		counts.set(who, (counts.get(who) ?? 0) + 1);
	}
	const twice = [...counts.values()].filter((count) => count > 1).length;
	return { created: counts.size, twice, lost: asked - counts.size };
}

/**
 * Measures how many documents get created, and how long that takes, when the service accepts only a limited
 * number of calls per second and rejects the rest with a 429.
 */
export async function measureRateLimit(bench: Bench): Promise<Outcome> {
	const { perSecond, items } = bench.plan.rateLimit;
	const batch = { size: perSecond, intervalMs: 1000 };
	const sides: Array<{ name: string; side: Side }> = [
		{ name: 'this node', side: own },
		{ name: 'HTTP Request node, default settings', side: { kind: 'httpRequest' } },
		{
			name: `HTTP Request node, batches of ${batch.size} a second`,
			side: { kind: 'httpRequest', batch },
		},
		{ name: 'HTTP Request node, Retry On Fail', side: { kind: 'httpRequest', retries: true } },
	];
	const rows: Row[] = [];
	for (const { name, side } of bench.plan.quick ? sides.slice(0, 1) : sides) {
		bench.log(`  ${name}…`);
		const options = { latencyMs: latency.rateLimit, rateLimit: { perSecond } };
		const row = await withService(bench, options, async (service) => {
			const { ms, status } = await createDocuments(bench, service, side, items);
			const ended = status === 'success' ? 'success' : 'error';
			return { side: name, ...tally(service.sandbox, items), seconds: ms / 1000, ended };
		});
		rows.push(row);
	}
	return {
		tables: [
			{
				id: 'rateLimit',
				title: `${items} documents at ${perSecond} calls a second`,
				columns: [
					{ key: 'side', title: 'Node' },
					{ key: 'created', title: 'Created' },
					{ key: 'lost', title: 'Not created' },
					{ key: 'twice', title: 'Created twice or more' },
					{ key: 'seconds', title: 'Seconds', digits: 1 },
					{ key: 'ended', title: 'Execution ended with' },
				],
				rows,
			},
		],
		ratios: {
			rateLimitCreated: Number(rows[0]?.created) / items,
			rateLimitTwice: Number(rows[0]?.twice),
		},
	};
}

const tokens: Array<{ what: string; options: SandboxOptions }> = [
	{ what: 'Valid for 5 minutes, with no token stored yet', options: {} },
	{
		what: 'Valid for 2 seconds, and each new token invalidates the earlier ones',
		options: { tokenLifetimeSeconds: 2, invalidateOnRenew: true },
	},
];

export async function measureTokens(bench: Bench): Promise<Outcome> {
	const { items } = bench.plan.tokens;
	const rows: Row[] = [];
	for (const { what, options } of tokens) {
		const all = { ...options, latencyMs: latency.tokens };
		const row = await withService(bench, all, async (service) => {
			const { sandbox } = service;
			const before = sandbox.tokenExchanges();
			const { ms } = await createAll(bench, service, own, items);
			return {
				what,
				exchanges: sandbox.tokenExchanges() - before,
				refused: sandbox.requests.filter(({ status }) => status === 401).length,
				...tally(sandbox, items),
				seconds: ms / 1000,
			};
		});
		rows.push(row);
	}
	return {
		tables: [
			{
				id: 'tokens',
				title: `Token exchanges for ${written(items)} documents, ${parallel} requests in parallel`,
				columns: [
					{ key: 'what', title: 'The token' },
					{ key: 'exchanges', title: 'Exchanges' },
					{ key: 'refused', title: 'Calls rejected because of the token' },
					{ key: 'created', title: 'Created' },
					{ key: 'twice', title: 'Created twice' },
					{ key: 'seconds', title: 'Seconds', digits: 1 },
				],
				rows,
			},
		],
		ratios: { tokens: Number(rows[0]?.exchanges) },
	};
}
