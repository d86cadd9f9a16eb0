import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { type DocumentFile, fileUrls } from '../../api/notification';
import { documentFiles } from '../../webhooks/files';
import { downloadFile } from '../../http/download';
import { InputError } from '../inputError';
import { Problems, readEach, readNumber } from '../problems';
import { isObject, listOf, objectOf, textOf } from '../../util/values';
import { optionsField, readCallOptions } from '../form';
import { readWebAddress } from '../parameters';
import type { ItemContext, Operation } from '../types';

/** A file of a document with a pre-signed URL. */
interface FileKind {
	/** As workflows save it; also the name of the output field. */
	value: DocumentFile;
	/** In the form. */
	name: string;
	description: string;
}

const kinds: FileKind[] = [
	{
		value: 'certificate',
		name: 'Certificate',
		description: 'The certificate of the signatures',
	},
	{
		value: 'document',
		name: 'Document',
		description: 'The document itself, signed as far as it is',
	},
	{
		value: 'pscCertificate',
		name: 'PSC Certificate',
		description: 'The certificate of the certification service provider',
	},
];

/** The parameter for the URL of a file, which is also its name in simplified trigger output. */
function urlField({ value }: FileKind): string {
	return `${value}Url`;
}

/** The form for which files to download, and where their URLs are. */
const addressFields: INodeProperties[] = [
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
	...kinds.map((kind): INodeProperties => ({
		displayName: `${kind.name} URL`,
		name: urlField(kind),
		type: 'string',
		default: '',
		required: true,
		placeholder: `e.g. {{ $json.${urlField(kind)} }}`,
		displayOptions: { show: { addressesFrom: ['form'], files: [kind.value] } },
		description: `The link to ${documentFiles[kind.value].noun}, from an event`,
	})),
];

interface WantedFile {
	kind: FileKind;
	address: string;
}

/** @throws InputError if no file is chosen, or one has no URL or a malformed one. */
function readWantedFiles(item: ItemContext): WantedFile[] {
	const values = listOf(item.parameter('files'));
	if (values.length === 0) {
		throw new InputError('Files', 'none is chosen', 'Choose at least one file.', 'files');
	}
	const fromForm = item.parameter('addressesFrom') === 'form';
	return readEach([...new Set(values)], (value) => {
		const kind = kinds.find((each) => each.value === value);
		if (!kind) {
			const given = textOf(value).slice(0, 80);
			throw new InputError(
				'Files',
				`there is no file "${given}"`,
				'Choose from the list.',
				'files',
			);
		}
		const address = fromForm ? item.parameter(urlField(kind)) : addressInItem(item, kind);
		const { noun } = documentFiles[kind.value];
		const remedy = fromForm
			? `Enter the link to ${noun}, or remove it from "Files".`
			: `The input item has no link to ${noun}. Use an item of a SignVerify Trigger whose event has one, or remove it from "Files".`;
		return { kind, address: readWebAddress(address, `${kind.name} URL`, remedy) };
	});
}

/** The document's title in an item, simplified or as received, for the names of the files. */
function titleOf(item: ItemContext): string {
	const { json } = item.input;
	return textOf(json.title ?? objectOf(json.Document).title).trim();
}

/** The URL in simplified trigger output, in a notification or in a document. */
function addressInItem({ input: { json } }: ItemContext, kind: FileKind): unknown {
	const given = json[urlField(kind)];
	if (textOf(given).trim() !== '') return given;
	return fileUrls(isObject(json.Document) ? json.Document : json)[kind.value];
}

const bytesPerMegabyte = 1_000_000;
const defaultMegabytes = 50;
const maxMegabytes = 2000;

/** How many times "Timeout" a file may take, because a sender of single bytes is never silent. */
const timeoutsOfFile = 20;

const ownOptions: INodeProperties[] = [
	{
		displayName: 'Max File Size (MB)',
		name: 'maxFileSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: defaultMegabytes,
		description:
			'Larger files are refused. Files are written as they arrive; only an n8n that is set to keep binary data in memory holds them there whole.',
	},
	{
		displayName: 'Put Output File in Field',
		name: 'outputField',
		type: 'string',
		default: 'document',
		hint: 'The name of the output field to put the file in',
		description:
			'Only where one file is chosen. Otherwise the fields are called document, certificate and pscCertificate.',
	},
];

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
	fields: [...addressFields, optionsField(ownOptions)],

	async run(item) {
		const problems = new Problems();
		const wanted = problems.collect(() => readWantedFiles(item));
		const bytes = problems.collect(() => readLimitInBytes(item));
		const field = wanted && problems.collect(() => readOutputField(item, wanted));
		const { files, limit, fieldOf } = problems.settle({
			files: wanted,
			limit: bytes,
			fieldOf: field,
		});
		const { timeout } = readCallOptions(item.execute);
		const binary: INodeExecutionData['binary'] = { ...item.input.binary };
		const { rateLimiter, retryBudget, retryOnFail } = item.service;
		for (const file of files) {
			const download = {
				address: file.address,
				...documentFiles[file.kind.value],
				title: titleOf(item),
				limit,
				timeout,
				total: timeoutsOfFile * timeout,
			};
			// If the execution is cancelled meanwhile, the download says so.
			await rateLimiter.acquire(item.execute.getExecutionCancelSignal());
			binary[fieldOf(file)] = await downloadFile(item.execute, download, retryBudget, retryOnFail);
		}
		return [{ json: item.input.json, binary }];
	},
};

function readLimitInBytes(item: ItemContext): number {
	const given = item.parameter('options.maxFileSize') ?? defaultMegabytes;
	const range = { max: maxMegabytes };
	return readNumber(given, 'Max File Size (MB)', range, 'files') * bytesPerMegabyte;
}

function readOutputField(item: ItemContext, files: WantedFile[]): (file: WantedFile) => string {
	const given = item.parameter('options.outputField');
	if (given === undefined) return ({ kind }) => kind.value;
	const name = textOf(given).trim();
	if (!/^[\w-]{1,100}$/.test(name)) {
		const problem = name ? 'it is not a field name' : 'it is empty';
		throw wrongField(problem, 'Enter a name of letters, digits, "_" and "-".');
	}
	if (files.length === 1) return () => name;
	const problem = `it is one name, but ${files.length} files are chosen`;
	throw wrongField(problem, 'Remove this option, or choose one file.');
}

function wrongField(problem: string, remedy: string): InputError {
	return new InputError('Put Output File in Field', problem, remedy, 'files');
}
