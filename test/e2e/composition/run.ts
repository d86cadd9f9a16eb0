import type { IDataObject } from 'n8n-workflow';

import { itemCount, startService, type Item, type TestedOperation } from '../../operations';
import { identityFinished } from '../../support/events';
import { asSaved, nameOf, slowness, type Cell, faultOf } from './cells';
import { checkEnd } from './checkEnd';
import type { Host } from './host';
import { Checks, type Result } from './report';
import { missingOf, registerOthers, type StandingWait, Scene } from './scene';
import { nameOfSlowed, type SlowedRow } from './rows';
import { workflowOf } from './workflow';

export interface Shared {
	host: Host;
	/** Executions that wait throughout all runs, keyed by the event that they wait for. */
	standing: Map<string, StandingWait>;
}

export async function runCell(shared: Shared, cell: Cell): Promise<Result> {
	return await run(shared, nameOf(cell), cell.operation, async (scene) => {
		const items = await itemsOf(cell, scene);
		const node = scene.node(asSaved(cell.setting));
		const workflow = await scene.add(workflowOf(nameOf(cell), node, items));
		setFaults(cell, scene);
		const { api } = scene.host.n8n;
		checkEnd(scene, cell, items, await scene.drive(await api.run(workflow, 'Start'), items));
	});
}

export async function runRow(shared: Shared, { row, slow }: SlowedRow): Promise<Result> {
	return await run(shared, nameOfSlowed({ row, slow }), row.tried, async (scene) => {
		if (slow) scene.service.sandbox.faults.set({ endpoint: slow, delayMs: slowness });
		await row.run(scene);
	});
}

/**
 * Runs one cell or row while other clients use the same account. Never throws an error. If an error ends the
 * run early, it is reported as a violation.
 */
async function run(
	{ host, standing }: Shared,
	name: string,
	operation: TestedOperation,
	work: (scene: Scene) => Promise<void>,
): Promise<Result> {
	const service = await startService();
	const checks = new Checks();
	try {
		const { waits } = operation;
		const events = waits ? [waits.event] : ['completedDocument', identityFinished];
		const others: string[] = [];
		for (const event of events) {
			const wait = waits && standing.get(event);
			others.push(...(await registerOthers(service, host, event, wait)));
		}
		const credential = await host.credentialFor(service.sandbox);
		await work(new Scene(host, service, checks, credential, operation));
		const missing = missingOf(service.sandbox, others);
		checks.expectSame('othersStay', 'registrations of others that are gone', missing, []);
	} catch (error) {
		checks.expect('outcome', false, () => (error as Error).message);
	} finally {
		await service.sandbox.close();
	}
	return { name, checks: checks.count, violations: checks.violations };
}

/** The items of a cell: two, or four if the third is wrong. An operation that waits gets only one. */
async function itemsOf({ fault }: Cell, { operation, service }: Scene): Promise<Item[]> {
	const { item } = faultOf(fault);
	const count = itemCount(operation, item ? 4 : 2);
	const items = await operation.prepare(service, count);
	if (!item) return items;
	const wrong: IDataObject =
		item === 'malformed' ? operation.malformed : (operation.absent?.(service.sandbox) ?? {});
	const wrongOne = Math.min(count, 3);
	return items.map((one) => (one.n === wrongOne ? { ...one, ...wrong } : one));
}

function setFaults({ fault, slow }: Cell, { operation: { calls }, service }: Scene): void {
	const { at, fault: what } = faultOf(fault);
	const { faults } = service.sandbox;
	const endpoint = at && calls[at];
	const delayMs = slowness;
	if (endpoint && what) {
		faults.set({ endpoint, ...what, ...(slow === endpoint ? { delayMs } : {}) });
	}
	if (slow) faults.set({ endpoint: slow, delayMs });
}
