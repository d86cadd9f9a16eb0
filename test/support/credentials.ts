import {
	NodeApiError,
	type IAdditionalCredentialOptions,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INode,
	type JsonObject,
} from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { accountHashOf, tokenOf } from '../../nodes/SignVerify/http/credential';
import { httpRequest } from './http';

/**
 * The part of n8n that keeps a credential and authenticates requests with it, in the order in which
 * n8n 2.41 does it (execution-engine: httpRequestWithAuthentication).
 */
export class CredentialKeeper {
	/** How often the credential was written back, as n8n writes it to its database. */
	saves = 0;

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
		this.saves++;
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
