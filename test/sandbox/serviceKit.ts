import type { SandboxTemplate } from '../../sandbox/state/records';
import type { IncomingMessage } from 'node:http';
import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { fixedHeadersOf } from '../../sandbox/contract/endpoints';
import {
	type Document,
	type DocumentNotification,
	isIdentityEvent,
	type WebhookRegistration,
} from '../../sandbox/schemas';
import { axios } from '../support/http';
import { serve } from '../support/stub';

const running: Array<() => Promise<void>> = [];

/** Starts a sandbox. `stopAll` stops it. */
export async function start(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox({ deliveryBackoffMs: [20, 40], ...options });
	running.push(() => sandbox.close());
	return sandbox;
}

/** Stops everything that a test has started. Call it in `afterEach`. */
export async function stopAll(): Promise<void> {
	await Promise.all(running.splice(0).map((stop) => stop()));
}

/** The envelope around a call's result. The result is a Document unless another type is given. */
export interface CallResponse<T = Document> {
	responseData: T;
	message: string;
	success: boolean;
	responseCode: number;
}

/**
 * A client for the service that returns every response, whatever its status, instead of throwing an error.
 */
export interface Http {
	request<T>(config: AxiosRequestConfig): Promise<AxiosResponse<T>>;
	get<T = CallResponse>(path: string, config?: AxiosRequestConfig): Promise<AxiosResponse<T>>;
	post<T = CallResponse>(
		path: string,
		body?: unknown,
		config?: AxiosRequestConfig,
	): Promise<AxiosResponse<T>>;
	put<T>(path: string, body: unknown): Promise<AxiosResponse<T>>;
	delete<T = CallResponse>(path: string, config?: AxiosRequestConfig): Promise<AxiosResponse<T>>;
}

export function httpAt(baseURL: string, headers: Record<string, string> = {}): Http {
	const client = axios.create({ baseURL, headers });
	for (const method of ['get', 'post', 'delete'] as const) {
		Object.assign(client.defaults.headers[method], fixedHeadersOf(method.toUpperCase()));
	}
	return client;
}

/** A client that sends the user ID, a new token and the bearer header. */
export async function signedIn(sandbox: Sandbox): Promise<Http> {
	const { userId, apiKey } = sandbox.account;
	const { data } = await httpAt(sandbox.baseUrl).post<CallResponse<{ accessToken: string }>>(
		'/access/token',
		undefined,
		{ headers: { 'user-id': userId, 'api-key': apiKey } },
	);
	const token = data.responseData.accessToken;
	// Without this check, a missing token would make all later calls fail with misleading errors.
	if (!token) throw new Error(`The sandbox refused to exchange the key: ${data.message}`);
	return httpAt(sandbox.baseUrl, {
		'user-id': userId,
		token,
		Authorization: `Bearer ${token}`,
	});
}

/**
 * The notifications that a receiver got, and the statuses that it will respond with next. Status 0 breaks the
 * connection.
 */
export interface Receiver {
	url: string;
	got: Array<{
		body: DocumentNotification;
		headers: IncomingMessage['headers'];
		method?: string | undefined;
	}>;
	statuses: number[];
}

/**
 * Starts a server that receives notifications. It responds with each status in `statuses` once, and then
 * always with 200.
 */
export async function receiver(): Promise<Receiver> {
	const it: Receiver = { url: '', got: [], statuses: [] };
	const { url, close } = await serve((response, request) => {
		const body = JSON.parse(request.body) as DocumentNotification;
		it.got.push({ body, headers: request.headers, method: request.method });
		const status = it.statuses.shift() ?? 200;
		if (status === 0) request.socket.destroy();
		else response.writeHead(status).end();
	});
	it.url = `${url}/hook?secret=webhook-secret`;
	running.push(close);
	return it;
}

/** The first active template of a version. */
export function template(sandbox: Sandbox, version: SandboxTemplate['version']): SandboxTemplate {
	const found = sandbox
		.templates()
		.find((one) => one.version === version && (one.status === 'ACTIVE' || version === 'v1'));
	if (!found) throw new Error(`No ${version} template`);
	return found;
}

export const people = [
	{ email: 'ana@example.com', name: 'Ana Torres' },
	{ email: 'ben@example.com', name: 'Ben Okafor' },
	{ email: 'cleo@example.com', name: 'Cleo Martin' },
];

/** The position of one person's signature on the first page. */
export const position = {
	user: { email: people[0]?.email ?? '' },
	coordinates: { x: 100.5, y: 640 },
	page: 1,
	pageY: 640,
	pageYv2: 640,
	color: '#1d4ed8',
	imageSize: { width: 150, height: 50 },
	parentImageSize: { width: 595, height: 842 },
	viewport: { width: 595, height: 842 },
};

/** A valid body for creating a document, for tests to modify. */
export function createBody(sandbox: Sandbox, version: SandboxTemplate['version']) {
	const { templateID, fields } = template(sandbox, version);
	return {
		templateID,
		country: 'Mexico',
		inputs: Object.fromEntries(fields.map(({ key }) => [key, `value of ${key}`])),
		signatories: people,
	};
}

export const createV1 = '/templates/createDocumentByTemplate';
export const createV2 = '/templates/createDocumentByTemplateV2';

export async function create(
	sandbox: Sandbox,
	http: Http,
	version: SandboxTemplate['version'] = 'v2',
	changes: object = {},
): Promise<AxiosResponse<CallResponse>> {
	const body = { ...createBody(sandbox, version), ...changes };
	return http.post(version === 'v1' ? createV1 : createV2, body);
}

/** Registers the same URL for each of these events. @returns The IDs of the webhooks. */
export async function register(http: Http, url: string, ...types: string[]) {
	const ids: string[] = [];
	for (const type of types) {
		const call = isIdentityEvent(type)
			? { url: '/webhooks/verify', data: { name: 'checks', type, url } }
			: { url: '/webhooks', params: { url, type } };
		const { data } = await http.request<CallResponse<WebhookRegistration>>({
			method: 'POST',
			...call,
		});
		ids.push(data.responseData.webHookID);
	}
	return ids;
}

export async function verify(http: Http, email = 'ana@example.com', type = 'FACE') {
	await http.post('/identity/validation/request', { email, type, backgroundCheck: true });
}
