import type { INodeExecutionData } from 'n8n-workflow';

/** The guarantees that must hold in every cell, whatever its outcome. */
export const guarantees = {
	outcome: 'The run ends as shown in the tables',
	doneOrSaysSo:
		'For an item on the success output, the service did what was asked, or the output reports that it did not',
	neverTwice: 'No document, identity request, or webhook is created twice',
	nothingWhileWrong:
		'With Stop Workflow, nothing is sent while an item is wrong, and the error names the item',
	waitsWithRegistration:
		'Every waiting execution has its webhook, and only its own event or its time limit ends the wait',
	othersStay: 'No run deletes a webhook that belongs to another wait, workflow, or n8n instance',
	onePerItem: 'Each input item leaves the node exactly once, in order, and paired with its input',
	reported: 'Whatever was created, or may have been created, appears in an output or in the error',
};
export type GuaranteeName = keyof typeof guarantees;

export interface Violation {
	guarantee: GuaranteeName;
	seen: string;
}

export class Checks {
	readonly violations: Violation[] = [];
	count = 0;

	/** Checks one guarantee. If it doesn't hold, `seen` describes what happened instead. */
	expect(guarantee: GuaranteeName, holds: boolean, seen: () => string): void {
		this.count++;
		if (!holds) this.violations.push({ guarantee, seen: seen() });
	}

	/** Checks that two values have the same JSON. */
	expectSame(guarantee: GuaranteeName, what: string, found: unknown, expected: unknown): void {
		const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
		this.expect(guarantee, left === right, () => `${what}: ${left}, expected ${right}`);
	}
}

/** The index of the item that an output is paired with. */
export function pairOf({ pairedItem }: INodeExecutionData): number | undefined {
	const pair = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof pair === 'object' ? pair.item : pair;
}

/** Whether an output item reports that the operation was not completed. */
export function saysNotDone({ json }: INodeExecutionData): boolean {
	const notDone = ['skipped', 'check', 'timedOut', ...('passed' in json ? [] : ['ended'])];
	return Boolean(json.error) || notDone.includes(String(json.outcome));
}

export interface Result {
	name: string;
	/** How many times a guarantee was checked. */
	checks: number;
	violations: Violation[];
}

/** All violations, one per line. */
export function violationsOf(results: Result[]): string[] {
	return results.flatMap(({ name, violations }) =>
		violations.map(({ guarantee, seen }) => `${name} | ${guarantee} | ${seen}`),
	);
}

/** The number of runs, checks and violations, on one line. */
export function summaryOf(results: Result[], seconds: number): string {
	const checks = results.reduce((sum, result) => sum + result.checks, 0);
	const failed = results.filter((result) => result.violations.length > 0).length;
	return (
		`${results.length} cells, ${Object.keys(guarantees).length} guarantees checked ${checks} times, ` +
		`${violationsOf(results).length} violations in ${failed} cells, ${seconds.toFixed(0)} s`
	);
}
