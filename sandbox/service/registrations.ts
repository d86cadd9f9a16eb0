import { type WebhookRegistration, isDocumentEvent, isIdentityEvent } from '../schemas';
import type { RegistrationRecord } from '../state/records';
import type { Store } from '../state/store';
import type { Clock } from '../util/clock';
import { newId } from '../util/ids';
import { parseUrl } from '../util/url';
import { ServiceRefusal, violation } from './refusal';

/** How identity webhooks behave in cases that the API does not specify. */
export interface RegistrationRules {
	listIdentity: boolean;
	deleteIdentity: boolean;
}

/** The registered webhooks (docs/dev/service.md#webhook-registration). */
export class Registrations {
	constructor(
		private readonly store: Store,
		private readonly rules: RegistrationRules,
		private readonly clock: Clock,
	) {}

	/**
	 * Registers a URL for a document event.
	 * @throws ServiceRefusal with status 400 if the event type is unknown or the URL is invalid.
	 */
	addForDocuments(type: string, url: string): RegistrationRecord {
		if (!isDocumentEvent(type)) throw violation(400, `Unknown event type: ${type.slice(0, 80)}`);
		return this.add('document', type, url, '');
	}

	/**
	 * Registers a URL for an identity event.
	 * @throws ServiceRefusal with status 400 if the event type is unknown or the URL is invalid.
	 */
	addForIdentity(type: string, url: string, name: string): RegistrationRecord {
		if (!isIdentityEvent(type)) throw violation(400, `Unknown event type: ${type.slice(0, 80)}`);
		return this.add('identity', type, url, name);
	}

	/** Returns the webhooks that `GET /webhooks` lists. */
	listed(): WebhookRegistration[] {
		return this.store.registrations
			.all()
			.filter(({ kind }) => kind === 'document' || this.rules.listIdentity)
			.map(asRegistration);
	}

	/** Returns all webhooks, including those that the list does not show. */
	all(): WebhookRegistration[] {
		return this.store.registrations.all().map(asRegistration);
	}

	for(type: string): RegistrationRecord[] {
		return this.store.registrations.all().filter((record) => record.type === type);
	}

	/**
	 * Removes a webhook.
	 * @throws ServiceRefusal with status 404 if the webhook does not exist or cannot be removed with this
	 * call.
	 */
	remove(webHookID: string): void {
		const record = this.store.registrations.get(webHookID);
		if (!record || (record.kind === 'identity' && !this.rules.deleteIdentity)) {
			throw new ServiceRefusal(404, 'WebHook not found');
		}
		this.store.registrations.remove(webHookID);
	}

	private add(
		kind: RegistrationRecord['kind'],
		type: string,
		webHookUrl: string,
		name: string,
	): RegistrationRecord {
		if (!/^https?:\/\//i.test(webHookUrl) || !parseUrl(webHookUrl)) {
			throw violation(400, 'url must be a complete http or https URL');
		}
		const addedOn = this.clock.now();
		const record = { webHookID: newId(), kind, type, webHookUrl, addedOn, name };
		this.store.registrations.put(record.webHookID, record);
		return record;
	}
}

/**
 * Converts a webhook to the shape that the API uses for its kind (docs/dev/service.md#webhook-registration).
 */
export function asRegistration(record: RegistrationRecord): WebhookRegistration {
	const { webHookID, type, webHookUrl, addedOn, name } = record;
	return record.kind === 'document'
		? { webHookID, type, addedOn, webHookUrl, options: [] }
		: { name, type, webHookID, webHookUrl, options: [] };
}
