import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type DocumentFile, fileUrls } from '../../api/notification';
import { documentFiles } from '../../notifications/downloadFiles';
import { InputError } from '../../transport/errors';
import { isObject, textOf } from '../../util/values';
import { readWebAddress } from '../parameters';
import { readEach } from '../../transport/problems';
import type { ItemContext } from '../types';

/** A file of a document that the service gives a pre-signed address for. */
export interface FileKind {
	/** As workflows save it; also the name under which the file is put out. */
	value: DocumentFile;
	/** In the form. */
	name: string;
	description: string;
	/** The field for its address; in simplified trigger output, too. */
	field: string;
	fieldName: string;
}

const kinds: FileKind[] = [
	{
		value: 'certificate',
		name: 'Certificate',
		description: 'The certificate of the signatures',
		field: 'certificateUrl',
		fieldName: 'Certificate URL',
	},
	{
		value: 'document',
		name: 'Document',
		description: 'The document itself, signed as far as it is',
		field: 'documentUrl',
		fieldName: 'Document URL',
	},
	{
		value: 'pscCertificate',
		name: 'PSC Certificate',
		description: 'The certificate of the certification service provider',
		field: 'pscCertificateUrl',
		fieldName: 'PSC Certificate URL',
	},
];

/** The form for which files to fetch, and where their addresses come from. */
export const addressFields: INodeProperties[] = [
	{
		displayName: 'Files',
		name: 'files',
		type: 'multiOptions',
		options: kinds.map(({ name, value, description }) => ({ name, value, description })),
		default: ['document'],
		required: true,
		description: 'Which files of the document to download',
	},
	{
		displayName: 'Links From',
		name: 'addressesFrom',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Input Item',
				value: 'item',
				description: 'The item comes from a SignVerify Trigger, or holds the same properties',
			},
			{ name: 'Fields Below', value: 'form', description: 'Enter them, or use expressions' },
		],
		default: 'item',
		description: 'Where the links to the files are',
	},
	...kinds.map(({ value, field, fieldName }): INodeProperties => ({
		displayName: fieldName,
		name: field,
		type: 'string',
		default: '',
		required: true,
		placeholder: `e.g. {{ $json.${field} }}`,
		displayOptions: { show: { addressesFrom: ['form'], files: [value] } },
		description: `The address of ${documentFiles[value].noun}, as an event of the service gave it`,
	})),
];

/** A file to fetch. */
export interface WantedFile {
	kind: FileKind;
	address: string;
}

/**
 * Reads which files to fetch, each with its address.
 * @throws InputError when no file is chosen, or one has no address or a malformed one.
 */
export function readWantedFiles(item: ItemContext): WantedFile[] {
	const chosen = item.parameter('files');
	const values: unknown[] = Array.isArray(chosen) ? chosen : [];
	if (values.length === 0) {
		throw new InputError('Files', 'none is chosen', 'Choose at least one file.', 'files');
	}
	const fromForm = item.parameter('addressesFrom') === 'form';
	return readEach([...new Set(values)], (value) => {
		const kind = kinds.find((each) => each.value === value);
		if (!kind) {
			throw new InputError(
				'Files',
				`there is no file "${textOf(value).slice(0, 80)}"`,
				'Choose from the list.',
				'files',
			);
		}
		const address = fromForm ? item.parameter(kind.field) : addressInItem(item, kind);
		const { noun } = documentFiles[kind.value];
		const remedy = fromForm
			? `Enter the address of ${noun}, or take it out of "Files".`
			: `The input item holds no address of ${noun}. Use an item of a SignVerify Trigger whose event brings one, or take it out of "Files".`;
		return { kind, address: readWebAddress(address, kind.fieldName, remedy) };
	});
}

/** The item's own words for the document, for names of files: simplified, or as notified. */
export function titleOf(item: ItemContext): string {
	const json = jsonOf(item);
	const document = isObject(json.Document) ? json.Document : {};
	return textOf(json.title ?? document.title).trim();
}

/** The input item. */
export function jsonOf(item: ItemContext): IDataObject {
	return item.execute.getInputData()[item.itemIndex]?.json ?? {};
}

/** Simplified trigger output, a notification as it came, or a document as it came. */
function addressInItem(item: ItemContext, { field, value }: FileKind): unknown {
	const json = jsonOf(item);
	if (textOf(json[field]).trim() !== '') return json[field];
	return fileUrls(isObject(json.Document) ? json.Document : json)[value];
}
