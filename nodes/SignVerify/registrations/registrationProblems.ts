import type { CallProblemTable } from '../http/callProblems';

const requestAboutUrls =
	'send this to your provider: "Please store a webhook\'s URL exactly as we register it, with everything after the question mark, and call exactly this URL."';

export const registrationProblems = {
	/** @param facts `from` is the service's origin, and `to` is n8n's. */
	unreachable: ({ from, to, remedy }: { from: string; to: string; remedy: string }) => ({
		problem: `The service at ${from} can't reach this n8n instance at ${to}, so no events will arrive`,
		remedy: `${remedy} Nothing was registered.`,
		docsAnchor: 'events-cannot-arrive',
	}),
	/** @param difference How the URL differs from the registered one, as in "without everything after the question mark". */
	urlNotKept: (difference: string) => ({
		problem: `The service stored the webhook's URL ${difference}, so n8n would reject every event`,
		remedy: `The URLs may look the same, because secrets are hidden. To have this corrected, ${requestAboutUrls}`,
	}),
	urlUnclear: (difference: string) => ({
		problem: `The service returned the webhook's URL ${difference}, so the node can't tell whether events will arrive`,
		remedy: `If they don't, ${requestAboutUrls}`,
	}),
	/**
	 * @param facts `remedy` is that of the failed call. `existingUrl` is the URL of a webhook that the account may
	 * contain already. `remainingIds` are those of webhooks that couldn't be removed again, and `foreignIds` those of
	 * webhooks that may have existed before.
	 */
	notRegistered: ({
		event,
		reason,
		remedy,
		existingUrl,
		remainingIds,
		foreignIds,
	}: {
		event: string;
		reason: string;
		remedy: string;
		existingUrl: string | undefined;
		remainingIds: string;
		foreignIds: string;
	}) => {
		const notUndone =
			remainingIds &&
			` The node couldn't remove all the webhooks that it had just registered. Delete these with the Delete webhook action: ${remainingIds}.`;
		const notRemoved =
			foreignIds &&
			` The node didn't remove these webhooks, because they may have existed before: ${foreignIds}. If nothing else uses them, delete them with the Delete webhook action.`;
		const remedyIfExisting = `If the message doesn't show why, your provider's account may still contain this workflow's webhook for this event. Only your provider can remove it, so ask them to remove the webhook whose URL begins with ${existingUrl}. Until they have, you can publish the workflow without this event.`;
		return {
			problem: `Couldn't register the event "${event}": ${reason}`,
			remedy: `${existingUrl === undefined ? remedy : remedyIfExisting}${notUndone}${notRemoved}`,
			docsAnchor: 'event-not-registered',
		};
	},
	/** The credential's Requests per Second is too low to publish a trigger. */
	tooSlow: ({ rate, eventCount, least }: { rate: number; eventCount: number; least: number }) => ({
		problem: `With ${rate} Requests per Second, n8n would give up before the trigger has registered ${eventCount} events`,
		remedy: `In the credential, set Requests per Second to ${least} or more, or to 0 for no limit. Alternatively, select fewer events in Trigger On.`,
	}),
	notDeleted: (webhookId: string) => ({
		problem: `Webhook: "${webhookId}" wasn't found, or can't be deleted`,
		remedy:
			"The webhook may already have been deleted. To check, run the Get many webhooks action with Return All turned on. Webhooks for identity verifications may be missing from that list, so look for those in your provider's account, and delete them there.",
	}),
} satisfies CallProblemTable;
