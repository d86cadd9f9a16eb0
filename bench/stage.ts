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

export interface Service {
	sandbox: Sandbox;
	/** Creates a credential in n8n for nodes that make the given number of requests in parallel. */
	credentialsFor(parallel: number): Promise<INodeCredentials>;
	/** The headers of a client that already has a token. */
	headers: Record<string, string>;
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
		const credentialsFor = async (parallelRequests: number): Promise<INodeCredentials> => {
			const { id, name } = await n8n.api.createCredential({
				name: `Service ${sandbox.url}, ${parallelRequests} in parallel`,
				type: 'signVerifyApi',
				data: { baseUrl: sandbox.baseUrl, ...sandbox.account, parallelRequests },
			});
			return { signVerifyApi: { id, name } };
		};
		return await work({ sandbox, credentialsFor, headers: await headersFor(sandbox) });
	} finally {
		await sandbox.close();
	}
}

async function headersFor({ account, baseUrl }: Sandbox): Promise<Record<string, string>> {
	const { userId, apiKey } = account;
	const { data } = await axios.post<{ responseData: { accessToken: string } }>(
		`${baseUrl}/access/token`,
		undefined,
		{ proxy: false, headers: { 'user-id': userId, 'api-key': apiKey } },
	);
	const token = data.responseData.accessToken;
	return { 'user-id': userId, token, authorization: `Bearer ${token}` };
}
