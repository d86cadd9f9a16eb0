import type { INodeTypeDescription } from 'n8n-workflow';

/** How n8n hears of the events of a waiting execution; the rest is n8n's own for this operation. */
export const waitingWebhooks: INodeTypeDescription['webhooks'] = [
	{
		name: 'default',
		httpMethod: 'POST',
		// n8n answers 200 once the execution continues.
		responseMode: 'onReceived',
		// Without it n8n answers the sender with the word "firstEntryJson".
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	},
];

/** What the editor shows beside the node while its execution waits. */
export const waitingTooltip =
	'={{ $parameter["resource"] === "identity" ? "The workflow continues when the person has been verified" : "The workflow continues when everybody has signed" }}';
