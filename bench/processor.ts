import { createAll, type Side } from './documents';
import { median, written } from './measure';
import type { Outcome, Row } from './report';
import { withInstantService, withService, type Bench, type DocumentService } from './stage';
import type { Ratios } from './thresholds';

/** The pairs to compare. */
const pairs = [
	{
		values: 'fixed values',
		own: { kind: 'node', parallel: 50, fixed: true },
		other: { kind: 'httpRequest', fixed: true },
	},
	{
		values: 'three expressions',
		own: { kind: 'node', parallel: 50 },
		other: { kind: 'httpRequest' },
	},
] as const satisfies Array<{ values: string; own: Side; other: Side }>;

type Values = (typeof pairs)[number]['values'];

interface Comparison {
	/** The service's name in the table. */
	service: string;
	/** The name of each pair's ratio. */
	ratios: Record<Values, keyof Ratios>;
	items: number;
}

/**
 * Compares how much processor time n8n uses to create a document with this node and with the HTTP Request node, at two
 * services: the sandbox, whose own work for each call competes with n8n for the machine, and one that only repeats a
 * response.
 */
export async function measureProcessor(bench: Bench): Promise<Outcome> {
	const { items, instantItems } = bench.plan.processor;
	const atSandbox = await withService(bench, {}, async (service) =>
		compare(bench, service, {
			service: 'the sandbox',
			ratios: { 'fixed values': 'processorFixed', 'three expressions': 'processorExpressions' },
			items,
		}),
	);
	const atInstant = await withInstantService(bench, async (service) =>
		compare(bench, service, {
			service: 'one that repeats a response',
			ratios: {
				'fixed values': 'processorFixedInstant',
				'three expressions': 'processorExpressionsInstant',
			},
			items: instantItems,
		}),
	);
	return {
		tables: [
			{
				id: 'processor',
				title: `Processor time for a document, in executions with ${written(items)} or ${written(instantItems)}`,
				columns: [
					{ key: 'service', title: 'Service' },
					{ key: 'values', title: 'Documents with' },
					{ key: 'ownMs', title: 'this node (ms)', digits: 2 },
					{ key: 'otherMs', title: 'HTTP Request node (ms)', digits: 2 },
					{ key: 'ratio', title: 'this node / HTTP Request node', digits: 2 },
					{ key: 'lowest', title: 'lowest of all rounds', digits: 2 },
					{ key: 'highest', title: 'highest of all rounds', digits: 2 },
				],
				rows: [...atSandbox.rows, ...atInstant.rows],
			},
		],
		ratios: { ...atSandbox.ratios, ...atInstant.ratios },
	};
}

/** Both nodes take turns, because a process's speed changes with the other load on the machine. */
async function compare(
	bench: Bench,
	service: DocumentService,
	{ service: name, ratios: ratioNames, items }: Comparison,
): Promise<{ rows: Row[]; ratios: Ratios }> {
	const { warmUp, rounds } = bench.plan.processor;
	const usedMs = async (side: Side, count: number): Promise<number> => {
		const { processorMs = NaN } = await createAll(bench, service, side, count, true);
		return processorMs / count;
	};
	bench.log(`  At ${name}: ${written(warmUp)} documents for each client, as a warm-up…`);
	for (const { own, other } of pairs) {
		await usedMs(own, warmUp);
		await usedMs(other, warmUp);
	}
	const ratios: Ratios = {};
	const rows: Row[] = [];
	for (const { values, own, other } of pairs) {
		const times: Array<{ ownMs: number; otherMs: number }> = [];
		for (let round = 1; round <= rounds; round++) {
			bench.log(`  ${values}, round ${round} of ${rounds}: ${written(items)} documents each…`);
			// Whoever begins alternates, because the second one may find the process in another state.
			const isOwnFirst = round % 2 === 1;
			const [first, second] = isOwnFirst ? [own, other] : [other, own];
			const [firstMs, secondMs] = [await usedMs(first, items), await usedMs(second, items)];
			times.push(
				isOwnFirst ? { ownMs: firstMs, otherMs: secondMs } : { ownMs: secondMs, otherMs: firstMs },
			);
		}
		const ratiosOfRounds = times.map(({ ownMs, otherMs }) => ownMs / otherMs);
		const ratio = median(ratiosOfRounds);
		ratios[ratioNames[values]] = ratio;
		rows.push({
			service: name,
			values,
			ownMs: median(times.map(({ ownMs }) => ownMs)),
			otherMs: median(times.map(({ otherMs }) => otherMs)),
			ratio,
			lowest: Math.min(...ratiosOfRounds),
			highest: Math.max(...ratiosOfRounds),
		});
	}
	return { rows, ratios };
}
