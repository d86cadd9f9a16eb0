import { credentialProblems } from '../../nodes/SignVerify/account/credentialProblems';
import { tokenProblems } from '../../nodes/SignVerify/account/tokenProblems';
import '../support/shortPauses';

import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';

import library from 'axios';
import { ExpressionError, type IHttpRequestOptions, NodeOperationError } from 'n8n-workflow';
import { generate as generateCertificate } from 'selfsigned';

import type { DocsAnchor } from '../../nodes/SignVerify/errors/docs';
import { callProblems, type networkProblems } from '../../nodes/SignVerify/http/callProblems';
import { lostForNow } from '../../nodes/SignVerify/http/retry';
import { ProcessedStore } from '../n8n/processedStore';
import { action, executeContext, runAction } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { withDocsLink } from '../support/errors';
import type { httpRequest } from '../support/http';
import { creationsAt, failureOf, useService, v2 } from '../support/service';
import { networkWords, refusedWords } from '../support/problemWords';
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

/** Each row: what is wrong, the place, the problem, and its row on the page. */
const problems: Array<[string, () => Promise<Place>, keyof typeof networkProblems, DocsAnchor]> = [
	[
		'does not exist',
		async () => await Promise.resolve({ origin: 'http://no-such-host.invalid' }),
		'hostNotFound',
		'host-not-found',
	],
	['has no server at the port', closedPort, 'refusingConnections', 'refusing-connections'],
	[
		'only supports HTTP',
		async () => {
			const { url, close } = await serve((response) => response.end());
			return { origin: url.replace('http:', 'https:'), close };
		},
		'notOverScheme',
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
		'notOverScheme',
		'not-over-https',
	],
	[
		'has a self-signed certificate',
		async () => {
			const { private: key, cert } = await generateCertificate(undefined, { keyType: 'ec' });
			return await listening(createTlsServer({ key, cert }), 'https');
		},
		'untrustedCertificate',
		'untrusted-certificate',
	],
	[
		'is in a network without a route to it',
		// No connection can be opened to this address.
		async () => await Promise.resolve({ origin: 'http://255.255.255.255' }),
		'unknown',
		'not-reachable',
	],
];

describe.each(problems)('A Base URL whose host %s', (_what, open, row, anchor) => {
	let place: Place;
	beforeEach(async () => (place = await open()));
	afterEach(async () => await place.close?.());
	const credentialOf = (accessToken: string) => {
		const { origin: baseUrl } = place;
		return new CredentialKeeper({ baseUrl, userId: 'u', apiKey: 'key', accessToken });
	};

	/** The words for the problem. @param message May contain the error's code, which isn't the same on every system. */
	const wordsFor = (message: string) =>
		networkWords(row, place.origin, /\((E[A-Z]+)\)/.exec(message)?.[1]);

	test('is named in the error, with the next step and a link to its row', async () => {
		const parameters = { resource: 'template', operation: 'getAll' };
		const error = await failureOf(runAction(credentialOf('token'), { parameters }));
		const { problem, remedy } = wordsFor(error.message);
		expect(error.message).toBe(problem);
		expect(error.description?.startsWith(remedy)).toBe(true);
		expect(error.description).toMatch(new RegExp(`#${anchor}$`));
	});

	test('is reported as the Base URL if the node needs a token first, and nothing is sent', async () => {
		const parameters = {
			resource: 'identity',
			operation: 'request',
			email: 'ada@example.com',
			options: { sendOnceKey: "={{ 'k' }}" },
		};
		const store = new ProcessedStore();
		const setup = { parameters, store, continueOnFail: true };
		const [item] = await runAction(credentialOf(''), setup);
		const { error } = item?.json as { error: { message: string; description: string } };
		const problem = { ...wordsFor(error.message), failure: lostForNow };
		const { problem: message, remedy: description } = tokenProblems.noResponse(problem);
		expect(item?.json).toEqual({
			error: {
				message,
				description: expect.stringMatching(`^${description}.* More: \\S+#${anchor}$`) as string,
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
	const { problem, remedy } = networkWords('proxy', 'http://sign.example.com', detail);
	expect(item?.json.error).toMatchObject({
		message: problem,
		description: expect.stringContaining(remedy) as string,
		outcome: 'failed',
	});
	expect((item?.json.error as { description: string }).description).toMatch(/#proxy$/);
});

describe('A credential', () => {
	const send = async (credential = service.credential()) =>
		await failureOf(runAction(credential, { parameters: v2 }));
	afterEach(() => expect(calls()).toBe(0));

	test('with a wrong API key causes an error that also names a revoked key as a cause', async () => {
		expect(await send(service.credential({ apiKey: 'wrong' }))).toMatchObject({
			message: expect.stringMatching(/\(HTTP 401: .+\)/) as string,
			description: withDocsLink(
				`${tokenProblems.refused({ status: 401, words: '' }).remedy} Nothing was sent.`,
				'user-id-or-api-key-rejected',
			),
		});
	});

	test('whose access token is refused by a firewall causes an error that does not blame the key', async () => {
		const response = { status: 403, headers: { 'Content-Type': 'text/html' }, body: page };
		service.sandbox.faults.set({ endpoint: 'POST /access/token', response });
		const shown = { status: 403, words: '', body: 'a web page' };
		const { problem: message, remedy: description } = tokenProblems.blocked(shown);
		expect(await send()).toMatchObject({
			message,
			description: withDocsLink(
				`${description} Nothing was sent.`,
				'something-else-rejected-the-request',
			),
		});
	});

	const denied = 'access to env vars denied';
	const unset = 'Node does not have any credentials set';
	test.each([
		[
			'contains an expression that n8n does not allow',
			denied,
			credentialProblems.wrongExpression(denied),
		],
		['is not selected', unset, credentialProblems.unread({ reason: unset, isMissing: true })],
	])('that %s causes an error before the first call', async (_what, words, problem) => {
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
		expect(error.message).toBe(problem.problem);
		expect(error.description?.startsWith(problem.remedy)).toBe(true);
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
		const words = 'signatories/0/name must have 1 to 100 characters';
		const { problem, remedy } = refusedWords('rejected', 400, words);
		expect(await send({ signatories: { signatory } })).toMatchObject({
			message: problem,
			description: withDocsLink(`The document wasn't created. ${remedy}`, 'request-rejected'),
		});
		expect([calls(), documents()]).toEqual([1, count]);
	});

	test('that explains a rejection in a list of errors is quoted with the fields', async () => {
		const url = new URL('/sandbox/presets/refused-with-errors', service.sandbox.baseUrl);
		await fetch(url, { method: 'POST' });
		expect(await send()).toMatchObject({
			message: refusedWords(
				'rejected',
				422,
				'Validation failed; country: Not supported for this template; signatories.0.email: This address is blocked',
			).problem,
		});
	});

	test.each([
		[
			'The country is not supported',
			400,
			refusedWords('rejected', 400, 'The country is not supported'),
		],
		['not found', 404, refusedWords('notFound', 404, 'not found')],
		['', 422, refusedWords('rejected', 422)],
		[{ success: false, message: '' }, 400, refusedWords('rejected', 400)],
	] as const)(
		'%j with HTTP %i is reported as a rejection, with the reason that it contains',
		async (body, status, { problem, remedy, docsAnchor }) => {
			service.sandbox.faults.set({ endpoint: creation, times: 1, response: { status, body } });
			const description = withDocsLink(`The document wasn't created. ${remedy}`, docsAnchor);
			expect(await send()).toMatchObject({ message: problem, description });
			expect(calls()).toBe(1);
		},
	);

	test('that asks for an hour without calls ends all sending at once, and the error names the time when it can go on', async () => {
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
		'that is a web page with HTTP %i is called foreign, and the error states that the document %s',
		async (status, outcome, anchor) => {
			const response = { status, headers: { 'Content-Type': 'text/html' }, body: page };
			service.sandbox.faults.set({ endpoint: creation, response });
			const { message, description } = await send();
			const { origin } = new URL(service.sandbox.baseUrl);
			const foreign = callProblems.foreign({ at: origin, status, body: 'a web page' });
			expect(message.startsWith(foreign.problem)).toBe(true);
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
