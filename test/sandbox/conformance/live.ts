import type { AxiosResponse } from 'axios';
import type { EventType, RecordedRequest, Sandbox } from '../../../sandbox';
import {
	CREATE_V1,
	CREATE_V2,
	createBody,
	type Http,
	PEOPLE,
	POSITION,
	receiver,
	register,
	signedIn,
	start,
	client,
	DOCUMENT_TYPES,
} from '../serviceKit';

/** An answer of the service, with the call as the service saw it. */
export interface Call {
	status: number;
	body: Record<string, unknown>;
	request: RecordedRequest;
}

/** What a client has seen of the service in the whole life of documents and of an identity check. */
export interface Live {
	sandbox: Sandbox;
	http: Http;
	calls: Record<
		| 'token'
		| 'addWebhook'
		| 'listWebhooks'
		| 'deleteWebhook'
		| 'addVerifyWebhook'
		| 'createIdentity'
		| 'getIdentity'
		| 'getResults'
		| 'templatesV1'
		| 'templatesV2'
		| 'createV1'
		| 'createV2',
		Call
	>;
	/** Bodies of the notifications by type, in the order of their arrival. */
	notifications: Record<EventType, Array<Record<string, unknown>>>;
	/** A call as the contract describes it, but for the changes; the sandbox records it. */
	send(method: string, path: string, config: Sent): Promise<Call>;
}

/** What goes with a call. */
export interface Sent {
	query?: Record<string, string>;
	body?: unknown;
	headers?: Record<string, string | undefined>;
}

/** Goes through everything that docs/dev/service.md describes, as a client would. */
export async function live(): Promise<Live> {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hook = await receiver();
	const send: Live['send'] = async (method, path, { query, body, headers }) => {
		const type = method === 'DELETE' ? { 'Content-Type': 'application/json' } : {};
		const all = { ...type, ...headers };
		const config = { params: query, headers: all, data: body, method, url: path };
		return asCall(sandbox, await http.request(config));
	};
	const exchange = await client(sandbox).post('/access/token', undefined, {
		headers: { 'user-id': sandbox.account.userId, 'api-key': sandbox.account.apiKey },
	});
	const token = asCall(sandbox, exchange as unknown as AxiosResponse<Call['body']>);
	const type = 'signDocument';
	const addWebhook = await send('POST', '/webhooks', { query: { url: hook.url, type } });
	const { webHookID } = addWebhook.body.responseData as { webHookID: string };
	const [first = '', ...rest] = DOCUMENT_TYPES.filter((one) => one !== type);
	await register(http, hook.url, first, ...rest);
	const addVerifyWebhook = await send('POST', '/webhooks/verify', {
		body: { name: 'checks', type: 'VERIFICATION_REQUEST_FINISHED', url: hook.url },
	});
	const listWebhooks = await send('GET', '/webhooks', {});
	const templatesV1 = await send('GET', '/templates', {});
	const templatesV2 = await send('GET', '/templates/v2', {});

	const createV1 = await send('POST', CREATE_V1, {
		body: { ...createBody(sandbox, 'v1'), staticSignPositions: [POSITION] },
	});
	const asking = sandbox.templates().find(({ questions }) => questions.length > 0);
	const createV2 = await send('POST', CREATE_V2, {
		body: {
			...createBody(sandbox, 'v2'),
			templateID: asking?.templateID,
			inputs: Object.fromEntries((asking?.fields ?? []).map(({ key }) => [key, `The ${key}`])),
		},
	});
	for (const { documentID } of sandbox.documents()) {
		await sandbox.idle();
		for (const { email } of PEOPLE) await sandbox.sign(documentID, email);
		for (const one of DOCUMENT_TYPES.slice(3)) await sandbox.fire(one, documentID);
	}

	const createIdentity = await send('POST', '/identity/validation/request', {
		body: { email: 'ana@example.com', type: 'FACE', backgroundCheck: true },
	});
	const { validationId } = createIdentity.body.responseData as { validationId: string };
	const getIdentity = await send('GET', `/identity/validation/request/${validationId}`, {});
	await sandbox.completeIdentity(validationId, 'pass');
	const getResults = await send('GET', `/identity/session/results/${validationId}`, {});
	await sandbox.idle();
	const deleteWebhook = await send('DELETE', '/webhooks', { query: { webHookID } });

	const bodies = hook.got.map(({ body }) => body as unknown as Record<string, unknown>);
	const of = (one: EventType) => bodies.filter((body) => body.type === one);
	return {
		sandbox,
		http,
		send,
		calls: {
			token,
			addWebhook,
			listWebhooks,
			deleteWebhook,
			addVerifyWebhook,
			createIdentity,
			getIdentity,
			getResults,
			templatesV1,
			templatesV2,
			createV1,
			createV2,
		},
		notifications: {
			sendDocument: of('sendDocument'),
			signDocument: of('signDocument'),
			completedDocument: of('completedDocument'),
			pendingBiometric: of('pendingBiometric'),
			failedBiometric: of('failedBiometric'),
			failedBiometricRequest: of('failedBiometricRequest'),
			VERIFICATION_REQUEST_FINISHED: of('VERIFICATION_REQUEST_FINISHED'),
		},
	};
}

function asCall(sandbox: Sandbox, { status, data }: AxiosResponse<Call['body']>): Call {
	const request = sandbox.requests.at(-1);
	if (!request) throw new Error('The call was not recorded');
	return { status, body: data, request };
}
