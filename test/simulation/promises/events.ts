import type { N8n } from '../n8n/instance';
import type { Simulation } from '../simulation';
import { Broken } from './broken';

/** An event that the n8n of a trigger answered with 2xx. */
export interface AcceptedEvent {
	n8n: N8n;
	url: string;
	event: string;
	/** The document, or the identity request, that it is about. */
	about: string;
	body: Record<string, unknown>;
}

/** How often a workflow was started by an event. */
function startsBy({ n8n, url, event, about, body }: AcceptedEvent): number {
	const webhookId = new URL(url).pathname.split('/')[2];
	const workflow = [...n8n.database.triggers.values()].find((each) => each.webhookId === webhookId);
	const document = body.Document as { documentID?: string; _id?: string } | undefined;
	const ids = [about, document?._id].filter(Boolean) as string[];
	return n8n.database.triggered.filter(({ workflowId, item }) => {
		if (workflowId !== workflow?.id || item.json.event !== event) return false;
		const text = JSON.stringify(item.json);
		return document === undefined || ids.some((id) => text.includes(id));
	}).length;
}

/** What was accepted has started the workflow, and within one process not twice. */
export function checkEvents({ plan }: Simulation, accepted: AcceptedEvent[]): void {
	for (const each of accepted) {
		const { n8n, event, about, body } = each;
		const starts = startsBy(each);
		if (starts === 0) {
			throw new Broken('an accepted event is executed', `${event} of ${about} started nothing`);
		}
		const isOneProcess = n8n.processes.length === 1;
		// Of signDocument there is one for each signatory; of what is not documented, the whole body counts.
		const isOneEvent = event === 'completedDocument' && body.Document !== undefined;
		if (isOneProcess && isOneEvent && plan.deliveries.addedOnAgain === 'same' && starts > 1) {
			throw new Broken(
				'an accepted event is executed',
				`${event} of ${about} started ${starts} executions`,
			);
		}
	}
}
