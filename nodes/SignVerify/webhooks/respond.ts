import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { reasonOf } from '../util/values';

/** An answer to the sender of a request; no execution starts or continues. */
export interface Answer {
	status: number;
	message: string;
}

/**
 * Answers a request to a webhook URL. Never throws: n8n would start or end an execution with the error,
 * and anybody could cause that.
 * @param decide Gives the items with which n8n starts or continues an execution, or an answer. The
 * answer is written here, because n8n would not send its status.
 * @param failed The beginning of the line in n8n's log if `decide` throws.
 */
export async function respond(
	context: IWebhookFunctions,
	decide: () => Promise<INodeExecutionData[] | Answer>,
	failed: string,
): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	try {
		const outcome = await decide();
		if (Array.isArray(outcome)) return { workflowData: [outcome] };
		const { status, message } = outcome;
		response.status(status).json({ message });
	} catch (error) {
		const words = reasonOf(error);
		context.logger.error(`${failed}: ${words}`);
		if (!response.headersSent) {
			response.status(500).json({ message: 'n8n could not process this event. Send it again.' });
		}
	}
	return { noWebhookResponse: true };
}
