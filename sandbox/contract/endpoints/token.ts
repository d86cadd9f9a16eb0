import { Type } from '@sinclair/typebox';
import { envelopeOf, exactly } from '../../schemas';
import { ServiceRefusal } from '../../service/refusal';
import { good, endpoint } from './endpoint';

/**
 * The token exchange (docs/dev/service.md#token). Its response is not documented, so this is the format seen
 * in the field.
 */
export const tokenEndpoints = {
	'POST /access/token': endpoint({
		operationId: 'createToken',
		tag: 'Token',
		summary: 'Exchange a user ID and an API key for a token',
		description:
			'Send both values as headers, without a body. The response isn’t documented. This is the format that we’ve seen, with tokens that were valid for 5 minutes.',
		anchor: 'token',
		access: 'key',
		responses: [envelopeOf(exactly({ accessToken: Type.String() }))],
		act({ account }, { headers }) {
			const { 'user-id': userId = '', 'api-key': apiKey = '' } = headers;
			const accessToken = account.exchange(String(userId), String(apiKey));
			if (accessToken === undefined) throw new ServiceRefusal(401, 'Invalid user-id or api-key');
			return good({ accessToken }, 'Token generated Successfully');
		},
	}),
};
