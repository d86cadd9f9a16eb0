import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import type { Notification } from '../api/notification';
import type { EventResponse } from '../events/eventRequest';
import type { WaitWebhook } from '../registrations/waitWebhooks';

export interface WaitEvent {
	context: IWebhookFunctions;
	webhook: WaitWebhook;
	notification: Notification;
	testRecipient: string | undefined;
	/** The account in which the wait began (its registration's `owner`). */
	owner: string;
}

export type Decision =
	/** `createItem` returns the output, without what all waits add to it. */
	| { endsWait: true; createItem: () => INodeExecutionData | Promise<INodeExecutionData> }
	/** `hint` is a sentence for n8n's log. */
	| { endsWait: false; response: EventResponse; hint?: string };

/** Everything that differs between waiting for a document and waiting for an identity request. */
export interface WaitKind<Target = unknown> {
	/** Whether a stored target has every field that this version needs. */
	isTarget(stored: IDataObject): boolean;
	/** @throws ServiceError if the decision needs the service, and the service fails or can't be reached. */
	decide(target: Target, event: WaitEvent): Promise<Decision>;
}

/** The decision on an event that isn't about what the execution is waiting for. */
export const somethingElse: Decision = {
	endsWait: false,
	response: { status: 200, message: 'This execution is waiting for something else.' },
};
