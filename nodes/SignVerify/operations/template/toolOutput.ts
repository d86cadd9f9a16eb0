import type { IDataObject } from 'n8n-workflow';

import { pick, pickEach } from '../toolOutput';
import type { ToolOutput } from '../types';

/** What of a template goes to an AI agent: what it needs to choose one and to fill it in. */
export const templateOutput: ToolOutput = {
	id: 'templateID',
	fields: [
		'_id',
		'templateID',
		'userID',
		'name',
		'description',
		'key',
		'status',
		'signatories',
		'form',
		'formSignatory',
		'inputs',
		'templateVersion',
	],
	simplify(json) {
		const shown = pick(json, ['templateID', 'name', 'description', 'status', 'templateVersion']);
		const lists = {
			signatories: pickEach(json.signatories, ['key']),
			form: pickEach(json.form, variable),
			formSignatory: pickEach(json.formSignatory, variable),
			inputs: pickEach(json.inputs, variable),
		};
		const present = Object.entries(lists).filter(([, list]) => list !== undefined);
		return { ...shown, ...(Object.fromEntries(present) as IDataObject) };
	},
};

const variable = ['key', 'label', 'isRequired'];
