import { byEnd, tableOf } from '../../support/documentedPart';
import { faultOf } from './cells';
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
			table.map(({ fault, where, off, on }) => [
				faultOf(fault).words,
				where,
				off === on ? ends[off] : `${ends[off]}; with Retry On Fail: ${ends[on]}`,
			]),
		),
		'These rows are tested with other settings and workflows of n8n:',
		tableOf(
			['Setting or workflow', 'What happens'],
			byEnd(allRows.map(({ what, expected }) => [what, expected])),
		),
	].join('\n\n');
}
