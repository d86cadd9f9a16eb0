import { plainPlan } from '../service/deliveryPlan';
import type { RegistrationRecord } from '../../../sandbox/state/records';
import type { Simulation } from '../simulation';
import { Broken } from './broken';
import { mayBeStale } from './sending';

/** Two triggers never have the same secret: who knows that of a copy must not start the original. */
export function checkOwnSecrets({ service, instances }: Simulation): void {
	const addresses = new Map<string, string>();
	for (const { webHookUrl: url } of service.registered) {
		const n8n = instances.find((each) => url.startsWith(`${each.url}/webhook/`));
		const { origin, pathname, searchParams } = new URL(url);
		const secret = searchParams.get('secret');
		if (!n8n || secret === null) continue;
		const address = `${origin}${pathname}`;
		const other = addresses.get(secret) ?? address;
		if (other !== address) {
			throw new Broken('no secret leaks', `${address} has the secret of ${other}`);
		}
		addresses.set(secret, address);
	}
}

/**
 * A wait that is over leaves no registration, in a run in which nothing went wrong. Else a later run
 * may have to find it.
 */
export function checkOrphans(simulation: Simulation): void {
	if (simulation.hadTrouble || !canDelete(simulation)) return;
	// Where a sender leaves before the answer, nobody knows whether n8n has taken the event.
	if (simulation.plan.deliveries.timeLimit < plainPlan.timeLimit) return;
	for (const registration of simulation.service.webhooks) {
		const execution = ownerOf(simulation, registration);
		if (execution?.status !== 'success' && execution?.status !== 'error') continue;
		if (mayBeStale(simulation, execution)) continue;
		throw new Broken(
			'registrations converge',
			`execution ${execution.id} is over, and left its registration of ${registration.type}`,
		);
	}
}

/** Whether deletions work: every call gets through, and every registration can be found. */
function canDelete({ plan: { variants } }: Simulation): boolean {
	const { deletesIdentity, listsIdentity, registered, rateLimit, tokenLife } = variants;
	const isKnown = listsIdentity || registered === 'whole';
	return deletesIdentity && isKnown && rateLimit === null && tokenLife === 300;
}

function ownerOf({ executions, n8n }: Simulation, { webHookUrl: url }: RegistrationRecord) {
	if (!url.startsWith(`${n8n.url}/webhook-waiting/`)) return undefined;
	const id = new URL(url).pathname.split('/')[2];
	return executions.find((each) => each.id === id);
}
