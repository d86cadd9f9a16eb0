import type { FastifyRequest } from 'fastify';
import type { Account } from '../service/account';
import { ServiceRefusal, violation } from '../service/refusal';
import type { Settings } from '../service/settings';
import type { SandboxSettings } from '../types';
import { sameSecret } from '../util/ids';

/**
 * Who may call an endpoint (docs/dev/service.md#authentication). `key`: the token endpoint, to which
 * user-id and api-key go. `token`: user-id and token. `template`: Authorization: Bearer as well.
 */
export type Access = 'key' | 'token' | 'template';

/** What an endpoint takes as body. */
export type BodyKind = 'none' | 'json';

declare module 'fastify' {
	interface FastifyContextConfig {
		access?: Access;
		body?: BodyKind;
	}
}

/**
 * Checks the headers of a call.
 * @throws ServiceRefusal (400 for the key in the wrong place, an expired token as the settings say,
 *   else 401).
 */
export function checkAccess(
	{ headers }: FastifyRequest,
	access: Access,
	{ account, settings }: { account: Account; settings: Settings },
): void {
	if (access === 'key') {
		// In the field a key in the body in place of the header is answered like this, too.
		if (!headers['user-id'] || !headers['api-key']) {
			throw violation(400, 'user-id and api-key must be sent as headers');
		}
		return;
	}
	if (headers['api-key'] !== undefined) {
		throw violation(400, 'api-key is a header of POST /access/token only');
	}
	const userId = one(headers['user-id']);
	const token = one(headers.token);
	if (!userId) throw violation(401, 'The header user-id is missing');
	if (!token) throw violation(401, 'The header token is missing');
	const state = account.tokenState(token);
	if (!account.isUser(userId) || state === 'unknown') {
		throw new ServiceRefusal(401, 'Invalid user-id or token');
	}
	if (state === 'expired') throw expired(settings.current.expiryStyle);
	if (access === 'template') checkBearer(one(headers.authorization), token);
}

/**
 * Checks that a call brings a body of the right kind, or none.
 * @throws ServiceRefusal (400).
 */
export function checkBody({ headers, bodyText }: FastifyRequest, kind: BodyKind): void {
	if (kind === 'none') {
		const announced = headers['transfer-encoding'] ?? headers['content-length'] ?? '0';
		if (bodyText || announced !== '0') throw violation(400, 'This endpoint takes no body');
		return;
	}
	if (!bodyText) throw violation(400, 'The body is missing');
	if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
		throw violation(400, 'Content-Type must be application/json');
	}
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
	if (!authorization) throw violation(401, 'The header Authorization is missing');
	if (scheme.toLowerCase() !== 'bearer' || rest.length > 0) {
		throw violation(401, 'Authorization must be Bearer followed by the token');
	}
	if (!sameSecret(given, token)) {
		throw violation(401, 'Authorization does not carry the same token as the header token');
	}
}

function one(header: string | string[] | undefined): string {
	return (Array.isArray(header) ? header[0] : header) ?? '';
}
