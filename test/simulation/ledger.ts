import type { RegistrationRecord } from '../../sandbox/state/records';
import type { Caller } from './network';
import type { ServiceAnswer, ServiceRequest } from './service/contract';
import type { Created, Service } from './service/service';

/** A document or an identity request that somebody's call created. */
export interface Creation extends Created {
	instance: string;
	execution: string;
}

/** A webhook that somebody's call deleted. */
export interface Deletion {
	webhook: RegistrationRecord;
	caller: Caller;
}

/** What the service did, and for whom. */
export class Ledger {
	readonly creations: Creation[] = [];

	/** Looks at a deletion at the moment at which it happens. */
	onDeletion: (deletion: Deletion) => void = () => undefined;

	constructor(private readonly service: Service) {}

	/** Lets the service answer, and notes what came of it. */
	answer(request: ServiceRequest, caller: Caller): ServiceAnswer {
		const { service } = this;
		const before = service.created.length;
		const webhook =
			request.method === 'DELETE'
				? service.webhooks.find(({ webHookID }) => webHookID === request.query.webHookID)
				: undefined;
		const answer = service.answer(request);
		const { instance, execution = '' } = caller;
		for (const created of service.created.slice(before)) {
			this.creations.push({ ...created, instance, execution });
		}
		if (webhook && !service.webhooks.includes(webhook)) this.onDeletion({ webhook, caller });
		return answer;
	}
}
