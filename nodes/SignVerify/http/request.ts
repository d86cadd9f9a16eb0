import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { RetryOnFail } from '../n8nInternals';
import { day } from '../util/values';
import type { ServiceError } from './errors';

/** Any of n8n's contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

export const credentialType = 'signVerifyApi';

/** The most bytes of an answer that are read, once unpacked. n8n has a file in memory until it is stored. */
export const maxAnswer = { single: 2_000_000, list: 8_000_000, file: 100_000_000 };

/** One call to the service. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Below the Base URL: `/templates/v2`. Values in it must be URI-encoded. */
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/** Where the list is in the answer, if it has to be one. It may be larger than another answer. */
	findList?: (envelope: IDataObject) => unknown;
	/**
	 * What the call creates, as a noun with its article ("the document"). Such a call is not retried if
	 * its answer is lost; the error then says that it may have worked.
	 */
	creates?: string;
	/**
	 * Those of {@link absenceStatuses} that are believed, whoever answers with them; no other one is. Without it,
	 * all of them are believed, if the service itself answers.
	 */
	believedStatuses?: number[];
	/** Values in the request that no message may show; those of the credential are added. */
	secrets?: string[];
}

/** The call for n8n's HTTP helper, without authentication. */
export function httpOptions(
	url: string,
	{ method, qs, body }: Pick<ServiceRequest, 'method' | 'qs' | 'body'>,
	timeout: number,
): IHttpRequestOptions {
	// A deletion has the content type, although it has no body (docs/dev/service.md#delete-a-webhook).
	const hasType = body !== undefined || method === 'DELETE';
	return {
		method,
		url,
		headers: {
			accept: 'application/json',
			...(hasType ? { 'content-type': 'application/json' } : {}),
		},
		...(qs ? { qs } : {}),
		// As text, because the HTTP client drops members of an object with names such as "constructor".
		...(body ? { body: JSON.stringify(body) } : {}),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would send the token to a URL that nobody has checked.
		disableFollowRedirect: true,
		// The client itself would read an answer of any size (response.ts).
		encoding: 'stream',
		timeout,
	};
}

/** What is called for. A file is fetched from elsewhere. */
type CallKind = 'creating' | 'reading' | 'deleting' | 'file';

/** The statuses which say that what a call asks for is not there. */
export const absenceStatuses = [404, 405, 410];

/** What a call does, which decides how often it is tried. */
export function kindOf({ method }: ServiceRequest): CallKind {
	return method === 'GET' ? 'reading' : method === 'DELETE' ? 'deleting' : 'creating';
}

/**
 * How often a call is tried at most, the first try included: while it certainly did nothing, and if it may have
 * worked ("Never sent twice"). An exchange of the token counts as a try of the call that needs it.
 */
export const maxTries: Record<CallKind, { didNothing: number; mayHaveWorked: number }> = {
	creating: { didNothing: 4, mayHaveWorked: 1 },
	reading: { didNothing: 4, mayHaveWorked: 4 },
	deleting: { didNothing: 4, mayHaveWorked: 4 },
	file: { didNothing: 4, mayHaveWorked: 4 },
};

/** How often each of them is tried if the answer is that there were too many requests (429). */
const maxRateLimited = 60;

/** First pause (ms) before a retry, doubled each time. */
export const firstDelay = 300;
const maxDelay = 15_000;

/** What a policy is for. */
interface PolicyOptions {
	kind: CallKind;
	/** Milliseconds after which the call is not retried. */
	maxRetryTime: number;
	/** What the setting of the node adds to all calls that create nothing for a person. */
	retryOnFail: RetryOnFail | undefined;
}

/**
 * Decides whether a failed call is retried ("Never sent twice"), with limits for the number of tries and for
 * the time.
 */
export class RetryPolicy {
	/** Failed tries: against a rate limit, and against anything else. */
	private readonly tries = { rateLimited: 0, other: 0 };

	private readonly start = performance.now();

	/** After this moment (`performance.now()`), the call is not retried. */
	readonly latest: number;

	constructor(private readonly options: PolicyOptions) {
		this.latest = this.start + options.maxRetryTime;
	}

	/**
	 * Decides what follows a failed try.
	 * @param least How long to wait at the least (ms). At a rate limit, it is the whole pause.
	 * @returns How long to wait before the next try.
	 * @throws The failure, with how often the call was tried, if it is not retried.
	 */
	next(failure: ServiceError, least: number): number {
		const tries = ++this.tries[failure.rateLimited ? 'rateLimited' : 'other'];
		const pause = failure.rateLimited ? least : Math.max(least, this.backoff());
		const hasTime = performance.now() + pause <= this.latest;
		if (tries < this.triesFor(failure) && hasTime) return pause;
		throw failure.withDetail(this.summary());
	}

	/** How long (ms) to wait before the next try. Random, because all items would otherwise retry at once. */
	backoff(): number {
		const full = Math.min(firstDelay * 2 ** (this.tries.other - 1), maxDelay);
		return Math.max(full * (0.5 + Math.random() / 2), this.options.retryOnFail?.pause ?? 0);
	}

	/** How often a call that failed in this way may be tried. */
	private triesFor({
		retryable,
		rateLimited,
		mayHaveCreated,
		serviceStatus,
	}: ServiceError): number {
		if (rateLimited) return maxRateLimited;
		const { didNothing, mayHaveWorked } = maxTries[this.options.kind];
		if (mayHaveCreated) return mayHaveWorked;
		// A further try does not find what is not there.
		if (absenceStatuses.includes(serviceStatus ?? 0)) return 1;
		const own = { always: didNothing, whenIdempotent: mayHaveWorked, never: 1 }[retryable];
		return Math.max(own, this.options.retryOnFail?.tries ?? 0);
	}

	/** For the error: how often it was tried, if more than once. */
	private summary(): string {
		const seconds = Math.round((performance.now() - this.start) / 1000);
		const tries = this.tries.rateLimited + this.tries.other;
		return tries > 1 ? ` It was tried ${tries} times in ${seconds} s.` : '';
	}
}

/**
 * Reads a Retry-After header: seconds, or a date.
 * @returns Milliseconds from now, a year at most; undefined if it is missing, not readable, or over.
 */
export function readRetryAfter(value: unknown): number | undefined {
	const text: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof text !== 'string' && typeof text !== 'number') return undefined;
	const seconds = Number(text);
	const isNumber = text !== '' && Number.isFinite(seconds);
	const wait = isNumber ? seconds * 1000 : Date.parse(String(text)) - Date.now();
	return wait > 0 ? Math.min(wait, 365 * day) : undefined;
}
