import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { nounOf } from '../../api/events';
import { requestVerification } from '../../api/identities';
import type { IdentityRequestBody } from '../../api/types';
import { readsOwnColumn } from '../../columns/columnsRead';
import { readItemText } from '../../columns/itemText';
import { fieldOf } from '../../form/field';
import { readSwitch } from '../../form/savedForm';
import { enteredIn, textRules, textField } from '../../form/texts';
import { isUnfilled, readNamedEmail } from '../../form/valueReaders';
import { lostCreation } from '../../http/failures';
import { includeInputOption } from '../../item/includedInput';
import type { ItemContext, ItemOutput } from '../../item/item';
import { sendsDespiteWarnings, withoutWarnings } from '../../item/sendDespiteWarnings';
import { readAll } from '../../errors/inputError';
import { settleSync, valueOf } from '../../util/async';
import { comparedEmail } from '../../util/comparedEmail';
import { textOf, withFirst } from '../../util/values';
import { type ComparedContent, comparedContentOf, type ContentKey } from '../comparedContent';
import { sendOnceOption } from '../sendOnceKey';
import { sendingOptions, testRunFields } from '../testRuns';
import type { Prepared, SendingOperation, SendingWords } from '../operationTypes';

/** They say "requests" instead of "emails", because some services return the link, but don't email it to the person. */
const words: SendingWords = {
	noun: nounOf.identity,
	effect: 'requests a verification for a real person',
	toTry: 'To try the verification yourself',
	whenPublished: 'requests a verification for the real person',
	toMe: 'Your own address. The verification is real, so it may cost money, and starts published workflows with a SignVerify Trigger.',
	afterTest: (testRecipient) =>
		`the verification is for ${testRecipient} instead of the real person. When the published workflow runs, the real person is verified.`,
};

/** The field for each value that a request sends, by its key in the body. */
const requestFields: Record<keyof IdentityRequestBody, INodeProperties> = {
	email: textField({
		displayName: 'Email',
		name: 'email',
		placeholder: 'e.g. name@email.com',
		description: 'Email address of the person to verify',
		builderHint: {
			propertyHint:
				'With the operation request, send the person the url from the output, because not every provider emails the link.',
		},
	}),
	type: textField({
		displayName: 'Verification Type',
		name: 'verificationType',
		default: 'FACE',
		description:
			'How the person is verified. FACE uses an official ID and a selfie. Ask your provider for other types.',
	}),
	backgroundCheck: {
		displayName: 'Background Check',
		name: 'backgroundCheck',
		type: 'boolean',
		default: true,
		description: 'Whether your provider also runs a background check on the person',
	},
};

const requestNamesInForm: Partial<Record<string, string>> = Object.fromEntries(
	Object.entries(requestFields).map(([key, { displayName }]) => [key, displayName]),
);

/** @throws InputError for a wrong value. */
function readRequest(item: ItemContext): IdentityRequestBody {
	const typeRules = textRules.plain('Enter a type, such as FACE.');
	const { email, type, backgroundCheck } = readAll({
		email: () =>
			readItemText(item, enteredIn(item, fieldOf(requestFields.email)), textRules.email()),
		type: () => readItemText(item, enteredIn(item, fieldOf(requestFields.type)), typeRules),
		backgroundCheck: () => readSwitch(item, fieldOf(requestFields.backgroundCheck, 'options')),
		// Without a warning, nothing else would notice a wrong value of the option.
		strictness: () => sendsDespiteWarnings(item),
	});
	return { email, type, backgroundCheck };
}

export function contentOfRequest(body: IdentityRequestBody): ComparedContent {
	return comparedContentOf({ ...body, email: comparedEmail(body.email) });
}

export function redirectedRequest(
	body: IdentityRequestBody,
	testRecipient: string,
): IdentityRequestBody {
	return { ...body, email: testRecipient };
}

/**
 * identity / request: requests a person's verification
 * (docs/dev/service.md#create-an-identity-verification-request). The response's `url` is the link for the
 * person.
 */
export const requestIdentity: SendingOperation = {
	resource: 'identity',
	value: 'request',
	name: 'Request',
	action: 'Request identity verification',
	description:
		'Request a verification and get its link. Send it to the person, because not every provider emails it.',
	fields: [
		requestFields.email,
		requestFields.type,
		...testRunFields(words),
		sendingOptions([
			sendOnceOption('application'),
			requestFields.backgroundCheck,
			includeInputOption,
		]),
	],

	sends: true,
	about: 'identity',
	words,
	keyOwner: async () => await Promise.resolve(['identity', '']),

	prepare: async (item, testRecipient) => {
		const request = readRequest(item);
		const body = testRecipient === undefined ? request : redirectedRequest(request, testRecipient);
		return await Promise.resolve(new RequestToSend(item, body, contentOfRequest(request)));
	},

	lacksPeople: (item) =>
		readsOwnColumn(item.rawParameter(requestFields.email.name)) &&
		isUnfilled(item.parameter(requestFields.email.name)),

	async describe(item) {
		const entered = settleSync(() => enteredIn(item, fieldOf(requestFields.email)));
		const email = settleSync(() => readNamedEmail(valueOf(entered).value, 'Email').email);
		const addresses = settleSync(() => [
			readItemText(withoutWarnings(item), valueOf(entered), textRules.email()),
		]);
		return await Promise.resolve({ output: email.ok ? { email: email.value } : {}, addresses });
	},
};

class RequestToSend implements Prepared {
	readonly #item: ItemContext;

	constructor(
		item: ItemContext,
		readonly body: IdentityRequestBody,
		readonly content: ComparedContent,
	) {
		this.#item = item;
	}

	nameInForm({ key }: ContentKey): string | undefined {
		return requestNamesInForm[key];
	}

	get people(): string[] {
		return [this.body.email];
	}

	/** The values have the same names as in the form. */
	preview(): IDataObject {
		const { body } = this;
		const keys = Object.keys(requestFields) as Array<keyof IdentityRequestBody>;
		return Object.fromEntries(keys.map((key) => [requestFields[key].name, body[key]]));
	}

	/**
	 * @returns The response (`url`, `validationId`) and the person's email.
	 * @throws ServiceError, whose `mayHaveCreated` is true if the request may have been created. A response
	 * without a validationId is treated as a lost response, because without the ID, the workflow can neither get
	 * the request's result nor wait for it.
	 */
	async send(): Promise<ItemOutput> {
		const item = this.#item;
		const response = await requestVerification(item.service, this.body);
		const validationId = textOf(response.validationId).trim();
		if (!validationId) {
			throw lostCreation("The service didn't return a validationId", nounOf.identity);
		}
		const created = `identity request ${validationId}`;
		const checked = { validationId, email: this.body.email };
		const warningsOfItem = [...item.warnings];
		const json = withFirst(checked, { ...response, warnings: warningsOfItem });
		if (textOf(response.url).trim()) return { json, created };
		// Only warn about a missing link, because the validationId proves that the request exists, and the
		// service may have emailed the link to the person.
		const warning =
			"The response doesn't contain a link (url) for the person. Ask your provider whether the person got an email.";
		item.hint(warning);
		return { json: { ...json, url: null, warnings: [...warningsOfItem, warning] }, created };
	}
}
