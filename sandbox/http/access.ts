import type { FastifyRequest, FastifyReply } from 'fastify';
import { type Access, fixedHeadersOf } from '../contract/endpoints';
import type { Account } from '../service/account';
import { ServiceRefusal, violation } from '../service/refusal';
import type { Settings } from '../service/settings';
import type { SandboxSettings } from '../types';
import { realNow } from '../util/clock';
import { sameSecret } from '../util/ids';

/**
 * The parts of a call that are checked. This is not a full FastifyRequest, because the simulation makes its
 * calls without HTTP.
 */
export type CallParts = Pick<FastifyRequest, 'method' | 'headers' | 'bodyText'>;

const requiredHeaders: Record<Access, string[]> = {
	key: ['user-id', 'api-key'],
	token: ['user-id', 'token'],
	bearer: ['user-id', 'token', 'authorization'],
};

/**
 * Checks the headers of a call.
 * @throws ServiceRefusal with status 400 if the token call lacks a header, or if any other call contains the
 * API key. If the token has expired, the settings determine the status. In all other cases, the status is
 * 401.
 */
export function checkAccess(
	{ headers }: Pick<CallParts, 'headers'>,
	access: Access,
	{ account, settings }: { account: Account; settings: Settings },
): void {
	if (access !== 'key' && headers['api-key'] !== undefined) {
		throw violation(400, 'The api-key header is only for POST /access/token');
	}
	const missing = requiredHeaders[access].filter((name) => !headers[name]);
	if (missing.length > 0) {
		// In the field, the service responded with 400 when the key was sent in the body instead of in a
		// header.
		throw violation(access === 'key' ? 400 : 401, `Missing headers: ${missing.join(', ')}`);
	}
	if (access === 'key') return;
	const userId = one(headers['user-id']);
	const token = one(headers.token);
	const state = account.tokenState(token);
	if (!account.isUser(userId) || state === 'unknown') {
		throw new ServiceRefusal(401, 'Invalid user-id or token');
	}
	if (state === 'expired') throw expired(settings.current.expiryStyle);
	if (access === 'bearer') checkBearer(one(headers.authorization), token);
}

/**
 * Checks that a call has a body if and only if its endpoint takes one, and that the call has its method's
 * fixed headers.
 * @throws ServiceRefusal with status 400.
 */
export function checkBody({ method, headers, bodyText }: CallParts, takesBody: boolean): void {
	const announced = headers['transfer-encoding'] ?? headers['content-length'] ?? '0';
	if (!takesBody && (bodyText || announced !== '0')) {
		throw violation(400, 'This endpoint doesn’t accept a body');
	}
	if (takesBody && !bodyText) throw violation(400, 'The body is missing');
	const fixed: Record<string, string> = { ...fixedHeadersOf(method) };
	if (takesBody) fixed['content-type'] = 'application/json';
	for (const [name, value] of Object.entries(fixed)) {
		// The content type is compared case-insensitively and without its parameters, such as a charset.
		const given = one(headers[name]).split(';')[0]?.trim().toLowerCase();
		if (given !== value.toLowerCase()) throw violation(400, `The ${name} header must be ${value}`);
	}
	if (!takesBody) return;
	try {
		JSON.parse(bodyText);
	} catch {
		throw violation(400, 'The body is not JSON');
	}
}

function expired(style: SandboxSettings['expiryStyle']): ServiceRefusal {
	const responseCode = style === '403' ? 403 : 401;
	return new ServiceRefusal(responseCode, 'Token expired', false, Number(style));
}

function checkBearer(authorization: string, token: string): void {
	const [scheme = '', given = '', ...rest] = authorization.split(' ');
	if (scheme.toLowerCase() !== 'bearer' || rest.length > 0) {
		throw violation(401, 'Authorization must be Bearer followed by the token');
	}
	if (!sameSecret(given, token)) {
		throw violation(401, 'Authorization must contain the same token as the token header');
	}
}

function one(header: string | string[] | undefined): string {
	return (Array.isArray(header) ? header[0] : header) ?? '';
}

/**
 * Enforces the limit of calls per second from the settings. Calls beyond the limit are refused with a 429.
 */
export class RateLimit {
	/**
	 * The times at which calls were allowed in the last second, in epoch-ms, oldest first. They are taken
	 * from the machine's clock, because the sandbox's clock can be stopped, which would make the second last
	 * forever.
	 */
	private passed: number[] = [];

	constructor(private readonly settings: Settings) {}

	/** @throws ServiceRefusal with status 429 if the limit has been reached. */
	check(reply: FastifyReply): void {
		const { rateLimit } = this.settings.current;
		if (!rateLimit) return;
		const now = realNow();
		this.passed = this.passed.filter((at) => at > now - 1000);
		if (this.passed.length < rateLimit.perSecond) {
			this.passed.push(now);
			return;
		}
		if (rateLimit.retryAfter !== undefined) {
			reply.header('Retry-After', String(rateLimit.retryAfter));
		}
		throw new ServiceRefusal(429, 'Too many requests');
	}
}
