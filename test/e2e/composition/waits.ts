import type { Execution } from '../../../host/apiTypes';
import { outputOf } from '../../../host/executions';
import { until } from '../support/stage';
import { names } from './workflow';
import type { Trial } from './trial';

/**
 * Checks an execution that waits, and ends what it waits for: after the event of something else, the
 * last first.
 * @returns The execution at its end.
 */
export async function checkWait(trial: Trial, waiting: Execution): Promise<Execution> {
	const { host, operation, service, items, checks } = trial;
	const { sandbox } = service;
	const { waits } = operation;
	const { id } = waiting;
	if (!waits) {
		checks.that('waitsWithRegistration', false, () => 'an operation that does not wait waits');
		return waiting;
	}
	const own = sandbox.webhooks().filter((each) => isOf(each.webHookUrl, id));
	checks.same(
		'waitsWithRegistration',
		'registered for',
		own.map(({ type }) => type),
		[waits.event],
	);

	// What an item does not tell of (its answer was lost) is somebody else's for this execution.
	const told = outputOf(waiting, names.node).map(
		({ json }) => json.documentId ?? json.validationId,
	);
	const created = items.flatMap((item) => operation.created?.(sandbox, item) ?? []);
	const awaited = created.filter((each) => told.includes(each));
	const others = [await waits.other(service), ...created.filter((each) => !told.includes(each))];
	for (const each of others) {
		await waits.finish(sandbox, each);
		await delivered(trial, id);
	}
	const { status } = await host.watch.settled(id);
	checks.same('waitsWithRegistration', 'after the event of something else', status, 'waiting');
	for (const each of awaited.reverse()) {
		await waits.finish(sandbox, each);
		await delivered(trial, id);
	}
	try {
		return await host.watch.ended(id);
	} catch (error) {
		await host.client.call('POST', `/executions/${id}/stop`);
		checks.that(
			'waitsWithRegistration',
			false,
			() => `its own events: ${(error as Error).message}`,
		);
		return await host.n8n.api.execution(id);
	}
}

/** Whether an address is that of a waiting execution. */
export function isOf(address: string, execution: string): boolean {
	return new URL(address).pathname.includes(`/webhook-waiting/${execution}/`);
}

/** Waits until all that the service has to tell an execution was delivered, or given up. */
async function delivered({ service: { sandbox } }: Trial, execution: string): Promise<void> {
	await until('the deliveries are through', () => {
		const own = sandbox.deliveries().filter(({ url }) => isOf(url, execution));
		return own.every(({ state }) => state !== 'pending');
	});
}
