import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { documentFiles } from '../../notifications/downloadFiles';
import { downloadFile } from '../../transport/download';
import { InputError } from '../../transport/errors';
import { readNumber } from '../../transport/inputNumber';
import { textOf } from '../../util/values';
import { optionsField, readCallOptions } from '../options';
import { Problems } from '../../transport/problems';
import type { ItemContext, Operation } from '../types';
import { addressFields, jsonOf, readWantedFiles, titleOf, type WantedFile } from './addresses';

const bytesPerMegabyte = 1_000_000;
const defaultMegabytes = 50;
const mostMegabytes = 2000;

/** How many times "Timeout" a file may take in all: a sender of single bytes is never silent. */
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
 * document / download: fetches the files behind the pre-signed addresses that the service's events
 * carry (docs/service.md#completeddocument). The addresses are the
 * permission, so neither key nor token goes along.
 */
export const downloadDocument: Operation = {
	resource: 'document',
	value: 'download',
	name: 'Download',
	action: 'Download document',
	description:
		'Fetch the signed document and its certificates as files, by the addresses that an event of the service brought. These addresses expire.',
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
		const binary: INodeExecutionData['binary'] = {
			...item.execute.getInputData()[item.itemIndex]?.binary,
		};
		for (const file of files) {
			const download = {
				address: file.address,
				...documentFiles[file.kind.value],
				title: titleOf(item),
				limit,
				timeout,
				total: timeoutsOfFile * timeout,
			};
			const { retryBudget } = item.service;
			binary[fieldOf(file)] = await downloadFile(item.execute, download, retryBudget);
		}
		return [{ json: jsonOf(item), binary }];
	},
};

function readLimitInBytes(item: ItemContext): number {
	const given = item.parameter('options.maxFileSize') ?? defaultMegabytes;
	const range = { most: mostMegabytes };
	return readNumber(given, 'Max File Size (MB)', range, 'files') * bytesPerMegabyte;
}

function readOutputField(item: ItemContext, files: WantedFile[]): (file: WantedFile) => string {
	const given = item.parameter('options.outputField');
	if (given === undefined) return ({ kind }) => kind.value;
	const name = textOf(given).trim();
	if (!/^[\w-]{1,100}$/.test(name)) {
		throw new InputError(
			'Put Output File in Field',
			name ? 'it is not a field name' : 'it is empty',
			'Enter a name of letters, digits, "_" and "-".',
			'files',
		);
	}
	if (files.length === 1) return () => name;
	throw new InputError(
		'Put Output File in Field',
		`it is one name, but ${files.length} files are chosen`,
		'Remove this option, or choose one file.',
		'files',
	);
}
