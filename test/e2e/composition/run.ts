import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Execution } from '../../../host/apiTypes';
import { outputOf } from '../../../host/executions';
import { nameOf, slowness, type Cell } from './cells';
import { faultOf } from './faults';
import type { Host } from './host';
import { Checks } from './invariants';
import { checkEnd } from './checkEnd';
import { operations, type Item, type OperationUnderTest } from './operations';
import { missingOf, registerOthers, type StandingWait } from './others';
import type { Result } from './report';
import { startService, type Service } from './service';
import { asSaved } from './settings';
import { checkWait } from './waits';
import { names, signVerify, workflowOf } from './workflow';

/** What a cell shares with all others. */
export interface CellDeps {
	host: Host;
	/** Executions that wait all the while, by the event that they wait for. */
	standing: Map<string, StandingWait>;
}

/** Tests one cell. Never throws: what keeps it from its end is a violation, too. */
export async function runCell(deps: CellDeps, cell: Cell): Promise<Result> {
	const begun = Date.now();
	const service = await startService();
	const checks = new Checks();
	try {
		await tryCell(deps, cell, service, checks);
	} catch (error) {
		checks.that('outcome', false, () => (error as Error).message);
	} finally {
		await service.sandbox.close();
	}
	const { count, violations } = checks;
	return { name: nameOf(cell), checks: count, violations, seconds: (Date.now() - begun) / 1000 };
}

async function tryCell(
	{ host, standing }: CellDeps,
	cell: Cell,
	service: Service,
	checks: Checks,
): Promise<void> {
	const operation = operations[cell.operation];
	const { sandbox } = service;
	const items = await itemsOf(cell, operation, service);
	const event = operation.waits?.event ?? 'completedDocument';
	const others = await registerOthers(service, host, event, operation.waits && standing.get(event));
	const trial = { host, cell, operation, service, items, checks };

	const parameters = { ...operation.parameters, ...optionsOf(cell) };
	const credential = await host.credentialFor(sandbox);
	const node = signVerify(credential, parameters, asSaved(cell.setting));
	const { id } = await host.n8n.api.createWorkflow(workflowOf(nameOf(cell), node, items));
	setFaults(cell, operation, service);
	const execution = await host.n8n.api.run(id, names.start);
	let seen = await host.watch.settled(execution);
	if (seen.status === 'waiting') seen = await checkWait(trial, seen);
	checkEnd(trial, seen, outputsOf(seen));
	checks.same(
		'othersStay',
		'registrations of others that are gone',
		missingOf(sandbox, others),
		[],
	);
}

/** Two items, or four of which the third is wrong; one for an operation that waits. */
async function itemsOf(
	{ fault }: Cell,
	operation: OperationUnderTest,
	service: Service,
): Promise<Item[]> {
	const { item } = faultOf(fault);
	const count = operation.waits ? 1 : item ? 4 : 2;
	const items = await operation.prepare(service, count);
	if (!item) return items;
	const wrong: IDataObject =
		item === 'malformed' ? operation.malformed : (operation.absent?.(service.sandbox) ?? {});
	const third = Math.min(count, 3);
	return items.map((each) => (each.n === third ? { ...each, ...wrong } : each));
}

function optionsOf({ fault }: Cell): INodeParameters {
	const { options } = faultOf(fault);
	return options ? { options } : {};
}

function setFaults({ fault, slow }: Cell, { calls }: OperationUnderTest, service: Service): void {
	const { at, fault: what } = faultOf(fault);
	const { faults } = service.sandbox;
	const endpoint = at && calls[at];
	const delayMs = slowness;
	if (endpoint && what) {
		faults.set({ endpoint, ...what, ...(slow === endpoint ? { delayMs } : {}) });
	}
	if (slow) faults.set({ endpoint: slow, delayMs });
}

/** What left the node, by output: done, failed. */
export function outputsOf(execution: Execution): INodeExecutionData[][] {
	return [outputOf(execution, names.next), outputOf(execution, names.failed)];
}
