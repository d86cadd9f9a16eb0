import { tableOf } from '../support/documentedPart';
import { kinds, matrix, type Cell, type Kind } from './matrix';

const headings: Record<Kind, string> = {
	token: 'Token',
	read: 'Read',
	document: 'Create document',
	identity: 'Identity request',
	delete: 'Delete',
};

/** The matrix as the table in docs/dev/proof.md. */
export function matrixTable(): string {
	const head = ['What goes wrong', ...kinds.map((kind) => headings[kind])];
	const rows = matrix.map(({ fault, cells }) => [
		fault,
		...kinds.map((kind) => words(cells[kind])),
	]);
	return tableOf(head, rows);
}

function words([outcome, calls]: Cell): string {
	const end = { done: 'done', refused: 'error', mayExist: '**may exist**' }[outcome];
	return `${end}, ${calls === 1 ? '1 call' : `${calls} calls`}`;
}
