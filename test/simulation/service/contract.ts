export interface ServiceRequest {
	method: string;
	/** The path relative to the base URL, decoded: `/templates/v2`. */
	path: string;
	query: Record<string, string>;
	/** The names are in lowercase. */
	headers: Record<string, string>;
	/** The body as text; empty if there is none. */
	bodyText: string;
}

export interface ServiceResponse {
	status: number;
	headers?: Record<string, string>;
	/** A value to send as JSON, or a string to send as is. */
	body: unknown;
	/** How the call broke the contract, if it did. */
	violation?: string;
}

export interface Notification {
	/** The ID of the webhook that gets the notification. */
	webHookID: string;
	url: string;
	event: string;
	/** The ID of the document or the identity request. */
	about: string;
	body: Record<string, unknown>;
	/** The content type; empty if the service does not send one. */
	contentType: string;
}

export interface Owner {
	userId: string;
	apiKey: string;
}

export const owners: readonly [Owner, Owner] = [
	{ userId: 'simulated-user', apiKey: 'SIMULATED-API-KEY-0123456789abcdef' },
	{ userId: 'another-user', apiKey: 'ANOTHER-API-KEY-fedcba9876543210' },
];
