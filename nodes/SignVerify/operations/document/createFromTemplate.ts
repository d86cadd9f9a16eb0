import { createdDocumentId } from '../../api/documents';
import { checkOnlyOption, sendOnceOption } from '../sendItem';
import { optionsField } from '../form';
import { includeInactiveOption } from '../template/fields';
import type { SendingOperation } from '../types';
import {
	createdDocument,
	documentFields,
	documentPreview,
	nameOfCreated,
	otherCountOption,
	prepareDocument,
	sendDocument,
} from './documents';

/**
 * document / createFromTemplate: creates a document, and the service mails a signing link to each
 * signatory (docs/service.md#create-a-document-version-1, #create-a-document-version-2).
 */
export const createFromTemplate: SendingOperation = {
	resource: 'document',
	value: 'createFromTemplate',
	name: 'Send for Signature',
	action: 'Send document for signature',
	description: 'E-mails each signatory a link to sign a document that is made from a template',
	fields: [
		...documentFields,
		optionsField([checkOnlyOption, includeInactiveOption, otherCountOption, sendOnceOption]),
	],

	idField: 'documentId',

	async prepare(item) {
		const prepared = await prepareDocument(item);
		const simplify = item.parameter('simplify') !== false;
		return {
			preview: documentPreview(prepared),
			async send() {
				const envelope = await sendDocument(item, prepared);
				const json = createdDocument(envelope, prepared.body, prepared.template, simplify);
				return [{ json, created: nameOfCreated(json), sentId: createdDocumentId(envelope) }];
			},
		};
	},
};
