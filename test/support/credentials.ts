import {
	type IAdditionalCredentialOptions,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type JsonObject,
	NodeApiError,
} from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { accountHashOf, tokenOf } from '../../nodes/SignVerify/http/credential';
import { httpRequest } from './http';
import type { Sandbox } from '../../sandbox';

/**
 * The part of n8n that keeps a credential and authenticates requests with it, in the order in which
 * n8n 2.41 does it (execution-engine: httpRequestWithAuthentication).
 */
export class CredentialKeeper {
	private readonly type = new SignVerifyApi();

	/**
	 * @param stored Its `accessToken` is its own account's.
	 * @param send Makes a call; n8n's HTTP client unless it is given.
	 */
	constructor(
		readonly stored: ICredentialDataDecryptedObject,
		private readonly send: typeof httpRequest = httpRequest,
	) {
		this.stored = { accessToken: '', ...stored, accountHash: accountHashOf(stored) };
	}

	/** The token that is stored, as the service knows it. */
	get token(): string {
		return tokenOf(this.stored);
	}

	/** A fresh copy at each read, as n8n decrypts it anew. */
	read(): ICredentialDataDecryptedObject {
		return { ...this.stored };
	}

	async request(
		node: INode,
		options: IHttpRequestOptions,
		additional?: IAdditionalCredentialOptions,
	): Promise<unknown> {
		const credential = additional?.credentialsDecrypted?.data ?? this.read();
		try {
			if (credential.accessToken === '') await this.renew(credential);
			return await this.send(await this.authenticated(credential, options));
		} catch (error) {
			const status = (error as { response?: { status?: number } }).response?.status;
			if (status !== 401) throw new NodeApiError(node, error as JsonObject);
			try {
				await this.renew(credential);
				return await this.send(await this.authenticated(credential, options));
			} catch (second) {
				throw new NodeApiError(node, second as JsonObject);
			}
		}
	}

	private async renew(credential: ICredentialDataDecryptedObject): Promise<void> {
		const helpers = { httpRequest: this.send };
		const output = await this.type.preAuthentication.call({ helpers }, credential);
		Object.assign(this.stored, output);
		Object.assign(credential, output);
	}

	private async authenticated(
		credential: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type;
		if (typeof authenticate !== 'function') throw new Error('authenticate is a function here');
		return await authenticate(credential, { ...options, headers: { ...options.headers } });
	}
}

/** What of a sandbox its clients need. */
type Server = Pick<Sandbox, 'baseUrl' | 'account'>;

/** Another client of the account, beside the nodes under test: one function for each call. */
export interface Client {
	/** Any call, below the base URL. */
	call(
		options: Pick<IHttpRequestOptions, 'method' | 'qs' | 'body'> & { path: string },
	): Promise<unknown>;
	/** Creates a document from a version 2 template; gives its ID. */
	createDocument(body: IDataObject): Promise<string>;
	requestIdentity(email: string): Promise<unknown>;
	/** Registers an address for an event. */
	registerWebhook(type: string, url: string): Promise<unknown>;
	deleteWebhook(webHookID: string): Promise<unknown>;
}

export const identityFinished = 'VERIFICATION_REQUEST_FINISHED';

/** A credential for a sandbox, outside n8n. @param limits Its fields for the speed. */
export function keeperOf({ baseUrl, account }: Server, limits: IDataObject = {}): CredentialKeeper {
	return new CredentialKeeper({ baseUrl, ...account, ...limits });
}

export function clientOf(sandbox: Server, keeper = keeperOf(sandbox)): Client {
	const call: Client['call'] = async ({ path, ...rest }) =>
		await keeper.request({ name: 'another client' } as INode, {
			...rest,
			url: `${sandbox.baseUrl}${path}`,
			...(rest.method === 'DELETE' ? { headers: { 'content-type': 'application/json' } } : {}),
		});
	return {
		call,
		createDocument: async (body) => {
			const path = '/templates/createDocumentByTemplateV2';
			const answer = await call({ method: 'POST', path, body });
			return (answer as { responseData: { documentID: string } }).responseData.documentID;
		},
		requestIdentity: async (email) => {
			const body = { email, type: 'FACE', backgroundCheck: false };
			return await call({ method: 'POST', path: '/identity/validation/request', body });
		},
		registerWebhook: async (type, url) =>
			type === identityFinished
				? await call({
						method: 'POST',
						path: '/webhooks/verify',
						body: { name: 'another client', type, url },
					})
				: await call({ method: 'POST', path: '/webhooks', qs: { url, type } }),
		deleteWebhook: async (webHookID) =>
			await call({ method: 'DELETE', path: '/webhooks', qs: { webHookID } }),
	};
}
