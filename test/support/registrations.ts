import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import {
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
	ObservableObject,
} from 'n8n-workflow';

import type { Webhook } from '../../nodes/SignVerify/api/types';
import { create, remove } from '../../nodes/SignVerify/trigger/lifecycle';
import { onEvent } from '../../nodes/SignVerify/trigger/onEvent';
import { FakeResponse } from './response';
import { readParameter } from './parameters';
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
	/** Whether the list is as it was before anything was registered or deleted in the test. */
	listsLate?: boolean;
	listsTwice?: boolean;
	/** The status of a deletion of what is not there. */
	missing?: number;
	/** In place of the answer, by `METHOD path` of the call; it does not act then. */
	fault?: (
		what: string,
		call: IDataObject,
	) => StandInAnswer | undefined | Promise<StandInAnswer | undefined>;
}

/** A service's registrations, and a trigger that listens for events. */
export function setUp(behaviour: Behaviour = {}) {
	let list: Webhook[] = [];
	/** As the service lists it while it is late. */
	let shown: Webhook[] | undefined;
	let count = 0;
	const credential: IDataObject = {};
	const log: string[] = [];
	const respond: Parameters<typeof standIn>[0] = async ({ options }) => {
		const { method = 'GET', url, qs = {}, body } = options;
		const path = url.replace(/^.*\/api/, '');
		const { url: at, type, webHookID } = { ...qs, ...(body as IDataObject) };
		log.push(`${method} ${path} ${String(type ?? webHookID ?? '')}`.trim());
		const fault = await behaviour.fault?.(`${method} ${path}`, {
			...qs,
			...(body as IDataObject),
		});
		if (fault) return fault;
		if (!behaviour.listsLate) shown = undefined;
		else shown ??= [...list];
		if (method === 'GET') {
			const hidden = behaviour.listsIdentity === false ? identity : '';
			const listed = (shown ?? list).filter((each) => each.type !== hidden);
			const times = behaviour.listsTwice ? 2 : 1;
			return {
				body: { success: true, responseData: Array(times).fill(listed).flat() as object[] },
			};
		}
		if (method === 'DELETE') {
			const found = list.find((each) => each.webHookID === webHookID);
			const isKept = behaviour.deletesIdentity === false && found?.type === identity;
			const { missing = 404 } = behaviour;
			if (!found || isKept) {
				return { status: isKept ? 400 : missing, body: { message: 'not found' } };
			}
			list = list.filter((each) => each !== found);
			return {};
		}
		const registration = {
			webHookID: `id-${++count}`,
			type,
			webHookUrl: at,
		} as Webhook;
		list.push(registration);
		return behaviour.givesIds === false
			? {}
			: { body: { success: true, responseData: registration } };
	};
	const { context, calls } = standIn(respond, credential);
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
				readParameter({ events, ...form } as IDataObject, name, fallback ?? null),
			getWorkflowStaticData: () => state,
			getNodeWebhookUrl: () => at,
			getInstanceId: () => self.instance ?? 'instance',
			getWorkflow: () => ({ id: self.workflowId ?? 'workflow', name: workflow }),
			getNode: () => ({ ...context.getNode(), id: self.nodeId ?? 'node' }),
			getMode: () => self.mode ?? 'trigger',
			logger: {
				warn: (line: string) => warnings.push(line),
				error: (line: string) => warnings.push(line),
			},
		} as unknown as IHookFunctions;
		/** Whether n8n answers an event of a type at a URL 2xx. */
		const accepts = async (type: string, url: string) => {
			const response = new FakeResponse();
			const Document = { documentID: randomUUID(), status: 'COMPLETED' };
			const rawBody = Buffer.from(JSON.stringify({ type, Document }));
			const { workflowData } = await onEvent({
				...hooks,
				getRequestObject: () => ({ rawBody, headers: {} }),
				getResponseObject: () => response,
				getQueryData: () => Object.fromEntries(new URL(url).searchParams),
			} as unknown as IWebhookFunctions);
			return workflowData !== undefined;
		};
		return {
			state,
			accepts,
			/** Whether its URL is registered for exactly its events, and each of them is accepted. */
			isPublished: async () => {
				const own = list.filter(({ webHookUrl }) => String(webHookUrl).split('?')[0] === at);
				const types = own.map(({ type }) => type as string).sort();
				if (!isDeepStrictEqual(types, [...(events as string[])].sort())) return false;
				const all = own.map(async ({ type, webHookUrl }) => await accepts(type, webHookUrl));
				return !(await Promise.all(all)).includes(false);
			},
			create: async () => await create.call(hooks),
			/** In production, it is removed a moment later; this waits until then. */
			remove: async () => {
				const done = await remove.call(hooks);
				await settled();
				return done;
			},
			/** As n8n publishes a changed trigger: nobody waits in between. */
			removeOnly: async () => await remove.call(hooks),
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
		/** Changes the credential, as a person does in n8n. */
		credential,
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
	mode?: string;
}

/** Until everything is done that does not wait for time to pass. */
export const settled = async () => await new Promise((resolve) => setImmediate(resolve));

/** What a trigger keeps: `type ID`. */
export const keptIn = ({ webhooks }: IDataObject) =>
	(webhooks as IDataObject[]).map(
		({ type, webHookID }) => `${type as string} ${webHookID as string}`,
	);

/** What a hook fails with; undefined where it works. */
export const failure = async (work: Promise<unknown>) =>
	(await work.then(
		() => undefined,
		(error: unknown) => error,
	)) as { message: string; description?: string; httpCode?: string };

/** A list without a registration. */
export const empty = { body: { success: true, responseData: [] } };
