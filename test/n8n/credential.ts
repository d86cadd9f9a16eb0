import {
	type IAdditionalCredentialOptions,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestOptions,
	type INode,
	type JsonObject,
	NodeApiError,
} from 'n8n-workflow';

export interface KeptCredential {
	type: ICredentialType;
	/** Returns a new copy, because n8n decrypts the credential each time. */
	read(): Promise<ICredentialDataDecryptedObject>;
	/** Stores the result of a token exchange. */
	keep(output: ICredentialDataDecryptedObject): Promise<void>;
	httpRequest(options: IHttpRequestOptions): Promise<unknown>;
	/** Whether n8n's Engine 2.0 makes the calls. */
	isInEngine2?: boolean | undefined;
}

/** The error of Engine 2.0 for everything that it can't do yet, as in n8n 2.41. */
class UnimplementedError extends Error {
	override name = 'UnimplementedError';
}

/**
 * Works like `helpers.httpRequestWithAuthentication` in n8n 2.41: gets a token before the first call, and a
 * new token after HTTP 401. In Engine 2.0, it makes no call at all, even if there is a token.
 * @throws NodeApiError, as n8n does.
 */
export async function requestWithAuthentication(
	kept: KeptCredential,
	node: INode,
	options: IHttpRequestOptions,
	additional?: IAdditionalCredentialOptions,
): Promise<unknown> {
	const credential = additional?.credentialsDecrypted?.data ?? (await kept.read());
	try {
		if (kept.isInEngine2) {
			throw new UnimplementedError(
				`Engine 2.0 does not support credentials with an expirable property yet (credential type "${kept.type.name}")`,
			);
		}
		if ((credential.accessToken ?? '') === '') await renew(kept, credential);
		return await sendAuthenticated(kept, credential, options);
	} catch (error) {
		const { response } = error as { response?: { status?: number } };
		if (response?.status !== 401) throw new NodeApiError(node, error as JsonObject);
		try {
			await renew(kept, credential);
			return await sendAuthenticated(kept, credential, options);
		} catch (second) {
			throw new NodeApiError(node, second as JsonObject);
		}
	}
}

/**
 * Works like `helpers.requestWithAuthentication` in n8n 2.41, which the HTTP Request node uses: after any error, gets
 * a new token, and repeats the call unless the credential type returns none.
 */
export async function requestWithOlderHelper(
	kept: KeptCredential,
	options: Omit<IHttpRequestOptions, 'url'> & { uri: string },
): Promise<unknown> {
	const credential = await kept.read();
	const send = async () => await sendAuthenticated(kept, credential, options as never);
	try {
		if ((credential.accessToken ?? '') === '') await renew(kept, credential);
		return await send();
	} catch (error) {
		if (!(await renew(kept, credential))) throw error;
		return await send();
	}
}

/** @returns Whether the credential type has returned a token. */
async function renew(
	kept: KeptCredential,
	credential: ICredentialDataDecryptedObject,
): Promise<boolean> {
	const { preAuthentication } = kept.type;
	if (!preAuthentication) throw new Error('The credential has no preAuthentication');
	const helpers = {
		httpRequest: async (options: IHttpRequestOptions) => await kept.httpRequest(options),
	};
	const output = await preAuthentication.call({ helpers }, credential);
	if (output.accessToken === undefined) return false;
	await kept.keep(output as ICredentialDataDecryptedObject);
	Object.assign(credential, output);
	return true;
}

async function sendAuthenticated(
	{ type, httpRequest }: KeptCredential,
	credential: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): Promise<unknown> {
	const { authenticate } = type;
	if (typeof authenticate !== 'function') throw new Error('authenticate is a function here');
	const authenticated = await authenticate(credential, { ...options });
	// n8n passes on the same options object, so later changes to it also affect the request.
	const abortSignal = options.abortSignal ?? authenticated.abortSignal;
	return await httpRequest({ ...authenticated, ...(abortSignal ? { abortSignal } : {}) });
}
