import { isIdentityEvent } from '../../../sandbox/schemas';
import type { Deletion } from '../ledger';
import type { Execution } from '../n8n/database';
import { triggerAddress } from '../n8n/triggers';
import type { Simulation } from '../simulation';
import { Broken } from './broken';

/** The registrations at a trigger's own address. */
function registrationsAt(simulation: Simulation, address: string) {
	return simulation.service.webhooks.filter(
		({ webHookUrl }) => webHookUrl.split('?')[0] === address,
	);
}

/** Whose registration somebody deletes: its own, or one that nobody needs any more. */
export function checkDeletion(simulation: Simulation, { webhook, caller }: Deletion): void {
	const why = whyWrong(simulation, webhook, caller);
	if (why === undefined) return;
	throw new Broken(
		"nobody else's registrations",
		`${caller.name} deleted the webhook of ${webhook.type} at ${new URL(webhook.webHookUrl).pathname}: ${why}`,
	);
}

function whyWrong(
	simulation: Simulation,
	webhook: Deletion['webhook'],
	{ instance, execution, trigger, role }: Deletion['caller'],
): string | undefined {
	const { webHookUrl: url } = webhook;
	const n8n = simulation.instances.find((each) => each.instanceId === instance);
	if (!n8n) return 'by nobody';
	if (trigger !== undefined) {
		const workflow = n8n.database.triggers.get(trigger);
		const isOwn = workflow && triggerAddress(n8n, workflow) === url.split('?')[0];
		return isOwn ? undefined : 'it is not that of this trigger';
	}
	const caller = n8n.database.executions.get(execution ?? '');
	if (caller && simulation.planOf(caller.workflow).task === 'deleteWebhook') return undefined;
	if (!url.startsWith(`${n8n.url}/webhook-waiting/`)) return 'it is not that of a wait of this n8n';
	const id = new URL(url).pathname.split('/')[2] ?? '';
	const owner = n8n.database.executions.get(id);
	if (!owner || !['waiting', 'running'].includes(owner.status)) return undefined;
	if (owner.id === execution && role === 'run') return undefined;
	// Made before it began or went on: of a wait that is over.
	const number = simulation.service.registered.indexOf(webhook);
	if (number < owner.registrationsBefore) return undefined;
	// A call that was given up can arrive long after another one has taken its place.
	if (owner.status === 'waiting' && !isForItsWait(owner, url)) return undefined;
	return `execution ${id} is ${owner.status}, and needs it`;
}

/** Whether an address belongs to the wait in which the execution is. */
function isForItsWait({ data }: Execution, url: string): boolean {
	const states = Object.values(data.executionData.contextData);
	const wait = new URL(url).searchParams.get('wait');
	return wait !== null && JSON.stringify(states).includes(wait);
}

/** Every trigger that is published and unpublished ends with exactly its registrations, and with none. */
export async function checkConvergence(simulation: Simulation): Promise<void> {
	const { deletesIdentity, listsIdentity, registered } = simulation.plan.variants;
	// What the service neither names nor lists nobody can delete.
	const isKnown = listsIdentity || (registered === 'whole' && !simulation.hadTrouble);
	const canDelete = deletesIdentity && isKnown;
	for (const { n8n, workflow } of simulation.triggers) {
		const address = triggerAddress(n8n, workflow);
		if (workflow.active) await settled(simulation, n8n.publish(workflow, false));
		await settled(simulation, n8n.publish(workflow, true));
		if (!workflow.active) {
			throw new Broken('registrations converge', `${workflow.id} cannot be published`);
		}
		const { secret = '' } = workflow.staticData as { secret?: string };
		const there = registrationsAt(simulation, address);
		const usable = there.filter(({ webHookUrl }) => webHookUrl.includes(secret));
		// A deletion of which nobody knows, of a registration that nobody can see (docs/trigger.md).
		const isBelieved = workflow.cutOff === true && !listsIdentity;
		const missing = workflow.events.filter(
			(event) =>
				!usable.some(({ type }) => type === event) && !(isIdentityEvent(event) && isBelieved),
		);
		const identities = there.filter(({ kind }) => kind === 'identity');
		// What is listed is found again, and used again.
		const tooMany =
			(there.length > workflow.events.length && canDelete) ||
			(identities.length > 1 && listsIdentity && !simulation.hadOverdue && !workflow.cutOff);
		if (missing.length > 0 || tooMany) {
			throw new Broken(
				'registrations converge',
				`${workflow.id} of ${n8n.instanceId} wants ${workflow.events.join(', ')}, and has ${there.map(({ type }) => type).join(', ') || 'none'}; missing: ${missing.join(', ') || 'none'}`,
			);
		}
		await settled(simulation, n8n.publish(workflow, false));
		const left = registrationsAt(simulation, address).filter(
			({ kind }) => kind === 'document' || canDelete,
		);
		if (left.length > 0) {
			throw new Broken(
				'registrations converge',
				`${workflow.id} of ${n8n.instanceId} is unpublished, and left ${left.map(({ type }) => type).join(', ')}`,
			);
		}
	}
}

async function settled(simulation: Simulation, work: Promise<unknown>): Promise<void> {
	let isDone = false;
	void work.then(() => (isDone = true));
	await simulation.world.settle();
	if (!isDone) throw new Error('Publishing does not come to an end');
}
