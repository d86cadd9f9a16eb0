import { type IWebhookFunctions, isExpression } from 'n8n-workflow';

import { ServiceClient } from '../account/client';
import type { ExpectedPerson } from '../api/officialId';
import { logOncePerMinute } from '../events/logOncePerMinute';
import { refuseAgain } from './refuseAgain';
import { forgottenPerson, readExpectedPerson } from '../form/expectedPerson';
import { savedParameters } from '../form/savedForm';
import { readEntered } from '../form/texts';
import { credentialProblems } from '../http/problems';
import { eventCallMs } from '../http/timeLimits';
import { parameterAtStart } from '../n8nInternals';
import { isOwner } from '../registrations/wait';
import { settleSync } from '../util/async';
import { type AwaitedIdentity, checkIdentity } from './awaited';
import { type Decision, somethingElse, type WaitKind } from './kind';

export interface IdentityTarget extends AwaitedIdentity {
	about: 'identity';
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
	hint: `${credentialProblems.otherAccount.message}, which doesn't know this verification. Select the credential with which the wait began.`,
};

export const identityWait: WaitKind<IdentityTarget> = {
	isTarget({ validationId, personal }) {
		return typeof validationId === 'string' && validationId !== '' && typeof personal === 'boolean';
	},

	async decide(target, { context, webhook: { hash }, notification: { validationIds, id }, owner }) {
		const isNamed = validationIds.includes(target.validationId);
		if (validationIds.length > 0 && !isNamed) return somethingElse;
		const service = new ServiceClient(context, eventCallMs);
		const awaited = { ...target, expected: expectedPerson(context) };
		const identity = await checkIdentity(service, awaited, isNamed);
		if (identity.isOver) {
			const { fields } = identity;
			if (fields.resultsMissing === true) {
				// In another account, a result that is missing says nothing about the request.
				const { id: account } = await service.account();
				if (!isOwner(account, owner)) return inOtherAccount;
				if (refuseAgain(hash)) return tooEarly;
			}
			return { endsWait: true, createItem: () => ({ json: fields }) };
		}
		// An event without an ID may be about the awaited request, but arrive before the service reports that
		// the request is over. So refuse the event the first few times it arrives.
		return refuseAgain(`${hash} ${id}`) ? tooEarly : somethingElse;
	},
};

/**
 * Reads whom the workflow expects from the node's form, as `execute()` did. The form is read again, because
 * the wait's state must not contain a person's name, date of birth or number.
 * @returns If an expression can no longer be evaluated, a person of whom nothing is known, so that every answer
 * that was asked for is unknown.
 */
function expectedPerson(context: IWebhookFunctions): ExpectedPerson {
	const saved = savedParameters(() => context.getNode().parameters);
	const parameter = (name: string) => {
		const value = saved.rawParameter(name);
		return isExpression(value) ? parameterAtStart(context, name) : value;
	};
	// The texts were judged when the wait began.
	const form = { ...saved, parameter, judge: () => undefined };
	const person = settleSync(() => readExpectedPerson(form, readEntered));
	if (person.ok) return person.value;
	const line =
		"SignVerify can't evaluate Expected Name or an option under Options anymore, so it can't compare them with the ID of a verified person.";
	logOncePerMinute(context, 'warn', line);
	return forgottenPerson(form);
}
