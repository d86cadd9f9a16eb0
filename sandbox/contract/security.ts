import type { Access } from '../http/access';

/** The headers that an endpoint asks for, as security requirements (docs/dev/service.md#authentication). */
export const SECURITY: Record<Access, Record<string, string[]>> = {
	key: { userId: [], apiKey: [] },
	token: { userId: [], token: [] },
	bearer: { userId: [], token: [], bearer: [] },
};

const header = (name: string, description: string) => ({
	type: 'apiKey' as const,
	in: 'header' as const,
	name,
	description,
});

/** The headers themselves. */
export const SECURITY_SCHEMES = {
	userId: header('user-id', 'The user ID of the account. Every call needs it.'),
	apiKey: header('api-key', 'The key of the account. Only the call for a token needs it.'),
	token: header('token', 'The token. Every call except the one for a token needs it.'),
	bearer: {
		type: 'http' as const,
		scheme: 'bearer',
		description: 'The same token once more. Only the template endpoints need it.',
	},
};
