import axios from 'axios';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import type { ServiceAnswer, ServiceRequest } from './contract';
import { apiKey, userId } from './service';
import {
	ownTemplate,
	retries,
	takeOver,
	type Answers,
	type Ids,
	type Received,
	type Side,
} from './sides';

/** The sandbox, with a receiver for what it delivers. */
export interface SandboxSide extends Side {
	sandbox: Sandbox;
	/** To register addresses below. */
	receiver: string;
	close(): Promise<void>;
}

/** Starts the sandbox with the account of the model. */
export async function sandboxSide(
	options: SandboxOptions = {},
	answers: Answers = [],
): Promise<SandboxSide> {
	const arrived: Received[] = [];
	const server = await startReceiver(arrived, answers);
	const sandbox = await startSandbox({
		...{ userId, apiKey, deliveryBackoffMs: retries, seed: { templates: 20 } },
		...options,
	});
	return {
		...controlsOf(sandbox),
		sandbox,
		receiver: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received: async () => {
			await sandbox.idle();
			return arrived.splice(0);
		},
		close: async () => {
			await sandbox.close();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function controlsOf(sandbox: Sandbox): Omit<Side, 'received'> {
	const ids: Ids = { documents: [], registrations: [], identities: [] };
	const own = sandbox.templates().map((each) => ({
		...ownTemplate(each.templateID, each.fields),
		kind: each.generation === 'v2' && each.status !== 'ACTIVE' ? 'inactive' : each.generation,
	}));
	const firstOf = (kind: string) => own.find((each) => each.kind === kind)!;
	return {
		ids,
		templates: { v1: firstOf('v1'), v2: firstOf('v2'), inactive: firstOf('inactive') },
		call: async (request) => {
			const answer = await send(sandbox.baseUrl, request);
			takeOver(
				ids.documents,
				sandbox.documents().map((each) => each.documentID),
			);
			takeOver(
				ids.registrations,
				sandbox.webhooks().map((each) => each.webHookID),
			);
			takeOver(
				ids.identities,
				sandbox.identityRequests().map((each) => each.validationId),
			);
			return answer;
		},
		file: async (address) => await download(address),
		sign: async (id, who) => {
			const { signatory } = sandbox.documents().find((each) => each.documentID === id)!;
			const { emailID } = signatory[who % signatory.length]!;
			await unlessRefused(sandbox.sign(id, emailID));
		},
		report: async (id, event) => void (await sandbox.fire(event, id)),
		open: async (id) => void (await unlessRefused(sandbox.completeIdentity(id, 'manualReview'))),
		finish: async (id, score) => void (await unlessRefused(sandbox.completeIdentity(id, score))),
		state: () => ({
			registrations: sandbox.webhooks().map((each) => `${each.type} ${each.webHookUrl}`),
			documents: sandbox.documents().map(({ status, signatory }) => ({
				status,
				signed: signatory.filter(({ isSigned }) => isSigned === 1).length,
			})),
			identities: sandbox.identityRequests().map(({ status }) => status),
		}),
	};
}

/** A page of the sandbox refuses what was done before; the model then does nothing. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
	await work.catch((error: Error) => {
		if (error.name !== 'PageRefusal' && error.constructor.name !== 'PageRefusal') throw error;
	});
}

async function startReceiver(arrived: Received[], answers: Answers): Promise<Server> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			arrived.push({
				address: request.url ?? '',
				contentType: request.headers['content-type'] ?? '',
				body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
			});
			response.writeHead(answers.shift() ?? 200).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}

async function send(baseURL: string, request: ServiceRequest): Promise<ServiceAnswer> {
	const { method, path, query, headers, body } = request;
	const { status, data, ...rest } = await axios.request<unknown>({
		...{ baseURL, method, url: path, params: query, headers, proxy: false },
		...(body === undefined ? {} : { data: JSON.stringify(body) }),
		validateStatus: () => true,
	});
	return { status, body: data, headers: textsOf(rest.headers) };
}

async function download(url: string): Promise<ServiceAnswer> {
	const { status, data, headers } = await axios.get<string>(url, {
		...{ proxy: false, responseType: 'text' },
		validateStatus: () => true,
	});
	return { status, body: data, headers: textsOf(headers) };
}

function textsOf(headers: object): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
