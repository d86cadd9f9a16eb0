import { tableOf } from '../../support/documentedPart';
import { faultOf } from './faults';
import { invariants } from './invariants';
import { operations } from './operations';
import type { End } from './outcomes';
import { allRows } from './rows';
import { table } from './table';

/** How the page calls what comes of a run. */
const ends: Record<End, string> = {
	done: 'done',
	allFail: 'all fail',
	oneFails: 'one fails',
	oneUnsure: '**may exist**',
};

/** The matrix as docs/dev/proof.md shows it. */
export function compositionPart(): string {
	return [
		tableOf(
			['What goes wrong', 'Where', 'Without Retry On Fail', 'With Retry On Fail'],
			table.map(({ fault, where, off, on }) => [
				faultOf(fault).words,
				where.words,
				ends[off],
				ends[on],
			]),
		),
		'These rows are tested with other settings and workflows of n8n:',
		tableOf(['Setting or workflow', 'Tried with', 'What happens'], singleParts()),
		'Every run checks these rules:',
		Object.values(invariants)
			.map((words) => `- ${words}.`)
			.join('\n'),
	].join('\n\n');
}

/** The rows that stand for themselves; the operations of alike ones are told together. */
function singleParts(): string[][] {
	const parts = new Map<string, { tried: string[]; expected: string }>();
	for (const { what, operation, triedWith, expected } of allRows) {
		const part = parts.get(what) ?? { tried: triedWith ? [triedWith] : [], expected };
		if (operation) part.tried.push(operations[operation].words);
		parts.set(what, part);
	}
	return [...parts].map(([what, { tried, expected }]) => [what, tried.join('; '), expected]);
}
