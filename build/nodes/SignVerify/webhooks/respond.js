import { reasonOf } from '../util/values';
export async function respond(context, decide, failed) {
    const response = context.getResponseObject();
    try {
        const outcome = await decide();
        if (Array.isArray(outcome))
            return { workflowData: [outcome] };
        const { status, message } = outcome;
        response.status(status).json({ message });
    }
    catch (error) {
        const words = reasonOf(error);
        context.logger.error(`${failed}: ${words}`);
        if (!response.headersSent) {
            response.status(500).json({ message: 'n8n could not process this event. Send it again.' });
        }
    }
    return { noWebhookResponse: true };
}
