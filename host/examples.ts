import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { N8nApi } from './api';
import type { WorkflowInput } from './apiTypes';

const folder = path.join(path.dirname(__dirname), 'examples');

/**
 * Reads a workflow from `examples/` and ties its nodes to stored credentials.
 *
 * @param file the file's name, without folder and ending
 * @param credentialIds the id of the credential to use, by credential type
 * @throws Error when a node needs a credential of a type that is not given
 */
export async function readExample(
	file: string,
	credentialIds: Record<string, string>,
): Promise<WorkflowInput> {
	const workflow = JSON.parse(
		await readFile(path.join(folder, `${file}.json`), 'utf8'),
	) as WorkflowInput;
	for (const node of workflow.nodes) {
		for (const [type, credential] of Object.entries(node.credentials ?? {})) {
			const id = credentialIds[type];
			if (!id) throw new Error(`"${node.name}" in ${file} needs a credential of type ${type}.`);
			credential.id = id;
		}
	}
	return workflow;
}

/**
 * Stores an example in n8n, unless there is a workflow of its name: that one may have been edited.
 *
 * @returns the workflow's id
 */
export async function importExample(
	api: N8nApi,
	file: string,
	credentialIds: Record<string, string>,
): Promise<string> {
	const workflow = await readExample(file, credentialIds);
	const existing = (await api.listWorkflows()).find((each) => each.name === workflow.name);
	return existing?.id ?? (await api.createWorkflow(workflow)).id;
}
