import type { ServiceRequest } from './service/contract';
import { apiKey, type ServiceModel, userId } from './service/service';
import { templatesV1, templatesV2 } from './service/templates';
import type { Targets } from './workflows';
import type { World } from './world';

/** Whose registration is nobody's business. */
export const foreignAddress = 'https://elsewhere.example.com/other';

/** Makes what items of workflows name, with calls of somebody else's. */
export function prepareTargets(service: ServiceModel, world: World): Targets[] {
	const call = (request: Partial<ServiceRequest>, token?: string) => {
		// Slow enough for every rate limit.
		world.tick(1000);
		const isTemplate = request.path?.startsWith('/templates') === true;
		service.answer({
			method: 'POST',
			path: '',
			query: {},
			...request,
			headers: {
				'user-id': userId,
				...(token === undefined ? { 'api-key': apiKey } : { token }),
				...(isTemplate ? { authorization: `Bearer ${token}` } : {}),
				...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
			},
		});
	};
	const newToken = () => {
		call({ path: '/access/token' });
		return service.tokens.at(-1)?.value ?? '';
	};
	const templateV1 = templatesV1[0]?.templateID ?? '';
	const templateV2 = templatesV2[0]?.templateID ?? '';
	const document = (email: string) => {
		const body = {
			templateID: templateV2,
			country: 'Mexico',
			inputs: { name: 'Ada' },
			signatories: [{ email, name: 'Ada Lovelace' }],
		};
		call({ path: '/templates/createDocumentByTemplateV2', body }, newToken());
		return service.documents.at(-1)?.documentID ?? '';
	};
	return Array.from({ length: 4 }, (_, index) => {
		const documentId = document(`before-${index}@example.com`);
		const completed = document(`completed-${index}@example.com`);
		const watch = { url: `${foreignAddress}/${index}`, type: 'failedBiometric' };
		call({ path: '/webhooks', query: watch }, newToken());
		const { webHookID = '' } = service.activeRegistrations.at(-1) ?? {};
		service.signAll(completed);
		const person = { email: `person-${index}@example.com`, type: 'FACE', backgroundCheck: false };
		call({ path: '/identity/validation/request', body: person }, newToken());
		const { validationId = '' } = service.identityRequests.at(-1) ?? {};
		return {
			templateV1,
			templateV2,
			documentId,
			completed: { documentId: completed, documentURL: service.addressOf(completed) },
			validationId,
			webHookID,
		};
	});
}
