/** A request as it arrives at the service. */
export interface ServiceRequest {
	method: string;
	/** Below the base address, decoded: `/templates/v2`. */
	path: string;
	query: Record<string, string>;
	/** By their names in lower case. */
	headers: Record<string, string>;
	/** The parsed JSON; undefined where there is none. */
	body?: unknown;
}

/** What the service answers. */
export interface ServiceAnswer {
	status: number;
	headers?: Record<string, string>;
	/** JSON, or a text as it is. */
	body: unknown;
}

/** Where the service's time, chance and IDs come from, and how it waits (world.ts). */
export interface ServiceDeps {
	now(): number;
	random(): number;
	id(): string;
	sleep(ms: number): Promise<void>;
	step(label: string): Promise<void>;
	note(line: string): void;
}

/** A notification that the service has to deliver. */
export interface Notification {
	/** Of the registration that it goes to. */
	webHookID: string;
	url: string;
	event: string;
	/** The document, or the identity request, that it is about. */
	about: string;
	body: Record<string, unknown>;
	/** Its content type; empty where the service sends none. */
	contentType: string;
}
