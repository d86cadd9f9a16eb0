import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { settle } from '../util/async';
import { type Redact, redactor } from '../util/redact';
import { textOf } from '../util/values';
import { credentialUnread } from './messages';

/** Any of n8n's contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

export const credentialType = 'signVerifyApi';

/** Tokens that may be refused in one try of a call. With more, the token is not the problem. */
const maxRefused = 3;

/** The credential with its token, which all calls of an execution share. */
export class SharedCredential {
	private current: Promise<ICredentialDataDecryptedObject> | undefined;

	/** Key and tokens seen so far, to be removed from the service's words. */
	private readonly secrets = new Set<unknown>();

	private redaction: { size: number; redact: Redact } | undefined;

	/** @param timeout Milliseconds that a token exchange may take. */
	constructor(
		private readonly context: ServiceContext,
		private readonly timeout: number,
	) {}

	/**
	 * The credential to use after the service refused tokens. It is read again, because another call or
	 * another process of n8n may have stored a newer token meanwhile, and at some services a new token
	 * ends the one before. Otherwise it has the form that makes n8n fetch a new token and store it; that
	 * there is only one exchange at a time is up to the credential (api/token.ts).
	 * @param refused The tokens that were refused in this try, in their order.
	 * @returns undefined if there is nothing more to try.
	 */
	async after(
		refused: string[],
		mayRenew: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		if (refused.length > maxRefused) return undefined;
		const stored = await this.load();
		const isNewer = stored.accessToken !== '' && !refused.includes(textOf(stored.accessToken));
		if (!isNewer && !mayRenew) return undefined;
		const next = isNewer ? stored : { ...stored, accessToken: '', refusedTokens: refused };
		this.current = Promise.resolve(next);
		return next;
	}

	/** Shared by all calls. If it cannot be read, the next call reads it again. */
	async read(): Promise<ICredentialDataDecryptedObject> {
		const reading = (this.current ??= this.load());
		reading.catch(() => {
			if (this.current === reading) this.current = undefined;
		});
		return await reading;
	}

	/** @throws ServiceError if n8n cannot give it; the call that needs it was then not sent. */
	private async load(): Promise<ICredentialDataDecryptedObject> {
		const read = await settle(
			this.context.getCredentials<ICredentialDataDecryptedObject>(credentialType),
		);
		if (!read.ok) throw credentialUnread(read.error);
		return { ...read.value, timeout: this.timeout };
	}

	/** Remembers the secrets of a credential, when its call has ended. */
	keepSecret({ apiKey, accessToken }: ICredentialDataDecryptedObject): void {
		this.secrets.add(apiKey).add(accessToken);
	}

	/** Removes the secrets. It is built once for each set of them, and only when something failed. */
	readonly redact: Redact = (text) => {
		const { size } = this.secrets;
		if (this.redaction?.size !== size) this.redaction = { size, redact: redactor(this.secrets) };
		return this.redaction.redact(text);
	};
}
