import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { NoQuerySchema } from '../schemas';
import { ServiceRefusal } from '../service/refusal';
import { good } from './envelope';
import type { ServiceParts } from './parts';

/**
 * The token exchange (docs/dev/service.md#token). Its answer is not shown there; this one is from the
 * field.
 */
export function tokenRoutes({ account }: ServiceParts): FastifyPluginAsyncTypebox {
	return async (app) => {
		app.post(
			'/access/token',
			{
				config: { access: 'key', body: 'none' },
				schema: { querystring: NoQuerySchema },
			},
			async (request) => {
				const { 'user-id': userId = '', 'api-key': apiKey = '' } = request.headers;
				const accessToken = account.exchange(String(userId), String(apiKey));
				if (accessToken === undefined) throw new ServiceRefusal(401, 'Invalid user-id or api-key');
				return good({ accessToken }, 'Token generated Successfully');
			},
		);
	};
}
