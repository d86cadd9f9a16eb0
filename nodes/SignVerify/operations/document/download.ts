import type { GenericValue, IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { readItemText } from '../../columns/itemText';
import {
	attachmentFieldsOf,
	checksumField,
	documentFiles,
	fileChoices,
	personOfFiles,
	readFiles,
	urlField,
} from '../../files/fileChoice';
import { downloadFile } from '../../files/fileDownload';
import { enteredIn, textRules } from '../../form/texts';
import { executionFileMs } from '../../http/callTimeouts';
import { objectOf, textOf } from '../../util/values';
import { accountOfItem } from '../accountCheck';
import type { Operation } from '../operationTypes';

/**
 * document / download: downloads an event's files (docs/dev/service.md#completeddocument). Anyone with a
 * pre-signed URL can download its file, so the node sends neither the API key nor a token.
 */
export const downloadDocument: Operation = {
	resource: 'document',
	value: 'download',
	callsOthers: true,
	name: 'Download',
	action: 'Download document',
	description:
		'Download the signed document and its certificates. Their links expire, so download them right away.',
	fields: [
		{
			displayName: 'Files',
			name: 'files',
			type: 'multiOptions',
			options: [...fileChoices],
			default: ['document'],
			required: true,
			description: "Which of the document's files to download",
		},
		...fileChoices.map(({ name, value }): INodeProperties => ({
			displayName: `${name} URL`,
			name: urlField(value),
			type: 'string',
			default: `={{ $json.${urlField(value)} }}`,
			required: true,
			displayOptions: { show: { files: [value] } },
			description: `The link to ${documentFiles[value].noun}, from a SignVerify Trigger's simplified output`,
		})),
	],

	async run(item) {
		const files = readFiles(item, (file, label) => {
			const remedy = `Enter the link to ${documentFiles[file].noun}, or deselect this file under Files.`;
			const entered = enteredIn(item, { name: urlField(file), label: `${label} URL` });
			const address = readItemText(item, entered, textRules.fileLink(remedy));
			return { file, address };
		});
		const { id: account, timeoutMs } = await accountOfItem(item);
		const { title, signatories, documentId, missingFiles } = item.input.json;
		const binary: INodeExecutionData['binary'] = { ...item.input.binary };
		const checksums: IDataObject = {};
		for (const { file, address } of files) {
			const { data, sha256 } = await downloadFile(item.context, {
				address,
				...documentFiles[file],
				title: textOf(title).trim(),
				person: personOfFiles(signatories),
				documentId: textOf(documentId).trim(),
				purpose: 'execution',
				account,
				timeoutMs,
				// The timeout alone isn't enough, because a host that sends one byte at a time never exceeds it.
				totalMs: executionFileMs,
			});
			binary[file] = data;
			checksums[checksumField(file)] = sha256;
		}
		const isStillMissing = (entry: unknown) =>
			!files.some(({ file }) => file === objectOf(entry).file);
		const json = {
			...item.input.json,
			...checksums,
			attachmentFields: attachmentFieldsOf(binary),
			...(Array.isArray(missingFiles)
				? { missingFiles: missingFiles.filter(isStillMissing) as GenericValue[] }
				: {}),
		};
		return [{ json, binary }];
	},
};
