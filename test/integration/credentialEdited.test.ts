import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { executeContext } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { envelope, json, Stub, text } from '../support/stub';

let before: Stub;
let after: Stub;
beforeEach(async () => {
	[before, after] = [await new Stub().start(), await new Stub().start()];
});
afterEach(async () => {
	await Promise.all([before.close(), after.close()]);
});

const read = { method: 'GET', path: '/webhooks' } as const;

test('a credential edited during a run is kept, and used from then on', async () => {
	const keeper = new CredentialKeeper({ baseUrl: before.url, userId: 'old', apiKey: 'old-key' });
	const client = new ServiceClient(executeContext(keeper, { parameters: {} }));
	await client.call(read);
	const edited = { baseUrl: after.url, userId: 'new', apiKey: 'new-key' };
	Object.assign(keeper.stored, edited);

	const refused = { success: false, responseCode: 401 };
	before.answer = (response) => response.writeHead(401, json).end(JSON.stringify(refused));
	const seen: Array<string | string[] | undefined> = [];
	after.token = (response, request) => {
		seen.push(request.headers['user-id'], request.headers['api-key']);
		text(envelope({ accessToken: 'new-token' }))(response, request);
	};
	after.answer = (response, request) => {
		seen.push(request.headers['user-id'], request.headers.token);
		text(envelope([]))(response, request);
	};
	// Several calls that find the token refused share one renewal.
	await Promise.all([client.call(read), client.call(read), client.call(read)]);

	expect(seen.slice(0, 2)).toEqual(['new', 'new-key']);
	expect(new Set(seen.slice(2))).toEqual(new Set(['new', 'new-token']));
	expect(after.calls.filter((call) => call.includes('/access/token'))).toHaveLength(1);
	expect(before.calls.filter((call) => call.includes('/access/token'))).toHaveLength(1);
	expect(keeper.stored).toMatchObject({ ...edited, accessToken: 'new-token' });
});
