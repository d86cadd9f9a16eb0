import type { Caller } from './network';
import type { ServiceAnswer, ServiceRequest } from './service/contract';
import type { ServiceModel } from './service/service';
import type { RegistrationRecord } from './service/webhooks';

/** A document or an identity request that somebody's call created. */
export interface Creation {
	kind: 'document' | 'identity';
	id: string;
	email: string;
	instance: string;
	execution: string;
	at: number;
}

/** A registration that somebody's call deleted. */
export interface Deletion {
	registration: RegistrationRecord;
	caller: Caller;
}

/** What the service did, and for whom. */
export class Ledger {
	readonly creations: Creation[] = [];

	/** Looks at a deletion at the moment at which it happens. */
	onDeletion: (deletion: Deletion) => void = () => undefined;

	constructor(private readonly service: ServiceModel) {}

	/** Lets the service answer, and notes what came of it. */
	answer(request: ServiceRequest, caller: Caller): ServiceAnswer {
		const { documents, identityRequests } = this.service;
		const before = { documents: documents.length, identities: identityRequests.length };
		const { webHookID } = request.query;
		const registration =
			request.method === 'DELETE'
				? this.service.activeRegistrations.find((each) => each.webHookID === webHookID)
				: undefined;
		const answer = this.service.answer(request);
		for (const { documentID, body } of this.service.documents.slice(before.documents)) {
			this.note('document', documentID, body.signatories[0]?.email ?? '', caller);
		}
		for (const { validationId, body } of this.service.identityRequests.slice(before.identities)) {
			this.note('identity', validationId, body.email, caller);
		}
		if (registration?.deletedAt !== undefined) this.onDeletion({ registration, caller });
		return answer;
	}

	private note(kind: Creation['kind'], id: string, email: string, caller: Caller): void {
		const { instance, execution = '' } = caller;
		this.creations.push({ kind, id, email, instance, execution, at: Date.now() });
	}
}
