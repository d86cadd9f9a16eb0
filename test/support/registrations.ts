import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
	ObservableObject,
} from 'n8n-workflow';

import { create, remove } from '../../nodes/SignVerify/trigger/lifecycle';
import { onEvent } from '../../nodes/SignVerify/trigger/onEvent';
import { Response } from '../n8n/incoming';
import { owners } from '../simulation/service/contract';
import { Service } from '../simulation/service/service';
import { plainVariants, type ServiceVariants } from '../simulation/service/variants';
import { readParameter } from './parameters';
import { standIn, type StandInAnswer } from './standIn';
import { sleep } from './virtualTime';

export const address = 'https://n8n.example/webhook/abc/signverify';
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

/** Calls the webhooks of a service id-1, id-2, … in the order in which they are registered. */
function nameInOrder({ store: { registrations } }: Service): void {
	const put = registrations.put.bind(registrations);
	let count = 0;
	registrations.put = (_id, record) => {
		record.webHookID = `id-${++count}`;
		put(record.webHookID, record);
	};
}

/** A service with the registrations of a trigger that listens for events. */
export function setUp({ fault, ...variants }: Behaviour = {}) {
	const behaviour = { ...plainVariants, ...variants, ...(fault ? { fault } : {}) } as Behaviour;
	const service = new Service(behaviour as ServiceVariants, 0, {
		...{ registered: [], tokens: [] },
		onNotifications: () => undefined,
	});
	nameInOrder(service);
	const [{ userId, apiKey }] = owners;
	const credential: IDataObject = {};
	const log: string[] = [];
	const respond: Parameters<typeof standIn>[0] = async ({ options }) => {
		const { method = 'GET', url, qs = {}, body } = options;
		const path = url.replace(/^.*\/api/, '');
		const given = { ...qs, ...(body as IDataObject) };
		log.push(`${method} ${path} ${String(given.type ?? given.webHookID ?? '')}`.trim());
		const instead = await behaviour.fault?.(`${method} ${path}`, given);
		if (instead) return instead;
		// Whose account it is, the tests say by what is registered.
		const token = service.account.exchange(userId, apiKey) ?? '';
		const headers = { 'user-id': userId, token, 'content-type': 'application/json' };
		const query = qs as Record<string, string>;
		const bodyText = body ? JSON.stringify(body) : '';
		const answer = service.answer({ method, path, query, headers, bodyText });
		return { status: answer.status, body: JSON.parse(JSON.stringify(answer.body)) as object };
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
			const response = new Response();
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
				const own = service.webhooks.filter(
					({ webHookUrl }) => String(webHookUrl).split('?')[0] === at,
				);
				const types = own.map(({ type }) => type).sort();
				if (!isDeepStrictEqual(types, [...(events as string[])].sort())) return false;
				const all = own.map(async ({ type, webHookUrl }) => await accepts(type, webHookUrl));
				return !(await Promise.all(all)).includes(false);
			},
			create: async () => await create.call(hooks),
			/** In production, it is removed ten seconds later; this waits until after the first try. */
			remove: async () => {
				const done = await remove.call(hooks);
				await sleep(30);
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
		registered: () => service.webhooks.map(({ type, webHookID }) => `${type} ${webHookID}`),
		/** The registered URLs, with their secrets. */
		urls: () => service.webhooks.map(({ webHookUrl }) => webHookUrl),
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
