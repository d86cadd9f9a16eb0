import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Account } from '../../service/account';
import type { Documents } from '../../service/documents';
import type { Identity } from '../../service/identity';
import type { Links } from '../../service/links';
import type { Registrations } from '../../service/registrations';
import type { Settings } from '../../service/settings';
import type { Templates } from '../../service/templates';

/** The parts of the service that endpoints use. The simulation in the tests passes its own versions. */
export interface EndpointParts {
	account: Account;
	documents: Documents;
	identity: Identity;
	links: Links;
	registrations: Registrations;
	settings: Settings;
	templates: Templates;
}

/**
 * The headers that identify the caller (docs/dev/service.md#authentication). `key` means user-id and api-key,
 * and only the token endpoint uses it. `token` means user-id and token, and `bearer` means the same two plus
 * Authorization: Bearer.
 */
export type Access = 'key' | 'token' | 'bearer';

/**
 * The headers that must have a fixed value, for each HTTP method (docs/dev/service.md#delete-a-webhook). The
 * sandbox checks them, openapi.json describes them, and the tests send them.
 */
const fixedHeaders: Record<string, Record<string, string>> = {
	DELETE: { 'content-type': 'application/json' },
};

/** Returns a method's fixed headers, with lowercase names. */
export function fixedHeadersOf(method: string): Record<string, string> {
	return { ...fixedHeaders[method] };
}

/** A call that has passed its endpoint's header and schema checks. */
export interface EndpointCall<Query = unknown, Params = unknown, Body = unknown> {
	query: Query;
	params: Params;
	body: Body;
	/** The headers, with lowercase names. */
	headers: Record<string, string | string[] | undefined>;
}

/**
 * The body of a response. Some of the responses seen in the field have no `responseData`
 * (docs/dev/service.md#seen-documents).
 */
export type EndpointResponse = Envelope | Pick<Envelope, 'success' | 'message'>;

/** Describes one of the service's endpoints and handles the calls to it. */
export interface Endpoint {
	operationId: string;
	tag: 'Token' | 'Registrations' | 'Identity' | 'Templates' | 'Documents';
	summary: string;
	description: string;
	/** The endpoint's heading in docs/dev/service.md. */
	anchor: string;
	/** The headers that a call must have. */
	access: Access;
	/** The path parameters: one for each `:name` in the path. */
	params?: TObject;
	/** The query's schema. If it is omitted, calls must not have a query. */
	query?: TSchema;
	/** The body's schema. If it is omitted, calls must not have a body. */
	body?: TSchema;
	/** The possible successful responses. */
	responses: TSchema[];
	/** Whether the endpoint looks up an ID from the call. If nothing has that ID, the response is a 404. */
	looksUp?: boolean;
	/**
	 * Handles a call and returns the body of the response.
	 * @throws ServiceRefusal if the service refuses the call.
	 */
	act(parts: EndpointParts, call: EndpointCall): EndpointResponse;
}

/** An endpoint whose schemas determine the type of the call that `act` receives. */
interface TypedEndpoint<
	Query extends TSchema,
	Params extends TObject,
	Body extends TSchema,
> extends Endpoint {
	params?: Params;
	query?: Query;
	body?: Body;
	act(
		parts: EndpointParts,
		call: EndpointCall<Static<Query>, Static<Params>, Static<Body>>,
	): EndpointResponse;
}

/**
 * Returns the endpoint unchanged. This lets the compiler use the endpoint's schemas to infer the type of the
 * call that `act` receives.
 */
export function endpoint<
	Query extends TSchema = TSchema,
	Params extends TObject = TObject,
	Body extends TSchema = TSchema,
>(entry: TypedEndpoint<Query, Params, Body>): Endpoint {
	return entry;
}

/** The envelope of every response (docs/dev/service.md#response-envelope). */
export interface Envelope {
	responseData: unknown;
	message?: string;
	success: boolean;
	responseCode: number;
}

/**
 * Creates the envelope for a successful call. Every response has a message, except for the template lists.
 */
export function good(responseData: unknown, message?: string): Envelope {
	return {
		responseData,
		...(message === undefined ? {} : { message }),
		success: true,
		responseCode: 200,
	};
}

/**
 * Creates the envelope for a failed call. Errors are not documented, so its format is the one seen in the
 * field.
 */
export function bad(responseCode: number, message: string): Envelope {
	return { responseData: {}, message, success: false, responseCode };
}
