import { optionsField } from '../options';
import { sendOnceOption } from '../sendOnce';
import { includeInactiveOption } from '../template/fields';
import type { Operation } from '../types';
import { createdDocument, nameOfCreated } from './created';
import { documentFields, prepareDocument, sendDocument } from './documents';

/**
 * document / createFromTemplate: creates a document and has the service mail a signing link to each
 * signatory (docs/service.md#create-a-document-version-1, #create-a-document-version-2).
 */
export const createFromTemplate: Operation = {
	resource: 'document',
	value: 'createFromTemplate',
	name: 'Send for Signature',
	action: 'Send document for signature',
	description: 'E-mails each signatory a link to sign a document that is made from a template',
	fields: [...documentFields, optionsField([includeInactiveOption, sendOnceOption])],

	sendsOnce: true,

	async run(item) {
		const prepared = await prepareDocument(item);
		const envelope = await sendDocument(item, prepared);
		const simplify = item.parameter('simplify') !== false;
		const json = createdDocument(envelope, prepared.body, prepared.template, simplify);
		return [{ json, created: nameOfCreated(json) }];
	},
};
