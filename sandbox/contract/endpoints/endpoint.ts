import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Account } from '../../service/account';
import type { Documents } from '../../service/documents';
import type { Identity } from '../../service/identity';
import type { Links } from '../../service/links';
import type { Registrations } from '../../service/registrations';
import type { Settings } from '../../service/settings';
import type { Templates } from '../../service/templates';

/** What an endpoint acts on. The simulation has these parts, too, with what it varies in them. */
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
 * Who may call an endpoint (docs/dev/service.md#authentication). `key`: the token endpoint, to which
 * user-id and api-key go. `token`: user-id and token. `bearer`: Authorization: Bearer as well.
 */
export type Access = 'key' | 'token' | 'bearer';

/**
 * Headers with the same value in every call of a method, besides those that say who calls
 * (docs/dev/service.md#delete-a-webhook). The sandbox checks them, openapi.json has them, and the tests send them.
 */
const FIXED_HEADERS: Record<string, Record<string, string>> = {
	DELETE: { 'content-type': 'application/json' },
};

/** The headers that every call of a method has with the same value, by their names in lower case. */
export function fixedHeadersOf(method: string): Record<string, string> {
	return { ...FIXED_HEADERS[method] };
}

/** A call that has the headers, and fits the schemas, of its endpoint. */
export interface EndpointCall<Query = unknown, Params = unknown, Body = unknown> {
	query: Query;
	params: Params;
	body: Body;
	/** By their names in lower case. */
	headers: Record<string, string | string[] | undefined>;
}

/** What is answered: one that was seen has no `responseData` (docs/dev/service.md#seen-documents). */
export type EndpointAnswer = Envelope | Pick<Envelope, 'success' | 'message'>;

/** An endpoint of the service: its words, who may call it, what it takes, answers and does. */
export interface Endpoint {
	operationId: string;
	tag: 'Token' | 'Registrations' | 'Identity' | 'Templates' | 'Documents';
	summary: string;
	description: string;
	/** Its heading in docs/dev/service.md. */
	anchor: string;
	/** Which headers a call must have. */
	access: Access;
	/** What stands in the path at each `:name`. */
	params?: TObject;
	/** Without it, a call has no query. */
	query?: TSchema;
	/** Without it, a call has no body. */
	body?: TSchema;
	/** Any of these is a good answer. */
	answers: TSchema[];
	/** Whether it can answer that something does not exist. */
	looksUp?: boolean;
	/**
	 * Acts on a call, and answers it.
	 * @throws ServiceRefusal if the service refuses what is asked for.
	 */
	act(parts: EndpointParts, call: EndpointCall): EndpointAnswer;
}

/** The same, with the types that its schemas give to the call. */
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
	): EndpointAnswer;
}

/** Gives an entry of the table, whose `act` gets what the entry's own schemas describe. */
export function endpoint<
	Query extends TSchema = TSchema,
	Params extends TObject = TObject,
	Body extends TSchema = TSchema,
>(entry: TypedEndpoint<Query, Params, Body>): Endpoint {
	return entry;
}

/** What every answer of the service looks like (docs/dev/service.md#response-envelope). */
export interface Envelope {
	responseData: unknown;
	message?: string;
	success: boolean;
	responseCode: number;
}

/** A good answer. The lists of templates carry no message. */
export function good(responseData: unknown, message?: string): Envelope {
	return {
		responseData,
		...(message === undefined ? {} : { message }),
		success: true,
		responseCode: 200,
	};
}

/** A refusal. The interface shows none: this is the form seen in the field. */
export function bad(responseCode: number, message: string): Envelope {
	return { responseData: {}, message, success: false, responseCode };
}
