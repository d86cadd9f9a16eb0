import { createAll, type Side } from './documents';
import { median, written } from './measure';
import type { Outcome, Row } from './report';
import { withService, type Bench } from './stage';

/** The pairs to compare, each with the name of its ratio. The service responds at once. */
const pairs = [
	{
		ratio: 'processorFixed',
		values: 'fixed values',
		own: { kind: 'node', parallel: 50, fixed: true },
		other: { kind: 'httpRequest', fixed: true },
	},
	{
		ratio: 'processorExpressions',
		values: 'three expressions',
		own: { kind: 'node', parallel: 50 },
		other: { kind: 'httpRequest' },
	},
] as const satisfies Array<{ ratio: string; values: string; own: Side; other: Side }>;

/**
 * Compares how much processor time n8n uses to create a document with this node and with the HTTP Request
 * node. The two take turns, because a process's speed changes with the other load on the machine.
 */
export async function measureProcessor(bench: Bench): Promise<Outcome> {
	const { warmUp, items, rounds } = bench.plan.processor;
	return await withService(bench, {}, async (service) => {
		const usedMs = async (side: Side, count: number): Promise<number> => {
			const { processorMs = NaN } = await createAll(bench, service, side, count, true);
			return processorMs / count;
		};
		bench.log(`  ${written(warmUp)} documents for each client, as a warm-up…`);
		for (const { own, other } of pairs) {
			await usedMs(own, warmUp);
			await usedMs(other, warmUp);
		}
		const ratios: Outcome['ratios'] = {};
		const rows: Row[] = [];
		for (const { ratio, values, own, other } of pairs) {
			const times: Array<{ ownMs: number; otherMs: number }> = [];
			for (let round = 1; round <= rounds; round++) {
				bench.log(`  ${values}, round ${round} of ${rounds}: ${written(items)} documents each…`);
				// Whoever begins alternates, because the second one may find the process in another state.
				const isOwnFirst = round % 2 === 1;
				const [first, second] = isOwnFirst ? [own, other] : [other, own];
				const [firstMs, secondMs] = [await usedMs(first, items), await usedMs(second, items)];
				times.push(
					isOwnFirst
						? { ownMs: firstMs, otherMs: secondMs }
						: { ownMs: secondMs, otherMs: firstMs },
				);
			}
			const ratiosOfRounds = times.map(({ ownMs, otherMs }) => ownMs / otherMs);
			ratios[ratio] = median(ratiosOfRounds);
			rows.push({
				values,
				ownMs: median(times.map(({ ownMs }) => ownMs)),
				otherMs: median(times.map(({ otherMs }) => otherMs)),
				ratio: ratios[ratio],
				lowest: Math.min(...ratiosOfRounds),
				highest: Math.max(...ratiosOfRounds),
			});
		}
		return {
			tables: [
				{
					id: 'processor',
					title: `Processor time for a document, in executions with ${written(items)}`,
					columns: [
						{ key: 'values', title: 'Documents with' },
						{ key: 'ownMs', title: 'this node (ms)', digits: 2 },
						{ key: 'otherMs', title: 'HTTP Request node (ms)', digits: 2 },
						{ key: 'ratio', title: 'this node / HTTP Request node', digits: 2 },
						{ key: 'lowest', title: 'lowest of all rounds', digits: 2 },
						{ key: 'highest', title: 'highest of all rounds', digits: 2 },
					],
					rows,
				},
			],
			ratios,
		};
	});
}
