import type { Entry } from './entries';
import { factsOf, isInterrupted } from './facts';
import { endsOf } from './summary';
import { lastExecution, type WaitItem } from './waitFacts';

/** What a history of waits comes to. */
export interface WaitSummary {
	/** How often each part of n8n ended. */
	ends: Record<string, number>;
	/** Items of calls that started an execution. */
	items: number;
	/** Items that continued since their document was completed. */
	completed: number;
	timedOut: number;
	/** Items that continued in no execution. */
	open: number;
	/** Documents beyond the first one of an item, by "Retry". */
	sentAgain: number;
	/** Deliveries of an item's own document that were not answered 2xx. */
	refused: number;
	/** Executions by n8n's own word. */
	executions: Record<string, number>;
	retries: number;
	/** Registrations that the service has. */
	registrations: number;
}

/** The figures of a history of waits, for people. */
export function waitSummary(entries: Entry[]): WaitSummary {
	const { waits, executions, retries } = factsOf(entries);
	const items = [...waits.items.values()].filter(({ call }) => call.executions.length > 0);
	const statuses: Record<string, number> = {};
	for (const { finished } of executions.values()) {
		const status = finished?.status ?? 'not over';
		statuses[status] = (statuses[status] ?? 0) + 1;
	}
	const by = (result: 'completed' | 'timedOut'): number =>
		items.filter(({ continued }) => continued.some((each) => each.result === result)).length;
	const registrations = [...waits.registrations.values()];
	const owners = new Map(
		items.flatMap(({ documents, call }) => documents.map(({ document }) => [document, call])),
	);
	const refused = registrations.flatMap(({ registered, deliveries }) =>
		deliveries.filter(({ document, status }) => {
			const call = executions.get(registered.execution)?.call;
			return call !== undefined && owners.get(document) === call && status !== 200;
		}),
	);
	return {
		ends: endsOf(entries),
		items: items.length,
		completed: by('completed'),
		timedOut: by('timedOut'),
		open: items.filter(({ continued }) => continued.length === 0).length,
		sentAgain: items.reduce((sum, { documents }) => sum + Math.max(0, documents.length - 1), 0),
		refused: refused.length,
		executions: statuses,
		retries: retries.length,
		registrations: registrations.filter(({ removed }) => !removed).length,
	};
}

/** The executions that "Retry" has to run: the last of each call, if it was interrupted. */
export function waitsToRetry(entries: Entry[]): string[] {
	return [...factsOf(entries).calls.values()].flatMap((call) => {
		const last = lastExecution(call);
		return last && isInterrupted(last) ? [last.started.execution] : [];
	});
}

/** The keys of items that no execution has continued with. */
export function openKeys(entries: Entry[]): Set<string> {
	const isOpen = ({ continued }: WaitItem): boolean => continued.length === 0;
	const items = [...factsOf(entries).waits.items.values()].filter(isOpen);
	return new Set(items.map(({ begun }) => begun.key));
}
