import type { AxiosResponse } from 'axios';
import type { EventType, RecordedRequest, Sandbox } from '../../../sandbox';
import {
	type EndpointName,
	endpointNames,
	fixedHeadersOf,
} from '../../../sandbox/contract/endpoints';
import { documentEvents, events, eventTypes, identityEvents } from '../../../sandbox/schemas';
import { createBody, people, position, receiver, register, signedIn, start } from '../serviceKit';

/** A response from the service, and the call that led to it, as the service recorded it. */
export interface Call {
	status: number;
	body: Record<string, unknown>;
	request: RecordedRequest;
}

/**
 * Everything that a client sees, from its first call until the documents are signed and the identity verification is
 * finished.
 */
export interface Live {
	sandbox: Sandbox;
	/** The successful call to each endpoint. A call that could not be made is omitted. */
	calls: Record<EndpointName, Call>;
	/** The notification bodies of each type, in order of arrival. */
	notifications: Record<EventType, Array<Record<string, unknown>>>;
	/** Makes a call with the contract's headers, as modified by `config`. */
	send(method: string, path: string, config: Sent): Promise<Call>;
}

/** The parts of a call that a test can set. */
export interface Sent {
	query?: Record<string, string> | undefined;
	body?: unknown;
	headers?: Record<string, string | undefined>;
}

/** A table row in docs/dev/service.md, and a check that the sandbox behaves as the row describes. */
export interface Row {
	/** The heading above the table. */
	table: string;
	/** The first cell of the row, plus the second cell if the first one is not unique. */
	row: string;
	/** Throws if the sandbox does not behave as the row describes. */
	check(live: Live): void | Promise<void>;
}

/**
 * Makes all calls that docs/dev/service.md describes, in the order in which a real client would make them.
 */
export async function live(): Promise<Live> {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hook = await receiver();
	const send: Live['send'] = async (method, path, { query, body, headers }) => {
		const all = { ...fixedHeadersOf(method), ...headers };
		const config = { params: query, headers: all, data: body, method, url: path };
		return asCall(sandbox, await http.request(config));
	};
	const calls = {} as Live['calls'];
	const call = async (name: EndpointName, params: Record<string, string>, sent: Sent = {}) => {
		const [method = '', path = ''] = name.split(' ');
		const url = path.replace(/:(\w+)/g, (_, param: string) => params[param] ?? '');
		calls[name] = await send(method, url, sent);
		return calls[name].body.responseData as Record<string, string>;
	};
	const { userId, apiKey } = sandbox.account;
	const onlyKey = {
		'user-id': userId,
		'api-key': apiKey,
		token: undefined,
		Authorization: undefined,
	};
	await call('POST /access/token', {}, { headers: onlyKey });
	const type = 'signDocument';
	const { webHookID = '' } = await call('POST /webhooks', {}, { query: { url: hook.url, type } });
	const [first = '', ...rest] = documentEvents.filter((one) => one !== type);
	await register(http, hook.url, first, ...rest);
	const [firstIdentity = '', ...otherIdentity] = identityEvents;
	const verify = { name: 'checks', type: firstIdentity, url: hook.url };
	await call('POST /webhooks/verify', {}, { body: verify });
	await register(http, hook.url, ...otherIdentity);
	await call('GET /webhooks', {});

	const positions = { staticSignPositions: [position] };
	const older = { ...createBody(sandbox, 'v1'), ...positions };
	await call('POST /templates/createDocumentByTemplate', {}, { body: older });
	const asking = sandbox.templates().find(({ questions }) => questions.length > 0);
	const newer = {
		...createBody(sandbox, 'v2'),
		templateID: asking?.templateID,
		inputs: Object.fromEntries((asking?.fields ?? []).map(({ key }) => [key, `The ${key}`])),
	};
	await call('POST /templates/createDocumentByTemplateV2', {}, { body: newer });
	for (const { documentID } of sandbox.documents()) {
		await sandbox.idle();
		for (const { email } of people) await sandbox.sign(documentID, email);
		for (const one of documentEvents.filter(onlyByHand)) await sandbox.fire(one, documentID);
	}

	const asked = { email: 'ana@example.com', type: 'FACE', backgroundCheck: true };
	const { validationId = '' } = await call(
		'POST /identity/validation/request',
		{},
		{ body: asked },
	);
	await call('GET /identity/validation/request/:validationId', { validationId });
	await sandbox.completeIdentity(validationId, 'pass');
	for (const one of identityEvents.filter(onlyByHand)) await sandbox.fire(one, validationId);
	await sandbox.idle();
	// Read-only calls come last, because they need IDs from earlier responses.
	for (const name of endpointNames.filter(
		(endpoint) => endpoint.startsWith('GET ') && !(endpoint in calls),
	)) {
		const params = idsFor(name, JSON.stringify(Object.values(calls).map(({ body }) => body)));
		if (params) await call(name, params);
	}
	await call('DELETE /webhooks', {}, { query: { webHookID } });

	const bodies = hook.got.map(({ body }) => body as unknown as Record<string, unknown>);
	const notifications = Object.fromEntries(
		eventTypes.map((one) => [one, bodies.filter((body) => body.type === one)]),
	) as Live['notifications'];
	return { sandbox, send, calls, notifications };
}

/** Whether a test must send this event manually, because nothing in the sandbox causes it. */
function onlyByHand(type: string): boolean {
	return events.some((event) => event.type === type && event.cause === undefined);
}

/**
 * The values for the parameters in a path, taken from earlier responses, or undefined if any value is
 * missing.
 */
function idsFor(name: EndpointName, responses: string): Record<string, string> | undefined {
	const found = [...name.matchAll(/:(\w+)/g)].map(([, param = '']): [string, string] => [
		param,
		// Case is ignored, because the service uses both documentID and validationId.
		new RegExp(`"${param}":"([^"]+)"`, 'i').exec(responses)?.[1] ?? '',
	]);
	return found.every(([, id]) => id !== '') ? Object.fromEntries(found) : undefined;
}

function asCall(sandbox: Sandbox, { status, data }: AxiosResponse<Call['body']>): Call {
	const request = sandbox.requests.at(-1);
	if (!request) throw new Error('The call was not recorded');
	return { status, body: data, request };
}
