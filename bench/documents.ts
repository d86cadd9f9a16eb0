import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject, INode } from 'n8n-workflow';

import { lineOf, toRealPeople, type Step } from '../host/workflow';
import { processorMs } from './measure';
import { createPath, type Bench, type DocumentService } from './stage';

/** A client that can create the documents, with its settings. */
export type Side =
	/** The SignVerify node, with three expressions or with fixed values. In a test, it only checks its items. */
	| { kind: 'node'; parallel: number; fixed?: true; isTest?: true; key?: string }
	/** The HTTP Request node, set up by hand for the same job with the same number of expressions. */
	| {
			kind: 'httpRequest';
			fixed?: true;
			batch?: { size: number; intervalMs: number };
			retries?: boolean;
	  }
	/** A plain client that keeps its connections open. */
	| { kind: 'bare'; parallel: number };

export interface Creation {
	/** How long the client took to create all documents, in milliseconds. */
	ms: number;
	/**
	 * How much processor time n8n used during the entire execution, in milliseconds. This includes n8n's own
	 * work outside the node.
	 */
	processorMs?: number;
	/** The execution's status in n8n. For the bare client, `success` or `error`. */
	status: string;
	error?: string | undefined;
}

const timeoutMs = 300_000;
/** How often the service is asked whether it has all documents, which costs n8n nothing. */
const pollMs = 50;
/** After the last document, an execution needs a moment to end. Without another document, it counts as ended. */
const endingMs = 1000;
const silenceLimitMs = 20_000;
const template = '65f1c0de0000000000000201';
/** These inputs are the same in every document. */
const common = { role: 'Analyst', start_date: '2027-01-11' };
const country = 'United States';

/** Builds the request body for an item. All clients send the same bodies. */
function bodyOf(index: number): IDataObject {
	return {
		templateID: template,
		country,
		inputs: { employee_name: `Person ${index}`, ...common },
		signatories: [{ email: `person-${index}@example.com`, name: `Person ${index}` }],
	};
}

/**
 * Creates the given number of documents with one client. Each document is for a different person, unless the
 * values are fixed.
 * @param asksOnce Whether n8n is asked only once all documents are there, because each question takes processor time.
 * @throws Error if the client reports success, but the service has fewer or more new documents.
 */
export async function createDocuments(
	bench: Bench,
	service: DocumentService,
	side: Side,
	items: number,
	asksOnce = false,
): Promise<Creation> {
	const before = service.documentCount();
	const made =
		side.kind === 'bare'
			? await byClient(bench, service, side.parallel, items)
			: await byWorkflow(bench, await stepsOf(service, side, items), async () => {
					if (asksOnce) await untilCreated(service, before + items);
				});
	// The sandbox sends emails after it has responded. Wait for them here so that they don't slow down the
	// next measurement.
	await service.idle();
	const created = service.documentCount() - before;
	if (made.status === 'success' && created !== items)
		throw new Error(`The service has ${created} new documents, not ${items}.`);
	return made;
}

/**
 * Creates documents as {@link createDocuments} does.
 * @throws Error if any document was not created.
 */
export async function createAll(...given: Parameters<typeof createDocuments>): Promise<Creation> {
	const made = await createDocuments(...given);
	if (made.status === 'success') return made;
	throw new Error(`Creating ${given[3]} documents ended with ${made.status}: ${made.error}`);
}

async function byClient(
	{ client }: Bench,
	{ baseUrl, headers }: DocumentService,
	parallel: number,
	items: number,
): Promise<Creation> {
	const bodies = Array.from({ length: items }, (_, index) => bodyOf(index));
	const url = `${baseUrl}${createPath}`;
	const { ms, statuses } = await client.make({ url, headers, bodies, parallel });
	const refused = Object.keys(statuses).filter((status) => status !== '200');
	return refused.length > 0
		? { ms, status: 'error', error: `the service responded with ${refused.join(', ')}` }
		: { ms, status: 'success' };
}

/** Waits until the service has all documents, or hasn't got another one for a long time. */
async function untilCreated(service: DocumentService, count: number): Promise<void> {
	let [created, sinceMs] = [0, performance.now()];
	while (created < count && performance.now() - sinceMs < silenceLimitMs) {
		await delay(pollMs);
		const now = service.documentCount();
		if (now > created) [created, sinceMs] = [now, performance.now()];
	}
	await delay(endingMs);
}

async function byWorkflow(
	{ n8n: { api, pid } }: Bench,
	steps: Step[],
	untilDone: () => Promise<void>,
): Promise<Creation> {
	const { id } = await api.createWorkflow(lineOf('Create', steps));
	const before = await processorMs(pid);
	const started = await api.run(id, 'Start');
	await untilDone();
	const execution = await api.waitForExecution(started, timeoutMs);
	const used = (await processorMs(pid)) - before;
	const run = execution.runData.Send?.[0];
	if (!run) throw new Error(`Nothing was sent: ${execution.error?.message}`);
	const { status, error } = execution;
	return { ms: run.executionTime, processorMs: used, status, error: error?.message };
}

/** Returns the nodes that make the items, and create a document for each of them. */
export async function stepsOf(
	service: DocumentService,
	side: Exclude<Side, { kind: 'bare' }>,
	items: number,
): Promise<Step[]> {
	const source = itemsStep(items);
	if (side.kind === 'node') return [source, await signVerify(service, side)];
	return side.fixed
		? [source, byHand(service, side)]
		: [tokenByHand(service), source, byHand(service, side)];
}

export function itemsStep(items: number): Step {
	return {
		name: 'Items',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `return Array.from({ length: ${items} }, (_, index) => ({ json: { index } }));`,
		},
	};
}

export async function signVerify(
	service: DocumentService,
	{ parallel, fixed, isTest, key }: Extract<Side, { kind: 'node' }>,
): Promise<Step> {
	// The body has three expressions, or none if the values are fixed.
	const index = fixed ? '0' : '{{ $json.index }}';
	const value = (text: string): string => `${fixed ? '' : '='}${text}${index}`;
	return {
		name: 'Send',
		type: 'n8n-nodes-signverify.signVerify',
		credentials: await service.credentialsFor(parallel),
		parameters: {
			resource: 'document',
			operation: 'send',
			templateId: { __rl: true, mode: 'id', value: template },
			fields: {
				mappingMode: 'defineBelow',
				value: { employee_name: value('Person '), ...common },
				matchingColumns: [],
				schema: [],
			},
			specifySignatories: 'oneByOne',
			signatories: {
				signatory: [{ email: `${value('person-')}@example.com`, name: value('Person ') }],
			},
			country: { __rl: true, mode: 'name', value: country },
			...(isTest ? { inTestRuns: 'nothing' } : toRealPeople),
			// With fixed values, the same people get each document, which looks like a mistake.
			options: {
				...(fixed ? { sendDespiteWarnings: true } : {}),
				...(key ? { sendOnceKey: key } : {}),
			},
		},
	};
}

/**
 * Builds the HTTP Request node that gets the token. Without our node, users would need this additional node.
 * It runs once, before the items are created.
 */
function tokenByHand({ baseUrl, account: { userId, apiKey } }: DocumentService): Step {
	return httpRequest('Token', `${baseUrl}/access/token`, {
		'user-id': userId,
		'api-key': apiKey,
	});
}

function byHand(
	{ baseUrl, account, headers }: DocumentService,
	{ batch, retries, fixed }: Extract<Side, { kind: 'httpRequest' }>,
): Step & Partial<INode> {
	const token = "{{ $('Token').first().json.responseData.accessToken }}";
	// These two expressions and the one in the body make three. If the values are fixed, there are none.
	const own = fixed
		? headers
		: {
				'user-id': account.userId,
				token: `=${token}`,
				Authorization: `=Bearer ${token}`,
			};
	const step = httpRequest('Send', `${baseUrl}${createPath}`, own);
	Object.assign(step.parameters, {
		sendBody: true,
		specifyBody: 'json',
		jsonBody: fixed
			? JSON.stringify(bodyOf(0))
			: `={{ {
			templateID: '${template}',
			country: '${country}',
			inputs: { employee_name: 'Person ' + $json.index, role: '${common.role}', start_date: '${common.start_date}' },
			signatories: [{ email: 'person-' + $json.index + '@example.com', name: 'Person ' + $json.index }],
		} }}`,
		options: batch
			? { batching: { batch: { batchSize: batch.size, batchInterval: batch.intervalMs } } }
			: {},
	});
	return retries ? { ...step, retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 } : step;
}

function httpRequest(name: string, url: string, headers: Record<string, string>): Step {
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			method: 'POST',
			url,
			sendHeaders: true,
			headerParameters: {
				parameters: Object.entries(headers).map(([key, value]) => ({ name: key, value })),
			},
			options: {},
		},
	};
}
