import { isDeepStrictEqual } from 'node:util';

import { type IDataObject, type IHookFunctions, ObservableObject } from 'n8n-workflow';

import type { Webhook } from '../../nodes/SignVerify/api/types';
import { create, remove } from '../../nodes/SignVerify/trigger/lifecycle';
import { objectOf } from '../../nodes/SignVerify/util/values';
import { hashIn } from '../../nodes/SignVerify/webhooks/url';
import { standIn, type StandInAnswer } from './standIn';

export const address = 'https://n8n.example/webhook/abc/signverify';
export const identity = 'VERIFICATION_REQUEST_FINISHED';
export const brokenService = { status: 500, body: { message: 'broken' } };

/** What the interface leaves open about identity registrations, and what a service may do wrong. */
interface Behaviour {
	listsIdentity?: boolean;
	deletesIdentity?: boolean;
	/** Whether a registration is answered with its ID. */
	givesIds?: boolean;
	/** In place of the answer, by `METHOD path` of the call; it does not act then. */
	fault?: (what: string, call: IDataObject) => StandInAnswer | undefined;
}

/** A service's registrations, and a trigger that listens for events. */
export function setUp(behaviour: Behaviour = {}) {
	let list: Webhook[] = [];
	let count = 0;
	const log: string[] = [];
	const { context, calls } = standIn(({ options }) => {
		const { method = 'GET', url, qs = {}, body } = options;
		const path = url.replace(/^.*\/api/, '');
		const { url: at, type, webHookID } = { ...qs, ...(body as IDataObject) };
		log.push(`${method} ${path} ${String(type ?? webHookID ?? '')}`.trim());
		const fault = behaviour.fault?.(`${method} ${path}`, { ...qs, ...(body as IDataObject) });
		if (fault) return fault;
		if (method === 'GET') {
			const hidden = behaviour.listsIdentity === false ? identity : '';
			return { body: { success: true, responseData: list.filter((each) => each.type !== hidden) } };
		}
		if (method === 'DELETE') {
			const found = list.find((each) => each.webHookID === webHookID);
			const isKept = behaviour.deletesIdentity === false && found?.type === identity;
			if (!found || isKept) return { status: isKept ? 400 : 404, body: { message: 'not found' } };
			list = list.filter((each) => each !== found);
			return undefined;
		}
		const registration = {
			webHookID: `id-${++count}`,
			type,
			webHookUrl: at,
		} as Webhook;
		list.push(registration);
		return behaviour.givesIds === false
			? undefined
			: { body: { success: true, responseData: registration } };
	});
	const warnings: string[] = [];
	const trigger = (
		events: unknown,
		{ at = address, form = {}, workflow = 'Contracts', ...self }: Setting = {},
	) => {
		// n8n stores it if a value of it was set, or a value in it.
		const state = ObservableObject.create(self.state ?? {});
		const hooks = {
			...context,
			getNodeParameter: (name: string, fallback: unknown) =>
				({ events, ...form })[name] ?? fallback,
			getWorkflowStaticData: () => state,
			getNodeWebhookUrl: () => at,
			getInstanceId: () => self.instance ?? 'instance',
			getWorkflow: () => ({ id: self.workflowId ?? 'workflow', name: workflow }),
			getNode: () => ({ ...context.getNode(), id: self.nodeId ?? 'node' }),
			logger: { warn: (line: string) => warnings.push(line) },
		} as unknown as IHookFunctions;
		return {
			state,
			/** Whether its URL is registered for exactly its events, each with the secret that it knows. */
			isPublished: () => {
				const own = list.filter(({ webHookUrl }) => String(webHookUrl).split('?')[0] === at);
				const known = objectOf(state.webhooks);
				const isKnown = ({ type, webHookUrl }: Webhook) =>
					objectOf(known[type]).hash === hashIn(webHookUrl);
				const types = own.map(({ type }) => type as string).sort();
				return own.every(isKnown) && isDeepStrictEqual(types, [...(events as string[])].sort());
			},
			create: async () => await create.call(hooks),
			remove: async () => await remove.call(hooks),
		};
	};
	return {
		trigger,
		calls,
		log,
		warnings,
		/** What is registered: `type ID`. */
		registered: () => list.map(({ type, webHookID }) => `${type} ${webHookID}`),
		/** The registered URLs, with their secrets. */
		urls: () => list.map(({ webHookUrl }) => webHookUrl),
		add: (type: string, at: unknown) => {
			list.push({ webHookID: `id-${++count}`, type, webHookUrl: at as string });
		},
		forget: (id: string) => (list = list.filter((each) => each.webHookID !== id)),
		behaviour,
	};
}

interface Setting {
	at?: string | undefined;
	state?: IDataObject;
	/** Parameters besides the events. */
	form?: Record<string, unknown>;
	/** The workflow's name. */
	workflow?: string | undefined;
	instance?: string;
	workflowId?: string;
	nodeId?: string;
}

/** The IDs that a trigger keeps, by event. */
export const idsIn = ({ webhooks }: IDataObject) =>
	Object.fromEntries(
		Object.entries(webhooks as Record<string, IDataObject>).map(([type, { id }]) => [type, id]),
	);

/** What a hook fails with; undefined where it works. */
export const failure = async (work: Promise<unknown>) =>
	(await work.then(
		() => undefined,
		(error: unknown) => error,
	)) as { message: string; description?: string; httpCode?: string };

/** A list without a registration. */
export const empty = { body: { success: true, responseData: [] } };
