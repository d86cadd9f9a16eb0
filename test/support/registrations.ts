import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { owners } from '../simulation/service/contract';
import { giveIds } from '../simulation/service/ids';
import { Service } from '../simulation/service/service';
import { plainVariants, type ServiceVariants } from '../simulation/service/variants';
import type { StandInAnswer } from './standIn';
import { address, type Setting, stored, triggerNode } from './triggerNode';

export const identity = 'VERIFICATION_REQUEST_FINISHED';
export const brokenService = { status: 500, body: { message: 'broken' } };

/** How the service differs from the plainest, and what it may do wrong. */
type Behaviour = { -readonly [Name in keyof ServiceVariants]?: ServiceVariants[Name] } & {
	/** In place of the answer, by `METHOD path` of the call; it does not act then. */
	fault?: (
		what: string,
		call: IDataObject,
	) => StandInAnswer | undefined | Promise<StandInAnswer | undefined>;
};

/** Tokens are remembered by account, so each test has an account of its own. */
let users = 0;

/** A service with the registrations of a trigger that listens for events. */
export function setUp({ fault, ...variants }: Behaviour = {}) {
	const behaviour = { ...plainVariants, ...variants, ...(fault ? { fault } : {}) } as Behaviour;
	const service = new Service(behaviour as ServiceVariants, 0, {
		...{ registered: [], tokens: [] },
		onNotifications: () => undefined,
	});
	let given = 0;
	giveIds(service.store, () => `id-${++given}`);
	const [{ userId, apiKey }] = owners;
	const credential: IDataObject = { ...stored, userId: `registering user ${users++}` };
	const log: string[] = [];
	const calls: IHttpRequestOptions[] = [];
	const fetch = async (options: IHttpRequestOptions) => {
		const { method = 'GET', url, qs = {} } = options;
		const path = url.replace(/^.*\/api/, '');
		const answerOf = ({ status = 200, body = {} }: StandInAnswer) => ({
			...{ statusCode: status, headers: {} },
			body: structuredClone(body),
		});
		if (path === '/access/token') return answerOf({ body: { token: 'token' } });
		const bodyText = typeof options.body === 'string' ? options.body : '';
		const body = bodyText ? (JSON.parse(bodyText) as IDataObject) : {};
		calls.push({ ...options, body });
		const given = { ...qs, ...body };
		log.push(`${method} ${path} ${String(given.type ?? given.webHookID ?? '')}`.trim());
		const instead = await behaviour.fault?.(`${method} ${path}`, given);
		if (instead) return answerOf(instead);
		// Whose account it is, the tests say by what is registered.
		const token = service.account.exchange(userId, apiKey) ?? '';
		const own = options.headers as Record<string, string>;
		const headers = { ...own, 'user-id': userId, token };
		const query = qs as Record<string, string>;
		const answer = service.answer({ method, path, query, headers, bodyText });
		if (answer.violation) violations.add(`${method} ${path}: ${answer.violation}`);
		return answerOf(answer);
	};
	const violations = new Set<string>();
	/** @throws Error if the node broke the contract: what is registered then does not matter. */
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
			/** Whether its URL is registered for exactly its events, and each of them is accepted. */
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
		/** What is registered: `type ID`. */
		registered: () => webhooks().map(({ type, webHookID }) => `${type} ${webHookID}`),
		/** The registered URLs, with their secrets. */
		urls: () => webhooks().map(({ webHookUrl }) => webHookUrl),
		/** Adds a webhook of somebody else; in the field, some have a URL that is none. */
		add: (type: string, at: unknown) => {
			const record = {
				webHookID: '',
				type,
				kind: 'document' as const,
				addedOn: Date.now(),
				name: '',
			};
			service.store.registrations.put('', { ...record, webHookUrl: at as string });
		},
		/** Changes the credential, as a person does in n8n. */
		credential,
		forget: (id: string) => service.registrations.remove(id),
		behaviour,
	};
}

/** What a hook fails with; undefined where it works. */
export const failure = async (work: Promise<unknown>) =>
	(await work.then(
		() => undefined,
		(error: unknown) => error,
	)) as { message: string; description?: string; httpCode?: string };
