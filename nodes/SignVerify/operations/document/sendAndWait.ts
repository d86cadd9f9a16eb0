import { isObject } from '../../transport/envelope';
import { textOf } from '../../transport/text';
import { limitWaitTimeOption } from '../../waiting/limit';
import { beginWaiting } from '../../waiting/wait';
import { optionsField } from '../options';
import { sendOnceOption } from '../sendOnce';
import { includeInactiveOption } from '../template/fields';
import type { Operation } from '../types';
import { readSwitch } from '../values';
import { createdDocument, nameOfCreated } from './created';
import { documentFields, prepareDocument, sendDocument } from './documents';

/**
 * document / sendAndWait: creates a document as createFromTemplate does, and puts the execution to
 * wait until everybody has signed (docs/waiting.md).
 */
export const sendDocumentAndWait: Operation = {
	resource: 'document',
	value: 'sendAndWait',
	name: 'Send and Wait Until Signed',
	action: 'Send a document and wait until it is signed',
	description:
		'Fill in a template, send the document to its signatories, and go on when all of them have signed. The workflow waits for days if need be, also while n8n is restarted.',
	fields: [
		...documentFields,
		{
			displayName: 'Download Files',
			name: 'downloadFiles',
			type: 'boolean',
			default: false,
			description:
				'Whether to attach the signed document and its certificates to the item. Their links expire, so this is the moment to take them.',
		},
		optionsField([includeInactiveOption, limitWaitTimeOption, sendOnceOption]),
	],

	sendsOnce: true,
	waits: true,

	async run(item) {
		const files = readSwitch(item.parameter('downloadFiles'), 'Download Files');
		const simplify = item.parameter('simplify') !== false;
		const prepared = await prepareDocument(item);
		return await beginWaiting(item, 'completedDocument', async () => {
			const since = Date.now();
			const { body, template } = prepared;
			const envelope = await sendDocument(item, prepared);
			const answered = isObject(envelope.responseData) ? envelope.responseData : {};
			const document = {
				documentId: textOf(answered.documentID),
				templateId: body.templateID,
				emails: body.signatories.map(({ email }) => email),
				since,
			};
			return {
				json: createdDocument(envelope, body, template, simplify),
				awaited: { kind: 'document', document, simplify, files },
			};
		});
	},

	created: nameOfCreated,
};
