import type { ServiceRequest } from './contract';
import type { Side } from './sides';
import { apiKey, userId } from './tokens';
import { documentEvents, identityEvent } from './webhooks';

/** What a call is made from: the side, a number to choose by, and where notifications go. */
export interface Choice {
	side: Pick<Side, 'ids' | 'templates'>;
	pick: number;
	receiver: string;
}

type Call = Omit<ServiceRequest, 'headers' | 'query'> & {
	query?: Record<string, string>;
	/** Another content type than that of the body. */
	contentType?: string;
};

const nobody = 'ffffffffffffffffffffffff';

function chosen(ids: string[], pick: number): string {
	return ids[pick % Math.max(1, ids.length)] ?? nobody;
}

/** Two addresses, so that an event can go to several. */
function addressOf({ pick, receiver }: Choice, type: string): string {
	return `${receiver}/${pick % 2}?event=${type}`;
}

function register(choice: Choice, query: object = {}): Call {
	const type = documentEvents[choice.pick % documentEvents.length] ?? '';
	const url = addressOf(choice, type);
	return { method: 'POST', path: '/webhooks', query: { url, type, ...query } };
}

function registerIdentity(choice: Choice, body: object = {}): Call {
	const url = addressOf(choice, identityEvent);
	const whole = { name: 'n8n: test', type: identityEvent, url, ...body };
	return { method: 'POST', path: '/webhooks/verify', body: whole };
}

const people = [
	{ email: 'ana@example.com', name: 'Ana Torres' },
	{ email: 'ben@example.com', name: 'Ben Okafor' },
];

function create(version: 'v1' | 'v2', { side, pick }: Choice, change: object = {}): Call {
	const { id, keys } = side.templates[version];
	const body = {
		templateID: id,
		country: 'Mexico',
		inputs: Object.fromEntries(keys.map((key) => [key, `value of ${key}`])),
		signatories: people.slice(0, 1 + (pick % 2)),
		...change,
	};
	const path = `/templates/createDocumentByTemplate${version === 'v2' ? 'V2' : ''}`;
	return { method: 'POST', path, body };
}

const size = { width: 150, height: 50 };
const position = {
	user: { email: 'ana@example.com' },
	coordinates: { x: 100.5, y: 640 },
	page: 1,
	pageY: 640,
	pageYv2: 640,
	color: '#1d4ed8',
	imageSize: size,
	parentImageSize: size,
	viewport: size,
};

function requestIdentity(body: object = {}): Call {
	const whole = { email: 'ana@example.com', type: 'FACE', backgroundCheck: false, ...body };
	return { method: 'POST', path: '/identity/validation/request', body: whole };
}

/** Calls that the service acts on, by name. */
export const goodCalls: Record<string, (choice: Choice) => Call> = {
	register,
	registerIdentity,
	list: () => ({ method: 'GET', path: '/webhooks' }),
	listFiltered: () => ({ method: 'GET', path: '/webhooks', query: { filter: 'any' } }),
	delete: ({ side, pick }) => ({
		method: 'DELETE',
		path: '/webhooks',
		query: { webHookID: chosen(side.ids.registrations, pick) },
		contentType: 'application/json',
	}),
	templatesV1: () => ({ method: 'GET', path: '/templates' }),
	templatesV2: () => ({ method: 'GET', path: '/templates/v2' }),
	createV1: (choice) => create('v1', choice),
	createV2: (choice) => create('v2', choice),
	createV1WithPositions: (choice) => create('v1', choice, { staticSignPositions: [position] }),
	createV2WithRequiredOnly: (choice) => {
		const { required } = choice.side.templates.v2;
		return create('v2', choice, { inputs: Object.fromEntries(required.map((key) => [key, 'x'])) });
	},
	requestIdentity: () => requestIdentity(),
	getIdentity: ({ side, pick }) => ({
		method: 'GET',
		path: `/identity/validation/request/${chosen(side.ids.identities, pick)}`,
	}),
	getResults: ({ side, pick }) => ({
		method: 'GET',
		path: `/identity/session/results/${chosen(side.ids.identities, pick)}`,
	}),
};

/** Calls that the service refuses, by what is wrong with them. */
export const badCalls: Record<string, (choice: Choice) => Call> = {
	'an unknown endpoint': () => ({ method: 'GET', path: '/documents' }),
	'another method': () => ({ method: 'PUT', path: '/webhooks' }),
	'a body where there is none': () => ({ method: 'GET', path: '/webhooks', body: { a: 1 } }),
	'parameters where there are none': () => ({
		...{ method: 'GET', path: '/templates/v2' },
		query: { a: '1' },
	}),
	'a body that is not declared': () => ({ ...requestIdentity(), contentType: 'text/plain' }),
	'no body': () => ({ method: 'POST', path: '/identity/validation/request' }),

	'an unknown event': (choice) => register(choice, { type: 'deleteDocument' }),
	'an identity event as a document event': (choice) => register(choice, { type: identityEvent }),
	'no address': (choice) => register(choice, { url: 'example.com/hook' }),
	'another scheme': (choice) => register(choice, { url: 'ftp://example.com/hook' }),
	'a parameter more': (choice) => register(choice, { name: 'x' }),
	'a registration without its type': ({ receiver }) => ({
		...{ method: 'POST', path: '/webhooks' },
		query: { url: receiver },
	}),
	'a document event as an identity event': (choice) =>
		registerIdentity(choice, { type: 'signDocument' }),
	'no name': (choice) => registerIdentity(choice, { name: '' }),
	'a field more': (choice) => registerIdentity(choice, { more: true }),
	'an unknown registration': () => ({
		...{ method: 'DELETE', path: '/webhooks' },
		query: { webHookID: nobody },
	}),
	'no registration': () => ({ method: 'DELETE', path: '/webhooks' }),

	'an unknown template': (choice) => create('v2', choice, { templateID: nobody }),
	'a template of another version': (choice) =>
		create('v2', choice, { templateID: choice.side.templates.v1.id }),
	'an inactive template': (choice) =>
		create('v2', choice, { templateID: choice.side.templates.inactive.id }),
	'no country': (choice) => create('v2', choice, { country: '' }),
	'a list of inputs': (choice) => create('v2', choice, { inputs: [] }),
	'an input that is a number': (choice) =>
		create('v2', choice, { inputs: { [choice.side.templates.v2.keys[0] ?? '']: 1 } }),
	'an unknown input': (choice) => create('v1', choice, { inputs: { unheardOf: 'x' } }),
	'a required input left out': (choice) => create('v2', choice, { inputs: {} }),
	'no signatory': (choice) => create('v2', choice, { signatories: [] }),
	'a signatory without a name': (choice) =>
		create('v2', choice, { signatories: [{ email: 'ana@example.com' }] }),
	'a signatory with a field more': (choice) =>
		create('v2', choice, { signatories: [{ ...people[0], phone: '1' }] }),
	'repeated e-mails': (choice) =>
		create('v1', choice, {
			signatories: [...people, { email: 'ANA@example.com', name: 'Ana Torres' }],
		}),
	'no e-mail': (choice) =>
		create('v2', choice, { signatories: [{ email: 'ana@example', name: 'Ana Torres' }] }),
	'a short name': (choice) =>
		create('v2', choice, { signatories: [{ email: 'ana@example.com', name: 'Ana' }] }),
	'a long name': (choice) =>
		create('v2', choice, { signatories: [{ email: 'a@example.com', name: 'x'.repeat(101) }] }),
	'positions in version 2': (choice) => create('v2', choice, { staticSignPositions: [position] }),
	'a position of nobody': (choice) =>
		create('v1', choice, {
			staticSignPositions: [{ ...position, user: { email: 'cleo@example.com' } }],
		}),
	'a position without a page': (choice) => {
		const { page, ...rest } = position;
		return create('v1', choice, { staticSignPositions: [{ ...rest, pageYv2: page }] });
	},
	'a size of texts': (choice) =>
		create('v1', choice, {
			staticSignPositions: [{ ...position, viewport: { width: '1', height: '1' } }],
		}),

	'a person without e-mail': () => requestIdentity({ email: 'ana' }),
	'no type of verification': () => requestIdentity({ type: '' }),
	'a check that is a text': () => requestIdentity({ backgroundCheck: 'yes' }),
	'an unknown request': () => ({ method: 'GET', path: `/identity/validation/request/${nobody}` }),
	'an unknown session': () => ({ method: 'GET', path: `/identity/session/results/${nobody}` }),
};

/** Whose call it is: what of the headers is right. */
export const callers = {
	newest: 'the newest token',
	first: 'the first token',
	madeUp: 'a token that nobody gave out',
	none: 'no token',
	otherUser: 'another user',
	noBearer: 'no Authorization',
	wrongBearer: 'another Authorization',
	otherScheme: 'Authorization of another scheme',
	withKey: 'the key beside the token',
};

export type Caller = keyof typeof callers;

/** Makes a call, with the headers that the interface asks for or wrong ones. */
export function requestOf(
	{ query = {}, contentType, ...call }: Call,
	tokens: string[],
	caller: Caller = 'newest',
): ServiceRequest {
	const given = caller === 'first' ? tokens[0] : tokens.at(-1);
	const token = caller === 'madeUp' ? 'made-up' : (given ?? 'none-yet');
	const type = contentType ?? (call.body === undefined ? undefined : 'application/json');
	const authorization =
		caller === 'wrongBearer'
			? 'Bearer x'
			: `${caller === 'otherScheme' ? 'Basic' : 'Bearer'} ${token}`;
	return {
		...call,
		query,
		headers: {
			'user-id': caller === 'otherUser' ? 'somebody' : userId,
			...(caller === 'none' ? {} : { token }),
			...(call.path.startsWith('/templates') && caller !== 'noBearer' ? { authorization } : {}),
			...(caller === 'withKey' ? { 'api-key': apiKey } : {}),
			...(type === undefined ? {} : { 'content-type': type }),
		},
	};
}

/** Calls for a token, by what is wrong with them. */
export const exchanges: Record<string, ServiceRequest> = Object.fromEntries(
	Object.entries({
		right: { 'user-id': userId, 'api-key': apiKey },
		wrongKey: { 'user-id': userId, 'api-key': 'wrong' },
		wrongUser: { 'user-id': 'somebody', 'api-key': apiKey },
		noKey: { 'user-id': userId },
		noUser: { 'api-key': apiKey },
	}).map(([name, headers]) => [
		name,
		{
			method: 'POST',
			path: '/access/token',
			query: {},
			headers: headers as Record<string, string>,
		},
	]),
);
