import { outputOf } from '../../host/executions';
import { lineOf } from '../../host/workflow';
import { operationNamed } from '../operations';
import { Stub } from '../support/stub';
import { useStage } from './support/stage';

const stage = useStage('credential');
const contract = '65f1c0de0000000000000201';

/** Another server on this machine: what it is asked shows what n8n lets out. */
let elsewhere: Stub;
beforeAll(async () => {
	elsewhere = await new Stub().start();
});
afterEach(() => {
	elsewhere.calls = [];
	stage.sandbox.faults.clear();
});
afterAll(async () => {
	await elsewhere.close();
});

/** Has the sandbox send the next calls for its lists to the other server. */
function redirectLists(status: number): void {
	for (const path of ['/webhooks', '/templates/v2']) {
		const answer = { status, headers: { location: `${elsewhere.url}${path}` } };
		stage.sandbox.faults.set({ endpoint: `GET ${path}`, answer });
	}
}

/** The stored credential, as the editor tests it after saving with the given changes. */
async function testWith(changes: Record<string, string>) {
	const { api } = stage.n8n;
	const data = { baseUrl: stage.sandbox.baseUrl, ...stage.sandbox.account, ...changes };
	const { id } = await api.createCredential({ name: 'Tried', type: 'signVerifyApi', data });
	const result = await api.testCredential({ id, name: 'Tried', type: 'signVerifyApi', data });
	await api.deleteCredential(id);
	return result;
}

describe('the credential test says what is wrong', () => {
	test('nothing', async () => {
		expect(await testWith({})).toEqual({ status: 'OK', message: 'Connection successful!' });
	});

	test('a wrong key', async () => {
		const { status, message } = await testWith({ apiKey: 'not-the-key' });
		expect(status).toBe('Error');
		expect(message).toBe(
			'The service refused the User ID or the API Key (HTTP 401: Invalid user-id or api-key). Copy both again',
		);
	});

	test('a redirect, which is not followed', async () => {
		redirectLists(307);
		expect(await testWith({})).toEqual({
			status: 'Error',
			message:
				'The service redirects this call to another URL (HTTP 307). Open the Base URL in a browser, and enter the URL that you get to.',
		});
		expect(elsewhere.calls).toEqual([]);
	});
});

describe('the HTTP Request node with the credential', () => {
	const request = async (url: string, options = {}) => {
		const { api } = stage.n8n;
		const [credential] = (await api.listCredentials()).filter(
			({ type }) => type === 'signVerifyApi',
		);
		const workflow = lineOf('HTTP Request', [
			{
				name: 'Call',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					url,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'signVerifyApi',
					options,
				},
				credentials: { signVerifyApi: { id: credential?.id ?? '', name: credential?.name ?? '' } },
			},
		]);
		const { id } = await api.createWorkflow(workflow);
		return await api.waitForExecution(await api.run(id, 'Start'));
	};

	test('gets the templates', async () => {
		const execution = await request(`${stage.sandbox.baseUrl}/templates/v2`);
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(JSON.stringify(outputOf(execution, 'Call'))).toContain(contract);
	});

	test('takes the token nowhere else: neither itself nor by a redirect', async () => {
		const { status, error } = await request(`${elsewhere.url}/templates/v2`);
		expect([status, error?.description]).toEqual([
			'error',
			'Use a URL below the Base URL of the credential, or another credential.',
		]);
		redirectLists(302);
		expect((await request(`${stage.sandbox.baseUrl}/templates/v2`)).status).toBe('error');
		expect(elsewhere.calls).toEqual([]);
	});

	test.each([
		['a proxy that can read it', () => ({ proxy: elsewhere.url }), 'Remove "Proxy"'],
		[
			'a server that proves nothing',
			() => ({ allowUnauthorizedCerts: true }),
			'Turn off "Ignore SSL Issues (Insecure)"',
		],
	])('does not give the token to %s', async (_what, options, remedy) => {
		const { status, error } = await request(`${stage.sandbox.baseUrl}/templates/v2`, options());
		expect([status, error?.description]).toEqual(['error', expect.stringContaining(remedy)]);
		expect(elsewhere.calls).toEqual([]);
	});
});

describe('an expression in the credential', () => {
	/** Requests an identity for each user, with a credential whose User ID is an expression. */
	const request = async (userId: string, users: string[], operation = 'request') => {
		const { api } = stage.n8n;
		const data = { baseUrl: stage.sandbox.baseUrl, ...stage.sandbox.account, userId };
		const credential = { name: 'By item', type: 'signVerifyApi', data };
		const { id } = await api.createCredential(credential);
		const form = operationNamed(`identity/${operation}`).parameters;
		const parameters = { ...form, email: 'ada@example.com' };
		const step = {
			name: 'Request',
			type: 'n8n-nodes-signverify.signVerify',
			parameters,
			credentials: { signVerifyApi: { id, name: credential.name } },
		};
		const workflow = lineOf('Expression', [step]);
		workflow.pinData = { Start: users.map((user) => ({ json: { user } })) };
		const stored = await api.createWorkflow(workflow);
		stage.sandbox.forgetRequests();
		const execution = await api.waitForExecution(await api.run(stored.id, 'Start'));
		await api.deleteCredential(id);
		const calls = stage.sandbox.requests.filter(({ method }) => method === 'POST');
		return { execution, users: calls.map(({ headers }) => headers['user-id']) };
	};
	const byItem = '={{ $json.user }}';
	const own = () => stage.sandbox.account.userId;

	test('that gives all items one account: all are sent with it', async () => {
		const { execution, users } = await request(byItem, [own(), own()]);
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(users.filter((user) => user === own())).toHaveLength(users.length);
		expect(outputOf(execution, 'Request')).toHaveLength(2);
	});

	test('that gives an item another account: nothing is sent', async () => {
		const { execution, users } = await request(byItem, [own(), own(), 'somebody-else']);
		expect(execution.error?.message).toBe(
			'The credential has another account for item 3 than for item 1',
		);
		expect(users).toEqual([]);
	});

	test('that reads an item, in a node that waits: nothing is sent', async () => {
		const { execution, users } = await request(byItem, [own()], 'sendAndWait');
		expect(execution.error?.message).toMatch(/^The credential has an expression that reads data/);
		expect(users).toEqual([]);
	});
});
