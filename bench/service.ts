import type { INodeCredentials } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox';
import axios from 'axios';
import type { Bench } from './types';

/** The call that all documents are created with. */
export const createPath = '/templates/createDocumentByTemplateV2';

/** A sandbox that n8n has a credential for. */
export interface Service {
	sandbox: Sandbox;
	/** For a node that is to use it. */
	credentials: INodeCredentials;
	/** Those for so many parallel requests. */
	credentialsFor(parallel: number): Promise<INodeCredentials>;
	/** Headers of a client that has a token already. */
	headers: Record<string, string>;
}

/** How a service of a measurement behaves. */
export interface ServiceOptions extends SandboxOptions {
	/** Milliseconds that creating a document takes, besides what the sandbox itself needs. */
	latencyMs?: number;
}

/**
 * Gives a measurement a sandbox of its own, in memory, and a credential for it in n8n; stops it
 * afterwards.
 */
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
		return await work({
			sandbox,
			credentials: await credentialsFor(10),
			credentialsFor,
			headers: await headersFor(sandbox),
		});
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
