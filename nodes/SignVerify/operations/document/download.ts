import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { DocumentFile } from '../../api/notification';
import { downloadFile } from '../../http/download';
import { listOf, objectOf, textOf } from '../../util/values';
import { documentFiles } from '../../webhooks/files';
import { InputError, readEach } from '../inputError';
import { readWebAddress } from '../parameters';
import type { ItemContext, Operation } from '../types';

/** A file of a document with a pre-signed URL. */
interface FileKind {
	/** As workflows save it; also the name of the output field. */
	value: DocumentFile;
	/** In the form. */
	name: string;
	description: string;
	/** The fields of a notification's document, and of its `webhookData`, that have the URL. */
	inEvent: [documentField: string, webhookDataField: string];
}

const kinds: FileKind[] = [
	{
		value: 'certificate',
		name: 'Certificate',
		description: 'The certificate of the signatures',
		inEvent: ['certificateURL', 'certificateURL'],
	},
	{
		value: 'document',
		name: 'Document',
		description: 'The document itself, signed as far as it is',
		inEvent: ['documentURL', 'documentURL'],
	},
	{
		value: 'pscCertificate',
		name: 'PSC Certificate',
		description:
			'The certificate of an accredited certification service provider (in Spanish PSC), if your service uses one',
		inEvent: ['pscCertificateURL', 'pscUrl'],
	},
];

/** The parameter for the URL of a file, which is also its name in simplified trigger output. */
function urlField({ value }: FileKind): string {
	return `${value}Url`;
}

/** Finds the URL in an item of the SignVerify Trigger, simplified or as received. */
function urlInItem(kind: FileKind): string {
	const [inDocument, inData] = kind.inEvent;
	return `={{ $json.${urlField(kind)} || $json.Document?.${inDocument} || $json.Document?.webhookData?.${inData} }}`;
}

/** How many times the credential's "Timeout" a file may take, because a sender of single bytes is never silent. */
const timeoutsOfFile = 20;

/**
 * document / download: downloads the files of an event (docs/dev/service.md#completeddocument). Their
 * pre-signed URLs are the permission, so neither key nor token is sent.
 */
export const downloadDocument: Operation = {
	resource: 'document',
	value: 'download',
	name: 'Download',
	action: 'Download document',
	description:
		'Fetch the signed document and its certificates as files, with the links in an event. These links expire.',
	fields: [
		{
			displayName: 'Files',
			name: 'files',
			type: 'multiOptions',
			options: kinds.map(({ name, value, description }) => ({ name, value, description })),
			default: ['document'],
			required: true,
			description: 'Which files of the document to download',
		},
		...kinds.map((kind): INodeProperties => ({
			displayName: `${kind.name} URL`,
			name: urlField(kind),
			type: 'string',
			default: urlInItem(kind),
			required: true,
			displayOptions: { show: { files: [kind.value] } },
			description: `The link to ${documentFiles[kind.value].noun}. The default finds it in an item of a SignVerify Trigger.`,
		})),
	],

	async run(item) {
		const files = readFiles(item);
		const { timeout } = await item.service.account();
		const binary: INodeExecutionData['binary'] = { ...item.input.binary };
		for (const { file, address } of files) {
			const download = {
				address,
				...documentFiles[file],
				title: titleOf(item),
				timeout,
				total: timeoutsOfFile * timeout,
			};
			binary[file] = await downloadFile(item.execute, download);
		}
		return [{ json: item.input.json, binary }];
	},
};

/** @throws InputError if no file is chosen, or one has no URL or a malformed one. */
function readFiles(item: ItemContext): Array<{ file: DocumentFile; address: string }> {
	const values = listOf(item.parameter('files'));
	if (values.length === 0) {
		throw new InputError('Files', 'none is chosen', 'Choose at least one file.', 'files');
	}
	return readEach([...new Set(values)], (value) => {
		const kind = kinds.find((each) => each.value === value);
		if (!kind) {
			const problem = `there is no file "${textOf(value).slice(0, 80)}"`;
			throw new InputError('Files', problem, 'Choose from the list.', 'files');
		}
		const { noun } = documentFiles[kind.value];
		const remedy = `Enter the link to ${noun}, or remove it from "Files". In an item of a SignVerify Trigger, it is there if the event has one.`;
		const address = readWebAddress(item.parameter(urlField(kind)), `${kind.name} URL`, remedy);
		return { file: kind.value, address };
	});
}

/** The document's title in an item, simplified or as received, for the names of the files. */
function titleOf(item: ItemContext): string {
	const { json } = item.input;
	return textOf(json.title ?? objectOf(json.Document).title).trim();
}
