import type { IDataObject } from 'n8n-workflow';

import type { DocumentFile } from '../../api/notification';
import { nameOf } from '../../api/templates';
import { downloadFilesFields } from '../../files/fileChoice';
import { outputField } from '../../form/outputChoice';
import type { IncludedValues } from '../../item/includedInput';
import type { ItemContext, ItemOutput } from '../../item/item';
import { readAll } from '../../errors/inputError';
import { settle, valueOf } from '../../util/async';
import { textOf } from '../../util/values';
import { continueWithTrigger, judgePublicUrl } from '../../wait/canWait';
import { checkReturnsIds, endWithoutId } from '../../wait/documentIds';
import { humanReviewNotice } from '../../wait/humanReview';
import { limitWaitTimeFields, readMaxWaitMs } from '../../wait/waitLimit';
import { type StartedItem, startWaiting } from '../../wait/start';
import type { WaitTarget } from '../../wait/state';
import type { ComparedContent, ContentKey } from '../comparedContent';
import { readDownloads } from '../awaitedFiles';
import type { Prepared, SendingOperation } from '../operationTypes';
import {
	describeDocument,
	documentFields,
	documentKeyOwner,
	documentOptions,
	type DocumentToSend,
	documentWords,
	prepareDocument,
} from './documentToSend';
import { sendDocument } from './send';
import { lacksPeople } from './signatories';

/**
 * document / sendAndWait: creates a document just as send does, and then makes the execution
 * wait until everyone has signed (docs/waiting.md).
 */
export const sendDocumentAndWait: SendingOperation = {
	resource: 'document',
	value: 'sendAndWait',
	name: 'Send for Signature and Wait',
	action: 'Send document for signature and wait',
	description:
		'Send a document and continue once everyone has signed. The workflow can wait for days, even if n8n restarts.',
	fields: [
		{
			displayName: humanReviewNotice,
			name: 'reviewNotice',
			type: 'notice',
			default: '',
			// @n8n n8n shows this only in the forms of the variants that it makes for AI agents.
			displayOptions: { show: { '@tool': [true] } },
		},
		...documentFields,
		...downloadFilesFields(
			'Whether to download the signed document or its certificates right away, before their links expire',
		),
		...limitWaitTimeFields,
		documentOptions(outputField('the event that ends the wait')),
	],

	sends: true,
	about: 'document',
	words: documentWords,
	keyOwner: documentKeyOwner,
	waits: { instead: `use ${sendDocument.action}, and ${continueWithTrigger}` },

	async prepare(item, testRecipient) {
		// Check everything before throwing so that one error lists the mistakes in both the document's fields
		// and the wait's fields.
		const preparation = await settle(prepareDocument(item, testRecipient));
		const { document, files, maxWaitMs } = readAll({
			document: () => valueOf(preparation),
			files: () => readDownloads(item),
			maxWaitMs: () => readMaxWaitMs(item),
			publicUrl: () => judgePublicUrl(item),
		});
		return new DocumentToAwait(item, document, { files, maxWaitMs, testRecipient });
	},

	describe: describeDocument,
	lacksPeople,
};

interface WaitChoices {
	files: DocumentFile[];
	maxWaitMs: number;
	testRecipient: string | undefined;
}

class DocumentToAwait implements Prepared {
	readonly #item: ItemContext;

	constructor(
		item: ItemContext,
		readonly document: DocumentToSend,
		readonly choices: WaitChoices,
	) {
		this.#item = item;
	}

	get content(): ComparedContent {
		return this.document.content;
	}

	nameInForm(key: ContentKey): string | undefined {
		return this.document.nameInForm(key);
	}

	get people(): string[] {
		return this.document.people;
	}

	preview(): IDataObject {
		return this.document.preview();
	}

	async send(included: IncludedValues): Promise<ItemOutput> {
		const { maxWaitMs, testRecipient } = this.choices;
		const { id: account } = await this.#item.service.account();
		checkReturnsIds(account);
		return await startWaiting(
			this.#item,
			{
				about: 'document',
				maxWaitMs,
				testRecipient,
				included,
				consequence: "The item wasn't sent.",
			},
			async () => await this.sendToAwait(account),
		);
	}

	private async sendToAwait(account: string): Promise<StartedItem> {
		const { template, body, signedRoles, output } = this.document.checked;
		const { files } = this.choices;
		const { json, created, documentId } = await this.document.send();
		if (!documentId) endWithoutId(account);
		const { country, signatories } = body;
		const target: WaitTarget = {
			about: 'document',
			documentId,
			output,
			files,
			knownDocument: { country, roles: signedRoles },
		};
		const people = signatories.map(({ name, email }) => `${name} (${email})`).join(', ');
		const name = `"${textOf(json.title) || nameOf(template)}", to be signed by ${people}`;
		return { json, ...(created === undefined ? {} : { created }), awaited: { target, name } };
	}
}
