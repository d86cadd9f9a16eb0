import { updateDisplayOptions, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { identityEvent } from '../../api/events';
import { lostCreation } from '../../http/messages';
import { textOf } from '../../util/values';
import { identityOutcome } from '../../wait/identity';
import { type StartedItem, startWaiting } from '../../wait/start';
import { checkOnlyOption } from '../checkOnly';
import { sendOnceOption } from '../sendItem';
import { optionsField } from '../form';
import { readAll } from '../inputError';
import type { ItemContext, SendingOperation } from '../types';
import { checkCanWait, limitWaitTimeFields, readWaitLimit } from '../waiting';
import { readValidationId, validationIdField } from './get';
import { personalDataField, readPersonal } from './getResults';
import { readRequest, requestFields, sendRequest } from './request';

/** While an execution waits, it gives nobody the link. */
const noLinkNotice: INodeProperties = {
	displayName: 'Only if your provider mails the link itself',
	name: 'noLinkNotice',
	type: 'notice',
	default: '',
};

/**
 * identity / sendAndWait: asks for a verification, or uses one that was asked for before, and puts the
 * execution to wait until the person is done (docs/waiting.md).
 */
export const requestIdentityAndWait: SendingOperation = {
	resource: 'identity',
	value: 'sendAndWait',
	name: 'Request and Wait Until Verified',
	action: 'Request identity verification and wait',
	description:
		'Ask for the verification of a person, and continue when the result is there. The workflow can wait for days, also while n8n is restarted.',
	fields: [
		{
			displayName: 'Verification',
			name: 'verification',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Wait for One Requested Before',
					value: 'existing',
					description: 'For a workflow that requests it, sends the person the link, and then waits',
				},
				{
					name: 'Request a New One',
					value: 'new',
					description: 'Requests the verification, and shows its link to nobody',
				},
			],
			default: 'existing',
		},
		...updateDisplayOptions({ show: { verification: ['existing'] } }, [validationIdField]),
		...updateDisplayOptions({ show: { verification: ['new'] } }, [noLinkNotice, ...requestFields]),
		personalDataField,
		...limitWaitTimeFields,
		...updateDisplayOptions({ show: { verification: ['new'] } }, [
			optionsField([checkOnlyOption, sendOnceOption]),
		]),
	],

	waits: true,
	isSentBefore: isExisting,

	async prepare(item) {
		const { personal, limit, begin } = readAll({
			personal: () => readPersonal(item),
			limit: () => readWaitLimit(item),
			begin: () => (isExisting(item) ? existing(item) : fresh(item)),
		});
		checkCanWait(item.execute);
		const { preview, start } = begin;
		const startOne = async () => await start(personal);
		return {
			preview,
			send: async () => await startWaiting(item, identityEvent, limit, startOne),
		};
	},
};

function isExisting(item: ItemContext): boolean {
	return item.parameter('verification') === 'existing';
}

const withoutId = 'The service gave no validationId to wait for';

/** The output before anything is done for the item, and the function that starts it. */
interface Start {
	preview: IDataObject;
	start: (personal: boolean) => Promise<StartedItem>;
}

function fresh(item: ItemContext): Start {
	const request = readRequest(item);
	const start = async (personal: boolean): Promise<StartedItem> => {
		const sent = await sendRequest(item, request);
		const validationId = textOf(sent.json.validationId);
		// Without an ID, another person's event would end the wait.
		if (!validationId) throw lostCreation(withoutId, 'the identity request');
		return {
			...sent,
			target: { kind: 'identity', validationId, email: request.email, personal },
			waitsFor: `the verification of ${request.email}`,
		};
	};
	return { preview: { ...request }, start };
}

/** The service is asked first, because no event arrives if the person is done already. */
function existing(item: ItemContext): Start {
	const validationId = readValidationId(item);
	const start = async (personal: boolean): Promise<StartedItem> => {
		const identity = { validationId, email: '', personal };
		const outcome = await identityOutcome(item.service, identity);
		if (outcome) return { json: outcome };
		return {
			json: { validationId },
			target: { kind: 'identity', ...identity },
			waitsFor: `the verification ${validationId}`,
		};
	};
	return { preview: { validationId }, start };
}
