import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
} from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { accountHashOf, tokenOf } from '../../nodes/SignVerify/account/credential';
import { type KeptCredential, requestWithAuthentication } from '../n8n/credential';
import { isAxiosError } from 'axios';
import { objectOf } from '../../nodes/SignVerify/util/values';
import { httpRequest } from './http';
import type { Sandbox } from '../../sandbox';
import { fixedHeadersOf } from '../../sandbox/contract/endpoints';
import { isDocumentEvent, isIdentityEvent } from '../../sandbox/schemas';

/** Stores a credential as n8n does, for tests that run the nodes without n8n's processes. */
export class CredentialKeeper {
	private readonly kept: KeptCredential = {
		type: new SignVerifyApi(),
		read: async () => await Promise.resolve(this.read()),
		keep: async (output) => void Object.assign(this.stored, await Promise.resolve(output)),
		httpRequest: async (options) => await this.client(options),
	};

	/**
	 * @param stored The credential. Its `accessToken`, if any, belongs to the same account.
	 * @param client The function that makes calls. The default is n8n's HTTP client.
	 * @param isInEngine2 Whether n8n's Engine 2.0 makes the calls.
	 */
	constructor(
		readonly stored: ICredentialDataDecryptedObject,
		readonly client: typeof httpRequest = httpRequest,
		isInEngine2 = false,
	) {
		this.kept.isInEngine2 = isInEngine2;
		this.stored = { accessToken: '', ...stored, accountHash: accountHashOf(stored) };
	}

	/** The stored token; empty if this account does not have a valid token. */
	get token(): string {
		return tokenOf(this.stored);
	}

	/** Returns a new copy on each call, because n8n decrypts the credential each time. */
	read(): ICredentialDataDecryptedObject {
		return { ...this.stored };
	}

	async request(
		node: INode,
		options: IHttpRequestOptions,
		additional?: IAdditionalCredentialOptions,
	): Promise<unknown> {
		return await requestWithAuthentication(this.kept, node, options, additional);
	}
}

/** The parts of a sandbox that its clients need. */
type Server = Pick<Sandbox, 'baseUrl' | 'account'>;

/** Another client of the same account, used alongside the nodes under test. */
export interface Client {
	/** Makes a call to any path under the base URL. */
	call(
		options: Pick<IHttpRequestOptions, 'method' | 'qs' | 'body'> & { path: string },
	): Promise<unknown>;
	/** Creates a document from a version 2 template and returns the document's ID. */
	createDocument(body: IDataObject): Promise<string>;
	requestIdentity(email: string): Promise<unknown>;
	registerWebhook(type: string, url: string): Promise<unknown>;
	deleteWebhook(webHookID: string): Promise<unknown>;
}

/** Describes a rejected call and the reason on one line. An AxiosError alone does not name the call. */
function refusalOf(call: string, sent: IDataObject, error: unknown): unknown {
	if (!isAxiosError<IDataObject>(error) || !error.response) return error;
	const { status, data } = error.response;
	const values = JSON.stringify(sent).slice(0, 500);
	return new Error(`${call} with ${values} was refused: HTTP ${status}, ${String(data.message)}`);
}

/**
 * Makes a sandbox credential for tests that run without n8n's processes.
 * @param limits Additional fields for the credential, such as its rate limits.
 */
export function keeperOf({ baseUrl, account }: Server, limits: IDataObject = {}): CredentialKeeper {
	return new CredentialKeeper({ baseUrl, ...account, ...limits });
}

export function clientOf(sandbox: Server, keeper = keeperOf(sandbox)): Client {
	const call: Client['call'] = async ({ path, method = 'GET', ...rest }) => {
		const calling = keeper.request({ name: 'another client' } as INode, {
			...rest,
			method,
			url: `${sandbox.baseUrl}${path}`,
			headers: fixedHeadersOf(method),
		});
		return await calling.catch((error: unknown) => {
			throw refusalOf(`${method} ${path}`, { ...rest.qs, ...objectOf(rest.body) }, error);
		});
	};
	return {
		call,
		createDocument: async (body) => {
			const path = '/templates/createDocumentByTemplateV2';
			const response = await call({ method: 'POST', path, body });
			return (response as { responseData: { documentID: string } }).responseData.documentID;
		},
		requestIdentity: async (email) => {
			const body = { email, type: 'FACE', backgroundCheck: false };
			return await call({ method: 'POST', path: '/identity/validation/request', body });
		},
		registerWebhook: async (type, url) => {
			if (isIdentityEvent(type)) {
				const body = { name: 'another client', type, url };
				return await call({ method: 'POST', path: '/webhooks/verify', body });
			}
			if (isDocumentEvent(type)) {
				return await call({ method: 'POST', path: '/webhooks', qs: { url, type } });
			}
			throw new Error(
				`The sandbox has no event "${type}": add its row to sandbox/schemas/events.ts`,
			);
		},
		deleteWebhook: async (webHookID) =>
			await call({ method: 'DELETE', path: '/webhooks', qs: { webHookID } }),
	};
}
