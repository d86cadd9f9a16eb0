import { init, type EChartsOption } from 'echarts';

import type { Row, Table } from './types';

const size = { width: 820, height: 380 };
const colors = { done: '#2f6f9f', twice: '#d08a1d', lost: '#b5403a', other: '#9aa5ad' };

/** The pictures of the results, by file name. Those whose table is missing are left out. */
export function drawCharts(tables: Table[]): Record<string, string> {
	const rowsOf = (id: string): Row[] => tables.find((table) => table.id === id)?.rows ?? [];
	const create = rowsOf('create').filter((row) => row.latencyMs === 100 && isCharted(row));
	const rateLimit = rowsOf('rateLimit');
	return {
		...(create.length ? { 'bench-create.svg': render(createChart(create)) } : {}),
		...(rateLimit.length ? { 'bench-rate-limit.svg': render(rateLimitChart(rateLimit)) } : {}),
	};
}

/** 1,000 documents; one after another there are only as many as one waits for. */
function isCharted({ items, parallel, values }: Row): boolean {
	if (values === 'fixed') return false;
	return items === 1000 || (items === 100 && parallel === 1);
}

function createChart(rows: Row[]): EChartsOption {
	const one = rows.find(({ side, parallel }) => side === 'this node' && parallel === 1);
	const base = Number(one?.perItemMs);
	const bars = rows
		.filter(({ side, parallel }) => side === 'this node' || parallel !== 1)
		.map(({ side, parallel, perItemMs }) => ({
			name: parallel === 1 ? 'one after another' : `${side}, ${parallel} in parallel`,
			value: Math.round((base / Number(perItemMs)) * 10) / 10,
			itemStyle: { color: side === 'this node' ? colors.done : colors.other },
		}));
	return {
		...frame('Creating documents, 100 ms each', 'times as fast as one after another'),
		yAxis: { type: 'category', inverse: true, data: bars.map(({ name }) => name) },
		series: [{ type: 'bar', data: bars, label: { show: true, position: 'right' } }],
	};
}

function rateLimitChart(rows: Row[]): EChartsOption {
	const stack = (name: string, color: string, valueOf: (row: Row) => number) => ({
		name,
		type: 'bar' as const,
		stack: 'documents',
		itemStyle: { color },
		data: rows.map(valueOf),
	});
	return {
		...frame('Documents at a service with a rate limit', 'people to get a document'),
		legend: { bottom: 0, itemGap: 24 },
		yAxis: { type: 'category', inverse: true, data: rows.map(({ side }) => String(side)) },
		series: [
			stack('got one', colors.done, ({ created, twice }) => Number(created) - Number(twice)),
			stack('got several', colors.twice, ({ twice }) => Number(twice)),
			stack('got none', colors.lost, ({ lost }) => Number(lost)),
		],
	};
}

function frame(title: string, unit: string): EChartsOption {
	return {
		animation: false,
		backgroundColor: '#ffffff',
		title: { text: title, left: 'center', textStyle: { fontSize: 16 } },
		// Nobody measures text where there is no browser: the names get room enough.
		grid: { left: 290, right: 40, top: 50, bottom: 70 },
		xAxis: { type: 'value', name: unit, nameLocation: 'middle', nameGap: 28 },
	};
}

function render(option: EChartsOption): string {
	const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
	chart.setOption(option);
	const svg = chart.renderToSVGString();
	chart.dispose();
	return svg;
}
