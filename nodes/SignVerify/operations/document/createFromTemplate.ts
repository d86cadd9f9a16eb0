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
	name: 'Create From Template',
	action: 'Create a document from a template',
	description:
		'Fill in a template and send the document to its signatories. The service mails each of them a signing link.',
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
