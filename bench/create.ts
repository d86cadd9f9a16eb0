import { createDocuments, type Creation, type Side } from './documents';
import type { CreateCell } from './plan';
import { withService } from './service';
import { median } from './statistics';
import type { Bench, Outcome, Row } from './types';

/** Both nodes without an expression. */
const fixedSides: Side[] = [
	{ kind: 'node', parallel: 50, fixed: true },
	{ kind: 'httpRequest', fixed: true },
];

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
					{ key: 'values', title: 'Values' },
					{ key: 'toBare', title: 'Time / bare client', digits: 2 },
					{ key: 'perItemMs', title: 'ms per document', digits: 2 },
					{ key: 'perSecond', title: 'Documents a second' },
					{ key: 'processorMs', title: "n8n's processor time for one (ms)", digits: 2 },
					{ key: 'toByHand', title: 'Processor time / HTTP Request node', digits: 2 },
				],
				rows,
			},
		],
		ratios: ratiosOf(rows),
	};
}

async function warmUp(bench: Bench): Promise<void> {
	const { warmUp } = bench.plan;
	bench.log(`  ${warmUp} documents of each node that do not count…`);
	await withService(bench, {}, async (service) => {
		await createDocuments(bench, service, { kind: 'node', parallel: 50 }, warmUp);
		await createDocuments(bench, service, { kind: 'httpRequest' }, warmUp);
	});
}

async function tryAll(bench: Bench, cell: CreateCell): Promise<Tries[]> {
	const sides: Side[] = [
		...cell.parallel.flatMap((parallel): Side[] => [
			{ kind: 'bare', parallel },
			{ kind: 'node', parallel },
		]),
		{ kind: 'httpRequest' },
		...(cell.fixed ? fixedSides : []),
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
		if (side.kind !== 'bare') row.values = side.fixed ? 'fixed' : 'three expressions';
		if (failed) return { ...row, perItemMs: `failed: ${failed.error}` };
		const perItemMs = median(rounds.map(({ ms }) => ms)) / items;
		return {
			...row,
			perItemMs,
			perSecond: 1000 / perItemMs,
			...(side.kind === 'bare'
				? {}
				: { processorMs: median(rounds.map((each) => each.processorMs ?? NaN)) / items }),
			...(side.kind === 'node' && !side.fixed
				? { toBare: toBare(side.parallel, rounds, tries) }
				: {}),
			...(side.kind === 'node' && side.parallel === 50
				? { toByHand: toByHand(side, rounds, tries) }
				: {}),
		};
	});
}

/** Against the bare client of the same round: the machine was in the same state for both. */
function toBare(parallel: number, rounds: Creation[], tries: Tries[]): number {
	const bare = tries.find(({ side }) => side.kind === 'bare' && side.parallel === parallel);
	return median(rounds.map(({ ms }, round) => ms / (bare?.rounds[round]?.ms ?? NaN)));
}

/** The processor time against that of the HTTP Request node with as many expressions. */
function toByHand(own: { fixed?: true }, rounds: Creation[], tries: Tries[]): number {
	const byHand = tries.find(({ side }) => side.kind === 'httpRequest' && side.fixed === own.fixed);
	const other = (round: number) => byHand?.rounds[round]?.processorMs ?? NaN;
	return median(rounds.map(({ processorMs = NaN }, round) => processorMs / other(round)));
}

/** What a side is called in tables and charts. */
export function nameOf(side: Side): string {
	if (side.kind === 'bare') return 'bare keep-alive client';
	return side.kind === 'node' ? 'this node' : 'HTTP Request node';
}

/** The floors are for 100 ms; of several counts the first that fixed values were measured with. */
function ratiosOf(rows: Row[]): Outcome['ratios'] {
	const own = rows.filter(({ side, latencyMs }) => side === 'this node' && latencyMs === 100);
	const fixed = own.find(({ values }) => values === 'fixed');
	const node = (parallel: number): Row | undefined =>
		own.find(
			(row) =>
				row.parallel === parallel &&
				row.values !== 'fixed' &&
				(parallel === 1 || row.items === fixed?.items),
		);
	const [one, ten, fifty] = [node(1), node(10), node(50)];
	return {
		create10: Number(ten?.toBare),
		processorExpressions: Number(fifty?.toByHand),
		processorFixed: Number(fixed?.toByHand),
		sequential: Number(one?.perItemMs) / Number(ten?.perItemMs),
	};
}
