import { DescribedError } from '../errors/describedError';
import type { CallProblem } from './callProblems';
import type { CallPurpose } from './request';
import { type Failure, unsentForGood, verdictOn } from './retry';

export interface ErrorFacts extends CallProblem {
	/** The HTTP status to show to the user, even if a gateway, a proxy or a storage server sent it. */
	shownStatus?: number | undefined;
	/** What else to say after the description, such as how often the node tried. */
	details?: string;
	serviceStatus?: number | undefined;
	refusal?: string;
	/** The purpose of the call that failed. By default, a call that doesn't create anything. */
	purpose?: CallPurpose;
	/**
	 * The pause requested by the Retry-After header, in milliseconds. Calls to the service honor it only
	 * after a 429.
	 */
	retryAfterMs?: number | undefined;
}

/**
 * A failed call to the service. The error contains only messages, never the request or the response, so no
 * header with a key or a token can reach an execution's data. Its property names avoid those that n8n's
 * NodeApiError searches for codes and messages.
 * @n8n
 */
export class ServiceError extends DescribedError {
	/**
	 * Whether the call may have created something that users asked for, such as a document. If so, the call
	 * isn't retried, to avoid sending anything twice (docs/dev/behavior.md). The rules are in retry.ts.
	 */
	get mayHaveCreated(): boolean {
		return verdictOn(this.failure, { purpose: this.facts.purpose ?? 'reading' }).mayHaveCreated;
	}

	constructor(private readonly facts: ErrorFacts) {
		super(facts.problem, `${facts.remedy}${facts.details ?? ''}`, facts.docsAnchor);
		this.name = 'ServiceError';
	}

	get failure(): Failure {
		return this.facts.failure ?? unsentForGood;
	}

	override get isCall(): boolean {
		return true;
	}

	/** It may come from the call itself, the token exchange or a storage server. */
	override get shownStatus(): number | undefined {
		return this.facts.shownStatus;
	}

	/** What a refused call returned, for another message: `(HTTP 400: "wrong name")`. Empty for any other failure. */
	get refusal(): string {
		return this.facts.refusal ?? '';
	}

	get retryAfterMs(): number | undefined {
		return this.facts.retryAfterMs;
	}

	/**
	 * The status of the service's own response to this call. Only this status can prove something about the
	 * requested object, such as that it doesn't exist. Undefined if the token exchange failed, or if a
	 * gateway, a proxy or a storage server responded instead (docs/dev/behavior.md#how-a-rejection-is-interpreted).
	 */
	get serviceStatus(): number | undefined {
		return this.facts.serviceStatus;
	}

	/**
	 * Returns a copy of the error with text added to its description. The original isn't modified, because
	 * items may share it.
	 */
	withDetail(text: string): ServiceError {
		return new ServiceError({ ...this.facts, details: (this.facts.details ?? '') + text });
	}

	/** Returns a copy of the error with another remedy. What was added with {@link withDetail} stays. */
	withRemedy(remedy: string): ServiceError {
		return new ServiceError({ ...this.facts, remedy });
	}
}

export function isRefusedWith(error: unknown, statuses: number[]): error is ServiceError {
	const status = error instanceof ServiceError ? error.serviceStatus : undefined;
	return status !== undefined && statuses.includes(status);
}

export function mayHaveCreated(error: unknown): boolean {
	return error instanceof ServiceError && error.mayHaveCreated;
}

/*
 * The next two functions compare names instead of classes: if a copy of n8n-workflow is installed near this
 * package, n8n's errors have the same names, but their classes are different from the ones imported here.
 * @n8n
 */
