import { fits, isEmail, refuse, type Outcome } from './answers';
import { identityLink } from './addresses';
import type { ServiceRequest, ServiceDeps } from './contract';
import { emptyResults, resultsOf } from './results';
import { userId } from './tokens';
import type { ServiceVariants } from './variants';

/** What a check found: it passed, it failed, or there is nothing to say. */
export type IdentityScore = 'pass' | 'fail' | 'none';

/** A request for an identity verification. */
export interface IdentityRecord {
	readonly validationId: string;
	readonly body: { email: string; type: string; backgroundCheck: boolean };
	/** epoch-ms */
	readonly createdAt: number;
	status: string;
	/** epoch-ms; absent until the person is done. */
	finishedAt?: number;
	score: IdentityScore;
	customerId: string;
}

/** The requests for identity verifications; the session of a request has its validationId. */
export class Identities {
	/** Oldest first. */
	readonly all: IdentityRecord[] = [];

	private readonly byId = new Map<string, IdentityRecord>();

	constructor(
		private readonly surroundings: ServiceDeps,
		private readonly variants: ServiceVariants,
	) {}

	/** docs/dev/service.md#create-an-identity-verification-request */
	create({ body }: ServiceRequest): Outcome {
		if (!fits(body, { email: 'string', type: 'text', backgroundCheck: 'boolean' })) {
			return refuse(400, 'The body is not that of a request');
		}
		const given = body as IdentityRecord['body'];
		if (!isEmail(given.email)) return refuse(400, 'email has invalid format or is empty');
		const validationId = this.surroundings.id();
		const record: IdentityRecord = {
			validationId,
			body: given,
			createdAt: this.surroundings.now(),
			status: 'CREATED',
			score: 'none',
			customerId: `customer-${validationId}`,
		};
		this.all.push(record);
		this.byId.set(validationId, record);
		return {
			data: { url: identityLink(validationId), validationId },
			message: 'Identity validation requested successfully',
		};
	}

	/** docs/dev/service.md#get-an-identity-verification-request */
	get(validationId: string): Outcome {
		const record = this.byId.get(validationId);
		if (!record) return refuse(404, 'Identity validation request not found');
		const isDone = record.finishedAt !== undefined;
		const { sessionIdBefore, customerIdBefore } = this.variants;
		const sessionId = isDone ? 'given' : sessionIdBefore;
		const customerId = isDone ? 'given' : customerIdBefore;
		return {
			data: {
				userId,
				emailId: record.body.email,
				status: record.status,
				createdAt: new Date(record.createdAt).toISOString(),
				...shown('sessionId', sessionId, validationId),
				...shown('customerId', customerId, record.customerId),
				url: identityLink(validationId),
				backgroundCheck: record.body.backgroundCheck,
			},
			message: 'Identity validation requests get successfully',
		};
	}

	/** docs/dev/service.md#get-identity-verification-results */
	results(sessionId: string): Outcome {
		const record = this.byId.get(sessionId);
		if (!record) return refuse(404, 'Session results not found');
		const { finishedAt, score, customerId } = record;
		const isThere =
			finishedAt !== undefined &&
			this.surroundings.now() >= finishedAt + this.variants.resultsAfter * 1000;
		if (!isThere || score === 'none') return this.noResults();
		return {
			data: { results: resultsOf(score), customerId },
			message: 'Obtained reuslts successfully',
		};
	}

	/** @throws Error when there is none of this ID. */
	existing(validationId: string): IdentityRecord {
		const record = this.byId.get(validationId);
		if (!record) throw new Error(`There is no identity request ${validationId}`);
		return record;
	}

	private noResults(): Outcome {
		const words = 'Session results not found';
		switch (this.variants.resultsBefore) {
			case '404':
				return refuse(404, words);
			case '400':
				return refuse(400, words);
			case 'emptyObject':
				return { data: {}, message: words };
			case 'notASuccess':
				return { raw: { responseData: {}, message: words, success: false, responseCode: 200 } };
			case 'emptyForm':
				return { data: { results: emptyResults, customerId: '' }, message: words };
		}
	}
}

function shown(name: string, how: 'given' | 'null' | 'absent', value: string): object {
	if (how === 'absent') return {};
	return { [name]: how === 'null' ? null : value };
}
