import fc from 'fast-check';

/** A limit of the calls that are let through. */
export interface RateLimit {
	/** In any second. */
	calls: number;
	/** What a 429 says of the time to wait. */
	retryAfter: 'none' | 'seconds' | 'date' | 'zero';
}

/**
 * How the service behaves where nothing is known (docs/dev/service.md#what-is-not-known) or where
 * several things were seen (docs/dev/service.md#seen-in-the-field). Each has its plainest value first,
 * which is the one of the sandbox.
 */
export interface ServiceVariants {
	/** Where the token stands in the answer; `responseData` is the text itself with `text`. */
	tokenAnswer: 'accessToken' | 'token' | 'text' | 'topAccessToken' | 'topToken';
	/**
	 * Seconds, or a single call: then calls that share a token can fail, since nobody promises that
	 * they are tried more than twice.
	 */
	tokenLife: 300 | 30 | 'onceUsed';
	/** Whether a new token ends all earlier ones. */
	newTokenEndsOld: boolean;
	/** The HTTP status, or an HTTP 200 with `success: false` and the `responseCode`. */
	expiredToken: '401' | '403' | '401 in 200' | '403 in 200';
	/**
	 * What a refusal looks like: `message` as a text, as a list, a web page instead of JSON, and the
	 * first two inside an HTTP 200.
	 */
	refusal: 'text' | 'list' | 'page' | 'text in 200' | 'list in 200';
	rateLimit: RateLimit | null;
	/** Where the list of version 2 stands: `responseData.templates`, `templates`, `responseData`. */
	templates: 'inData' | 'top' | 'data';

	/** The answer to a creation. */
	created:
		| 'document'
		| 'documentID'
		| '_id'
		| 'documentId'
		| 'list'
		| 'inDocument'
		| 'withoutEnvelope'
		| 'onlySuccess'
		| 'empty';
	/** Whether `_id` and `documentID` of a document are the same. */
	sameIds: boolean;
	/** Whether a Document in a notification says from which template it was made. */
	templateIdGiven: boolean;
	/** `sendDocument` for each signatory, or once for a document. */
	sendDocument: 'each' | 'once';
	/** Whether the `signDocument` of the last signatory shows the document as COMPLETED already. */
	completesFirst: boolean;
	/** Whether a document with a failed face check stays PENDING when all have signed. */
	failedCheckBlocks: boolean;
	/** Seconds that the address of a file lives. */
	fileSeconds: 3600 | 60 | 5;

	/** The answer to a registration: all of it, all but the ID, or an empty object. */
	registered: 'whole' | 'withoutId' | 'nothing';
	listsIdentity: boolean;
	/** What deleting an identity registration gives. */
	deletesIdentity: '200' | '404' | '400';
	/** What deleting a registration gives that there is not. */
	deletesUnknown: '404' | '200';
	/** What registering the same address for the same event again gives. */
	sameAgain: 'another' | 'same' | 'refused';

	/** The status of a request whose person has opened the link. */
	openedStatus: 'IN_PROGRESS' | 'CREATED' | 'REVIEWING';
	/** The status of a request whose person is done. */
	finishedStatus: 'COMPLETED' | 'FINISHED' | 'VERIFICATION_RESOLVED';
	/** `sessionId` and `customerId` of a request before the person is done. */
	sessionIdBefore: 'given' | 'null' | 'absent';
	customerIdBefore: 'null' | 'absent';
	/** The results before the person is done. */
	resultsBefore: '404' | '400' | 'emptyObject' | 'notASuccess' | 'emptyForm';
	/** Seconds between the end of a request and its results. */
	resultsAfter: 0 | 2;

	/** Header of a notification. */
	contentType: 'application/json' | '' | 'text/plain';
	/** `type` in the four notifications whose bodies are not documented. */
	undocumentedType: 'event' | 'absent' | 'another';
	/** `addedOn` in these four. */
	undocumentedAddedOn: 'number' | 'iso' | 'absent';
	/** Whether the three biometric notifications carry a Document, or words of their own. */
	biometricBody: 'document' | 'other';
	/** How the identity notification names the request. */
	identityNames: 'both' | 'sessionId' | 'nested' | 'nothing';
	isSigned: 'number' | 'text';
	/** Whether `signatory` ends with an entry shaped like `createdBy`. */
	trailingCreator: boolean;
	signingExpiry: 'number' | 'null';
	/** Whether there are fields that the interface does not name. */
	unknownFields: boolean;
}

/** All values of each variant, the plainest first. */
export const variantValues: { [Name in keyof ServiceVariants]: [...Array<ServiceVariants[Name]>] } =
	{
		tokenAnswer: ['accessToken', 'token', 'text', 'topAccessToken', 'topToken'],
		tokenLife: [300, 30, 'onceUsed'],
		newTokenEndsOld: [false, true],
		expiredToken: ['401', '403', '401 in 200', '403 in 200'],
		refusal: ['text', 'list', 'page', 'text in 200', 'list in 200'],
		rateLimit: [
			null,
			{ calls: 20, retryAfter: 'none' },
			{ calls: 5, retryAfter: 'none' },
			{ calls: 5, retryAfter: 'seconds' },
			{ calls: 5, retryAfter: 'date' },
			{ calls: 5, retryAfter: 'zero' },
		],
		templates: ['inData', 'top', 'data'],
		created: [
			...(['document', 'documentID', '_id', 'documentId', 'list', 'inDocument'] as const),
			...(['withoutEnvelope', 'onlySuccess', 'empty'] as const),
		],
		sameIds: [true, false],
		templateIdGiven: [true, false],
		sendDocument: ['each', 'once'],
		completesFirst: [false, true],
		failedCheckBlocks: [false, true],
		fileSeconds: [3600, 60, 5],
		registered: ['whole', 'withoutId', 'nothing'],
		listsIdentity: [true, false],
		deletesIdentity: ['200', '404', '400'],
		deletesUnknown: ['404', '200'],
		sameAgain: ['another', 'same', 'refused'],
		openedStatus: ['IN_PROGRESS', 'CREATED', 'REVIEWING'],
		finishedStatus: ['COMPLETED', 'FINISHED', 'VERIFICATION_RESOLVED'],
		sessionIdBefore: ['given', 'null', 'absent'],
		customerIdBefore: ['null', 'absent'],
		resultsBefore: ['404', '400', 'emptyObject', 'notASuccess', 'emptyForm'],
		resultsAfter: [0, 2],
		contentType: ['application/json', '', 'text/plain'],
		undocumentedType: ['event', 'absent', 'another'],
		undocumentedAddedOn: ['number', 'iso', 'absent'],
		biometricBody: ['document', 'other'],
		identityNames: ['both', 'sessionId', 'nested', 'nothing'],
		isSigned: ['number', 'text'],
		trailingCreator: [false, true],
		signingExpiry: ['number', 'null'],
		unknownFields: [false, true],
	};

const names = Object.keys(variantValues) as Array<keyof ServiceVariants>;

function variantsOf(pick: (name: keyof ServiceVariants) => unknown): ServiceVariants {
	return Object.fromEntries(names.map((name) => [name, pick(name)])) as unknown as ServiceVariants;
}

/** The plainest value of each: the service as the sandbox plays it. */
export const plainVariants: ServiceVariants = variantsOf((name) => variantValues[name][0]);

/** More peculiarities at once would hide each other. */
const mostPeculiar = 6;

/** A service with none or a few peculiarities; each shrinks to the plainest value, and to none. */
export const variantsArbitrary: fc.Arbitrary<ServiceVariants> = fc
	.uniqueArray(
		fc.oneof(
			...names.map((name) =>
				fc.record({
					name: fc.constant(name),
					value: fc.constantFrom<unknown>(...variantValues[name].slice(1)),
				}),
			),
		),
		{ maxLength: mostPeculiar, selector: ({ name }) => name },
	)
	.map((peculiar) => ({
		...plainVariants,
		...(Object.fromEntries(peculiar.map(({ name, value }) => [name, value])) as object),
	}))
	.map((variants) => ({ ...variants, resultsAfter: resultsAfter(variants) }));

/** Where neither the event nor the status tells that a verification is over, its results must. */
function resultsAfter(variants: ServiceVariants): ServiceVariants['resultsAfter'] {
	const tellsNothing =
		variants.identityNames === 'nothing' && variants.finishedStatus === 'VERIFICATION_RESOLVED';
	return tellsNothing ? 0 : variants.resultsAfter;
}

/** Those that are not the plainest, for whoever reads a failure. */
export function peculiaritiesOf(variants: ServiceVariants): Partial<ServiceVariants> {
	const peculiar = names.filter((name) => variants[name] !== plainVariants[name]);
	return Object.fromEntries(peculiar.map((name) => [name, variants[name]]));
}
