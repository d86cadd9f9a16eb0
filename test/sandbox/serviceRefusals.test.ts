import type { Sandbox } from '../../sandbox';
import {
	create,
	CREATE_V1,
	CREATE_V2,
	createBody,
	Http,
	PEOPLE,
	register,
	type Registered,
	signedIn,
	start,
	stopAll,
} from './serviceKit';

let sandbox: Sandbox;
let http: Http;

beforeEach(async () => {
	sandbox = await start();
	http = await signedIn(sandbox);
});
afterEach(stopAll);

const URL_OK = 'http://127.0.0.1:9/hook';

describe('token', () => {
	test('is given for user-id and api-key as headers only', async () => {
		const { userId, apiKey } = sandbox.account;
		const ask = (headers: object, body?: object) =>
			new Http(sandbox.baseUrl).post('/access/token', body, { headers });
		const inBody = await ask({}, { 'user-id': userId, 'api-key': apiKey });
		expect(inBody.status).toBe(400);
		expect(inBody.data.message).toContain('user-id');
		expect(sandbox.requests.at(-1)?.violation).toContain('Missing headers: user-id, api-key');
		expect(sandbox.requests.at(-1)?.body).toEqual({ 'user-id': userId, 'api-key': apiKey });
		const wrong = await ask({ 'user-id': userId, 'api-key': `${apiKey}x` });
		expect(wrong.data).toEqual({
			responseData: {},
			message: 'Invalid user-id or api-key',
			success: false,
			responseCode: 401,
		});
		const right = await ask({ 'user-id': userId, 'api-key': apiKey });
		expect(right.data.message).toBe('Token generated Successfully');
		expect(sandbox.tokenExchanges()).toBe(2);
	});
});

describe('headers', () => {
	test.each([
		['a wrong user-id', { 'user-id': 'other' }, '/webhooks', 401, false],
		['a wrong token', { token: 'made-up' }, '/webhooks', 401, false],
		['an api-key', { 'api-key': 'x' }, '/webhooks', 400, true],
		['another bearer at templates', { Authorization: 'Bearer x' }, '/templates/v2', 401, true],
	])('%s is refused', async (_what, headers, path, status, violates) => {
		const answer = await http.get(path, { headers });
		expect(answer.status).toBe(status);
		expect(answer.data).toMatchObject({ success: false, responseCode: status, responseData: {} });
		const { violation } = sandbox.requests.at(-1)!;
		const heading = status === 401 ? 'authentication' : 'list-webhooks';
		if (violates) expect(violation).toMatch(new RegExp(`\\(docs/dev/service\\.md#${heading}\\)$`));
		else expect(violation).toBeUndefined();
	});
});

describe('webhooks', () => {
	test.each([
		['an unknown event', { url: URL_OK, type: 'somethingElse' }],
		['something that is no address', { url: 'hook', type: 'signDocument' }],
		['a parameter that there is not', { url: URL_OK, type: 'signDocument', x: '1' }],
	])('registering with %s is refused', async (_what, params) => {
		const answer = await http.post('/webhooks', undefined, { params });
		expect(answer.status).toBe(400);
		expect(sandbox.requests.at(-1)?.violation).toBeTruthy();
		expect(sandbox.webhooks()).toEqual([]);
	});

	test('deleting answers once, then 404', async () => {
		const [webHookID] = await register(http, URL_OK, 'signDocument');
		const remove = () => http.delete('/webhooks', { params: { webHookID } });
		expect((await remove()).data).toMatchObject({ success: true });
		expect((await remove()).data).toMatchObject({ success: false, responseCode: 404 });
	});

	test('whether identity webhooks are listed and deleted here can be chosen', async () => {
		const other = await start({ listIdentityWebhooks: false, deleteIdentityWebhooks: false });
		for (const [one, listed, status] of [
			[sandbox, 1, 200],
			[other, 0, 404],
		] as const) {
			const its = await signedIn(one);
			const body = { name: 'n', type: 'VERIFICATION_REQUEST_FINISHED', url: URL_OK };
			const { data } = await its.post<Registered>('/webhooks/verify', body);
			expect((await its.get('/webhooks')).data.responseData).toHaveLength(listed);
			const { webHookID } = data.responseData;
			expect((await its.delete('/webhooks', { params: { webHookID } })).status).toBe(status);
		}
	});
});

describe('creating a document', () => {
	const signatories = (...changes: object[]) => ({
		signatories: PEOPLE.map((person, index) => ({ ...person, ...changes[index] })),
	});
	const BREAKS = true;

	test.each([
		['repeated e-mails', signatories({}, { email: 'ANA@example.com' }), 'repeated', false],
		['a malformed e-mail', signatories({ email: 'ana@' }), 'invalid format', false],
		['a name of 3 characters', signatories({ name: 'Ana' }), 'name', false],
		['a name of 101 characters', signatories({ name: 'a'.repeat(101) }), 'name', false],
		['an unknown template', { templateID: 'nothing' }, 'Template not found', false],
		['nobody to sign', { signatories: [] }, 'signatories', BREAKS],
		['a name that is a number', signatories({ name: 12345 }), 'name', BREAKS],
		['an empty input', { inputs: {} }, 'required key', BREAKS],
		['a field that there is not', { subject: 'x' }, 'subject', BREAKS],
		['positions in version 2', { staticSignPositions: [] }, 'staticSignPositions', BREAKS],
	])('%s is refused', async (_what, changes, message, violates) => {
		const answer = await create(sandbox, http, 'v2', changes);
		expect(answer.status).toBe(400);
		expect(answer.data.message).toContain(message);
		expect(sandbox.requests.at(-1)?.violation !== undefined).toBe(violates);
		expect(sandbox.documents()).toEqual([]);
	});

	test('inputs must be strings of the template', async () => {
		const { inputs } = createBody(sandbox, 'v2');
		const [key = ''] = Object.keys(inputs);
		for (const changed of [
			{ ...inputs, [key]: 12 },
			{ ...inputs, surprise: 'x' },
		]) {
			const answer = await create(sandbox, http, 'v2', { inputs: changed });
			expect(answer.status).toBe(400);
			expect(sandbox.requests.at(-1)?.violation).toContain('inputs');
		}
	});

	test('a template of the other generation, or one that is not active, is refused', async () => {
		const v1 = createBody(sandbox, 'v1');
		expect((await http.post(CREATE_V2, v1)).data.message).toBe('Template not found');
		expect((await http.post(CREATE_V1, createBody(sandbox, 'v2'))).status).toBe(400);
		const draft = sandbox.templates().find(({ status }) => status === 'DRAFT');
		const answer = await create(sandbox, http, 'v2', { templateID: draft?.templateID });
		expect(answer.data.message).toBe('Template is not active');
	});

	test('a body that is not JSON, or not said to be, is refused', async () => {
		const body = JSON.stringify(createBody(sandbox, 'v2'));
		const post = (data: string, type: string) =>
			http.post(CREATE_V2, data, {
				headers: { 'Content-Type': type },
				// The client would make JSON out of whatever is not.
				transformRequest: [(text: string) => text],
			});
		expect((await post('{', 'application/json')).data.message).toContain('not JSON');
		expect(sandbox.requests.at(-1)?.body).toBe('{');
		expect((await post(body, 'text/plain')).data.message).toContain('Content-Type');
		expect((await post(body, 'application/json; charset=utf-8')).status).toBe(200);
	});
});

test('an unknown path is a 404 in the envelope, and recorded with what it brought', async () => {
	const answer = await http.post('/nothing/here?a=1', { b: 2 });
	expect(answer.data).toMatchObject({ success: false, responseCode: 404 });
	expect(sandbox.requests.at(-1)).toMatchObject({
		method: 'POST',
		path: '/nothing/here',
		query: { a: '1' },
		body: { b: 2 },
		status: 404,
		violation: 'No such endpoint: POST /nothing/here (docs/dev/service.md#endpoints)',
	});
	expect((await http.get('/access/token')).status).toBe(404);
});
