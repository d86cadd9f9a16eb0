import type { IDataObject } from 'n8n-workflow';

import type { IdentityRequestBody } from '../../api/types';
import type { ItemContext, ItemOutput } from '../../input/item';
import { textOf } from '../../util/values';
import type { Prepared, SendingOperation } from '../types';
import {
	contentOfRequest,
	describeRequest,
	previewOfRequest,
	readRequest,
	redirectedRequest,
	requestFields,
	requestKeyOwner,
	requestOptions,
	requestWords,
	sendRequest,
} from './fields';

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
	fields: [...requestFields, ...requestOptions],

	sends: true,
	words: requestWords,
	keyOwner: requestKeyOwner,

	prepare: async (item, testerEmail) => {
		const request = readRequest(item);
		const body = redirectedRequest(request, testerEmail);
		return new RequestToSend(item, body, contentOfRequest(request));
	},

	describe: describeRequest,
};

class RequestToSend implements Prepared {
	readonly #item: ItemContext;

	constructor(
		item: ItemContext,
		readonly body: IdentityRequestBody,
		readonly content: Record<string, string>,
	) {
		this.#item = item;
	}

	preview(): IDataObject {
		return previewOfRequest(this.body);
	}

	async send(): Promise<ItemOutput> {
		const item = this.#item;
		const sent = await sendRequest(item, this.body);
		if (textOf(sent.json.url).trim()) return sent;
		// Only warn about a missing link, because the validationId proves that the request exists, and the
		// service may have emailed the link to the person.
		const warning =
			"The response doesn't contain a link (url) for the person. Ask your provider whether the person got an email.";
		item.hint(warning);
		return { ...sent, json: { ...sent.json, url: null, warnings: [...item.warnings, warning] } };
	}
}
