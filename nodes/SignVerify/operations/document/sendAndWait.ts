import { updateDisplayOptions } from 'n8n-workflow';

import { nameOf } from '../../api/templates';
import type { OutputChoice } from '../../events/output';
import { optionsField, outputField, textField } from '../../input/form';
import { readAll } from '../../input/inputError';
import { type ItemContext, readSwitch } from '../../input/item';
import { readId, readOutput } from '../../input/parameters';
import { textOf } from '../../util/values';
import {
	limitWaitTimeFields,
	readWaitLimit,
	type StartedItem,
	startWaiting,
} from '../../wait/start';
import type { SendingOperation } from '../types';
import {
	documentFields,
	documentOptions,
	type PreparedDocument,
	prepareDocument,
	previewOf,
	sendDocument,
} from './createFromTemplate';

const idSource = 'Use the documentId that sending the document gave.';

type NewDocument = OutputChoice & { document: PreparedDocument };
type SentBefore = OutputChoice & { documentId: string };
/** The limit is in milliseconds. */
type PreparedWait = (NewDocument | SentBefore) & { limit: number };

/**
 * document / sendAndWait: creates a document as createFromTemplate does, or uses one that was sent
 * before, and puts the execution to wait until everybody has signed (docs/waiting.md).
 */
export const sendDocumentAndWait: SendingOperation<PreparedWait> = {
	resource: 'document',
	value: 'sendAndWait',
	name: 'Send for Signature and Wait',
	action: 'Send document for signature and wait',
	description:
		'E-mails each signatory a signing link, and continues when all of them have signed. The workflow can wait for days, also while n8n is restarted.',
	fields: [
		{
			displayName:
				'The tool runs only after everybody has signed the document below. Nobody gets the message above.',
			name: 'reviewNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { '@tool': [true] } },
		},
		{
			displayName: 'Document',
			name: 'document',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Send a New One',
					value: 'new',
					description: 'Fill in a template and send it, then wait',
				},
				{
					name: 'Wait for One Sent Before',
					value: 'existing',
					description: 'For a document that another node has sent',
				},
			],
			default: 'new',
		},
		...updateDisplayOptions({ show: { document: ['new'] } }, documentFields),
		textField({
			displayName: 'Document ID',
			name: 'documentId',
			placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
			displayOptions: { show: { document: ['existing'] } },
			description:
				'The documentId that sending the document gave. Put this node right behind that one: a document that is completed before is not noticed.',
		}),
		{
			displayName: 'Download Files',
			name: 'downloadFiles',
			type: 'boolean',
			default: false,
			description:
				'Whether to attach the signed document and its certificates to the item. Later, their links may have expired.',
		},
		...limitWaitTimeFields,
		...updateDisplayOptions({ show: { document: ['new'] } }, documentOptions),
		...updateDisplayOptions({ show: { document: ['existing'] } }, [optionsField([outputField])]),
	],

	waits: true,

	async prepare(item) {
		const form = readAll({
			output: () => readOutput(item.parameter('options.output')),
			files: () => readSwitch(item, 'downloadFiles', 'Download Files'),
			limit: () => readWaitLimit(item),
		});
		if (item.parameter('document') === 'existing') {
			// The service has no call that says whether a document is completed.
			const documentId = readId(item.parameter('documentId'), 'Document ID', idSource);
			return { ...form, documentId };
		}
		return { ...form, document: await prepareDocument(item) };
	},

	preview(data) {
		const document = 'document' in data ? previewOf(data.document) : {};
		return { ...document, completed: false, timedOut: false };
	},

	async send(item, data) {
		return await startWaiting(item, 'completedDocument', data.limit, async () =>
			'document' in data ? await sendNew(item, data) : sentBefore(data),
		);
	},
};

async function sendNew(
	item: ItemContext,
	{ document, output, files }: NewDocument,
): Promise<StartedItem> {
	const since = Date.now();
	const { json, created, documentId } = await sendDocument(item, document);
	const { templateID: templateId, country, signatories } = document.body;
	const emails = signatories.map(({ email }) => email);
	const awaited = { documentId, templateId, emails, since, until: Date.now() };
	const own = { country, roles: document.signedRoles };
	const people = signatories.map(({ name, email }) => `${name} (${email})`).join(', ');
	return {
		json,
		created,
		target: { kind: 'document', document: awaited, output, files, own },
		waitsFor: `"${textOf(json.title) || nameOf(document.template)}", to be signed by ${people}`,
	};
}

function sentBefore({ documentId, output, files }: SentBefore): StartedItem {
	const document = { documentId, templateId: '', emails: [], since: 0, until: 0 };
	return {
		json: { documentId },
		target: { kind: 'document', document, output, files },
		waitsFor: `the document ${documentId}`,
	};
}
