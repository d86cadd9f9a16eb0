import type { Sandbox } from '../../../sandbox';
import { operationNamed, register, startService, type Service } from '../../operations';
import type { Host } from './host';
import { names, signVerify, workflowOf } from './workflow';

/** An address at which nobody listens, as at an n8n that is down. */
const elsewhere = 'http://127.0.0.1:9';
const secret = 'of-somebody-else-entirely';

/** An execution that waits all the while beside those under test. */
export interface StandingWait {
	/** Where it is told of its event. */
	address: string;
	/** Ends what it waits for; gives the status that it then ends with. */
	finish(): Promise<string>;
}

/** Starts an execution that waits, with a service of its own. */
export async function startStandingWait(host: Host, name: string): Promise<StandingWait> {
	const service = await startService();
	const { sandbox } = service;
	const operation = operationNamed(name);
	const items = await operation.prepare(service, 1);
	const node = signVerify(await host.credentialFor(sandbox), operation.parameters);
	const { id } = await host.n8n.api.createWorkflow(workflowOf(`Waits: ${name}`, node, items));
	const execution = await host.n8n.api.run(id, names.start);
	const { status } = await host.watch.settled(execution);
	if (status !== 'waiting') throw new Error(`The execution that is to wait: ${status}`);
	const [created = ''] = items.flatMap((item) => operation.created?.(sandbox, item) ?? []);
	return {
		address: sandbox.webhooks()[0]?.webHookUrl ?? '',
		async finish() {
			await operation.waits?.finish(sandbox, created);
			const ended = await host.watch.ended(execution);
			await sandbox.close();
			return ended.status;
		},
	};
}

/**
 * Registers for an event what others have at the same account: the trigger of another workflow in
 * this n8n and one of another n8n, the waiting executions of both.
 * @returns The IDs of the registrations, which no run may remove.
 */
export async function registerOthers(
	service: Service,
	host: Host,
	event: string,
	standing: StandingWait | undefined,
): Promise<string[]> {
	const trigger = `webhook/0b6e0c4e-7a51-4c0c-9d4f-3f0f3f1f7a10/signverify?secret=${secret}`;
	const wait = `webhook-waiting/1/0b6e0c4e?n8n=AnotherInst1&until=1&secret=${secret}&signature=${secret}`;
	const addresses = [
		`${host.n8n.url}/${trigger}`,
		`${elsewhere}/${trigger}`,
		`${elsewhere}/${wait}`,
		...(standing ? [standing.address] : []),
	];
	const ids: string[] = [];
	for (const url of addresses) ids.push(await register(service, event, url));
	return ids;
}

/** Those of the registrations that are gone. */
export function missingOf(sandbox: Sandbox, ids: string[]): string[] {
	const there = new Set(sandbox.webhooks().map(({ webHookID }) => webHookID));
	return ids.filter((id) => !there.has(id));
}
