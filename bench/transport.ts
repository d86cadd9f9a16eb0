import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import os from 'node:os';
import path from 'node:path';

import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';

import { raiseStage, type Stage } from '../host/stage';
import { actionSteps, lineOf, type Step } from '../host/workflow';
import { root } from '../scripts/tools';

/**
 * How fast the node creates documents in a real n8n, beside a bare client and one after another,
 * all in one run against the same sandbox. Ratios count; the machine is shared.
 */
const count = 500;
const latencyMs = 100;
const parallel = [10, 50];
const endpoint = '/templates/createDocumentByTemplateV2';

const body = {
	templateID: '65f1c0de0000000000000201',
	country: 'United States',
	inputs: { employee_name: 'Ada Lovelace', role: 'Analyst', start_date: '2027-01-11' },
	signatories: [{ email: 'ada@example.com', name: 'Ada Lovelace' }],
};

/** Creates the documents in n8n; gives the milliseconds that the node took. */
async function withNode(stage: Stage, parallelRequests: number): Promise<number> {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const parameters: INodeParameters = {
		resource: 'document',
		operation: 'createFromTemplate',
		templateId: { __rl: true, mode: 'id', value: body.templateID },
		fields: { mappingMode: 'defineBelow', value: body.inputs, matchingColumns: [], schema: [] },
		signatories: { signatory: body.signatories },
		country: body.country,
		options: { parallelRequests },
	};
	const items: Step = {
		name: 'Items',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `return Array.from({ length: ${count} }, (_, index) => ({ json: { index } }));`,
		},
	};
	const { id } = await api.createWorkflow(
		lineOf(`Bench ${parallelRequests}`, [items, action('Send', parameters)]),
	);
	const execution = await api.waitForExecution(await api.run(id, 'Start'), 180_000);
	const run = execution.runData.Send?.[0];
	if (execution.status !== 'success' || !run)
		throw new Error(`It failed: ${execution.error?.message}`);
	return run.executionTime;
}

/** The same calls by a client that keeps its connections, so many at a time. */
async function withBareClient({ sandbox }: Stage, atOnce: number): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
	const http = axios.create({ proxy: false, httpAgent: agent, baseURL: sandbox.baseUrl });
	const { userId, apiKey } = sandbox.account;
	const answer = await http.post<{ responseData: { accessToken: string } }>(
		'/access/token',
		undefined,
		{
			headers: { 'user-id': userId, 'api-key': apiKey },
		},
	);
	const token = answer.data.responseData.accessToken;
	const headers = { 'user-id': userId, token, authorization: `Bearer ${token}` };
	const start = performance.now();
	let next = 0;
	const worker = async (): Promise<void> => {
		while (next++ < count) await http.post(endpoint, body, { headers });
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	agent.destroy();
	return performance.now() - start;
}

interface Row {
	what: string;
	ms: number;
	ratio: number;
}

async function measure(stage: Stage): Promise<Row[]> {
	stage.sandbox.faults.set({ endpoint: `POST ${endpoint}`, delayMs: latencyMs });
	// The first calls of a process are slower than all others, on either side.
	await withBareClient(stage, 50);
	const rows: Row[] = [];
	for (const atOnce of parallel) {
		const bare = await withBareClient(stage, atOnce);
		const node = await withNode(stage, atOnce);
		rows.push({ what: `bare keep-alive client, ${atOnce} at once`, ms: bare, ratio: 1 });
		rows.push({ what: `this node, ${atOnce} at once`, ms: node, ratio: node / bare });
	}
	const sequential = await withNode(stage, 1);
	rows.push({
		what: 'this node, one after another',
		ms: sequential,
		ratio: sequential / (rows[1]?.ms ?? 1),
	});
	return rows;
}

async function main(): Promise<void> {
	await mkdir(path.join(root, '.run'), { recursive: true });
	const folder = await mkdtemp(path.join(root, '.run', 'bench-'));
	const stage = await raiseStage({ folder, log: (line) => console.log(line) });
	try {
		const rows = await measure(stage);
		const [cpu] = os.cpus();
		const machine = `${os.cpus().length} × ${cpu?.model ?? 'CPU'}, Node ${process.version}`;
		console.log(`\n${count} documents, ${latencyMs} ms latency; ${machine}\n`);
		for (const { what, ms, ratio } of rows) {
			console.log(
				`${(ms / 1000).toFixed(2).padStart(7)} s  ${ratio.toFixed(2).padStart(5)}×  ${what}`,
			);
		}
		const results = path.join(root, 'bench/results');
		await mkdir(results, { recursive: true });
		const file = path.join(results, `transport-${new Date().toISOString().slice(0, 10)}.json`);
		await writeFile(
			file,
			`${JSON.stringify({ machine, items: count, latencyMs, rows }, null, 2)}\n`,
		);
	} finally {
		await stage.close();
		await rm(folder, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
