/** A request as it arrives at the service. */
export interface ServiceRequest {
	method: string;
	/** Below the base address, decoded: `/templates/v2`. */
	path: string;
	query: Record<string, string>;
	/** By their names in lower case. */
	headers: Record<string, string>;
	/** Empty where there is none. */
	bodyText: string;
}

/** What the service answers. */
export interface ServiceAnswer {
	status: number;
	headers?: Record<string, string>;
	/** JSON, or a text as it is. */
	body: unknown;
	/** How the call broke the contract. */
	violation?: string;
}

/** A notification that the service has to deliver. */
export interface Notification {
	/** Of the webhook that it goes to. */
	webHookID: string;
	url: string;
	event: string;
	/** The document, or the identity request, that it is about. */
	about: string;
	body: Record<string, unknown>;
	/** Its content type; empty where the service sends none. */
	contentType: string;
}

/** Who has an account. */
export interface Owner {
	userId: string;
	apiKey: string;
}

export const owners: readonly [Owner, Owner] = [
	{ userId: 'simulated-user', apiKey: 'SIMULATED-API-KEY-0123456789abcdef' },
	{ userId: 'another-user', apiKey: 'ANOTHER-API-KEY-fedcba9876543210' },
];
