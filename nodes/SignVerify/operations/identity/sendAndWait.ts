import {
	updateDisplayOptions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import type { IdentityRequestBody } from '../../api/types';
import { includeInputOption } from '../../input/form';
import { readAll } from '../../input/inputError';
import type { ItemContext } from '../../input/item';
import { readChoice } from '../../input/parameters';
import { readSwitch } from '../../input/savedForm';
import { textOf } from '../../util/values';
import { identityOutcome } from '../../wait/outcome';
import { limitWaitTimeFields, readWaitLimitMs } from '../../wait/limit';
import { type StartedItem, startWaiting } from '../../wait/start';
import type { SendingOperation } from '../types';
import {
	knownRequest,
	readValidationId,
	validationIdField,
	personalDataField,
	previewOfRequest,
	readRequest,
	requestFields,
	requestOptions,
	sendRequest,
} from './fields';

/** While an execution waits, it gives nobody the link. */
const noLinkNotice: INodeProperties = {
	displayName: 'Only if your provider mails the link itself',
	name: 'noLinkNotice',
	type: 'notice',
	default: '',
};

/** Which verification is waited for. */
const verifications = [
	{
		name: 'Requested Before',
		value: 'existing',
		description: 'For a workflow that requests it, sends the person the link, and then waits',
	},
	{
		name: 'Request a New One',
		value: 'new',
		description: 'Requests the verification, and shows its link to nobody',
	},
] as const satisfies INodePropertyOptions[];

/**
 * identity / sendAndWait: asks for a verification, or uses one that was asked for before, and puts the
 * execution to wait until the person is done (docs/waiting.md).
 */
export const requestIdentityAndWait: SendingOperation<PreparedWait> = {
	resource: 'identity',
	value: 'sendAndWait',
	name: 'Wait Until Verified',
	action: 'Wait until identity is verified',
	description:
		'Continue when a person has been verified and the result is there. The workflow can wait for days, also while n8n is restarted.',
	fields: [
		{
			displayName: 'Verification',
			name: 'verification',
			type: 'options',
			noDataExpression: true,
			options: [...verifications],
			default: 'existing',
		},
		...updateDisplayOptions({ show: { verification: ['existing'] } }, [validationIdField]),
		...updateDisplayOptions({ show: { verification: ['new'] } }, [noLinkNotice, ...requestFields]),
		personalDataField,
		...limitWaitTimeFields,
		...updateDisplayOptions({ show: { verification: ['new'] } }, requestOptions),
		...updateDisplayOptions({ show: { verification: ['existing'] } }, [includeInputOption]),
	],

	waits: true,

	async prepare(item) {
		const chosen = item.parameter('verification');
		const isNew = readChoice(chosen, 'Verification', verifications).value === 'new';
		return readAll({
			personal: () => readSwitch(item, personalDataField.name, personalDataField.displayName),
			limitMs: () => readWaitLimitMs(item),
			given: () => (isNew ? readRequest(item) : { validationId: readValidationId(item) }),
		});
	},

	preview: ({ given }) => ('email' in given ? previewOfRequest(given) : { ...given }),

	// Nobody is asked for a verification that was requested before.
	redirect: ({ given, ...rest }, testRecipient) => ({
		...rest,
		given: 'email' in given ? { ...given, email: testRecipient } : given,
	}),

	async send(item, { given, personal, limitMs }, testRecipient) {
		return await startWaiting(item, { waitsFor: 'identity', limitMs, testRecipient }, async () =>
			'email' in given
				? await requestNew(item, given, personal)
				: await requestedBefore(item, given.validationId, personal),
		);
	},
};

/** What is asked for, or what was asked for before, and how to wait for it. */
interface PreparedWait {
	given: IdentityRequestBody | { validationId: string };
	personal: boolean;
	limitMs: number;
}

async function requestNew(
	item: ItemContext,
	body: IdentityRequestBody,
	personal: boolean,
): Promise<StartedItem> {
	const sent = await sendRequest(item, body);
	const validationId = textOf(sent.json.validationId);
	return {
		...sent,
		awaited: {
			target: { kind: 'identity', validationId, email: body.email, personal },
			name: `the verification of ${body.email}`,
		},
	};
}

/** The service is asked first, because no event arrives if the person is done already. */
async function requestedBefore(
	item: ItemContext,
	validationId: string,
	personal: boolean,
): Promise<StartedItem> {
	const identity = { validationId, email: '', personal };
	const outcome = await identityOutcome(item.service, identity);
	if (outcome) return { json: outcome };
	const email = textOf((await knownRequest(item, validationId)).emailId);
	return {
		json: { validationId, ...(email ? { email } : {}) },
		awaited: {
			target: { kind: 'identity', ...identity },
			name: email ? `the verification of ${email}` : `the verification ${validationId}`,
		},
	};
}
