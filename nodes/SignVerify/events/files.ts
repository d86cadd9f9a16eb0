import type {
	IBinaryKeyData,
	IDataObject,
	INodeProperties,
	INodePropertyOptions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { eventRow } from '../api/events';
import type { DocumentFile, Notification } from '../api/notification';
import { downloadFile } from '../http/download';
import { ServiceError } from '../http/errors';
import { InputError } from '../input/inputError';
import { readChoice } from '../input/parameters';
import { isInForm, readList, readSwitch, type SavedForm } from '../input/savedForm';
import { settle } from '../util/async';
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
export const fileKinds = [
	{
		value: 'certificate',
		name: 'Certificate',
		description: 'The certificate that proves the signatures',
	},
	{ value: 'document', name: 'Document', description: 'The document with all signatures so far' },
	{
		value: 'pscCertificate',
		name: 'PSC Certificate',
		description:
			'The certificate from an accredited certification service provider (PSC in Spanish), if your provider works with one',
	},
] as const satisfies Array<INodePropertyOptions & { value: DocumentFile }>;

const allFiles: DocumentFile[] = ['document', 'certificate', 'pscCertificate'];

/**
 * Returns the form fields for an event's files: a switch, and a list of files. Older workflows contain only
 * the switch. If it's on in such a workflow, all files are downloaded.
 * @param description The description of the switch.
 * @param more Additional properties of the switch.
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

/**
 * The document files to attach: all (true), none (false), or a list of files. Earlier versions of the package
 * stored only true or false.
 */
export type FilesChoice = boolean | DocumentFile[];

/**
 * Reads which files to attach.
 * @throws InputError if the switch is neither on nor off, if a chosen file is not in the list, or if no file
 * is chosen.
 */
export function readDownloadFiles(form: SavedForm): FilesChoice {
	if (!readSwitch(form, { name: 'downloadFiles', label: 'Download Files' })) return false;
	// Workflows saved before the list existed don't have this parameter.
	if (form.parameter('files') === undefined && !isInForm(form, 'files')) return true;
	const chosenFiles = readFiles(form, (file) => file);
	const areAll = allFiles.every((file) => chosenFiles.includes(file));
	return areAll ? true : chosenFiles;
}

/**
 * Reads the chosen files from a form.
 * @param readEntry Creates the entry for a chosen file.
 * @throws InputError if a chosen file is not in the list, or if no file is chosen.
 */
export function readFiles<Entry>(
	form: SavedForm,
	readEntry: (file: DocumentFile, label: string) => Entry,
): Entry[] {
	const files = readList(form, { name: 'files', label: 'Files' }, (value) => {
		const { name, value: file } = readChoice(value, 'Files', fileKinds);
		return readEntry(file, name);
	});
	if (files.length > 0) return files;
	throw new InputError('Files', 'nothing is selected', 'Select at least one file.', 'files');
}

/** Returns the files to attach for a stored choice. */
export function wantedFiles(files: FilesChoice): DocumentFile[] {
	if (typeof files !== 'boolean') return files;
	return files ? allFiles : [];
}

/** Whether a stored value is a valid choice of files. */
export function isFilesChoice(value: unknown): value is FilesChoice {
	const isFile = (file: unknown) => (allFiles as unknown[]).includes(file);
	return typeof value === 'boolean' || (Array.isArray(value) && value.every(isFile));
}

/** Returns the first signatory's name, which becomes part of the file names; '' if unknown. */
export function personOfFiles(signatories: unknown): string {
	return textOf(objectOf(listOf(signatories)[0]).name);
}

/**
 * The time limits for downloading an event's file. `totalMs` is short, because the service is waiting for our
 * response. `timeoutMs` limits how long a server may be silent. It is longer than the total, so a download
 * never fails because of silence alone.
 */
export const downloadLimits = { totalMs: 10_000, timeoutMs: 20_000 };

/**
 * Downloads a notification's files. Sends no token, because none is needed: until a file's URL expires, the
 * URL alone gives access to the file (docs/dev/service.md#seen-documents). Never throws.
 * @returns The files, and for each missing file, the reason why it's missing.
 */
export async function downloadFiles(
	{ helpers }: Pick<IWebhookFunctions, 'helpers'>,
	{ event, document, files }: Notification,
	chosenFiles: DocumentFile[],
): Promise<{ binary: IBinaryKeyData; missing: IDataObject[] }> {
	const title = document?.summary.title ?? '';
	const person = personOfFiles(document?.signatories);
	const download = async (file: DocumentFile, address: string | null) => {
		if (address === null) return { reason: "the event didn't contain a link to it" };
		if (!/^https?:\/\//i.test(address)) {
			return { reason: "its link doesn't begin with http:// or https://" };
		}
		const wantedFile = { address, title, person, ...documentFiles[file], ...downloadLimits };
		const result = await settle(downloadFile({ helpers }, wantedFile));
		if (result.ok) return { data: result.value };
		const { error } = result;
		return { reason: error instanceof ServiceError ? error.message : "n8n couldn't store it" };
	};
	// Report a missing link only if the service guarantees links to all files for this event.
	const hasAllFiles = eventRow(event)?.body?.files === 'all';
	const wantedLinks = (Object.entries(files) as Array<[DocumentFile, string | null]>).filter(
		([file, address]) => chosenFiles.includes(file) && (address !== null || hasAllFiles),
	);
	const outcomes = await Promise.all(
		wantedLinks.map(async ([file, address]) => ({ file, ...(await download(file, address)) })),
	);
	const binary: IBinaryKeyData = {};
	const missing: IDataObject[] = [];
	for (const { file, data, reason } of outcomes) {
		if (data) binary[file] = data;
		else missing.push({ file, reason });
	}
	return { binary, missing };
}
