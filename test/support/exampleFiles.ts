import { readdirSync } from 'node:fs';
import path from 'node:path';

import type { IWorkflowSettings } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { root } from '../../scripts/tools';
import { textOfFile } from './files';

/** An example: what its file is called, and the workflow in it. */
export interface Example {
	/** Without folder and ending. No two examples have the same. */
	name: string;
	/** From the repository's folder. */
	file: string;
	text: string;
	workflow: WorkflowInput & { settings: IWorkflowSettings };
}

function examplesIn(folder: string): Example[] {
	const files = readdirSync(path.join(root, folder)).filter((file) => file.endsWith('.json'));
	return files.sort().map((file) => {
		const text = textOfFile(`${folder}/${file}`);
		const workflow = JSON.parse(text) as Example['workflow'];
		return { name: path.parse(file).name, file: `${folder}/${file}`, text, workflow };
	});
}

/** Small workflows without code, for everybody. */
export const starters = examplesIn('examples');
/** Workflows with code, for who needs more. */
export const hardened = examplesIn('examples/hardened');
export const allExamples = [...starters, ...hardened];
