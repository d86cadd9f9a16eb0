import { refuse, type Outcome, type Refusal } from './answers';
import type { ServiceRequest, ServiceDeps } from './contract';
import type { ServiceVariants } from './variants';

/** The one account. */
export const userId = 'simulated-user';
export const apiKey = 'SIMULATED-API-KEY-0123456789abcdef';

/** A token that was given out. */
export interface TokenRecord {
	readonly value: string;
	/** epoch-ms */
	readonly from: number;
	/** When its time is over; not so that it ends earlier by another token or by its use. */
	readonly until: number;
	/** The token that ended it, or `used`, or `forgotten`. */
	invalidatedBy?: string;
	/** Calls that it was good for. */
	uses: number;
}

/**
 * Who may call an endpoint (docs/dev/service.md#authentication): `template` needs a bearer header as
 * well.
 */
export type Access = 'key' | 'token' | 'template';

/** The tokens of the account, and who is let in. */
export class Tokens {
	readonly issued: TokenRecord[] = [];

	private readonly byValue = new Map<string, TokenRecord>();

	constructor(
		private readonly surroundings: ServiceDeps,
		private readonly variants: ServiceVariants,
	) {}

	/** Gives out a token (docs/dev/service.md#token). */
	exchange({ headers }: ServiceRequest): Outcome {
		if (headers['user-id'] !== userId || headers['api-key'] !== apiKey) {
			return refuse(401, 'Invalid user-id or api-key');
		}
		const from = this.surroundings.now();
		const { tokenLife, newTokenEndsOld } = this.variants;
		const value = `TOKEN-${this.surroundings.id()}`;
		const seconds = tokenLife === 'onceUsed' ? 300 : tokenLife;
		if (newTokenEndsOld) this.endAll(value);
		const record = { value, from, until: from + seconds * 1000, uses: 0 };
		this.issued.push(record);
		this.byValue.set(value, record);
		return this.answer(value);
	}

	/** Ends all tokens, as a restart of the service may. */
	endAll(by = 'forgotten'): void {
		for (const each of this.issued) each.invalidatedBy ??= by;
	}

	/** Checks the headers of a call; undefined if it is let in. */
	check({ headers }: ServiceRequest, access: Access): Refusal | undefined {
		if (access === 'key') {
			if (headers['user-id'] && headers['api-key']) return undefined;
			return refuse(400, 'user-id and api-key must be sent as headers');
		}
		if (headers['api-key'] !== undefined) return refuse(400, 'api-key does not belong here');
		const { token = '', authorization = '' } = headers;
		const record = this.byValue.get(token);
		if (headers['user-id'] !== userId || !record) return refuse(401, 'Invalid user-id or token');
		if (record.invalidatedBy !== undefined || this.surroundings.now() >= record.until) {
			const { expiredToken } = this.variants;
			const isIn200 = expiredToken.endsWith('in 200');
			return refuse(Number(expiredToken.slice(0, 3)), 'Token expired', { isIn200 });
		}
		if (access === 'template' && !isBearer(authorization, token)) {
			return refuse(401, 'Authorization must be Bearer followed by the token');
		}
		record.uses++;
		if (this.variants.tokenLife === 'onceUsed') record.invalidatedBy = 'used';
		return undefined;
	}

	private answer(value: string): Outcome {
		const message = 'Token generated Successfully';
		switch (this.variants.tokenAnswer) {
			case 'accessToken':
				return { data: { accessToken: value }, message };
			case 'token':
				return { data: { token: value }, message };
			case 'text':
				return { data: value, message };
			case 'topAccessToken':
				return { raw: { accessToken: value, message, success: true, responseCode: 200 } };
			case 'topToken':
				return { raw: { token: value } };
		}
	}
}

function isBearer(authorization: string, token: string): boolean {
	const [scheme = '', given = ''] = authorization.split(' ');
	return scheme.toLowerCase() === 'bearer' && given === token;
}
