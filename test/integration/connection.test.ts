import '../support/shortPauses';

import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';

import library from 'axios';
import { ExpressionError, type IHttpRequestOptions, NodeOperationError } from 'n8n-workflow';
import { generate as generateCertificate } from 'selfsigned';

import type { DocsAnchor } from '../../nodes/SignVerify/http/docs';
import { ProcessedStore } from '../n8n/processedStore';
import { action, executeContext, runAction } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { withDocsLink } from '../support/errors';
import type { httpRequest } from '../support/http';
import { creationsAt, failureOf, useService, v2 } from '../support/service';
import { serve } from '../support/stub';

// These tests cause the problems in docs/troubleshooting.md, under Credential, Connection, and Your provider's
// response, and check what people see. Where a connection fails, it is a real one.

const service = useService();
const calls = () => creationsAt(service).length;

const page = '<!doctype html><html><head><title>Blocked</title></head></html>';

/** A server that stands where the service should be. */
interface Place {
	/** The URL without a path. */
	origin: string;
	close?: () => Promise<unknown>;
}

async function listening(server: Server, scheme: string): Promise<Required<Place>> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		origin: `${scheme}://127.0.0.1:${port}`,
		close: async () => await new Promise((resolve) => server.close(resolve)),
	};
}

/** A port on this machine at which no server is listening. */
async function closedPort(): Promise<Place> {
	const { origin, close } = await listening(createTcpServer(), 'http');
	await close();
	return { origin };
}

/** Each row: what is wrong, the place, the error's words, how its remedy begins, and its row on the page. */
const problems: Array<[string, () => Promise<Place>, RegExp, string, DocsAnchor]> = [
	[
		'does not exist',
		async () => await Promise.resolve({ origin: 'http://no-such-host.invalid' }),
		/can't be reached, because its host name can't be found/,
		"Check the spelling of the credential's Base URL.",
		'host-not-found',
	],
	[
		'has no server at the port',
		closedPort,
		/is refusing connections/,
		"Check the credential's Base URL, and ask your provider whether the service is up",
		'refusing-connections',
	],
	[
		'only supports HTTP',
		async () => {
			const { url, close } = await serve((response) => response.end());
			return { origin: url.replace('http:', 'https:'), close };
		},
		/can't be reached over HTTPS/,
		"Check whether the credential's Base URL should start with https:// or http://",
		'not-over-https',
	],
	[
		'only supports HTTPS',
		async () => {
			// A TLS server that gets anything else responds with an alert.
			const alert = Buffer.from([21, 3, 3, 0, 2, 2, 10]);
			const server = createTcpServer((socket) => {
				socket.on('error', () => undefined).once('data', () => socket.end(alert));
			});
			return await listening(server, 'http');
		},
		/can't be reached over HTTP/,
		"Check whether the credential's Base URL should start with https:// or http://",
		'not-over-https',
	],
	[
		'has a self-signed certificate',
		async () => {
			const { private: key, cert } = await generateCertificate(undefined, { keyType: 'ec' });
			return await listening(createTlsServer({ key, cert }), 'https');
		},
		/has a certificate that can't be trusted/,
		"Check the credential's Base URL. If it's right, ask your provider to fix the certificate",
		'untrusted-certificate',
	],
	[
		'is in a network without a route to it',
		// No connection can be opened to this address.
		async () => await Promise.resolve({ origin: 'http://255.255.255.255' }),
		/couldn't be reached \(E[A-Z]+\)/,
		"Check the credential's Base URL, and ask your provider whether the service is up.",
		'not-reachable',
	],
];

describe.each(problems)('A Base URL whose host %s', (_what, open, words, remedy, anchor) => {
	let place: Place;
	beforeEach(async () => (place = await open()));
	afterEach(async () => await place.close?.());
	const credentialOf = (accessToken: string) => {
		const { origin: baseUrl } = place;
		return new CredentialKeeper({ baseUrl, userId: 'u', apiKey: 'key', accessToken });
	};

	test('is named in the error, which says what to do and links to its row', async () => {
		const parameters = { resource: 'template', operation: 'getAll' };
		const error = await failureOf(runAction(credentialOf('token'), { parameters }));
		const message = new RegExp(`^${place.origin.replaceAll('.', '\\.')} ${words.source}$`);
		expect(error.message).toMatch(message);
		expect(error.description?.startsWith(remedy)).toBe(true);
		expect(error.description).toMatch(new RegExp(`#${anchor}$`));
	});

	test('is reported as the Base URL if the node needs a token first, and nothing is sent', async () => {
		const parameters = {
			resource: 'identity',
			operation: 'request',
			email: 'ada@example.com',
			options: { sendOnceKey: 'k' },
		};
		const store = new ProcessedStore();
		const setup = { parameters, store, continueOnFail: true };
		const [item] = await runAction(credentialOf(''), setup);
		const prefix = `Base URL: ${place.origin} `.replaceAll('.', '\\.');
		expect(item?.json).toEqual({
			error: {
				message: expect.stringMatching(`^${prefix}${words.source}\\. ${remedy.slice(0, 20)}`),
				description: expect.stringMatching(
					`^The call wasn't sent, because the node couldn't get an access token\\..* More: \\S+#${anchor}$`,
				) as string,
				outcome: 'failed',
				note: expect.stringContaining('try again') as string,
				itemIndex: 0,
			},
		});
		// The item can be run again with the same key.
		expect(store.size).toBe(0);
	});
});

/** Makes n8n's HTTP client call everything through a proxy on this machine. */
function clientBehind({ origin }: Place): typeof httpRequest {
	const { hostname: host, port } = new URL(origin);
	return async ({ url, method = 'GET', body, headers }: IHttpRequestOptions) => {
		const response = await library.request({
			url,
			method,
			data: body,
			headers: headers as Record<string, string>,
			proxy: { host, port: Number(port), protocol: 'http' },
			validateStatus: () => true,
		});
		return { statusCode: response.status, headers: {}, body: response.data };
	};
}

test.each<[string, () => Promise<Place>, string]>([
	["isn't running", closedPort, 'ECONNREFUSED'],
	[
		'requires a login',
		async () => {
			const { url, close } = await serve((response) => response.writeHead(407).end(page));
			return { origin: url, close };
		},
		'HTTP 407',
	],
])('a proxy that %s is distinguished from the service', async (_what, open, detail) => {
	const proxy = await open();
	const stored = { baseUrl: 'http://sign.example.com/api', userId: 'u', apiKey: 'key' };
	const keeper = new CredentialKeeper({ ...stored, accessToken: 'token' }, clientBehind(proxy));
	const parameters = { resource: 'identity', operation: 'request', email: 'ada@example.com' };
	const [item] = await runAction(keeper, { parameters, continueOnFail: true });
	await proxy.close?.();
	expect(item?.json.error).toMatchObject({
		message: `http://sign.example.com can't be reached through the proxy (${detail})`,
		description: expect.stringMatching(
			/^Ask the person who runs your n8n to check its proxy settings .*#proxy$/,
		) as string,
	});
	expect(item?.json.error).not.toHaveProperty('mayHaveBeenCreated');
});

describe('A credential', () => {
	const send = async (credential = service.credential()) =>
		await failureOf(runAction(credential, { parameters: v2 }));
	afterEach(() => expect(calls()).toBe(0));

	test('with a wrong API key causes an error that also says that the key may have been revoked', async () => {
		expect(await send(service.credential({ apiKey: 'wrong' }))).toMatchObject({
			message: expect.stringMatching(
				/^The service rejected the User ID or the API Key \(HTTP 401: .+\)\. Copy both again$/,
			) as string,
			description: withDocsLink(
				"Paste both into the credential. If they're right, the key may have been revoked, so create a new one in your provider's account. Nothing was sent.",
				'user-id-or-api-key-rejected',
			),
		});
	});

	test('whose access token is refused by a firewall causes an error that does not blame the key', async () => {
		const response = { status: 403, headers: { 'Content-Type': 'text/html' }, body: page };
		service.sandbox.faults.set({ endpoint: 'POST /access/token', response });
		expect(await send()).toMatchObject({
			message: expect.stringMatching(
				/^Something other than the signing service rejected the request for an access token \(HTTP 403 with a web page\)\. /,
			) as string,
			description: withDocsLink(
				"The User ID and the API Key may be right, so don't replace them before you've checked the Base URL. Nothing was sent.",
				'something-else-rejected-the-request',
			),
		});
	});

	const denied = 'access to env vars denied';
	const unset = 'Node does not have any credentials set';
	test.each([
		['contains an expression that n8n does not allow', denied, /^Open the credential and correct/],
		['is not selected', unset, /^Select a credential in the node\./],
	])('that %s causes an error before the first call', async (_what, words, remedy) => {
		service.sandbox.forgetRequests();
		const context = executeContext(service.credential(), { parameters: v2 });
		const fail = async () => {
			await Promise.resolve();
			throw words === denied
				? new ExpressionError(words)
				: new NodeOperationError(context.getNode(), words);
		};
		Object.assign(context, { getCredentials: fail });
		const error = await failureOf(action.execute.call(context));
		expect(error.message).toBe(`n8n couldn't read the credential: ${words}`);
		expect(error.description).toMatch(remedy);
		expect(error.description).toMatch(/ Nothing was sent\. More: \S+#credential-not-read$/);
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe("The service's response", () => {
	const creation = 'POST /templates/createDocumentByTemplateV2';
	const send = async (more: object = {}) =>
		await failureOf(runAction(service.credential(), { parameters: { ...v2, ...more } }));
	const documents = () => service.sandbox.documents().length;

	test("to a value that only the service knows to be wrong contains the service's own name for it", async () => {
		const count = documents();
		const signatory = [{ email: 'ada@example.com', name: 'A'.repeat(101) }];
		expect(await send({ signatories: { signatory } })).toMatchObject({
			message:
				'The service rejected the request (HTTP 400: signatories/0/name must have 1 to 100 characters)',
			description: withDocsLink(
				"The document wasn't created. Fix the problem described in the message, and try again.",
				'request-rejected',
			),
		});
		expect([calls(), documents()]).toEqual([1, count]);
	});

	test('that explains a rejection in a list of errors is quoted with the fields', async () => {
		const url = new URL('/sandbox/presets/refused-with-errors', service.sandbox.baseUrl);
		await fetch(url, { method: 'POST' });
		expect(await send()).toMatchObject({
			message:
				'The service rejected the request (HTTP 422: Validation failed; country: Not supported for this template; signatories.0.email: This address is blocked)',
		});
	});

	test.each([
		[
			'The country is not supported',
			400,
			'The service rejected the request (HTTP 400: The country is not supported)',
			"The document wasn't created. Fix the problem described in the message, and try again.",
			'request-rejected',
		],
		[
			'not found',
			404,
			"The service couldn't find anything with this ID (HTTP 404: not found)",
			expect.stringContaining("The document wasn't created."),
			undefined,
		],
		[
			'',
			422,
			'The service rejected the request (HTTP 422)',
			"The document wasn't created. The service gave no reason. Check the values that you entered, and ask your provider why it rejects them.",
			'request-rejected',
		],
		[
			{ success: false, message: '' },
			400,
			'The service rejected the request (HTTP 400)',
			"The document wasn't created. The service gave no reason. Check the values that you entered, and ask your provider why it rejects them.",
			'request-rejected',
		],
	] as const)(
		'%j with HTTP %i is reported as a rejection, with the reason that it contains',
		async (body, status, message, description, anchor) => {
			service.sandbox.faults.set({ endpoint: creation, times: 1, response: { status, body } });
			const remedy =
				typeof description === 'string' ? withDocsLink(description, anchor) : description;
			expect(await send()).toMatchObject({ message, description: remedy });
			expect(calls()).toBe(1);
		},
	);

	test('that asks for an hour without calls ends all sending at once, and the error says until when', async () => {
		const count = documents();
		const response = { status: 429, headers: { 'Retry-After': '3600' } };
		service.sandbox.faults.set({ endpoint: creation, times: 1, response });
		const shown = {
			message: expect.stringMatching(
				/^The service received too many requests, and won't accept any before \d\d:\d\d UTC on \d{4}-\d\d-\d\d \(HTTP 429\)$/,
			) as string,
			description: expect.stringMatching(
				/ Try again in 60 minutes\..*#too-many-requests$/,
			) as string,
		};
		expect(await send()).toMatchObject(shown);
		expect(calls()).toBe(1);
		// The account's next execution makes no call at all.
		service.sandbox.forgetRequests();
		expect(await send({ country: { __rl: true, mode: 'name', value: 'Spain' } })).toMatchObject(
			shown,
		);
		expect(service.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
		expect(documents()).toBe(count);
	});

	test.each([
		[404, "wasn't created", 'not-the-signing-service'],
		[200, 'may have been created', 'may-have-been-created'],
	])(
		'that is a web page with HTTP %i is called foreign, and the error says that the document %s',
		async (status, outcome, anchor) => {
			const response = { status, headers: { 'Content-Type': 'text/html' }, body: page };
			service.sandbox.faults.set({ endpoint: creation, response });
			const { message, description } = await send();
			const { origin } = new URL(service.sandbox.baseUrl);
			const what = `${origin} returned HTTP ${status} with a web page. The response isn't from the signing service`;
			expect(message.startsWith(what)).toBe(true);
			expect(`${message} ${description}`).toContain(outcome);
			expect(description).toMatch(new RegExp(`#${anchor}$`));
			expect(calls()).toBe(1);
		},
	);

	test.each([
		[429, /^The service received too many requests/],
		[503, /HTTP 503/],
	])(
		'that is a web page with HTTP %i is reported as one from the service, because a proxy may respond for it',
		async (status, words) => {
			const headers = { 'Content-Type': 'text/html', 'Retry-After': '3600' };
			service.sandbox.faults.set({ endpoint: creation, response: { status, headers, body: page } });
			const { message } = await send();
			expect(message).toMatch(words);
			expect(message).not.toContain("isn't from the signing service");
		},
	);
});
