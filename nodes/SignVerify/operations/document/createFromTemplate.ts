import { type Output, readOutput } from '../../input/form';
import type { SendingOperation } from '../types';
import {
	documentFields,
	documentOptions,
	type PreparedDocument,
	prepareDocument,
	sendDocument,
} from './documents';

/**
 * document / createFromTemplate: creates a document, and the service mails a signing link to each
 * signatory (docs/dev/service.md#create-a-document-version-1, #create-a-document-version-2).
 */
export const createFromTemplate: SendingOperation<PreparedDocument & { output: Output }> = {
	resource: 'document',
	value: 'createFromTemplate',
	name: 'Send for Signature',
	action: 'Send document for signature',
	description: 'E-mails each signatory a link to sign a document that is made from a template',
	fields: [...documentFields, ...documentOptions],

	async prepare(item) {
		const output = readOutput(item.parameter('options.output'));
		const { preview, data } = await prepareDocument(item);
		return { preview, data: { ...data, output } };
	},

	async send(item, { output, ...document }) {
		return [await sendDocument(item, document, output)];
	},
};
