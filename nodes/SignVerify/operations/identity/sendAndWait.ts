import {
	type IDataObject,
	type INodeProperties,
	type INodePropertyOptions,
	updateDisplayOptions,
} from 'n8n-workflow';

import type { ExpectedPerson } from '../../api/officialId';
import type { IdentityRequestBody } from '../../api/types';
import { expectedPersonFields, readExpectedPerson } from '../../input/expectedPerson';
import { fieldOf } from '../../input/field';
import { type IncludedInput, includeInputOption } from '../../input/form';
import { readAll } from '../../input/inputError';
import type { ItemContext, ItemOutput } from '../../input/item';
import { readChoice } from '../../input/parameters';
import { readSwitch } from '../../input/savedForm';
import { readItemText } from '../../templateForm/itemText';
import { textOf } from '../../util/values';
import { checkIdentity } from '../../wait/awaited';
import { judgePublicUrl } from '../../wait/canWait';
import { limitWaitTimeFields, readWaitLimitMs } from '../../wait/limit';
import { type StartedItem, startWaiting } from '../../wait/start';
import type { Prepared, SendingOperation } from '../types';
import {
	contentOfRequest,
	describeRequest,
	existingRequest,
	personalDataField,
	previewOfRequest,
	readRequest,
	readValidationId,
	redirectedRequest,
	requestFields,
	requestKeyOwner,
	requestOptions,
	requestWords,
	sendRequest,
	validationIdField,
} from './fields';

/**
 * A notice for new requests. No other node receives the link until the wait is over, so the workflow cannot
 * send it to the person.
 */
const noLinkNotice: INodeProperties = {
	displayName:
		"While the workflow waits, it can't send the link to the person. If your provider doesn't email the link, choose Existing Request instead.",
	name: 'noLinkNotice',
	type: 'notice',
	default: '',
};

/** The verifications that the node can wait for. */
const verifications = [
	{
		name: 'Existing Request',
		value: 'existing',
		description:
			'Wait for a verification that was requested earlier, so that you can send the person the link first',
	},
	{
		name: 'New Request',
		value: 'new',
		description:
			'Request a verification and wait for it. Use this only if your provider emails the link to the person.',
	},
] as const satisfies INodePropertyOptions[];

/**
 * identity / sendAndWait: requests a verification or takes an existing request, and makes the execution wait
 * until the person has finished (docs/waiting.md).
 */
export const requestIdentityAndWait: SendingOperation = {
	resource: 'identity',
	value: 'sendAndWait',
	name: 'Wait Until Verified',
	action: 'Wait until identity is verified',
	description:
		'Continue once a verification has a result. The workflow can wait for days, even if n8n restarts.',
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
		...expectedPersonFields,
		personalDataField,
		...limitWaitTimeFields,
		...updateDisplayOptions({ show: { verification: ['new'] } }, requestOptions),
		...updateDisplayOptions({ show: { verification: ['existing'] } }, [includeInputOption]),
	],

	sends: true,
	words: requestWords,
	keyOwner: requestKeyOwner,
	waits: true,

	async prepare(item, testerEmail) {
		const chosen = item.parameter('verification');
		const isNew = readChoice(chosen, 'Verification', verifications).value === 'new';
		const { expected, personal, limitMs, verification } = readAll({
			// The event's handler reads these fields again, so that no name is stored with the wait.
			expected: () => readExpectedPerson(item, readItemText),
			personal: () => readSwitch(item, fieldOf(personalDataField)),
			limitMs: () => readWaitLimitMs(item),
			publicUrl: () => judgePublicUrl(item),
			// Only a new request needs the tester's address, because for an existing request, nothing is sent
			// to anyone.
			verification: () => (isNew ? readRequest(item) : { validationId: readValidationId(item) }),
		});
		return new VerificationToAwait(item, verification, {
			expected,
			personal,
			limitMs,
			testerEmail,
		});
	},

	describe: describeRequest,
};

/** The checked values of the form's fields for the wait. The verification's values are stored separately. */
interface WaitChoices {
	/** The person to compare the ID with. */
	expected: ExpectedPerson;
	/** Whether to output the data from the person's official ID. */
	personal: boolean;
	limitMs: number;
	testerEmail: string | undefined;
}

/** A checked item to wait for: a new request to send, or the ID of an existing request. */
class VerificationToAwait implements Prepared {
	readonly #item: ItemContext;
	readonly verification: IdentityRequestBody | { validationId: string };
	readonly content: Record<string, string>;

	constructor(
		item: ItemContext,
		verification: IdentityRequestBody | { validationId: string },
		readonly choices: WaitChoices,
	) {
		this.#item = item;
		const isNew = 'email' in verification;
		this.verification = isNew ? redirectedRequest(verification, choices.testerEmail) : verification;
		this.content = isNew
			? contentOfRequest(verification)
			: { 'Validation ID': verification.validationId };
	}

	preview(): IDataObject {
		const { verification } = this;
		return 'email' in verification ? previewOfRequest(verification) : { ...verification };
	}

	async send(included: IncludedInput): Promise<ItemOutput> {
		const { verification } = this;
		const { expected, personal, limitMs, testerEmail } = this.choices;
		return await startWaiting(
			this.#item,
			{ about: 'identity', limitMs, testRecipient: testerEmail, included },
			async () =>
				'email' in verification
					? await requestNew(this.#item, verification, personal)
					: await requestedBefore(this.#item, verification.validationId, expected, personal),
		);
	}
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
			target: { about: 'identity', validationId, email: body.email, personal },
			name: `the verification of ${body.email}`,
		},
	};
}

/**
 * Asks the service for the outcome before waiting, because no event will arrive if the person has already
 * finished.
 */
async function requestedBefore(
	item: ItemContext,
	validationId: string,
	expected: ExpectedPerson,
	personal: boolean,
): Promise<StartedItem> {
	const identity = { validationId, email: '', personal };
	const state = await checkIdentity(item.service, { ...identity, expected });
	if (state.isOver) return { json: state.fields };
	const email = textOf(existingRequest(state.found, validationId).emailId);
	return {
		json: { validationId, ...(email ? { email } : {}) },
		awaited: {
			target: { about: 'identity', ...identity },
			name: email ? `the verification of ${email}` : `the verification ${validationId}`,
		},
	};
}
