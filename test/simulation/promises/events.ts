import type { N8n } from '../n8n/instance';
import type { Notification } from '../service/contract';
import type { Simulation } from '../simulation';
import { Broken } from './broken';

/** An event that the n8n of a trigger answered with 2xx. */
export interface AcceptedEvent extends Notification {
	n8n: N8n;
}

/** How often a workflow was started by an event. */
function startsBy({ n8n, url, event, about, body }: AcceptedEvent): number {
	const webhookId = new URL(url).pathname.split('/')[2];
	const workflow = [...n8n.database.triggers.values()].find((each) => each.webhookId === webhookId);
	return n8n.database.triggered.filter(({ workflowId, item }) => {
		if (workflowId !== workflow?.id || item.json.event !== event) return false;
		return body.Document === undefined || JSON.stringify(item.json).includes(about);
	}).length;
}

/** What was accepted has started the workflow, and within one process not twice. */
export function checkEvents({ plan }: Simulation, accepted: AcceptedEvent[]): void {
	for (const each of accepted) {
		const { n8n, event, about, body } = each;
		const starts = startsBy(each);
		const how = `${event} of ${about} started ${starts || 'no'} executions`;
		if (starts === 0) throw new Broken('An accepted event starts the workflow', how);
		const isOneProcess = n8n.processes.length === 1;
		// Of signDocument there is one for each signatory; of what is not documented, the whole body counts.
		const isOneEvent = event === 'completedDocument' && body.Document !== undefined;
		if (isOneProcess && isOneEvent && plan.deliveries.addedOnAgain === 'same' && starts > 1) {
			throw new Broken('An accepted event starts the workflow', how);
		}
	}
}
