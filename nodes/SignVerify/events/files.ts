import type {
	IBinaryKeyData,
	IDataObject,
	INodeProperties,
	INodePropertyOptions,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { DocumentFile, Notification } from '../api/notification';
import { downloadFile } from '../http/download';
import { ServiceError } from '../http/errors';
import { InputError } from '../input/inputError';
import { readChoice } from '../input/parameters';
import { isInForm, readList, readSwitch, type SavedForm } from '../input/savedForm';
import { settle } from '../util/async';
import { listOf, objectOf, textOf } from '../util/values';

/** A file in a sentence, and what is added to the document's title in its name. */
export const documentFiles: Record<DocumentFile, { noun: string; suffix: string }> = {
	document: { noun: 'the document', suffix: '' },
	certificate: { noun: 'the certificate', suffix: ' - certificate' },
	pscCertificate: { noun: 'the PSC certificate', suffix: ' - PSC certificate' },
};

/** The form for which files to attach to an item; each is the name of the item's field for it. */
export const fileKinds = [
	{ value: 'certificate', name: 'Certificate', description: 'The certificate of the signatures' },
	{ value: 'document', name: 'Document', description: 'The document, signed as far as it is' },
	{
		value: 'pscCertificate',
		name: 'PSC Certificate',
		description:
			'The certificate of an accredited certification service provider (in Spanish PSC), if your service uses one',
	},
] as const satisfies Array<INodePropertyOptions & { value: DocumentFile }>;

const allFiles: DocumentFile[] = ['document', 'certificate', 'pscCertificate'];

/**
 * The form for the files of an event. A workflow that was saved when there was only the switch gets all of them.
 * @param description What the switch does.
 */
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
			options: [...fileKinds],
			default: ['document', 'certificate', 'pscCertificate'],
			required: true,
			displayOptions: { show: { downloadFiles: [true] } },
			description: 'Which files to attach to the item',
		},
	];
}

/** Which files of a document to attach: all, none, or some. Waits of earlier versions have kept all or none. */
export type FilesChoice = boolean | DocumentFile[];

/**
 * Reads which files to attach.
 * @throws InputError if the switch is neither on nor off, for what the list does not have, and if none is chosen.
 */
export function readDownloadFiles(form: SavedForm): FilesChoice {
	if (!readSwitch(form, 'downloadFiles', 'Download Files')) return false;
	// A workflow that was saved before there was a list has none.
	if (form.parameter('files') === undefined && !isInForm(form, 'files')) return true;
	const chosen = readFiles(form, (file) => file);
	return allFiles.every((file) => chosen.includes(file)) || chosen;
}

/**
 * Reads the chosen files of a form.
 * @param readEntry What to read for each of them.
 * @throws InputError for what the list does not have, and if none is chosen.
 */
export function readFiles<Entry>(
	form: SavedForm,
	readEntry: (file: DocumentFile, label: string) => Entry,
): Entry[] {
	const files = readList(form, 'files', 'Files', (value) => {
		const { name, value: file } = readChoice(value, 'Files', fileKinds);
		return readEntry(file, name);
	});
	if (files.length > 0) return files;
	throw new InputError('Files', 'none is chosen', 'Choose at least one file.', 'files');
}

/** The files of a choice. */
export function wantedFiles(files: FilesChoice): DocumentFile[] {
	return files === true ? allFiles : files || [];
}

/** Whether a stored choice of files is one. */
export function isFilesChoice(value: unknown): value is FilesChoice {
	const isFile = (file: unknown) => (allFiles as unknown[]).includes(file);
	return typeof value === 'boolean' || (Array.isArray(value) && value.every(isFile));
}

/** Who signs first, for the names of a document's files; '' if nobody knows. */
export function personOfFiles(signatories: unknown): string {
	return textOf(objectOf(listOf(signatories)[0]).name).trim();
}

/**
 * Milliseconds for all files, because the service waits for the answer. Silence is never the reason to give
 * up: its own limit is longer.
 */
const limits = { total: 10_000, timeout: 20_000 };

/**
 * Downloads the files of a notification. Their URLs expire (docs/dev/service.md#seen-documents), and no
 * token is sent to them. Never throws.
 * @param chosen Which of them.
 * @returns The files, and which ones are missing and why.
 */
export async function downloadFiles(
	{ helpers }: Pick<IWebhookFunctions, 'helpers'>,
	{ event, document, files }: Notification,
	chosen: DocumentFile[],
): Promise<{ binary: IBinaryKeyData; missing: IDataObject[] }> {
	const title = document?.summary.title ?? '';
	const person = personOfFiles(document?.signatories);
	const download = async (file: DocumentFile, address: string | null) => {
		if (address === null) return { reason: 'the service gave no link to it' };
		if (!/^https?:\/\//i.test(address)) {
			return { reason: 'its link does not begin with http:// or https://' };
		}
		const wanted = { address, title, person, ...documentFiles[file], ...limits };
		const downloaded = await settle(downloadFile({ helpers }, wanted));
		if (downloaded.ok) return { data: downloaded.value };
		const { error } = downloaded;
		return { reason: error instanceof ServiceError ? error.message : 'n8n could not store it' };
	};
	// Only this event is documented to have all three files.
	const wanted = (Object.entries(files) as Array<[DocumentFile, string | null]>).filter(
		([file, address]) =>
			chosen.includes(file) && (address !== null || event === 'completedDocument'),
	);
	const outcomes = await Promise.all(
		wanted.map(async ([file, address]) => ({ file, ...(await download(file, address)) })),
	);
	const binary: IBinaryKeyData = {};
	const missing: IDataObject[] = [];
	for (const { file, data, reason } of outcomes) {
		if (data) binary[file] = data;
		else missing.push({ file, reason });
	}
	return { binary, missing };
}
