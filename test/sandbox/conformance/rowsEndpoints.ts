import { ENDPOINTS } from '../../../sandbox/contract/endpoints';
import { CREATE_V1, createBody, PEOPLE, POSITION } from '../serviceKit';
import { callChecks } from './callChecks';
import { answers, both, type Check, refused } from './endpointChecks';
import { absent, either, epochMs, filled, list, object, type Row, webAddress } from './shapes';
import { sectionOf } from './servicePage';
import { dataOf } from './rowsResources';
import { documentShape } from './rowsDocument';

const URL = 'http://127.0.0.1:9/hook';
const asked = { email: 'ana@example.com', type: 'FACE', backgroundCheck: true };
const verify = { name: 'x', type: 'VERIFICATION_REQUEST_FINISHED', url: URL };

const mailsTo: Check = async ({ sandbox, calls }) => {
	await sandbox.idle();
	for (const call of [
		calls['POST /templates/createDocumentByTemplate'],
		calls['POST /templates/createDocumentByTemplateV2'],
	]) {
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

/** What the entry of an endpoint does not say. */
const TABLES: Record<string, Record<string, Check>> = {
	Token: {
		Headers: both(
			({ calls }) =>
				expect(Object.keys(calls['POST /access/token'].request.headers)).toEqual(
					expect.arrayContaining(['user-id', 'api-key']),
				),
			refused(
				'POST',
				'/access/token',
				{ headers: { 'api-key': undefined } },
				{ body: { 'user-id': 'x', 'api-key': 'y' } },
			),
		),
		// Not documented (docs/dev/service.md#seen-token).
		Answer: answers(
			'POST /access/token',
			object({ accessToken: filled }),
			'Token generated Successfully',
		),
	},
	'Register a document webhook': {
		Query: refused(
			'POST',
			'/webhooks',
			{ query: { url: URL, type: 'VERIFICATION_REQUEST_FINISHED' } },
			{ body: { url: URL, type: 'signDocument' } },
		),
		Answer: answers('POST /webhooks', webhook),
	},
	'List webhooks': {
		// The name of the filter is not known, so any is accepted.
		Query: async (live) => {
			const { status, request } = await live.send('GET', '/webhooks', {
				query: { type: 'signDocument' },
			});
			expect([status, request.violation]).toEqual([200, undefined]);
		},
		Answer: both(answers('GET /webhooks', list(either(webhook, verifyWebhook))), ({ calls }) =>
			expect(dataOf(calls['GET /webhooks'])).toHaveLength(7),
		),
	},
	'Delete a webhook': {
		Query: refused('DELETE', '/webhooks', { query: { webHookID: '' } }, { query: { id: 'x' } }),
		Headers: ({ calls }) =>
			expect(calls['DELETE /webhooks'].request.headers).toMatchObject({
				'user-id': expect.any(String) as string,
				token: expect.any(String) as string,
				'content-type': 'application/json',
			}),
		Answer: answers('DELETE /webhooks', object({})),
	},
	'Register an identity webhook': {
		Body: refused(
			'POST',
			'/webhooks/verify',
			{ body: { ...verify, type: 'signDocument' } },
			{ query: verify },
		),
		Answer: answers('POST /webhooks/verify', verifyWebhook),
	},
	'Create an identity verification request': {
		Body: refused(
			'POST',
			'/identity/validation/request',
			{ body: { ...asked, backgroundCheck: 'true' } },
			{ query: { email: 'ana@example.com' } },
		),
		Answer: answers(
			'POST /identity/validation/request',
			object({ url: webAddress, validationId: filled }),
		),
	},
	'Get an identity verification request': {
		Answer: ({ calls }) => {
			const created = dataOf<{ validationId: string; url: string }>(
				calls['POST /identity/validation/request'],
			);
			const { body } = calls['GET /identity/validation/request/:validationId'];
			expect(body.responseData).toMatchObject({
				sessionId: created.validationId,
				url: created.url,
			});
		},
	},
	'Get identity verification results': {
		Answer: answers(
			'GET /identity/session/results/:sessionId',
			object({ results: object({ score: () => [], ocr: () => [] }), customerId: filled }),
		),
	},
	'List templates, version 1': {
		Answer: answers('GET /templates', object({ templates: list() })),
	},
	'List templates, version 2': {
		Answer: answers('GET /templates/v2', object({ templates: list() })),
	},
	'Create a document, version 1': {
		Effect: mailsTo,
		// Not documented: one of the two that were seen (docs/dev/service.md#seen-documents).
		Answer: answers('POST /templates/createDocumentByTemplate', documentShape, 'OK'),
	},
	'Create a document, version 2': {
		Effect: mailsTo,
		Answer: answers('POST /templates/createDocumentByTemplateV2', documentShape, 'OK'),
	},
};

/** The rows of all tables of endpoints: what the entry says of each, and what is written above. */
const tables = ENDPOINTS.flatMap((name): Row[] => {
	const { heading, ...section } = sectionOf(name);
	const own = TABLES[heading] ?? {};
	const made = callChecks(name, { heading, ...section });
	const parts = new Set([...Object.keys(made), ...Object.keys(own)]);
	return [...parts].map((row) => ({
		table: heading,
		row,
		check: both(...[made[row], own[row]].filter((check) => check !== undefined)),
	}));
});

/** A field of `staticSignPositions`: it is required, and what it says ends up in the Document. */
const positions = Object.keys(POSITION).map((row): Row => ({
	table: 'Where the signatures go',
	row,
	check: both(
		({ calls }) => {
			const { signatory } = dataOf<{ signatory: Array<{ fieldArray: unknown[] }> }>(
				calls['POST /templates/createDocumentByTemplate'],
			);
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
	// What needs it is refused without it (test/sandbox/serviceRefusals.test.ts).
	Authorization: async (live) => {
		expect((await live.send('GET', '/webhooks', without('Authorization'))).status).toBe(200);
	},
};

/** The tables of the endpoints. */
export const endpointRows: Row[] = [
	...Object.entries(headers).map(([row, check]) => ({ table: 'Authentication', row, check })),
	...tables,
	...positions,
];
