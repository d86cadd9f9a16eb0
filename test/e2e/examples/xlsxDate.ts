import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { root } from '../../../scripts/tools';
import { spreadsheet } from '../support/spreadsheet';
import { allExecutions } from '../support/trigger';
import { own } from './runStage';

describe('send-to-many.md', () => {
	afterAll(own.unpublish);

	test('a date of an XLSX file is a number, and docs/send-to-many.md says how to read it', async () => {
		const page = await readFile(path.join(root, 'docs/send-to-many.md'), 'utf8');
		const [, number, expression] = /such as (\d+)\. Enter `(\{\{.*?\}\})`/.exec(page) ?? [];
		const node = (
			name: string,
			type: string,
			typeVersion: number,
			parameters: INodeParameters,
		) => ({
			id: name,
			name,
			type: `n8n-nodes-base.${type}`,
			typeVersion,
			position: [0, 0] as [number, number],
			parameters,
		});
		const { id } = await own.n8n.api.createWorkflow({
			name: 'A date of an XLSX file',
			nodes: [
				{
					...node('Form', 'formTrigger', 2.2, {
						formTitle: 'A date',
						formFields: { values: [{ fieldLabel: 'List', fieldType: 'file' }] },
						options: { path: 'xlsx-date' },
					}),
					webhookId: 'a4f2c9d0-6d1e-4f0c-9d53-7e1f6a6f9b11',
				},
				node('Extract', 'extractFromFile', 1, {
					operation: 'xlsx',
					binaryPropertyName: 'List',
					options: {},
				}),
				node('Read', 'set', 3.4, {
					assignments: {
						assignments: [{ id: '1', name: 'date', type: 'string', value: `=${expression}` }],
					},
					includeOtherFields: true,
					options: {},
				}),
			],
			connections: Object.fromEntries(
				[
					['Form', 'Extract'],
					['Extract', 'Read'],
				].map(([from, to = '']) => [
					from,
					{ main: [[{ node: to, type: 'main' as const, index: 0 }]] },
				]),
			),
			settings: { executionOrder: 'v1' },
		});
		await own.n8n.api.activate(id);
		const rows = [
			['Full name', 'Start date'],
			['Ada', new Date('2027-03-01T00:00:00Z')],
		];
		await own.send('xlsx-date', [await spreadsheet(rows, 'list.xlsx')]);
		const [execution] = await allExecutions(own.n8n.api, id, 1);
		const { runData } = await own.n8n.api.execution(execution?.id ?? '');
		expect(runData.Read?.[0]?.data?.main?.[0]?.[0]?.json).toMatchObject({
			'Start date': Number(number),
			date: '2027-03-01',
		});
	});
});
