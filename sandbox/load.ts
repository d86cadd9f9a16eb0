import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import axios, { type AxiosInstance } from 'axios';
import { startSandbox } from './index';
import type { Document } from './schemas';
import type { Sandbox } from './types';

/** What a run gave. */
export interface LoadReport {
	documents: number;
	seconds: number;
	documentsPerSecond: number;
	/** Notifications that must have come: three sent, three signed, one completed a document. */
	expected: number;
	/** Of these, how many came at least once. */
	received: number;
	lost: number;
	/** How many came more than once. */
	repeated: number;
	completed: number;
	/** MB in use after a full garbage collection: at the start, half way, and at the end. */
	heapMB: { before: number; half: number; after: number };
	/** The most that the whole process took, in MB. */
	peakMB: number;
}

const EVENTS = ['sendDocument', 'signDocument', 'completedDocument'];
const SIGNATORIES = 3;
const AT_THE_SAME_TIME = 8;

/**
 * Creates documents over HTTP, has each signed by three signatories on the signing page, and counts
 * what a receiver gets; sandbox, client and receiver are this one process.
 *
 * @param limitMs Fails when it is not over by then.
 */
export async function runLoad(documents: number, limitMs = 600_000): Promise<LoadReport> {
	const collect = garbageCollector();
	const sandbox = await startSandbox();
	const receiver = await startReceiver();
	const agent = new Agent({ keepAlive: true, maxSockets: AT_THE_SAME_TIME });
	const deadline = Date.now() + limitMs;
	try {
		const http = await client(sandbox, agent);
		for (const type of EVENTS) {
			await http.post('/webhooks', undefined, { params: { type, url: receiver.url } });
		}
		const heapMB = { before: collect(), half: 0, after: 0 };
		const began = Date.now();
		let next = 0;
		const work = async () => {
			for (let index = next++; index < documents; index = next++) {
				if (Date.now() > deadline) throw new Error(`Not over after ${limitMs / 1000} s`);
				if (index === Math.floor(documents / 2)) heapMB.half = collect();
				await liveThrough(sandbox, http, index);
			}
		};
		await Promise.all(Array.from({ length: AT_THE_SAME_TIME }, work));
		await sandbox.idle();
		const seconds = (Date.now() - began) / 1000;
		heapMB.after = collect();
		const ids = sandbox.documents().filter(({ status }) => status === 'COMPLETED');
		const { got } = receiver;
		const expected = documents * (2 * SIGNATORIES + 1);
		return {
			documents,
			seconds,
			documentsPerSecond: documents / seconds,
			expected,
			received: got.size,
			lost: expected - got.size,
			repeated: [...got.values()].filter((count) => count > 1).length,
			completed: ids.length,
			heapMB,
			peakMB: process.resourceUsage().maxRSS / 1024,
		};
	} finally {
		agent.destroy();
		await Promise.all([sandbox.close(), receiver.close()]);
	}
}

async function client(sandbox: Sandbox, agent: Agent): Promise<AxiosInstance> {
	const { userId, apiKey } = sandbox.account;
	const { data } = await axios.post<{ responseData: { accessToken: string } }>(
		`${sandbox.baseUrl}/access/token`,
		undefined,
		{ headers: { 'user-id': userId, 'api-key': apiKey } },
	);
	const token = data.responseData.accessToken;
	const headers = { 'user-id': userId, token, Authorization: `Bearer ${token}` };
	// Tokens live for minutes: the longest run of this kind is shorter.
	sandbox.settings.set({ tokenLifetimeSeconds: 3600 });
	return axios.create({ baseURL: sandbox.baseUrl, headers, httpAgent: agent, proxy: false });
}

/** One document from its creation to its last signature. */
async function liveThrough(sandbox: Sandbox, http: AxiosInstance, index: number): Promise<void> {
	const template = sandbox.templates().find(({ key }) => key === 'mutual_nda');
	if (!template) throw new Error('The template is missing');
	const { data } = await http.post<{ responseData: Document }>(
		'/templates/createDocumentByTemplateV2',
		{
			templateID: template.templateID,
			country: 'Mexico',
			inputs: Object.fromEntries(template.fields.map(({ key }) => [key, `${key} ${index}`])),
			signatories: Array.from({ length: SIGNATORIES }, (_, at) => ({
				email: `person.${index}.${at}@example.com`,
				name: `Person ${index}, number ${at}`,
			})),
		},
	);
	for (const { signing, name } of data.responseData.signatory) {
		const fields = { kind: 'typed', text: name, 'answer.registration_number': String(index) };
		await http.post(signing.url, new URLSearchParams(fields), {
			maxRedirects: 0,
			validateStatus: (status) => status === 303,
		});
	}
}

/** Counts notifications by what each is about: the document, the event and the signatory. */
async function startReceiver() {
	const got = new Map<string, number>();
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { type, Document } = JSON.parse(Buffer.concat(chunks).toString()) as {
				type: string;
				Document: Document;
			};
			const who = Document.webhookData?.signatory.emailID ?? '';
			const key = `${Document.documentID} ${type} ${who}`;
			got.set(key, (got.get(key) ?? 0) + 1);
			response.end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		got,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		close: () =>
			new Promise<void>((resolve) => {
				server.closeAllConnections();
				server.close(() => resolve());
			}),
	};
}

/** @returns What collects all garbage, and gives the MB that are left in use. */
function garbageCollector(): () => number {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	return () => {
		collect();
		return process.memoryUsage().heapUsed / 1_000_000;
	};
}

async function main(): Promise<void> {
	const wanted = Number(process.argv[2] ?? 1000);
	const documents = Number.isInteger(wanted) && wanted > 0 ? wanted : 1000;
	const report = await runLoad(documents);
	const { heapMB, lost, completed } = report;
	console.log(
		[
			`${documents} documents, each signed by ${SIGNATORIES}: ${report.seconds.toFixed(1)} s, ${report.documentsPerSecond.toFixed(1)} documents a second`,
			`Notifications: ${report.received} of ${report.expected} came, ${lost} lost, ${report.repeated} repeated`,
			`Completed: ${completed} of ${documents}`,
			`Heap in use: ${heapMB.before.toFixed(0)} MB before, ${heapMB.half.toFixed(0)} MB half way, ${heapMB.after.toFixed(0)} MB after; process at most ${report.peakMB.toFixed(0)} MB`,
		].join('\n'),
	);
	if (lost > 0 || completed < documents) process.exitCode = 1;
}

if (require.main === module) {
	main().catch((error: unknown) => {
		console.error(error);
		process.exit(1);
	});
}
