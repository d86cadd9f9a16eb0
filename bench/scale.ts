import { createAll, type Side } from './documents';
import { median, withPeakMemory, written } from './measure';
import type { Outcome, Row } from './report';
import { withService, type Bench, type Service } from './stage';
import { latencyMs } from './thresholds';

const side: Side = { kind: 'node', parallel: 50 };

/**
 * Compares an execution that creates many documents with one that creates few: the time per document, and
 * n8n's peak memory.
 */
export async function measureScale(bench: Bench): Promise<Outcome> {
	const { few, many, rounds } = bench.plan.scale;
	return await withService(bench, { latencyMs: latencyMs.scale }, async (service) => {
		const fewTries: Try[] = [];
		const manyTries: Try[] = [];
		await createAll(bench, service, side, few);
		for (let round = 1; round <= rounds; round++) {
			bench.log(
				`  Round ${round} of ${rounds}: ${written(few)} documents, then ${written(many)}, then ${written(few)} again…`,
			);
			// Measure the small execution both before and after the large one so that gradual changes affect
			// both equally.
			fewTries.push(await tryOnce(bench, service, few));
			manyTries.push(await tryOnce(bench, service, many));
			fewTries.push(await tryOnce(bench, service, few));
		}
		return {
			tables: [
				{
					id: 'scale',
					title: 'Many documents in one execution',
					columns: [
						{ key: 'items', title: 'Documents' },
						{ key: 'perItemMs', title: 'ms per document', digits: 2 },
						{ key: 'peakMB', title: 'Peak memory of n8n (MB)' },
					],
					rows: [rowOf(few, fewTries), rowOf(many, manyTries)],
				},
			],
			ratios: {
				scale: perItem(manyTries) / perItem(fewTries),
				...memoryRatio(fewTries, manyTries),
			},
		};
	});
}

interface Try {
	perItemMs: number;
	/** Undefined on a system that does not report a process's peak memory. */
	peakMB: number | undefined;
}

async function tryOnce(bench: Bench, service: Service, items: number): Promise<Try> {
	const { result, peakMB } = await withPeakMemory(
		bench.n8n.pid,
		async () => await createAll(bench, service, side, items),
	);
	return { perItemMs: result.ms / items, peakMB };
}

const perItem = (tries: Try[]): number => median(tries.map(({ perItemMs }) => perItemMs));

/**
 * Compares the highest peak for many documents with the first peak for few documents. Later peaks for few
 * documents are too high, because n8n does not release the memory that it allocated for the many documents.
 */
function memoryRatio([few]: Try[], many: Try[]): Outcome['ratios'] {
	const peak = highest(many);
	return few?.peakMB && peak ? { memory: peak / few.peakMB } : {};
}

function highest(tries: Try[]): number | undefined {
	const peaks = tries.flatMap(({ peakMB }) => peakMB ?? []);
	return peaks.length > 0 ? Math.max(...peaks) : undefined;
}

function rowOf(items: number, tries: Try[]): Row {
	return { items, perItemMs: perItem(tries), peakMB: highest(tries) };
}
