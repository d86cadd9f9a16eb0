import type { RegistrationRecord } from '../../sandbox/state/records';
import type { Caller } from '../n8n/surroundings';
import type { ServiceAnswer, ServiceRequest } from './service/contract';
import type { Accounts } from './service/accounts';
import type { Created } from './service/service';

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

	constructor(private readonly service: Accounts) {}

	/** Lets the service answer, and notes what came of it. */
	answer(request: ServiceRequest, caller: Caller): ServiceAnswer {
		const account = this.service.of(request);
		const before = new Set(account.created.map(({ id }) => id));
		const webhook =
			request.method === 'DELETE'
				? account.webhooks.find(({ webHookID }) => webHookID === request.query.webHookID)
				: undefined;
		const answer = account.answer(request);
		const { instance, execution = '' } = caller;
		for (const created of account.created) {
			if (before.has(created.id)) continue;
			this.creations.push({ ...created, instance, execution });
		}
		if (webhook && !account.webhooks.includes(webhook)) this.onDeletion({ webhook, caller });
		return answer;
	}
}
