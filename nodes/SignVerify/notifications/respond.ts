import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { reasonOf } from '../util/values';

/** What the sender of a request is told; nothing is started, and nothing goes on. */
export interface Answer {
	status: number;
	message: string;
	/** What one waiting node tells another (wait/cleanUp.ts). */
	signverify?: string;
}

/**
 * Answers a request to one of our addresses. Never throws: n8n would start or end an execution with
 * the error, which anybody could then provoke.
 * @param decide Gives the items with which n8n starts or continues an execution, or an answer.
 * @param failed Begins the line in n8n's log where it throws.
 * @returns The items. An answer is written here, since only so it reaches the sender with its status.
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
		const { status, ...body } = outcome;
		response.status(status).json(body);
	} catch (error) {
		const words = reasonOf(error);
		context.logger.error(`${failed}: ${words}`);
		if (!response.headersSent) {
			response.status(500).json({ message: 'n8n could not process this event. Send it again.' });
		}
	}
	return { noWebhookResponse: true };
}
