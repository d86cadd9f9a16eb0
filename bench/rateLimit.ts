import { createDocuments, type Side } from './documents';
import { withService } from './service';
import type { Sandbox } from '../sandbox';
import type { Bench, Outcome, Row } from './types';

/** For how many of the people that documents were asked for there is one, several, or none. */
export interface Tally {
	created: number;
	twice: number;
	lost: number;
}

/** Counts the documents that a sandbox holds, each by its signatory. */
export function tally(sandbox: Sandbox, asked: number): Tally {
	const counts = new Map<string, number>();
	for (const { signatory } of sandbox.documents()) {
		const who = signatory[0]?.emailID ?? '';
		counts.set(who, (counts.get(who) ?? 0) + 1);
	}
	const twice = [...counts.values()].filter((count) => count > 1).length;
	return { created: counts.size, twice, lost: asked - counts.size };
}

/** Creating documents at a service that lets through so many calls a second and answers 429 beyond. */
export async function measureRateLimit(bench: Bench): Promise<Outcome> {
	const { perSecond, items, latencyMs } = bench.plan.rateLimit;
	const batch = { size: perSecond, intervalMs: 1000 };
	const sides: Array<{ name: string; side: Side }> = [
		{ name: 'this node', side: { kind: 'node', parallel: 10 } },
		{ name: 'HTTP Request node, as it is', side: { kind: 'httpRequest' } },
		{
			name: `HTTP Request node, batches of ${batch.size} a second`,
			side: { kind: 'httpRequest', batch },
		},
		{ name: 'HTTP Request node, Retry On Fail', side: { kind: 'httpRequest', retries: true } },
	];
	const rows: Row[] = [];
	for (const { name, side } of bench.plan.quick ? sides.slice(0, 1) : sides) {
		bench.log(`  ${name}…`);
		const row = await withService(
			bench,
			{ latencyMs, rateLimit: { perSecond } },
			async (service) => {
				const { ms, status } = await createDocuments(bench, service, side, items);
				const ended = status === 'success' ? 'success' : 'error';
				return { side: name, ...tally(service.sandbox, items), seconds: ms / 1000, ended };
			},
		);
		rows.push(row);
	}
	const [own] = rows;
	return {
		tables: [
			{
				id: 'rateLimit',
				title: `${items} documents at a service that allows ${perSecond} calls a second`,
				columns: [
					{ key: 'side', title: 'Who' },
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
			rateLimitCreated: Number(own?.created) / items,
			rateLimitTwice: Number(own?.twice),
		},
	};
}
