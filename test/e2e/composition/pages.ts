import { testedOperations, type TestedOperation } from '../../operations';
import { tableOf } from '../../support/documentedPart';
import { faultOf } from './faults';
import { invariants } from './report';
import { table, type End } from './table';
import { allRows } from './rows';

/** How the page calls what comes of a run. */
const ends: Record<End, string> = {
	done: 'done',
	allFail: 'all fail',
	oneFails: 'one fails',
	oneUnsure: '**may exist**',
	oneWrong: 'one fails, or none is sent',
};

/** The matrix as docs/dev/proof.md shows it. */
export function compositionPart(): string {
	return [
		tableOf(
			['What goes wrong', 'Where', 'Without Retry On Fail', 'With Retry On Fail'],
			table.map(({ fault, operations, off, on }) => [
				faultOf(fault).words,
				wordsOf(operations),
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

/** Operations as the page names them: `Identity: Get, Get Results; Webhook: Delete`. */
function wordsOf(list: TestedOperation[]): string {
	if (list.length === testedOperations.length) return 'every operation';
	const names = new Map<string, string[]>();
	for (const { words } of list) {
		const [resource = '', name = ''] = words.split(': ');
		names.set(resource, [...(names.get(resource) ?? []), name]);
	}
	return [...names].map(([resource, each]) => `${resource}: ${each.join(', ')}`).join('; ');
}

/** The rows that stand for themselves. */
function singleParts(): string[][] {
	return allRows.map(({ what, tried, expected }) => [what, tried.words, expected]);
}
