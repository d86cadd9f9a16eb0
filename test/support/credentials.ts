import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
} from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { accountHashOf, tokenOf } from '../../nodes/SignVerify/http/credential';
import { type KeptCredential, requestWithAuthentication } from '../n8n/credential';
import { isAxiosError } from 'axios';
import { objectOf } from '../../nodes/SignVerify/util/values';
import { httpRequest } from './http';
import type { Sandbox } from '../../sandbox';
import { fixedHeadersOf } from '../../sandbox/contract/endpoints';
import { isDocumentEvent, isIdentityEvent } from '../../sandbox/schemas';

/** A credential that n8n keeps, for tests of the nodes without n8n's processes. */
export class CredentialKeeper {
	private readonly kept: KeptCredential = {
		type: new SignVerifyApi(),
		read: async () => await Promise.resolve(this.read()),
		keep: async (output) => void Object.assign(this.stored, await Promise.resolve(output)),
		httpRequest: async (options) => await this.client(options),
	};

	/**
	 * @param stored Its `accessToken` is its own account's.
	 * @param client Makes a call; n8n's HTTP client unless it is given.
	 */
	constructor(
		readonly stored: ICredentialDataDecryptedObject,
		readonly client: typeof httpRequest = httpRequest,
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
		return await requestWithAuthentication(this.kept, node, options, additional);
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

/** A refusal of the sandbox in one line, with the call that was refused: an AxiosError has no place. */
function refusalOf(call: string, sent: IDataObject, error: unknown): unknown {
	if (!isAxiosError<IDataObject>(error) || !error.response) return error;
	const { status, data } = error.response;
	const values = JSON.stringify(sent).slice(0, 500);
	return new Error(`${call} with ${values} was refused: HTTP ${status}, ${String(data.message)}`);
}

/** A credential for a sandbox, outside n8n. @param limits Its fields for the speed. */
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
			const answer = await call({ method: 'POST', path, body });
			return (answer as { responseData: { documentID: string } }).responseData.documentID;
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
