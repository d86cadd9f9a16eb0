import { createAll, type Side } from './documents';
import { withPeakMemory } from './process';
import { withService, type Service } from './service';
import { median } from './statistics';
import type { Bench, Outcome, Row } from './types';

/** Many documents in one execution beside few: the time for each, and n8n's memory. */
export async function measureScale(bench: Bench): Promise<Outcome> {
	const { latencyMs, parallel, few, many, rounds } = bench.plan.scale;
	const side: Side = { kind: 'node', parallel };
	return await withService(bench, { latencyMs }, async (service) => {
		const fewTries: Try[] = [];
		const manyTries: Try[] = [];
		await createAll(bench, service, side, few);
		for (let round = 0; round < rounds; round++) {
			// Few on both sides of many: what changes over time hits both.
			fewTries.push(await tryOnce(bench, service, side, few));
			manyTries.push(await tryOnce(bench, service, side, many));
			fewTries.push(await tryOnce(bench, service, side, few));
		}
		const rows = [rowOf('this node', few, fewTries), rowOf('this node', many, manyTries)];
		if (!bench.plan.quick) {
			const byHand = await tryOnce(bench, service, { kind: 'httpRequest' }, many);
			rows.push(rowOf('HTTP Request node', many, [byHand]));
		}
		return {
			tables: [
				{
					id: 'scale',
					title: 'Many documents in one execution',
					columns: [
						{ key: 'side', title: 'Who' },
						{ key: 'items', title: 'Documents' },
						{ key: 'perItemMs', title: 'ms per document', digits: 2 },
						{ key: 'peakMB', title: 'Peak memory of n8n (MB)' },
					],
					rows,
				},
			],
			ratios: {
				scale: Number(rows[1]?.perItemMs) / Number(rows[0]?.perItemMs),
				...memoryRatio(fewTries, manyTries),
			},
		};
	});
}

/** The first few count alone: what n8n has once taken for many, it keeps. Linux only. */
function memoryRatio([few]: Try[], many: Try[]): Outcome['ratios'] {
	const peaks = many.flatMap(({ peakMB }) => peakMB ?? []);
	return few?.peakMB && peaks.length > 0 ? { memory: Math.max(...peaks) / few.peakMB } : {};
}

interface Try {
	perItemMs: number;
	peakMB: number | undefined;
}

async function tryOnce(bench: Bench, service: Service, side: Side, items: number): Promise<Try> {
	bench.log(`  ${items} documents, ${side.kind}…`);
	const { result, peakMB } = await withPeakMemory(
		bench.n8n.pid,
		async () => await createAll(bench, service, side, items),
	);
	return { perItemMs: result / items, peakMB };
}

function rowOf(side: string, items: number, tries: Try[]): Row {
	const peaks = tries.flatMap(({ peakMB }) => peakMB ?? []);
	return {
		side,
		items,
		perItemMs: median(tries.map(({ perItemMs }) => perItemMs)),
		peakMB: peaks.length > 0 ? Math.max(...peaks) : undefined,
	};
}
