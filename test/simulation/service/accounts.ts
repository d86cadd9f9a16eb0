import type {
	DocumentRecord,
	IdentityRecord,
	RegistrationRecord,
} from '../../../sandbox/state/records';
import type { Caller } from '../../n8n/surroundings';
import { type Notification, type ServiceResponse, type ServiceRequest, owners } from './contract';
import { giveIds, numbers } from './ids';
import { Service, type Created } from './service';
import type { ServiceVariants } from './variants';

/** A document or an identity request that was created by a call. */
export interface Creation extends Created {
	instance: string;
	execution: string;
}

export interface Deletion {
	webhook: RegistrationRecord;
	caller: Caller;
}

/** A service with two accounts that share nothing. A call's user ID decides which account handles it. */
export class Accounts {
	/** Every webhook that was ever registered, oldest first. */
	readonly registered: RegistrationRecord[] = [];

	readonly tokens: string[] = [];

	/** Everything that n8n's calls have created. */
	readonly creations: Creation[] = [];

	readonly all: Service[];

	/** Called with the notifications that an action causes. */
	onNotifications: (notifications: Notification[]) => void = () => undefined;

	onDeletion: (deletion: Deletion) => void = () => undefined;

	constructor(variants: ServiceVariants) {
		this.all = owners.map((_, account) => new Service(variants, account, this));
		if (variants.ids === 'text') return;
		const nextId = numbers();
		for (const { store } of this.all) giveIds(store, nextId);
	}

	/**
	 * Responds to a call and records its effects. The first account handles calls with an unknown user ID.
	 */
	respondTo(request: ServiceRequest, caller: Caller): ServiceResponse {
		const { method, query, headers } = request;
		const number = owners.findIndex(({ userId }) => userId === headers['user-id']);
		const account = (this.all[number] ?? this.all[0]) as Service;
		const before = new Set(account.created.map(({ id }) => id));
		const webhook =
			method === 'DELETE'
				? account.webhooks.find(({ webHookID }) => webHookID === query.webHookID)
				: undefined;
		const response = account.respondTo(request);
		const { instance, execution = '' } = caller;
		for (const created of account.created) {
			if (before.has(created.id)) continue;
			this.creations.push({ ...created, instance, execution });
		}
		if (webhook && !account.webhooks.includes(webhook)) this.onDeletion({ webhook, caller });
		return response;
	}

	/** Returns the response to a download. */
	file(url: string): ServiceResponse {
		const [, , documentID] = new URL(url).pathname.split('/');
		return this.withDocument(documentID ?? '').file(url);
	}

	/** The existing webhooks, oldest first in each account. */
	get webhooks(): RegistrationRecord[] {
		return this.all.flatMap(({ webhooks }) => webhooks);
	}

	get created(): Created[] {
		return this.all.flatMap(({ created }) => created);
	}

	get documentRecords(): DocumentRecord[] {
		return this.all.flatMap(({ documentRecords }) => documentRecords);
	}

	get identityRecords(): IdentityRecord[] {
		return this.all.flatMap(({ identityRecords }) => identityRecords);
	}

	/** Signs a document on behalf of everyone who has not signed yet. */
	async sign(documentID: string): Promise<void> {
		await this.withDocument(documentID).sign(documentID);
	}

	/** Reports an open document as if it were completed, but with this status. */
	reportStatus(documentID: string, status: string): void {
		this.withDocument(documentID).reportStatus(documentID, status);
	}

	finishIdentity(validationId: string): void {
		const isOwn = (service: Service) =>
			service.identityRecords.some((record) => record.validationId === validationId);
		this.all.find(isOwn)?.finishIdentity(validationId);
	}

	/**
	 * Completes a document or a verification if it is still open. Then sends the result to all currently
	 * registered webhooks.
	 */
	async endAndTell(created: Created): Promise<void> {
		await this.all[created.account]?.endAndTell(created);
	}

	liftRateLimit(): void {
		for (const service of this.all) service.liftRateLimit();
	}

	private withDocument(id: string): Service {
		const isOwn = (service: Service) =>
			service.documentRecords.some(({ documentID }) => documentID === id);
		return (this.all.find(isOwn) ?? this.all[0]) as Service;
	}
}
