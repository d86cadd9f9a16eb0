import type { IBinaryKeyData, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { DocumentFile } from '../api/notification';
import { readList, readSwitch, type SavedForm } from '../form/savedForm';
import { readChoice } from '../form/valueReaders';
import { InputError } from '../errors/inputError';
import { valueProblems } from '../text/textProblems';
import { listOf, objectOf, textOf } from '../util/values';

/**
 * For each file, the words that messages use for it, and the suffix that follows the document's title in its
 * file name.
 */
export const documentFiles: Record<DocumentFile, { noun: string; suffix: string }> = {
	document: { noun: 'the document', suffix: '' },
	certificate: { noun: 'the certificate', suffix: ' - certificate' },
	pscCertificate: { noun: 'the PSC certificate', suffix: ' - PSC certificate' },
};

/** The choices of files to attach. Each value is also the name of the item's binary field. */
export const fileChoices = [
	{
		value: 'certificate',
		name: 'Certificate',
		description: 'A certificate about the signatures',
	},
	{ value: 'document', name: 'Document', description: 'The document with all signatures so far' },
	{
		value: 'pscCertificate',
		name: 'PSC Certificate',
		description:
			'A certificate from a certification service provider (PSC in Spanish), if your provider works with one',
	},
] as const satisfies Array<INodePropertyOptions & { value: DocumentFile }>;

export const allFiles = Object.keys(documentFiles) as DocumentFile[];

export const urlField = (file: DocumentFile) => `${file}Url` as const;

export const checksumField = (file: DocumentFile) => `${file}Sha256` as const;

/** Names the binary fields with a document's files, ready for an email node's attachments. */
export function attachmentFieldsOf(binary: IBinaryKeyData): string {
	return allFiles.filter((file) => file in binary).join(',');
}

/** Returns a switch, to which the parameters belong, and a list of files. */
export function downloadFilesFields(
	description: string,
	more: Partial<INodeProperties> = {},
): INodeProperties[] {
	return [
		{
			displayName: 'Download Files',
			name: 'downloadFiles',
			type: 'boolean',
			default: false,
			description,
			...more,
		},
		{
			displayName: 'Files',
			name: 'files',
			type: 'multiOptions',
			options: [...fileChoices],
			default: [...allFiles],
			required: true,
			displayOptions: { show: { downloadFiles: [true] } },
			description: 'Which files to attach to the item',
		},
	];
}

/**
 * @returns An empty list if the switch is off.
 * @throws InputError if the switch is neither on nor off, if a chosen file is not in the list, or if no file is
 * chosen.
 */
export function readDownloadFiles(form: SavedForm): DocumentFile[] {
	if (!readSwitch(form, { name: 'downloadFiles', label: 'Download Files' })) return [];
	// @n8n n8n leaves out the list unless the switch is exactly true, not for example 1.
	if (form.rawParameter('files') === undefined) return [...allFiles];
	return readFiles(form, (file) => file);
}

/**
 * @throws InputError if a chosen file is not in the list, or if no file is chosen.
 */
export function readFiles<Entry>(
	form: SavedForm,
	readEntry: (file: DocumentFile, label: string) => Entry,
): Entry[] {
	const files = readList(form, { name: 'files', label: 'Files' }, (value) => {
		const { name, value: file } = readChoice(value, 'Files', fileChoices);
		return readEntry(file, name);
	});
	if (files.length > 0) return files;
	throw new InputError('Files', {
		...valueProblems.notSelected,
		remedy: 'Select at least one file.',
	});
}

export function isFileList(value: unknown): value is DocumentFile[] {
	return Array.isArray(value) && value.every((file) => (allFiles as unknown[]).includes(file));
}

/** Returns the first signatory's name, which becomes part of the file names; '' if unknown. */
export function personOfFiles(signatories: unknown): string {
	return textOf(objectOf(listOf(signatories)[0]).name);
}
