import { readdirSync } from 'node:fs';
import path from 'node:path';

import type { IWorkflowSettings } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { root } from '../../scripts/tools';
import { textOfFile } from './files';

export interface Example {
	/** The file's name without its folder and extension. The name is unique among all examples. */
	name: string;
	/** The path in the repository. */
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

/** The examples in examples/, which are small workflows without code. */
export const starters = examplesIn('examples');
/** The examples in examples/builders, which contain code, an AI agent, or a webhook. */
export const forBuilders = examplesIn('examples/builders');
export const allExamples = [...starters, ...forBuilders];

/**
 * Returns the name of an example's workflow, which begins with the example's number.
 * @param example The name of the example's file, without its folder and extension.
 */
export function workflowNameOf(example: string): string {
	const found = allExamples.find(({ name }) => name === example);
	if (!found) throw new Error(`There is no example "${example}".`);
	return found.workflow.name;
}
