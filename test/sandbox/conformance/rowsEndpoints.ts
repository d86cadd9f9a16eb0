import { CREATE_V1, CREATE_V2, createBody, PEOPLE, POSITION } from '../serviceKit';
import { answers, answersTo, at, both, type Check, refused, took } from './endpointChecks';
import type { Live, Sent } from './live';
import { absent, epochMs, filled, list, object, problems, type Row, webAddress } from './shapes';
import { dataOf } from './rowsResources';
import { documentShape } from './rowsDocument';

const URL = 'http://127.0.0.1:9/hook';
const asked = { email: 'ana@example.com', type: 'FACE', backgroundCheck: true };
const verify = { name: 'x', type: 'VERIFICATION_REQUEST_FINISHED', url: URL };

/** Bodies of a create call that each lack one field, or have it in a wrong shape. */
const incomplete = (generation: 'v1' | 'v2', names: string[]) =>
	names.map((name) => ({ sandbox }: Live): Sent => ({
		body: { ...createBody(sandbox, generation), [name]: undefined },
	}));

const mailsTo: Check = async ({ sandbox, calls }) => {
	await sandbox.idle();
	for (const call of [calls.createV1, calls.createV2]) {
		const { signatory } = dataOf<{
			signatory: Array<{ emailID: string; signing: { url: string } }>;
		}>(call);
		expect(signatory).toHaveLength(PEOPLE.length);
		for (const { emailID, signing } of signatory) {
			const links = sandbox
				.mails()
				.filter(({ to, text: mail }) => to.includes(emailID) && mail.includes(signing.url));
			expect(links).toHaveLength(1);
		}
	}
};

const webhook = object({
	webHookID: filled,
	type: filled,
	addedOn: epochMs,
	webHookUrl: webAddress,
	options: list(absent),
});
const verifyWebhook = object({
	name: filled,
	type: filled,
	webHookID: filled,
	webHookUrl: webAddress,
	options: list(absent),
});

const TABLES: Record<string, Record<string, Check>> = {
	Token: {
		Call: at('token', 'POST', '/access/token'),
		Headers: both(
			({ calls }) =>
				expect(Object.keys(calls.token.request.headers)).toEqual(
					expect.arrayContaining(['user-id', 'api-key']),
				),
			refused(
				'POST',
				'/access/token',
				{ headers: { 'api-key': undefined } },
				{ body: { 'user-id': 'x', 'api-key': 'y' } },
			),
		),
		Body: both(
			({ calls }) => expect(calls.token.request.body).toBeUndefined(),
			refused('POST', '/access/token', { headers: { 'api-key': 'x' }, body: {} }),
		),
		// Not documented (docs/dev/service.md#seen-token).
		Answer: answers('token', object({ accessToken: filled }), 'Token generated Successfully'),
	},
	'Register a document webhook': {
		Call: at('addWebhook', 'POST', '/webhooks'),
		Query: both(
			({ calls }) =>
				expect(Object.keys(calls.addWebhook.request.query).sort()).toEqual(['type', 'url']),
			refused(
				'POST',
				'/webhooks',
				{ query: { url: URL } },
				{ query: { type: 'signDocument' } },
				{ query: { url: URL, type: 'VERIFICATION_REQUEST_FINISHED' } },
				{ body: { url: URL, type: 'signDocument' } },
			),
		),
		Body: both(
			({ calls }) => expect(calls.addWebhook.request.body).toBeUndefined(),
			refused('POST', '/webhooks', { query: { url: URL, type: 'signDocument' }, body: {} }),
		),
		Answer: answers('addWebhook', webhook, 'WebHook Added Successfully'),
	},
	'List webhooks': {
		Call: at('listWebhooks', 'GET', '/webhooks'),
		// The name of the filter is not known, so any is accepted.
		Query: async (live) => {
			const { status, request } = await live.send('GET', '/webhooks', {
				query: { type: 'signDocument' },
			});
			expect([status, request.violation]).toEqual([200, undefined]);
		},
		Answer: ({ calls }) => {
			const { responseData, message } = calls.listWebhooks.body;
			expect(message).toBe('Get Successfully');
			expect(responseData).toHaveLength(7);
			expect(
				problems(
					(value, place) =>
						webhook(value, place).length && verifyWebhook(value, place).length ? [place] : [],
					responseData as unknown[],
				),
			).toEqual([]);
		},
	},
	'Delete a webhook': {
		Call: at('deleteWebhook', 'DELETE', '/webhooks'),
		Query: both(
			({ calls }) => expect(Object.keys(calls.deleteWebhook.request.query)).toEqual(['webHookID']),
			refused('DELETE', '/webhooks', {}, { query: { webHookID: '' } }, { query: { id: 'x' } }),
		),
		Headers: ({ calls }) =>
			expect(calls.deleteWebhook.request.headers).toMatchObject({
				'user-id': expect.any(String) as string,
				token: expect.any(String) as string,
				'content-type': 'application/json',
			}),
		Answer: answers('deleteWebhook', object({}), 'Deleted Successfully'),
	},
	'Register an identity webhook': {
		Call: at('addVerifyWebhook', 'POST', '/webhooks/verify'),
		Body: both(
			took('addVerifyWebhook', 'name', 'type', 'url'),
			refused(
				'POST',
				'/webhooks/verify',
				{ body: { ...verify, name: undefined } },
				{ body: { ...verify, url: undefined } },
				{ body: { ...verify, type: 'signDocument' } },
				{ query: verify },
			),
		),
		Answer: answers('addVerifyWebhook', verifyWebhook, 'OK'),
	},
	'Create an identity verification request': {
		Call: at('createIdentity', 'POST', '/identity/validation/request'),
		Body: both(
			took('createIdentity', 'email', 'type', 'backgroundCheck'),
			refused(
				'POST',
				'/identity/validation/request',
				{ body: { ...asked, email: undefined } },
				{ body: { ...asked, type: undefined } },
				{ body: { ...asked, backgroundCheck: 'true' } },
				{ query: { email: 'ana@example.com' } },
			),
		),
		Answer: answers(
			'createIdentity',
			object({ url: webAddress, validationId: filled }),
			'Identity validation requested successfully',
		),
	},
	'Get an identity verification request': {
		Call: at('getIdentity', 'GET', /^\/identity\/validation\/request\/[^/]+$/),
		Path: async ({ calls, ...live }) => {
			const { validationId } = dataOf<{ validationId: string }>(calls.createIdentity);
			expect(calls.getIdentity.request.path.endsWith(`/${validationId}`)).toBe(true);
			expect((await live.send('GET', '/identity/validation/request/nothing', {})).status).toBe(404);
		},
		Answer: ({ calls }) => {
			const created = dataOf<{ validationId: string; url: string }>(calls.createIdentity);
			expect(calls.getIdentity.body.message).toBe('Identity validation requests get successfully');
			expect(dataOf(calls.getIdentity)).toMatchObject({
				sessionId: created.validationId,
				url: created.url,
			});
		},
	},
	'Get identity verification results': {
		Call: at('getResults', 'GET', /^\/identity\/session\/results\/[^/]+$/),
		Path: async ({ calls, ...live }) => {
			const { sessionId } = dataOf<{ sessionId: string }>(calls.getIdentity);
			expect(calls.getResults.request.path.endsWith(`/${sessionId}`)).toBe(true);
			expect((await live.send('GET', '/identity/session/results/nothing', {})).status).toBe(404);
		},
		Answer: answers(
			'getResults',
			object({ results: object({ score: () => [], ocr: () => [] }), customerId: filled }),
			'Obtained reuslts successfully',
		),
	},
	'List templates, version 1': {
		Call: at('templatesV1', 'GET', '/templates'),
		Answer: answersTo('GET', '/templates', object({ templates: list() })),
	},
	'List templates, version 2': {
		Call: at('templatesV2', 'GET', '/templates/v2'),
		Answer: answersTo('GET', '/templates/v2', object({ templates: list() })),
	},
	'Create a document, version 1': {
		Call: at('createV1', 'POST', CREATE_V1),
		Body: both(
			took('createV1', 'templateID', 'country', 'inputs', 'signatories', 'staticSignPositions'),
			refused(
				'POST',
				CREATE_V1,
				...incomplete('v1', ['templateID', 'country', 'inputs', 'signatories']),
			),
		),
		Effect: mailsTo,
		// Not documented: one of the two that were seen (docs/dev/service.md#seen-documents).
		Answer: answers('createV1', documentShape, 'OK'),
	},
	'Create a document, version 2': {
		Call: at('createV2', 'POST', CREATE_V2),
		Body: both(
			took('createV2', 'templateID', 'country', 'inputs', 'signatories'),
			refused(
				'POST',
				CREATE_V2,
				...incomplete('v2', ['templateID', 'country', 'inputs', 'signatories']),
			),
		),
		Effect: mailsTo,
		Answer: answers('createV2', documentShape, 'OK'),
	},
};

/** A field of `staticSignPositions`: it is required, and what it says ends up in the Document. */
const positions = Object.keys(POSITION).map((row): Row => ({
	table: 'Where the signatures go',
	row,
	check: both(
		({ calls }) => {
			const { signatory } = dataOf<{ signatory: Array<{ fieldArray: unknown[] }> }>(calls.createV1);
			const { coordinates, imageSize, pageY, pageYv2, page, viewport } = POSITION;
			expect(signatory[0]?.fieldArray).toMatchObject([
				{ left: coordinates.x, top: coordinates.y, ...imageSize, pageY, pageYv2, page, viewport },
			]);
		},
		refused('POST', CREATE_V1, ({ sandbox }) => ({
			body: {
				...createBody(sandbox, 'v1'),
				staticSignPositions: [{ ...POSITION, [row]: undefined }],
			},
		})),
	),
}));

const without = (name: string) => ({ headers: { [name]: undefined } });
const listWithout = (...names: string[]): Check =>
	refused('GET', '/webhooks', ...names.map(without));

/** The headers: a call that lacks one is refused, and the key goes to one endpoint only. */
const headers: Record<string, Check> = {
	'user-id': both(
		refused('POST', '/access/token', { headers: { 'api-key': 'x', 'user-id': undefined } }),
		listWithout('user-id'),
	),
	'api-key': both(
		refused('POST', '/access/token', without('api-key')),
		refused('GET', '/webhooks', { headers: { 'api-key': 'x' } }),
	),
	token: listWithout('token'),
	Authorization: async (live) => {
		expect((await live.send('GET', '/webhooks', without('Authorization'))).status).toBe(200);
	},
};

/** The tables of the endpoints. */
export const endpointRows: Row[] = [
	...Object.entries({ Authentication: headers, ...TABLES }).flatMap(([table, rows]) =>
		Object.entries(rows).map(([row, check]) => ({ table, row, check })),
	),
	...positions,
];
