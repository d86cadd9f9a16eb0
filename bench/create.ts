import { createAll, type Creation, type Side } from './documents';
import { median, medianRatio, written } from './measure';
import type { Outcome } from './report';
import { withService, type Bench } from './stage';
import { latencyMs } from './thresholds';

/** The clients to compare, with their names in the table. */
const sides = {
	bare: { words: 'bare client, 10 in parallel', side: { kind: 'bare', parallel: 10 } },
	ten: { words: 'this node, 10 in parallel', side: { kind: 'node', parallel: 10 } },
	fifty: { words: 'this node, 50 in parallel', side: { kind: 'node', parallel: 50 } },
	byHand: { words: 'HTTP Request node', side: { kind: 'httpRequest' } },
} satisfies Record<string, { words: string; side: Side }>;
type SideName = keyof typeof sides;

/**
 * Measures how fast this node, the HTTP Request node and a bare client create documents. They take turns so
 * that other load on the machine affects them all equally.
 */
export async function measureCreate(bench: Bench): Promise<Outcome> {
	const { warmUp, items, sequential, rounds } = bench.plan.create;
	bench.log(`  ${written(warmUp)} documents for each node, as a warm-up…`);
	await withService(bench, {}, async (service) => {
		await createAll(bench, service, sides.fifty.side, warmUp);
		await createAll(bench, service, sides.byHand.side, warmUp);
	});
	const names = Object.keys(sides) as SideName[];
	return await withService(bench, { latencyMs: latencyMs.create }, async (service) => {
		const done = Object.fromEntries(names.map((name) => [name, [] as Creation[]]));
		// Create a few documents first so that every client starts with open connections and a token.
		for (const name of names) await createAll(bench, service, sides[name].side, 20);
		for (let round = 1; round <= rounds; round++) {
			bench.log(`  Round ${round} of ${rounds}: ${written(items)} documents for each client…`);
			for (const name of names) {
				done[name]?.push(await createAll(bench, service, sides[name].side, items));
			}
		}
		bench.log(`  ${sequential} documents one after another…`);
		const one = await createAll(bench, service, { kind: 'node', parallel: 1 }, sequential);

		const times = (name: SideName) => (done[name] ?? []).map(({ ms }) => ms);
		const processor = (name: SideName) =>
			(done[name] ?? []).map(({ processorMs = NaN }) => processorMs);
		const perItemMs = (name: SideName) => median(times(name)) / items;
		const rows = names.map((name) => ({
			side: sides[name].words,
			perItemMs: perItemMs(name),
			processorMs: name === 'bare' ? undefined : median(processor(name)) / items,
		}));
		return {
			tables: [
				{
					id: 'create',
					title: `Creating ${written(items)} documents, ${latencyMs.create} ms each`,
					columns: [
						{ key: 'side', title: 'Client' },
						{ key: 'perItemMs', title: 'ms per document', digits: 2 },
						{ key: 'processorMs', title: "n8n's processor time per document (ms)", digits: 2 },
					],
					rows: [...rows, { side: 'this node, one after another', perItemMs: one.ms / sequential }],
				},
			],
			ratios: {
				create10: medianRatio(times('ten'), times('bare')),
				sequential: one.ms / sequential / perItemMs('ten'),
			},
		};
	});
}
