import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';

import axios from 'axios';
import type { INodeCredentials } from 'n8n-workflow';

import { ensureHost, type HostInstallation } from '../host/install.cjs';
import { startN8n, type N8n } from '../host/n8n';
import { installPackage } from '../host/package';
import type { Log } from '../host/types';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox';
import { root } from '../scripts/tools';
import { startHttpClient, type HttpClient } from './httpClient';
import { startInstantService } from './instantService';
import type { Plan } from './plan';

/** What every measurement uses: a real n8n with the package, and a plain HTTP client. */
export interface Bench {
	n8n: N8n;
	installation: HostInstallation;
	client: HttpClient;
	plan: Plan;
	log: Log;
}

const owner = {
	email: 'owner@example.com',
	firstName: 'Olivia',
	lastName: 'Owner',
	password: 'Only-for-this-run-1',
};

/**
 * Runs measurements in a fresh n8n and removes everything afterward. The package is installed the way users
 * install it.
 * @param env Environment variables that change n8n's default settings.
 * @throws Error if n8n cannot be installed or started.
 */
export async function withBench<Result>(
	plan: Plan,
	log: Log,
	work: (bench: Bench) => Promise<Result>,
	env: Record<string, string> = {},
): Promise<Result> {
	const installation = await ensureHost({ log });
	await mkdir(path.join(root, '.run'), { recursive: true });
	const userFolder = await mkdtemp(path.join(root, '.run', 'bench-'));
	try {
		log('Building the nodes and installing them into n8n…');
		await installPackage({ userFolder, log });
		log('Starting n8n…');
		const logFile = path.join(userFolder, 'n8n.log');
		const n8n = await startN8n({ installation, userFolder, logFile, env });
		const client = startHttpClient(installation.node);
		try {
			await n8n.api.setupOwner(owner);
			return await work({ n8n, installation, client, plan, log });
		} finally {
			client.close();
			await n8n.stop();
		}
	} finally {
		await rm(userFolder, { recursive: true, force: true });
	}
}

/** The path of the call that creates the documents. */
export const createPath = '/templates/createDocumentByTemplateV2';

/** A service at which clients can create documents. */
export interface DocumentService {
	baseUrl: string;
	account: Sandbox['account'];
	/** How many documents it has created so far. */
	documentCount(): number;
	/** Resolves once it has done everything that follows from the calls. */
	idle(): Promise<void>;
	/** Creates a credential in n8n for nodes that make the given number of requests in parallel. */
	credentialsFor(parallel: number): Promise<INodeCredentials>;
	/** The headers of a client that already has a token. */
	headers: Record<string, string>;
}

export interface Service extends DocumentService {
	sandbox: Sandbox;
}

export interface ServiceOptions extends SandboxOptions {
	/** How long the service takes to create a document, in milliseconds, on top of the sandbox's own time. */
	latencyMs?: number;
}

/** Starts a separate sandbox for a measurement and stops it afterward. */
export async function withService<Result>(
	{ n8n }: Bench,
	{ latencyMs = 0, ...options }: ServiceOptions,
	work: (service: Service) => Promise<Result>,
): Promise<Result> {
	const sandbox = await startSandbox(options);
	try {
		if (latencyMs) sandbox.faults.set({ endpoint: `POST ${createPath}`, delayMs: latencyMs });
		return await work({
			...(await clientsOf(n8n, sandbox.baseUrl, sandbox.account)),
			sandbox,
			documentCount: () => sandbox.documents().length,
			idle: async () => await sandbox.idle(),
		});
	} finally {
		await sandbox.close();
	}
}

/** Starts a service that only repeats what the sandbox once responded, and stops it afterward. */
export async function withInstantService<Result>(
	{ n8n }: Bench,
	work: (service: DocumentService) => Promise<Result>,
): Promise<Result> {
	const sandbox = await startSandbox();
	const service = await startInstantService(sandbox);
	try {
		return await work({
			...(await clientsOf(n8n, service.baseUrl, sandbox.account)),
			documentCount: () => service.countOf(createPath),
			idle: async () => {},
		});
	} finally {
		await service.close();
		await sandbox.close();
	}
}

/** What the clients need to know of a service: where it is, and how they log in. */
async function clientsOf(
	n8n: N8n,
	baseUrl: string,
	account: Sandbox['account'],
): Promise<Omit<DocumentService, 'documentCount' | 'idle'>> {
	const credentialsFor = async (parallelRequests: number): Promise<INodeCredentials> => {
		const { id, name } = await n8n.api.createCredential({
			name: `Service ${baseUrl}, ${parallelRequests} in parallel`,
			type: 'signVerifyApi',
			data: { baseUrl, ...account, parallelRequests },
		});
		return { signVerifyApi: { id, name } };
	};
	return { baseUrl, account, credentialsFor, headers: await headersFor(baseUrl, account) };
}

async function headersFor(
	baseUrl: string,
	{ userId, apiKey }: Sandbox['account'],
): Promise<Record<string, string>> {
	const { data } = await axios.post<{ responseData: { accessToken: string } }>(
		`${baseUrl}/access/token`,
		undefined,
		{ proxy: false, headers: { 'user-id': userId, 'api-key': apiKey } },
	);
	const token = data.responseData.accessToken;
	return { 'user-id': userId, token, authorization: `Bearer ${token}` };
}
