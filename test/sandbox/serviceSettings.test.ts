import { Value } from '@sinclair/typebox/value';
import axios from 'axios';
import { type Sandbox, type SandboxSettings, startSandbox } from '../../sandbox';
import { type Document, QuirkyDocumentSchema } from '../../sandbox/schemas';
import { until } from '../support/until';
import {
	create,
	Http,
	PEOPLE,
	receiver,
	register,
	signedIn,
	start,
	useDataFolder,
} from './serviceKit';

const data = useDataFolder();
afterEach(() => jest.restoreAllMocks());

const control = (sandbox: Sandbox) => new Http(`${sandbox.url}/sandbox`);
const statuses = async (http: Http, count: number) =>
	Promise.all(Array.from({ length: count }, async () => (await http.get('/webhooks')).status));

describe('rate limit', () => {
	test('lets so many calls through in any second, the others get a 429', async () => {
		const sandbox = await start();
		const http = await signedIn(sandbox);
		sandbox.settings.set({ rateLimit: { perSecond: 5 } });
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
		const first = await statuses(http, 8);
		expect(first.filter((status) => status === 200)).toHaveLength(5);
		const refused = await http.get('/webhooks');
		expect(refused.status).toBe(429);
		expect(refused.headers).not.toHaveProperty('retry-after');
		expect(refused.data).toMatchObject({ success: false, responseCode: 429 });
		expect(sandbox.requests.at(-1)?.violation).toBeUndefined();
		clock.mockReturnValue(now + 999);
		expect((await http.get('/webhooks')).status).toBe(429);
		clock.mockReturnValue(now + 1000);
		expect(await statuses(http, 3)).toEqual([200, 200, 200]);
		sandbox.settings.reset();
		expect(await statuses(http, 20)).toEqual(Array(20).fill(200));
	});

	test('says when to come back where that is asked for; the token endpoint counts as well', async () => {
		const http = await signedIn(await start({ rateLimit: { perSecond: 1, retryAfter: 2 } }));
		const refused = await http.get('/webhooks');
		expect([refused.status, refused.headers['retry-after']]).toEqual([429, '2']);
	});
});

describe('tokens', () => {
	test('a new one ends the earlier ones where that is asked for', async () => {
		const sandbox = await start({ invalidateOnRenew: true });
		const before = await signedIn(sandbox);
		expect((await before.get('/webhooks')).status).toBe(200);
		const after = await signedIn(sandbox);
		expect((await before.get('/webhooks')).data.message).toBe('Token expired');
		expect((await after.get('/webhooks')).status).toBe(200);
	});

	test.each([
		['401', 401, 401],
		['403', 403, 403],
		['200', 200, 401],
	] as const)('an expired one gives %s as the settings say', async (expiryStyle, http, code) => {
		const sandbox = await start({ expiryStyle, tokenLifetimeSeconds: 60 });
		const late = await signedIn(sandbox);
		sandbox.clock.set({ advance: '61s' });
		const { status, data } = await late.get('/webhooks');
		expect(status).toBe(http);
		expect(data).toMatchObject({ success: false, responseCode: code, message: 'Token expired' });
	});
});

test('a link to a file and a signing link expire', async () => {
	const sandbox = await start();
	const made = await create(sandbox, await signedIn(sandbox), 'v2');
	const { documentFileObj, signatory } = made.data.responseData;
	const link = signatory[0]?.signing.url ?? '';
	const statusOf = async (url: string) => (await new Http(url).get('')).status;
	expect(await statusOf(documentFileObj.url)).toBe(200);
	expect(await statusOf(documentFileObj.url.replace(/expires=(\d+)/, 'expires=99$1'))).toBe(403);
	sandbox.clock.set({ advance: '2d' });
	expect(await statusOf(documentFileObj.url)).toBe(403);
	expect(await statusOf(link)).toBe(200);
	sandbox.clock.set({ advance: '30d' });
	expect(await statusOf(link)).toBe(410);
});

test('settings are changed and put back over HTTP; what is not named is as started', async () => {
	const sandbox = await start({ expiryStyle: '403' });
	const http = control(sandbox);
	const started = sandbox.settings.get();
	const quirks = { ...started.quirks, isSignedAsString: true };
	const change = { rateLimit: { perSecond: 50 }, quirks: { isSignedAsString: true } };
	const changed = (await http.put<SandboxSettings>('settings', change)).data;
	expect(changed).toEqual({ ...started, ...change, quirks });
	expect((await http.put('settings', { rateLimit: { perSecond: 0 } })).status).toBe(400);
	expect(sandbox.settings.get()).toEqual(changed);
	expect((await http.delete('settings')).data).toEqual(started);
});

describe('quirks', () => {
	test('are in answers and notifications, and the shapes are those of the field', async () => {
		const quirks = { trailingCreatedBy: true, signingExpiryNull: true, isSignedAsString: true };
		const sandbox = await start({ quirks });
		const http = await signedIn(sandbox);
		const hook = await receiver();
		await register(http, hook.url, 'signDocument', 'sendDocument', 'completedDocument');
		const created = (await create(sandbox, http)).data.responseData;
		for (const { email } of PEOPLE) await sandbox.sign(created.documentID, email);
		await sandbox.idle();
		const documents = [created, ...hook.got.map(({ body }) => body.Document)];
		expect(documents).toHaveLength(8);
		for (const one of documents) {
			expect([...Value.Errors(QuirkyDocumentSchema, one)]).toEqual([]);
			expect(one.signatory).toHaveLength(PEOPLE.length + 1);
			expect(one.signatory.at(-1)).toEqual(one.createdBy);
			expect(one.signatory[0]?.signing.expiry).toBeNull();
		}
		const signed = hook.got.find(({ body }) => body.type === 'signDocument')?.body.Document;
		expect(signed?.webhookData?.signatory).toMatchObject({
			isSigned: '1',
			signing: { expiry: null },
		});
		const sent = hook.got.find(({ body }) => body.type === 'sendDocument')?.body.Document;
		expect(Object.keys(sent?.webhookData?.signatory ?? {})).toEqual(['emailID']);
		// In the process documents keep the interface's shape.
		expect(sandbox.documents()[0]?.signatory).toHaveLength(PEOPLE.length);
	});

	test('creating can answer success and message alone', async () => {
		const sandbox = await start({ quirks: { createAnswersOnlySuccess: true } });
		const { data } = await create(sandbox, await signedIn(sandbox));
		expect(data).toEqual({ success: true, message: 'OK' });
		const [made] = sandbox.documents() as [Document];
		expect(made.status).toBe('PENDING');
	});
});

test('everything is there after a restart, and what was pending goes on', async () => {
	const hook = await receiver();
	const first = await start({ ...data, deliveryBackoffMs: [60_000] });
	const http = await signedIn(first);
	await register(http, hook.url, 'sendDocument', 'completedDocument');
	hook.answers = [500];
	const { documentID } = (await create(first, http)).data.responseData;
	await first.sign(documentID, PEOPLE[0]?.email ?? '');
	await until('all mails are there', () => first.mails().length >= 3);
	await http.post('/identity/validation/request', {
		email: 'ana@example.com',
		type: 'FACE',
		backgroundCheck: true,
	});
	const ids = first.deliveries().map(({ id }) => id);
	const before = [first.account, first.webhooks(), first.mails()];
	const idle = first.idle();
	await first.close();
	// What waits for its next try ends with the sandbox.
	await idle;
	const second = await start({ ...data, deliveryBackoffMs: [20] });
	expect([second.account, second.webhooks(), second.mails()]).toEqual(before);
	expect(second.identityRequests()).toMatchObject([{ emailId: 'ana@example.com' }]);
	expect(second.documents()[0]?.computedFields.pendingSignatoryCount).toBe(2);
	await second.idle();
	expect(second.deliveries().map(({ id }) => id)).toEqual(ids);
	expect(second.deliveries().every(({ state }) => state === 'delivered')).toBe(true);

	// The token survives, under the new address.
	const { status } = await http.get('/webhooks', { baseURL: second.baseUrl });
	expect(status).toBe(200);
	for (const { email } of PEOPLE.slice(1)) await second.sign(documentID, email);
	await second.idle();
	const completed = hook.got.at(-1)?.body.Document;
	expect(completed?.status).toBe('COMPLETED');
	expect(completed?.documentURL?.startsWith(second.url)).toBe(true);
	const file = await axios.get(completed?.documentURL ?? '', { proxy: false });
	expect(file.status).toBe(200);
});

test('a second sandbox on the same folder is refused, and told where the first one is', async () => {
	const first = await start(data);
	await expect(startSandbox(data)).rejects.toThrow(
		new RegExp(`is in use by process ${process.pid}, which runs since .* at ${first.url}`),
	);
	await first.close();
	const second = await start(data);
	// Closing the first one again takes nothing away from the second.
	await first.close();
	await expect(startSandbox(data)).rejects.toThrow(`at ${second.url}`);
});
