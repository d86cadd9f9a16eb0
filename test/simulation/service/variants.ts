import fc from 'fast-check';

import type { EndpointName, Envelope } from '../../../sandbox/contract/endpoints';
import type { SandboxOptions } from '../../../sandbox/types';
import { derivedId } from '../../../sandbox/util/ids';

/**
 * The ways in which the service may behave where its behavior is unknown
 * (docs/dev/service.md#what-isnt-documented) or has differed in the field
 * (docs/dev/service.md#seen-in-the-field). The first value of each variant is the plainest one, and the
 * sandbox uses it. The sandbox has settings for some variants (`optionsOf`). For the others, its responses
 * and notifications are altered afterward (`asVaried`, `asSent`). Only variants whose effects depend on the
 * order of events are listed here. Unit tests (api, response, token, waiting) check how a single response or
 * body is read.
 */
const values = {
	/** The lifetime of a token in seconds. */
	tokenLife: [300, 30],
	newTokenEndsOld: [false, true],
	/** The response to an expired token. `200` has `success: false` and `responseCode` 401. */
	expiredToken: ['401', '403', '200'],
	/**
	 * The maximum number of calls per second, and the seconds in the Retry-After header of a 429 response.
	 */
	rateLimit: [
		null,
		{ perSecond: 20 },
		{ perSecond: 5 },
		{ perSecond: 5, retryAfter: 1 },
		{ perSecond: 5, retryAfter: 0 },
	],
	/** The response to a create call: the document or only a success message. */
	created: ['document', 'onlySuccess'],
	/** Whether a document's `_id` and `documentID` are the same. */
	sameIds: [true, false],
	/**
	 * The JSON type of the IDs of documents, requests and webhooks. A node that lost digits of a number would
	 * confuse two IDs.
	 */
	ids: ['text', 'number'],
	/** Whether a Document names its template. */
	templateIdGiven: [true, false],
	/** Whether the `signDocument` event of the last signatory already shows the document as COMPLETED. */
	completesFirst: [false, true],
	/** The lifetime of a file's link in seconds. */
	fileSeconds: [3600, 60, 5],
	/** The response to a registration: the whole webhook, or an empty object. */
	registered: ['whole', 'nothing'],
	/** How many seconds the list of webhooks lags behind. */
	listedAfter: [0, 12],
	listsTwice: [false, true],
	/** Whether the service sorts the parameters of a registered URL by name. */
	sortsQuery: [false, true],
	listsIdentity: [true, false],
	deletesIdentity: [true, false],
	/** The status of the response to deleting a webhook that never existed or no longer exists. */
	deletesUnknown: [404, 200, 400],
	/** What happens when the same URL is registered for the same event again. */
	sameAgain: ['another', 'same', 'refused'],
	/** A request's status after the person has finished. */
	finishedStatus: ['COMPLETED', 'FINISHED', 'VERIFICATION_RESOLVED'],
	/** The number of seconds between the end of a request and the time when its results are available. */
	resultsAfter: [0, 2],
	/** The content type of a notification. */
	contentType: ['application/json', ''],
	/** The `type` in the identity notification, whose body is not documented. */
	identityType: ['event', 'absent', 'another'],
	/**
	 * Which IDs identify the request in the identity notification. `apart`: the request's ID is nested, and
	 * the ID at the top level belongs to a different session.
	 */
	identityNames: ['both', 'apart', 'nothing'],
} as const;

type Values = typeof values;

/** One value for each variant. */
export type ServiceVariants = { [Name in keyof Values]: Values[Name][number] };

const names = Object.keys(values) as Array<keyof ServiceVariants>;

/** The sandbox's variants. */
export const plainVariants = Object.fromEntries(
	names.map((name) => [name, values[name][0]]),
) as unknown as ServiceVariants;

/** Returns the variants that differ from their plainest values, for anyone investigating a failure. */
export function peculiaritiesOf(variants: ServiceVariants): Partial<ServiceVariants> {
	const peculiar = names.filter((name) => variants[name] !== plainVariants[name]);
	return Object.fromEntries(peculiar.map((name) => [name, variants[name]]));
}

/**
 * The maximum number of nonstandard variants in one service. With more, they would hide each other's effects.
 */
const maxPeculiar = 6;

/**
 * Generates a service, optionally with a few nonstandard behaviors. Each variant shrinks to its plainest
 * value.
 */
export const variantsArbitrary: fc.Arbitrary<ServiceVariants> = fc
	.uniqueArray(
		fc.oneof(
			...names.map((name) =>
				fc.record({
					name: fc.constant(name),
					value: fc.constantFrom<unknown>(...values[name].slice(1)),
				}),
			),
		),
		{ maxLength: maxPeculiar, selector: ({ name }) => name },
	)
	.map((peculiar) => ({
		...plainVariants,
		...(Object.fromEntries(peculiar.map(({ name, value }) => [name, value])) as object),
	}))
	.map((variants) => ({ ...variants, resultsAfter: resultsAfter(variants) }));

/**
 * Returns how many seconds it takes until the results are available. This must be 0 if neither the event nor
 * the status shows that a verification is finished.
 */
function resultsAfter(variants: ServiceVariants): ServiceVariants['resultsAfter'] {
	const saysNothing =
		variants.identityNames === 'nothing' && variants.finishedStatus === 'VERIFICATION_RESOLVED';
	return saysNothing ? 0 : variants.resultsAfter;
}

/** Returns the variants that the sandbox has settings for. */
export function optionsOf(variants: ServiceVariants): SandboxOptions {
	return {
		tokenLifetimeSeconds: variants.tokenLife,
		invalidateOnRenew: variants.newTokenEndsOld,
		expiryStyle: variants.expiredToken,
		rateLimit: variants.rateLimit,
	};
}

type Members = Record<string, unknown>;

/** Alters the body of a successful response from the sandbox to match the variants. */
export function asVaried(
	body: Envelope,
	name: EndpointName | undefined,
	variants: ServiceVariants,
): unknown {
	if (!body.success) return body;
	const data = body.responseData as Members;
	switch (name) {
		case 'POST /templates/createDocumentByTemplate':
		case 'POST /templates/createDocumentByTemplateV2':
			return variants.created === 'onlySuccess'
				? { success: true, message: 'OK' }
				: { ...body, responseData: documentSeen(data, variants) };
		case 'POST /webhooks':
		case 'POST /webhooks/verify':
			return variants.registered === 'nothing' ? { ...body, responseData: {} } : body;
		case 'GET /identity/validation/request/:validationId':
			return data.status === 'COMPLETED'
				? { ...body, responseData: { ...data, status: variants.finishedStatus } }
				: body;
		default:
			return body;
	}
}

function documentSeen(document: Members, variants: ServiceVariants): Members {
	return {
		...document,
		...(variants.sameIds ? {} : { _id: derivedId(String(document.documentID)) }),
		...(variants.templateIdGiven ? {} : { templateID: '' }),
	};
}

/** Alters the body of a notification from the sandbox to match the variants. */
export function asSent(body: Members, variants: ServiceVariants): Members {
	const document = body.Document as (Members & { signatory: SignatorySeen[] }) | undefined;
	if (!document) return identitySeen(body, variants);
	const isSigned = document.signatory.every((signatory) => Number(signatory.isSigned) === 1);
	const isEarly = variants.completesFirst && body.type === 'signDocument' && isSigned;
	const Document = documentSeen(document, variants);
	return { ...body, Document: isEarly ? { ...Document, status: 'COMPLETED' } : Document };
}

interface SignatorySeen {
	isSigned?: number | string;
}

/** Makes the body of VERIFICATION_REQUEST_FINISHED, which is not documented. */
function identitySeen(
	{ type, validationId, sessionId, ...rest }: Members,
	{ identityType, identityNames, finishedStatus }: ServiceVariants,
): Members {
	const names = {
		both: { validationId, sessionId },
		apart: { sessionId: 'of-the-device', data: { validationId } },
		nothing: {},
	};
	return {
		...rest,
		status: finishedStatus,
		...(identityType === 'absent' ? {} : { type: identityType === 'another' ? 'FACE' : type }),
		...names[identityNames],
	};
}
