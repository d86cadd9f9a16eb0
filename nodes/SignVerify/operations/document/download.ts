import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { DocumentFile } from '../../api/notification';
import { documentFiles, fileKinds, personOfFiles, readFiles } from '../../events/files';
import { downloadFile } from '../../http/download';
import { readFileLink } from '../../input/parameters';
import { textOf } from '../../util/values';
import type { Operation } from '../types';

/** The parameter for the URL of a file, which is also its name in simplified output. */
function urlField(file: DocumentFile): string {
	return `${file}Url`;
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
	callsOthers: true,
	name: 'Download',
	action: 'Download document',
	description:
		'Download the signed document and its certificates, using the links from an event. The links expire.',
	fields: [
		{
			displayName: 'Files',
			name: 'files',
			type: 'multiOptions',
			options: [...fileKinds],
			default: ['document'],
			required: true,
			description: 'Which files of the document to download',
		},
		...fileKinds.map(({ name, value }): INodeProperties => ({
			displayName: `${name} URL`,
			name: urlField(value),
			type: 'string',
			default: `={{ $json.${urlField(value)} }}`,
			required: true,
			displayOptions: { show: { files: [value] } },
			description: `The link to ${documentFiles[value].noun}. The simplified output of a SignVerify Trigger contains it.`,
		})),
	],

	async run(item) {
		const files = readFiles(item, (file, label) => {
			const remedy = `Enter the link to ${documentFiles[file].noun}, or remove it from "Files".`;
			const address = readFileLink(item, item.parameter(urlField(file)), `${label} URL`, remedy);
			return { file, address };
		});
		const { timeout } = await item.service.account();
		const { title, signatories } = item.input.json;
		const binary: INodeExecutionData['binary'] = { ...item.input.binary };
		for (const { file, address } of files) {
			binary[file] = await downloadFile(item.execute, {
				address,
				...documentFiles[file],
				title: textOf(title).trim(),
				person: personOfFiles(signatories),
				timeout,
				total: timeoutsOfFile * timeout,
			});
		}
		return [{ json: item.input.json, binary }];
	},
};
