import type { ServiceRequest } from './service/contract';
import type { Accounts } from './service/accounts';
import { type Owner, owners } from './service/owners';
import type { Service } from './service/service';
import { templateId, templateValues, type Targets } from './workflows';
import type { World } from './world';

/** Whose webhook is nobody's business. */
export const foreignUrl = 'https://elsewhere.example.com/other';

/** Makes what items of workflows name in an account, with calls of somebody else's. */
export async function prepareTargets(
	{ all, created, tokens, shownIds }: Accounts,
	account: number,
	world: World,
): Promise<Targets[]> {
	const service = all[account] as Service;
	const { userId, apiKey } = owners[account] as Owner;
	const call = (
		method: string,
		path: string,
		token: string | undefined,
		given: { body?: object; query?: Record<string, string> } = {},
	) => {
		// Slow enough for every rate limit.
		world.tick(1000);
		const { body, query = {} } = given;
		const headers = {
			'user-id': userId,
			...(token === undefined ? { 'api-key': apiKey } : { token }),
			...(path.startsWith('/templates') ? { authorization: `Bearer ${token}` } : {}),
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
		};
		const bodyText = body ? JSON.stringify(body) : '';
		service.answer({ method, path, query, headers, bodyText } satisfies ServiceRequest);
	};
	const post = (path: string, given: { body?: object; query?: Record<string, string> }) => {
		call('POST', '/access/token', undefined);
		call('POST', path, tokens.at(-1), given);
	};
	const document = (email: string) => {
		const signatories = [{ email, name: 'Ada Lovelace' }];
		const body = {
			...{ templateID: templateId, country: 'Mexico', signatories },
			inputs: templateValues,
		};
		post('/templates/createDocumentByTemplateV2', { body });
		return created.at(-1)?.id ?? '';
	};
	const targets: Targets[] = [];
	for (const index of [0, 1, 2, 3]) {
		const documentId = document(`before-${account}-${index}@example.com`);
		const completed = document(`completed-${account}-${index}@example.com`);
		post('/webhooks', { query: { url: `${foreignUrl}/${index}`, type: 'failedBiometric' } });
		await service.sign(completed);
		const email = `person-${account}-${index}@example.com`;
		post('/identity/validation/request', { body: { email, type: 'FACE', backgroundCheck: false } });
		const validationId = created.at(-1)?.id ?? '';
		const documentUrl = service.links.file(completed, 'document');
		const [seenDocument, seenRequest] = [documentId, validationId].map((id) => shownIds.seen(id));
		targets.push({ documentId: seenDocument ?? '', documentUrl, validationId: seenRequest ?? '' });
	}
	return targets;
}
