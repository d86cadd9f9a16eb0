import type { IDataObject, INode } from 'n8n-workflow';

import { lineOf, type Step } from '../host/workflow';
import { processorMs } from './process';
import { createPath, type Service } from './service';
import type { Bench } from './types';

/** Who creates the documents, and how. */
export type Side =
	/** The SignVerify node. */
	| { kind: 'node'; parallel: number }
	/** The HTTP Request node, set up by hand for the same job. */
	| { kind: 'httpRequest'; batch?: { size: number; intervalMs: number }; retries?: boolean }
	/** A plain client that keeps its connections. */
	| { kind: 'bare'; parallel: number };

/** How a side did. */
export interface Creation {
	/** Milliseconds that the node, or the client, took for all documents. */
	ms: number;
	/** The processor time that n8n used from start to end, its own work around the node included. */
	processorMs?: number;
	/** n8n's own status of the execution. */
	status: string;
	/** What n8n says about a failure. */
	error?: string;
}

const timeoutMs = 300_000;
const template = '65f1c0de0000000000000201';
const fixed = { role: 'Analyst', start_date: '2027-01-11' };
const country = 'United States';

/** One body for each item, as all sides send it. */
function bodyOf(index: number): IDataObject {
	return {
		templateID: template,
		country,
		inputs: { employee_name: `Person ${index}`, ...fixed },
		signatories: [{ email: `person-${index}@example.com`, name: `Person ${index}` }],
	};
}

/** Has one side create so many documents, each for another person. */
export async function createDocuments(
	bench: Bench,
	service: Service,
	side: Side,
	items: number,
): Promise<Creation> {
	const made =
		side.kind === 'bare'
			? await byClient(bench, service, side.parallel, items)
			: await byWorkflow(bench, stepsOf(service, side, items));
	// The sandbox mails each document after it has answered: the next run shall not pay for that.
	await service.sandbox.idle();
	return made;
}

/** Like {@link createDocuments}, for sides that have to do the whole of it. */
export async function createAll(...given: Parameters<typeof createDocuments>): Promise<number> {
	const { ms, status, error } = await createDocuments(...given);
	if (status === 'success') return ms;
	throw new Error(`Creating ${given[3]} documents ended with ${status}: ${error}`);
}

async function byClient(
	{ client }: Bench,
	{ sandbox, headers }: Service,
	parallel: number,
	items: number,
): Promise<Creation> {
	const bodies = Array.from({ length: items }, (_, index) => bodyOf(index));
	const url = `${sandbox.baseUrl}${createPath}`;
	const { ms, statuses } = await client.make({ url, headers, bodies, parallel });
	const refused = Object.keys(statuses).filter((status) => status !== '200');
	return refused.length > 0
		? { ms, status: 'error', error: `answered with ${refused.join(', ')}` }
		: { ms, status: 'success' };
}

async function byWorkflow({ n8n: { api, pid } }: Bench, steps: Step[]): Promise<Creation> {
	const { id } = await api.createWorkflow(lineOf('Create', steps));
	const before = await processorMs(pid);
	const execution = await api.waitForExecution(await api.run(id, 'Start'), timeoutMs);
	const used = (await processorMs(pid)) - before;
	const run = execution.runData.Send?.[0];
	if (!run) throw new Error(`Nothing was sent: ${execution.error?.message}`);
	const { status, error } = execution;
	return { ms: run.executionTime, processorMs: used, status, error: error?.message };
}

function stepsOf(service: Service, side: Exclude<Side, { kind: 'bare' }>, items: number): Step[] {
	const source: Step = {
		name: 'Items',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `return Array.from({ length: ${items} }, (_, index) => ({ json: { index } }));`,
		},
	};
	return side.kind === 'node'
		? [source, signVerify(service, side.parallel)]
		: [tokenByHand(service), source, byHand(service, side)];
}

function signVerify({ credentials }: Service, parallelRequests: number): Step {
	return {
		name: 'Send',
		type: 'n8n-nodes-signverify.signVerify',
		credentials,
		parameters: {
			resource: 'document',
			operation: 'createFromTemplate',
			templateId: { __rl: true, mode: 'id', value: template },
			fields: {
				mappingMode: 'defineBelow',
				value: { employee_name: '=Person {{ $json.index }}', ...fixed },
				matchingColumns: [],
				schema: [],
			},
			signatoriesFrom: 'form',
			signatories: {
				signatory: [
					{ email: '=person-{{ $json.index }}@example.com', name: '=Person {{ $json.index }}' },
				],
			},
			country: { __rl: true, mode: 'name', value: country },
			options: { parallelRequests },
		},
	};
}

/** The exchange that somebody who works by hand puts before the items. */
function tokenByHand({ sandbox }: Service): Step {
	const { userId, apiKey } = sandbox.account;
	return httpRequest('Token', `${sandbox.baseUrl}/access/token`, {
		'user-id': userId,
		'api-key': apiKey,
	});
}

function byHand(
	{ sandbox }: Service,
	{ batch, retries }: Extract<Side, { kind: 'httpRequest' }>,
): Step & Partial<INode> {
	const token = "{{ $('Token').first().json.responseData.accessToken }}";
	const step = httpRequest('Send', `${sandbox.baseUrl}${createPath}`, {
		'user-id': sandbox.account.userId,
		token: `=${token}`,
		Authorization: `=Bearer ${token}`,
	});
	Object.assign(step.parameters, {
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ {
			templateID: '${template}',
			country: '${country}',
			inputs: { employee_name: 'Person ' + $json.index, role: '${fixed.role}', start_date: '${fixed.start_date}' },
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
