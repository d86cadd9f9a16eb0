import { outputField } from '../../form/outputChoice';
import type { SendingOperation } from '../operationTypes';
import {
	documentFields,
	describeDocument,
	documentKeyOwner,
	documentOptions,
	documentWords,
	prepareDocument,
} from './documentToSend';
import { lacksPeople } from './signatories';

/**
 * document / send: creates a document. The service then emails a signing link to each signatory
 * (docs/dev/service.md#create-a-document-version-1, #create-a-document-version-2).
 */
export const sendDocument: SendingOperation = {
	resource: 'document',
	value: 'send',
	name: 'Send for Signature',
	action: 'Send document for signature',
	description: 'Create a document from a template and email each signatory a link to sign it',
	fields: [...documentFields, documentOptions(outputField())],
	sends: true,
	about: 'document',
	words: documentWords,
	keyOwner: documentKeyOwner,
	prepare: prepareDocument,
	describe: describeDocument,
	lacksPeople,
};
