import { nameOf } from '../../api/templates';
import { downloadFilesFields, type FilesChoice, readDownloadFiles } from '../../events/files';
import { readAll } from '../../input/inputError';
import type { ItemContext } from '../../input/item';
import { settle, valueOf } from '../../util/async';
import { textOf } from '../../util/values';
import { nameWithoutId } from '../../wait/outcome';
import { humanReviewNotice } from '../../wait/humanReview';
import { limitWaitTimeFields, readWaitLimitMs } from '../../wait/limit';
import { type StartedItem, startWaiting } from '../../wait/start';
import type { WaitTarget } from '../../wait/state';
import type { SendingOperation } from '../types';
import {
	documentFields,
	documentOptions,
	type PreparedDocument,
	prepareDocument,
	previewOf,
	redirectDocument,
	sendDocument,
} from './createFromTemplate';

/** What to send, which of its files to attach when it is signed, and how long to wait. */
interface PreparedWait {
	document: PreparedDocument;
	files: FilesChoice;
	limitMs: number;
}

/**
 * document / sendAndWait: creates a document as createFromTemplate does, and puts the execution to wait until
 * everybody has signed (docs/waiting.md).
 */
export const sendDocumentAndWait: SendingOperation<PreparedWait> = {
	resource: 'document',
	value: 'sendAndWait',
	name: 'Send for Signature and Wait',
	action: 'Send document for signature and wait',
	description:
		'Emails each signatory a signing link, and continues when all of them have signed. The workflow can wait for days, also while n8n is restarted.',
	fields: [
		{
			displayName: humanReviewNotice,
			name: 'reviewNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { '@tool': [true] } },
		},
		...documentFields,
		...downloadFilesFields(
			'Whether to attach the signed document or its certificates to the item. Later, their links may have expired.',
		),
		...limitWaitTimeFields,
		...documentOptions,
	],

	waits: true,

	async prepare(item) {
		// A person is told at once what is wrong with the document and with the wait.
		const document = await settle(prepareDocument(item));
		return readAll({
			document: () => valueOf(document),
			files: () => readDownloadFiles(item),
			limitMs: () => readWaitLimitMs(item),
		});
	},

	preview({ document }) {
		return { completed: false, timedOut: false, ...previewOf(document) };
	},

	redirect: (prepared, testRecipient) => ({
		...prepared,
		document: redirectDocument(prepared.document, testRecipient),
	}),

	async send(item, prepared, testRecipient) {
		const { templateID, signatories } = prepared.document.body;
		const emails = signatories.map(({ email }) => email);
		const documentName = nameWithoutId(templateID, emails);
		return await startWaiting(
			item,
			{ waitsFor: 'document', limitMs: prepared.limitMs, documentName, testRecipient },
			async () => await sendToAwait(item, prepared),
		);
	},
};

async function sendToAwait(
	item: ItemContext,
	{ document, files }: PreparedWait,
): Promise<StartedItem> {
	const since = Date.now();
	const { json, created, documentId } = await sendDocument(item, document);
	const { templateID: templateId, country, signatories } = document.body;
	const emails = signatories.map(({ email }) => email);
	const sent = { documentId, templateId, emails, since, until: Date.now() };
	const own = { country, roles: document.signedRoles };
	const { output } = document;
	const target: WaitTarget = { kind: 'document', document: sent, output, files, own };
	const people = signatories.map(({ name, email }) => `${name} (${email})`).join(', ');
	const name = `"${textOf(json.title) || nameOf(document.template)}", to be signed by ${people}`;
	return { json, created, awaited: { target, name } };
}
