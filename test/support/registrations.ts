import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { owners } from '../simulation/service/contract';
import { giveIds } from '../simulation/service/ids';
import { Service } from '../simulation/service/service';
import { plainVariants, type ServiceVariants } from '../simulation/service/variants';
import type { UrlChange } from './returnedUrls';
import type { StandInResponse } from './standIn';
import { isObject, objectOf } from '../../nodes/SignVerify/util/values';
import { address, type Setting, storedCredential, triggerNode } from './triggerNode';

export const brokenService = { status: 500, body: { message: 'broken' } };

/** How a service behaves: its variants and, optionally, a function that makes chosen calls fail. */
type Behavior = { -readonly [Name in keyof ServiceVariants]?: ServiceVariants[Name] } & {
	/**
	 * If this returns a response for a call (`METHOD path`), the node gets that response, and the service
	 * never sees the call.
	 */
	fault?: (
		what: string,
		call: IDataObject,
	) => StandInResponse | undefined | Promise<StandInResponse | undefined>;
	/** How the service changes a URL before it stores it. */
	stores?: UrlChange;
	/** How the service changes a URL in its response to the registration. */
	returns?: UrlChange;
	/** How the service changes each URL in its list. */
	lists?: UrlChange;
	/** Event types that the contract doesn't contain yet, but that the service accepts. */
	laterTypes?: string[];
};

const asItIs: UrlChange = (url) => url;

/** Each test gets its own account, because tokens are cached by account. */
let users = 0;

/** Sets up a service, and a function that makes triggers that register their webhooks with it. */
export function setUpService({ fault, ...variants }: Behavior = {}) {
	const behavior = { ...plainVariants, ...variants, ...(fault ? { fault } : {}) } as Behavior;
	const service = new Service(behavior as ServiceVariants, 0, {
		registered: [],
		tokens: [],
		onNotifications: () => undefined,
	});
	let given = 0;
	giveIds(service.store, () => `id-${++given}`);
	const [{ userId, apiKey }] = owners;
	const credential: IDataObject = { ...storedCredential, userId: `registering user ${users++}` };
	const log: string[] = [];
	const calls: IHttpRequestOptions[] = [];
	const fetch = async (options: IHttpRequestOptions) => {
		const { method = 'GET', url, qs = {} } = options;
		const path = url.replace(/^.*\/api/, '');
		const responseOf = ({ status = 200, body = {} }: StandInResponse) => ({
			statusCode: status,
			headers: {},
			body: structuredClone(body),
		});
		if (path === '/access/token') return responseOf({ body: { token: 'token' } });
		const bodyText = typeof options.body === 'string' ? options.body : '';
		const body = bodyText ? (JSON.parse(bodyText) as IDataObject) : {};
		calls.push({ ...options, body });
		const given = { ...qs, ...body };
		log.push(`${method} ${path} ${String(given.type ?? given.webHookID ?? '')}`.trim());
		const instead = await behavior.fault?.(`${method} ${path}`, given);
		if (instead) return responseOf(instead);
		// All calls can use the same account, because the tests check only the registered webhooks.
		const token = service.account.exchange(userId, apiKey) ?? '';
		const own = options.headers as Record<string, string>;
		const bearer = own.Authorization && { authorization: `Bearer ${token}` };
		const headers = { ...own, ...bearer, 'user-id': userId, token };
		const type = String(given.type);
		if (method === 'POST' && behavior.laterTypes?.includes(type)) {
			const { webHookID } = add(type, given.url);
			return responseOf({
				body: { success: true, responseCode: 200, responseData: { webHookID } },
			});
		}
		const { stores = asItIs, returns = asItIs, lists = asItIs } = behavior;
		const stored = given.url === undefined ? {} : { url: stores(String(given.url)) };
		const response = service.respondTo({
			method,
			path,
			query: { ...qs, ...(qs.url ? stored : {}) } as Record<string, string>,
			headers,
			bodyText: bodyText && JSON.stringify({ ...body, ...stored }),
		});
		const shows = { POST: returns, GET: lists }[method as string] ?? asItIs;
		for (const webhook of [objectOf(response.body).responseData].flat().filter(isObject)) {
			webhook.webHookUrl = shows(String(webhook.webHookUrl)) as string;
		}
		if (response.violation) violations.add(`${method} ${path}: ${response.violation}`);
		return responseOf(response);
	};
	const add = (type: string, at: unknown) => {
		const kind = 'document' as const;
		const record = { webHookID: '', type, kind, addedOn: Date.now(), name: '' };
		const stored = { ...record, webHookUrl: at as string };
		service.store.registrations.put('', stored);
		return stored;
	};
	const violations = new Set<string>();
	/**
	 * @throws Error if the node broke the contract, because the registered webhooks would not prove anything.
	 */
	const webhooks = () => {
		if (violations.size === 0) return service.webhooks;
		throw new Error(
			`The node broke the contract (docs/dev/service.md#endpoints): ${[...violations].join('; ')}`,
		);
	};
	const warnings: string[] = [];
	const trigger = (
		events: unknown,
		{ form, ...setting }: Setting & { form?: IDataObject } = {},
	) => {
		const given = { credential, fetch, logged: warnings, mode: 'trigger', ...setting };
		const node = triggerNode({ events, ...form } as IDataObject, given);
		const { at = address } = setting;
		return {
			...node,
			/**
			 * Whether the trigger's URL is registered once for each of the trigger's events and for no
			 * others, and the trigger accepts all those events.
			 */
			isPublished: async () => {
				const own = webhooks().filter(({ webHookUrl }) => String(webHookUrl).split('?')[0] === at);
				const types = own.map(({ type }) => type).sort();
				if (!isDeepStrictEqual(types, [...(events as string[])].sort())) return false;
				const all = own.map(async ({ type, webHookUrl }) => await node.accepts(type, webHookUrl));
				return !(await Promise.all(all)).includes(false);
			},
		};
	};
	return {
		trigger,
		calls,
		log,
		warnings,
		/** The registered webhooks as `type ID`. */
		registered: () => webhooks().map(({ type, webHookID }) => `${type} ${webHookID}`),
		/** The registered URLs, with their secrets. */
		urls: () => webhooks().map(({ webHookUrl }) => webHookUrl),
		/** Adds another client's webhook. In real accounts, some webhooks have an invalid URL. */
		add,
		/** The stored credential. Tests change it as a user would in n8n. */
		credential,
		forget: (id: string) => service.registrations.remove(id),
		behavior,
	};
}
