import { testedOperations, type TestedOperation } from '../../operations';
import { tableOf } from '../../support/documentedPart';
import { faultOf } from './faults';
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
			['What goes wrong', 'Where', 'How it ends'],
			table.map(({ fault, operations, off, on }) => [
				faultOf(fault).words,
				wordsOf(operations),
				off === on ? ends[off] : `${ends[off]}; with Retry On Fail: ${ends[on]}`,
			]),
		),
		'These rows are tested with other settings and workflows of n8n:',
		tableOf(
			['Setting or workflow', 'What happens'],
			allRows.map(({ what, expected }) => [what, expected]),
		),
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
