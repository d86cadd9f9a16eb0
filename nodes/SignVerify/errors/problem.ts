import type { DocsAnchor } from './docs';

/*
 * A problem is a row of a table, next to the code that it's about (`…Problems`). Tests name the rows instead of
 * repeating the words.
 */

export interface Problem {
	/**
	 * What happened, in one sentence without a period. For a value in a form, the rest of a sentence that begins with
	 * the field's name: "contains …".
	 */
	problem: string;
	/** What the user should do, in full sentences. */
	remedy: string;
	/** The row of docs/troubleshooting.md about the problem, if users need more than these words. */
	docsAnchor?: DocsAnchor | undefined;
}

/** A row of a table. A function's facts are what the words depend on. */
type ProblemRow<Row> = Row | ((...facts: never[]) => Row);

/** A table of problems with a whole call or run. */
export type ProblemTable<Row = Problem> = Record<string, ProblemRow<Row>>;

/** A problem with a value. It has no remedy if the field, or the source of its value, decides what to do. */
type ValueProblem = Pick<Problem, 'problem'> & Partial<Problem>;

/** A table of problems with values in a form. */
export type ValueProblemTable = ProblemTable<ValueProblem>;
