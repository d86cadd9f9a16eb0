import { hashOfSecret, secretIn } from '../../../nodes/SignVerify/registrations/webhookSecret';
import { isIdentityEvent } from '../../../sandbox/schemas';
import type { RegistrationRecord } from '../../../sandbox/state/records';
import type { Deletion } from '../service/accounts';
import type { Execution, TriggerWorkflow } from '../../n8n/database';
import { receive } from '../../n8n/incoming';
import type { N8n } from '../../n8n/instance';
import { triggerAddress } from '../../n8n/triggers';
import { plainPlan } from '../service/deliveries';
import type { Simulation } from '../simulation';
import { Broken } from './broken';
import { mayBeStale } from './sending';
import { maxLimit } from './waiting';

const guarantee = 'Webhooks match the published workflows';

/** Returns the webhooks that have a trigger's URL, in the account of the trigger's credential. */
function webhooksOf(
	{ service }: Simulation,
	n8n: N8n,
	workflow: TriggerWorkflow,
): RegistrationRecord[] {
	const address = triggerAddress(n8n, workflow);
	const webhooks = service.all[workflow.account]?.webhooks ?? [];
	return webhooks.filter(({ webHookUrl }) => webHookUrl.split('?')[0] === address);
}

/** Checks that a node deletes only its own webhooks and webhooks that are no longer needed. */
export function checkDeletion(simulation: Simulation, { webhook, caller }: Deletion): void {
	const why = whyWrong(simulation, webhook, caller);
	if (why === undefined) return;
	const { pathname } = new URL(webhook.webHookUrl);
	const how = `${caller.name} deleted the webhook of ${webhook.type} at ${pathname}: ${why}`;
	throw new Broken(guarantee, how);
}

function whyWrong(
	simulation: Simulation,
	webhook: RegistrationRecord,
	{ instance, execution, trigger, role }: Deletion['caller'],
): string | undefined {
	const { webHookUrl } = webhook;
	const n8n = simulation.instances.find((one) => one.instanceId === instance);
	if (!n8n) return "the caller isn't part of any n8n instance";
	if (trigger !== undefined) {
		const workflow = n8n.database.triggers.get(trigger);
		const isOwn = workflow && triggerAddress(n8n, workflow) === webHookUrl.split('?')[0];
		return isOwn ? undefined : 'it does not belong to this trigger';
	}
	const owner = executionOfWebhook(simulation, webhook);
	if (!owner) return 'no wait in this n8n instance uses it';
	if (!['waiting', 'running'].includes(owner.status)) return undefined;
	if (owner.id === execution && role === 'run') return undefined;
	// An execution whose process was killed and never restarted stays "running", but no wait lasts this long.
	if (Date.now() - webhook.addedOn > maxLimit + 86_400_000) return undefined;
	// If a webhook was registered before the execution began or continued, it belongs to a wait that is over.
	const number = simulation.service.registered.indexOf(webhook);
	if (number < owner.registeredBefore) return undefined;
	// The service can act on a registration long after the node has given up on it and registered a
	// replacement. No wait needs the late webhook.
	if (owner.status === 'waiting' && !isForItsWait(owner, webHookUrl)) return undefined;
	return `execution ${owner.id} is ${owner.status}, and needs the webhook`;
}

/** Whether a URL belongs to an execution's current wait. */
function isForItsWait({ data }: Execution, url: string): boolean {
	const states = Object.values(data.executionData.contextData);
	return JSON.stringify(states).includes(hashOfSecret(secretIn(url)));
}

function executionOfWebhook(
	{ executions, n8n }: Simulation,
	{ webHookUrl }: RegistrationRecord,
): Execution | undefined {
	if (!webHookUrl.startsWith(`${n8n.url}/webhook-waiting/`)) return undefined;
	const id = new URL(webHookUrl).pathname.split('/')[2];
	return executions.find((execution) => execution.id === id);
}

/**
 * Checks that no two triggers have the same secret. Otherwise, anyone who knows the secret of a copied
 * workflow could start the original.
 */
export function checkOwnSecrets({ service, instances }: Simulation): void {
	const addresses = new Map<string, string>();
	for (const { webHookUrl } of service.registered) {
		if (!instances.some(({ url }) => webHookUrl.startsWith(`${url}/webhook/`))) continue;
		const { origin, pathname, searchParams } = new URL(webHookUrl);
		const secret = searchParams.get('secret') ?? '';
		const address = `${origin}${pathname}`;
		const other = addresses.get(secret) ?? address;
		if (other !== address) throw new Broken(guarantee, `${address} has the secret of ${other}`);
		addresses.set(secret, address);
	}
}

/**
 * In a run without faults, checks that no webhook remains after an event has ended its wait. A later wait
 * removes any other leftover webhook once a day has passed since the time limit.
 */
export function checkOrphans(simulation: Simulation): void {
	const { troubled, plan, service } = simulation;
	if (troubled.size > 0 || !canDelete(simulation)) return;
	// If the sender stops waiting before the response arrives, it is unknown whether n8n accepted the event.
	if (plan.deliveries.timeLimit < plainPlan.timeLimit) return;
	for (const webhook of service.webhooks) {
		const execution = executionOfWebhook(simulation, webhook);
		if (execution?.status !== 'success' && execution?.status !== 'error') continue;
		const isByEvent = execution.endedWaits.every((by) => by === 'event');
		if (!isByEvent || mayBeStale(simulation, execution)) continue;
		throw new Broken(
			guarantee,
			`execution ${execution.id} has ended, but its webhook for ${webhook.type} still exists`,
		);
	}
}

/**
 * Whether every deletion works. This requires that every call succeeds and that every webhook can be found.
 */
function canDelete({ plan: { variants } }: Simulation): boolean {
	const { deletesIdentity, listsIdentity, listedAfter, registered, rateLimit, tokenLife } =
		variants;
	const isKnown = (listsIdentity && listedAfter === 0) || registered === 'whole';
	return deletesIdentity && isKnown && rateLimit === null && tokenLife === 300;
}

/**
 * Checks, without publishing any trigger again, that a published trigger gets its events and that an
 * unpublished one has left no webhook behind.
 */
export async function checkPublished(simulation: Simulation): Promise<void> {
	// A call that the node gave up on may take effect later and undo a newer call.
	if (simulation.hadOverdue) return;
	for (const { n8n, workflow } of simulation.triggers) {
		const name = `${workflow.id} in ${n8n.instanceId}`;
		if (couldDelete(simulation, workflow)) {
			const before = { ...workflow, account: 1 - workflow.account };
			checkNoneLeft(simulation, n8n, before, 'has another account');
			if (workflow.became === 'unpublished') checkNoneLeft(simulation, n8n, workflow);
		}
		if (workflow.became === 'published' && !mayBeListedStill(simulation)) {
			const missing = await unheard(simulation, n8n, workflow);
			if (missing.length === 0) continue;
			throw new Broken(
				guarantee,
				`${name} is published, but has no webhook for ${missing.join(', ')}`,
			);
		}
	}
}

/**
 * Whether the list may still contain a deleted webhook, because the list is outdated and the result of the
 * deletion is unknown.
 */
function mayBeListedStill({ troubled, plan }: Simulation): boolean {
	const isUnsure = (['delete', 'all', 'process'] as const).some((kind) => troubled.has(kind));
	return plan.variants.listedAfter > 0 && isUnsure;
}

/**
 * Returns the events that a published trigger does not receive, because they have no webhook or the trigger
 * rejects them.
 */
async function unheard(
	simulation: Simulation,
	n8n: N8n,
	workflow: TriggerWorkflow,
): Promise<string[]> {
	const { listsIdentity } = simulation.plan.variants;
	// If the service does not list a webhook and the record of the webhook's deletion was lost, the trigger
	// cannot notice the deletion (docs/dev/behavior.md).
	const isUnseen = !listsIdentity && (workflow.cutOff === true || workflow.overwritten === true);
	const heard = new Set<string>();
	for (const { type, webHookUrl } of webhooksOf(simulation, n8n, workflow)) {
		// The probe has an unknown event type, which n8n reports only to a caller who knows the secret.
		const asked = receive(n8n, { url: webHookUrl, body: { type: 'probe' } });
		const status = await settled(simulation, asked);
		if (![401, 404, 500].includes(status.status)) heard.add(type);
	}
	return workflow.events.filter(
		(event) => !heard.has(event) && !(isIdentityEvent(event) && isUnseen),
	);
}

function checkNoneLeft(
	simulation: Simulation,
	n8n: N8n,
	workflow: TriggerWorkflow,
	what = 'is unpublished',
): void {
	const left = webhooksOf(simulation, n8n, workflow).filter(
		({ kind }) => kind === 'document' || canForget(simulation, workflow),
	);
	if (left.length === 0) return;
	const types = left.map(({ type }) => type).join(', ');
	const name = `${workflow.id} in ${n8n.instanceId}`;
	throw new Broken(guarantee, `${name} ${what}, but these webhooks still exist: ${types}`);
}

/**
 * Whether a trigger can delete its identity webhook. It cannot if the service neither returns the webhook's
 * ID nor lists the webhook.
 */
function canForget({ plan, troubled }: Simulation, { overwritten }: TriggerWorkflow): boolean {
	const { deletesIdentity, listsIdentity, registered } = plan.variants;
	const isNamed = registered === 'whole' && troubled.size === 0 && !overwritten;
	return deletesIdentity && (listsIdentity || isNamed);
}

/** Whether a deletion was certain to succeed: no fault or killed process could have prevented it. */
function couldDelete(simulation: Simulation, { overwritten }: TriggerWorkflow): boolean {
	const { troubled, plan } = simulation;
	const isDisturbed = (['list', 'delete', 'token', 'all', 'process'] as const).some((kind) =>
		troubled.has(kind),
	);
	// A webhook whose ID was lost can be found only in the list, where it may appear too late.
	const isLost = troubled.has('register') || overwritten === true;
	const isNamed = plan.variants.listedAfter === 0 || !isLost;
	return !isDisturbed && isNamed && canDelete(simulation);
}

/**
 * Checks that every trigger has exactly the webhooks it needs after publishing, and none after unpublishing.
 */
export async function checkConvergence(simulation: Simulation): Promise<void> {
	const { listsIdentity, listedAfter } = simulation.plan.variants;
	const isListed = listsIdentity && listedAfter === 0;
	for (const { n8n, workflow } of simulation.triggers) {
		const name = `${workflow.id} in ${n8n.instanceId}`;
		if (workflow.active) await settled(simulation, n8n.publish(workflow, false));
		await simulation.world.pass(detached);
		await settled(simulation, n8n.publish(workflow, true));
		if (!workflow.active && isStuck(simulation, workflow)) continue;
		if (!workflow.active) throw new Broken(guarantee, `${name} cannot be published`);
		await simulation.world.pass(detached);
		const there = webhooksOf(simulation, n8n, workflow);
		const missing = await unheard(simulation, n8n, workflow);
		const identities = there.filter(({ kind }) => kind === 'identity');
		// If a webhook is already listed, the trigger finds and reuses it.
		const tooMany =
			(there.length > workflow.events.length && canForget(simulation, workflow)) ||
			(identities.length > 1 && isListed && !simulation.hadOverdue && !workflow.cutOff);
		if (missing.length > 0 || tooMany) {
			const present = there.map(({ type }) => type).join(', ') || 'none';
			const unreached =
				missing.length > 0 ? `, and doesn't get events for ${missing.join(', ')}` : '';
			throw new Broken(
				guarantee,
				`${name} needs webhooks for ${workflow.events.join(', ')}, but has ${present}${unreached}`,
			);
		}
		await settled(simulation, n8n.publish(workflow, false));
		await simulation.world.pass(detached);
		checkNoneLeft(simulation, n8n, workflow);
	}
}

/**
 * Whether the service refuses an identity webhook because of an earlier one that the trigger cannot delete.
 */
function isStuck(simulation: Simulation, workflow: TriggerWorkflow): boolean {
	const isRefused = simulation.plan.variants.sameAgain === 'refused';
	return isRefused && !canForget(simulation, workflow) && workflow.events.some(isIdentityEvent);
}

/** How long (ms) a trigger may continue to work after it is unpublished. */
const detached = 60_000;

async function settled<Value>(simulation: Simulation, work: Promise<Value>): Promise<Value> {
	let ended: { value: Value } | undefined;
	void work.then((value) => (ended = { value }));
	await simulation.world.settle();
	if (!ended) throw new Error('Publishing never ends');
	return ended.value;
}
