import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { Envelope } from '../interface';
import { normalizeBaseUrl, originOf } from './address';
import { isRefusedToken, readAnswer } from './answer';
import { ServiceFailure } from './failure';
import { readNetworkError } from './network';
import { redact } from './redact';
import { textOf } from './text';

/** Any of n8n's contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

/** One call to the service. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Below the base address: `/templates/v2`. Values in it must be URI-encoded. */
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/**
	 * What the call brings into being, as a noun with its article ("the document"). Set for calls
	 * that must not be repeated: when such a call is lost, the error says that it may have worked.
	 */
	creates?: string;
	/** For deletions: an answer that says 404 counts as a success. */
	missingIsDone?: boolean;
	/** Values in the request, besides the credential's, that no message may show. */
	secrets?: string[];
}

const credentialType = 'signVerifyApi';

/** Default time (ms) that one call may take. */
export const defaultTimeout = 30_000;

/**
 * Calls the service with the node's credential. One client serves a whole execution, so that its
 * items share the token and a renewed one reaches all of them.
 */
export class ServiceClient {
	private credential: Promise<ICredentialDataDecryptedObject> | undefined;

	/** Key and tokens seen so far, to be taken out of the service's words. */
	private readonly secrets = new Set<unknown>();

	constructor(
		private readonly context: ServiceContext,
		/** Milliseconds that one call may take. */
		private readonly timeout: number = defaultTimeout,
	) {}

	/**
	 * Sends a request and reads the envelope of its answer (interface: Response envelope).
	 * A token that the service refuses is renewed once. Nothing else is repeated.
	 * @returns The envelope of a successful answer; JSON without an envelope as its `responseData`.
	 * @throws ServiceFailure in every other case; its `effect` says whether the service may have acted.
	 */
	async call<Data = unknown>(request: ServiceRequest): Promise<Envelope<Data>> {
		const credential = await this.getCredential();
		const baseUrl = normalizeBaseUrl(credential.baseUrl);
		const usedToken = credential.accessToken;

		let answer = await this.send(baseUrl, request, credential);
		if (isRefusedToken(answer)) {
			answer = await this.send(baseUrl, request, await this.credentialAfter(usedToken));
		}
		return readAnswer<Data>(answer, request, originOf(baseUrl), (text) =>
			redact(text, [...this.secrets, ...(request.secrets ?? [])]),
		);
	}

	/**
	 * The credential to use after the service refused a token: with the newer token where another
	 * call has brought one meanwhile, else in the form that makes n8n ask for a new one and keep it.
	 */
	private async credentialAfter(usedToken: unknown): Promise<ICredentialDataDecryptedObject> {
		const current = await this.getCredential();
		if (current.accessToken !== usedToken) return current;
		const renewing: ICredentialDataDecryptedObject = {
			...current,
			accessToken: '',
			expiredToken: textOf(usedToken),
		};
		this.credential = Promise.resolve(renewing);
		return renewing;
	}

	private async getCredential(): Promise<ICredentialDataDecryptedObject> {
		this.credential ??= this.context.getCredentials(credentialType);
		return await this.credential;
	}

	private async send(
		baseUrl: string,
		request: ServiceRequest,
		credential: ICredentialDataDecryptedObject,
	): Promise<IN8nHttpFullResponse> {
		const options: IHttpRequestOptions = {
			method: request.method,
			url: `${baseUrl}${request.path}`,
			headers: { accept: 'application/json' },
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// A redirect would carry the token to an address that nobody has checked.
			disableFollowRedirect: true,
			timeout: this.timeout,
		};
		if (request.qs) options.qs = request.qs;
		if (request.body) options.body = request.body;
		// The interface sends it with the delete although there is no body.
		if (request.body || request.method === 'DELETE') {
			options.headers = { ...options.headers, 'content-type': 'application/json' };
		}
		try {
			// Handing the credential over spares n8n reading and decrypting it for each call; n8n
			// writes a renewed token into the object that it was given.
			return (await this.context.helpers.httpRequestWithAuthentication.call(
				this.context,
				credentialType,
				options,
				{ credentialsDecrypted: { id: '', name: '', type: credentialType, data: credential } },
			)) as IN8nHttpFullResponse;
		} catch (error) {
			throw lost(error, request, originOf(baseUrl));
		} finally {
			this.secrets.add(credential.apiKey).add(credential.accessToken).add(credential.expiredToken);
		}
	}
}

function lost(error: unknown, request: ServiceRequest, origin: string): ServiceFailure {
	const own = ownFailure(error);
	if (own) return own;
	const trouble = readNetworkError(error);
	if (request.creates && !trouble.neverSent) {
		return new ServiceFailure({
			message: `${origin} ${trouble.problem}, so ${request.creates} may have been created`,
			description: `Look for ${request.creates} at the service before you run this item again. It was not sent a second time.`,
			effect: 'unknown',
		});
	}
	return new ServiceFailure({
		message: `${origin} ${trouble.problem}`,
		description: trouble.remedy,
	});
}

/** Our own failure (from the credential) inside n8n's wrapping of it. */
function ownFailure(error: unknown): ServiceFailure | undefined {
	for (let inner = error, depth = 0; inner instanceof Error && depth < 5; depth++) {
		if (inner instanceof ServiceFailure) return inner;
		inner = inner.cause;
	}
	return undefined;
}
