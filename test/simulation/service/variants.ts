import fc from 'fast-check';

import type { EndpointName, Envelope } from '../../../sandbox/contract/endpoints';
import type { SandboxOptions } from '../../../sandbox/types';
import { derivedId } from '../../../sandbox/util/ids';

/**
 * How the service behaves where nothing is known (docs/dev/service.md#what-is-not-known) or where several
 * things were seen (docs/dev/service.md#seen-in-the-field), with all values of each; the plainest comes
 * first, which is the one of the sandbox. The sandbox has settings for some (`optionsOf`); what it
 * answers and sends is put into the other shapes afterwards (`asVaried`, `asSent`). Here is only what depends on the
 * order of things: how a single answer or body is read is a matter of unit tests (api, response, token, waiting).
 */
const values = {
	/** Seconds. */
	tokenLife: [300, 30],
	newTokenEndsOld: [false, true],
	/** `200`: with `success: false` and `responseCode` 401. */
	expiredToken: ['401', '403', '200'],
	/** Calls in any second, and what a 429 says of the time to wait (seconds). */
	rateLimit: [
		null,
		...[{ perSecond: 20 }, { perSecond: 5 }, { perSecond: 5, retryAfter: 1 }],
		{ perSecond: 5, retryAfter: 0 },
	],
	/** The answer to a creation: the document, or only that it is a success. */
	created: ['document', 'onlySuccess'],
	/** Whether `_id` and `documentID` of a document are the same. */
	sameIds: [true, false],
	/** IDs of documents, requests and webhooks in JSON; who loses digits of a number takes one for another. */
	ids: ['text', 'number'],
	/** Whether a Document says from which template it was made. */
	templateIdGiven: [true, false],
	/** Whether the `signDocument` of the last signatory shows the document as COMPLETED already. */
	completesFirst: [false, true],
	/** Seconds that the link to a file lives. */
	fileSeconds: [3600, 60, 5],
	/** The answer to a registration: all of it, or an empty object. */
	registered: ['whole', 'nothing'],
	/** By how many seconds the list of webhooks is late. */
	listedAfter: [0, 12],
	listsTwice: [false, true],
	/** Whether the service sorts the parameters of a registered URL by their names. */
	sortsQuery: [false, true],
	listsIdentity: [true, false],
	deletesIdentity: [true, false],
	/** What deleting a webhook gives that there is not, or not any more. */
	deletesUnknown: [404, 200, 400],
	/** What registering the same address for the same event again gives. */
	sameAgain: ['another', 'same', 'refused'],
	/** The status of a request whose person is done. */
	finishedStatus: ['COMPLETED', 'FINISHED', 'VERIFICATION_RESOLVED'],
	/** Seconds between the end of a request and its results. */
	resultsAfter: [0, 2],
	/** Header of a notification. */
	contentType: ['application/json', ''],
	/** `type` in the identity notification, whose body is not documented. */
	identityType: ['event', 'absent', 'another'],
	/** How it names the request; `apart`: below the ID of another session. */
	identityNames: ['both', 'apart', 'nothing'],
} as const;

type Values = typeof values;

/** One value of each. */
export type ServiceVariants = { [Name in keyof Values]: Values[Name][number] };

const names = Object.keys(values) as Array<keyof ServiceVariants>;

/** The service as the sandbox plays it. */
export const plainVariants = Object.fromEntries(
	names.map((name) => [name, values[name][0]]),
) as unknown as ServiceVariants;

/**
 * Whether the answer to a creation has the document's ID where the node reads it: then it knows its document
 * by the ID, otherwise by template, date and people (docs/waiting.md).
 */
export function givesId({ created }: ServiceVariants): boolean {
	return created === 'document';
}

/** Those that are not the plainest, for whoever reads a failure. */
export function peculiaritiesOf(variants: ServiceVariants): Partial<ServiceVariants> {
	const peculiar = names.filter((name) => variants[name] !== plainVariants[name]);
	return Object.fromEntries(peculiar.map((name) => [name, variants[name]]));
}

/** More peculiarities at once would hide each other. */
const maxPeculiar = 6;

/** A service with none or a few peculiarities; each shrinks to the plainest value, and to none. */
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

/** If neither the event nor the status says that a verification is over, its results must. */
function resultsAfter(variants: ServiceVariants): ServiceVariants['resultsAfter'] {
	const saysNothing =
		variants.identityNames === 'nothing' && variants.finishedStatus === 'VERIFICATION_RESOLVED';
	return saysNothing ? 0 : variants.resultsAfter;
}

/** The variants that the sandbox has settings for. */
export function optionsOf(variants: ServiceVariants): SandboxOptions {
	return {
		tokenLifetimeSeconds: variants.tokenLife,
		invalidateOnRenew: variants.newTokenEndsOld,
		expiryStyle: variants.expiredToken,
		rateLimit: variants.rateLimit,
	};
}

type Members = Record<string, unknown>;

/** Puts the body of a success of the sandbox into the shape that the variants say. */
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

/** Puts the body of a notification of the sandbox into the shape that the variants say. */
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

/** VERIFICATION_REQUEST_FINISHED, whose body is not documented. */
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
