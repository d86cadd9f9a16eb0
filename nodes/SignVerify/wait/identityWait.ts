import { ServiceClient } from '../account/client';
import { credentialProblems } from '../account/credentialProblems';
import { refuseAgain } from './refusals';
import { storedPerson } from '../form/expectedPerson';
import { eventCallMs } from '../http/callTimeouts';
import { outcomeFields } from '../item/outcome';
import { isOwner } from '../registrations/waitWebhooks';
import { type AwaitedIdentity, checkIdentity } from './identityVerdict';
import { type Decision, somethingElse, type WaitKind } from './waitKinds';

/** An awaited request, as the wait's state contains it. */
export interface IdentityTarget extends Omit<AwaitedIdentity, 'expected'> {
	about: 'identity';
	/** What {@link storedPerson} reads. It's missing if an earlier version stored the state. */
	expected?: unknown;
}

/**
 * The decision on an event that probably ends the wait, but the service has not confirmed this yet. The
 * service has to send the event again.
 */
const tooEarly: Decision = {
	endsWait: false,
	response: {
		status: 503,
		message:
			"The service hasn't returned the result of this verification yet. Send the event again.",
	},
};

const inOtherAccount: Decision = {
	...tooEarly,
	hint: `${credentialProblems.otherAccount.problem}, which doesn't know this verification. Select the credential with which the wait began.`,
};

export const identityWait: WaitKind<IdentityTarget> = {
	isTarget({ validationId, personal }) {
		return typeof validationId === 'string' && validationId !== '' && typeof personal === 'boolean';
	},

	async decide(target, { context, webhook: { hash }, notification: { validationIds, id }, owner }) {
		const isNamed = validationIds.includes(target.validationId);
		if (validationIds.length > 0 && !isNamed) return somethingElse;
		const service = new ServiceClient(context, eventCallMs);
		const awaited = { ...target, expected: storedPerson(target.expected) };
		const identity = await checkIdentity(service, awaited, isNamed);
		if (identity.isOver) {
			const { wait, fields } = identity;
			if (fields.resultsMissing === true) {
				// In another account, a result that is missing says nothing about the request.
				const { id: account } = await service.account();
				if (!isOwner(account, owner)) return inOtherAccount;
				if (refuseAgain(hash)) return tooEarly;
			}
			const json = { ...outcomeFields({ about: target.about, wait }), ...fields };
			return { endsWait: true, createItem: () => ({ json }) };
		}
		// An event without an ID may be about the awaited request, but arrive before the service reports that
		// the request is over. So refuse the event the first few times it arrives.
		return refuseAgain(`${hash} ${id}`) ? tooEarly : somethingElse;
	},
};
