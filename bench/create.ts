import { createDocuments, type Creation, type Side } from './documents';
import type { CreateCell } from './plan';
import { withService } from './service';
import { median } from './statistics';
import type { Bench, Outcome, Row } from './types';

/** What each side does once before its rounds, for its connections. */
const firstItems = 20;

/** One side in one cell: what it took in each round. */
interface Tries {
	side: Side;
	rounds: Creation[];
}

/**
 * Creating documents: this node, the HTTP Request node, and a bare client with as many requests in
 * parallel as this node. The sides take turns, so that what else goes on on the machine hits all.
 */
export async function measureCreate(bench: Bench): Promise<Outcome> {
	const rows: Row[] = [];
	await warmUp(bench);
	for (const cell of bench.plan.create) {
		bench.log(`  ${cell.items} documents at ${cell.latencyMs} ms…`);
		rows.push(...rowsOf(cell, await tryAll(bench, cell)));
	}
	return {
		tables: [
			{
				id: 'create',
				title: 'Creating documents',
				columns: [
					{ key: 'latencyMs', title: 'Latency (ms)' },
					{ key: 'items', title: 'Documents' },
					{ key: 'side', title: 'Who' },
					{ key: 'parallel', title: 'In parallel' },
					{ key: 'toBare', title: 'Time / bare client', digits: 2 },
					{ key: 'perItemMs', title: 'ms per document', digits: 2 },
					{ key: 'perSecond', title: 'Documents a second' },
					{ key: 'processorMs', title: "n8n's processor time for one (ms)", digits: 2 },
				],
				rows,
			},
		],
		ratios: ratiosOf(rows, bench.plan.quick),
	};
}

async function warmUp(bench: Bench): Promise<void> {
	const { warmUp } = bench.plan;
	bench.log(`  ${warmUp} documents that do not count…`);
	await withService(bench, {}, async (service) => {
		await createDocuments(bench, service, { kind: 'node', parallel: 50 }, warmUp);
	});
}

async function tryAll(bench: Bench, cell: CreateCell): Promise<Tries[]> {
	const sides: Side[] = [
		...cell.parallel.flatMap((parallel): Side[] => [
			{ kind: 'bare', parallel },
			{ kind: 'node', parallel },
		]),
		...(cell.byHand ? [{ kind: 'httpRequest' } as const] : []),
	];
	const tries = sides.map((side): Tries => ({ side, rounds: [] }));
	await withService(bench, { latencyMs: cell.latencyMs }, async (service) => {
		for (const side of sides) await createDocuments(bench, service, side, firstItems);
		for (let round = 0; round < cell.rounds; round++) {
			for (const { side, rounds } of tries) {
				rounds.push(await createDocuments(bench, service, side, cell.items));
			}
		}
	});
	return tries;
}

function rowsOf({ latencyMs, items }: CreateCell, tries: Tries[]): Row[] {
	return tries.map(({ side, rounds }) => {
		const failed = rounds.find(({ status }) => status !== 'success');
		const parallel = side.kind === 'httpRequest' ? 'all' : side.parallel;
		const row: Row = { latencyMs, items, side: nameOf(side), parallel };
		if (failed) return { ...row, perItemMs: `failed: ${failed.error}` };
		const perItemMs = median(rounds.map(({ ms }) => ms)) / items;
		return {
			...row,
			perItemMs,
			perSecond: 1000 / perItemMs,
			...(side.kind === 'bare'
				? {}
				: { processorMs: median(rounds.map((each) => each.processorMs ?? NaN)) / items }),
			...(side.kind === 'node' ? { toBare: toBare(side.parallel, rounds, tries) } : {}),
		};
	});
}

/** Against the bare client of the same round: the machine was in the same state for both. */
function toBare(parallel: number, rounds: Creation[], tries: Tries[]): number {
	const bare = tries.find(({ side }) => side.kind === 'bare' && side.parallel === parallel);
	return median(rounds.map(({ ms }, round) => ms / (bare?.rounds[round]?.ms ?? NaN)));
}

/** What a side is called in tables and charts. */
export function nameOf(side: Side): string {
	if (side.kind === 'bare') return 'bare keep-alive client';
	return side.kind === 'node' ? 'this node' : 'HTTP Request node';
}

/** The floors are for 100 ms; of several counts the largest that all sides were measured with. */
function ratiosOf(rows: Row[], isQuick: boolean): Outcome['ratios'] {
	const node = (parallel: number): Row | undefined =>
		rows.find(
			(row) =>
				row.latencyMs === 100 &&
				row.parallel === parallel &&
				row.side === 'this node' &&
				(parallel === 1 || row.items !== 100),
		);
	const [one, ten, fifty] = [node(1), node(10), node(50)];
	return {
		create10: Number(ten?.toBare),
		[isQuick ? 'create50Quick' : 'create50']: Number(fifty?.toBare),
		sequential: Number(one?.perItemMs) / Number(ten?.perItemMs),
	};
}
