import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import type { N8nApi } from './api';
import type { WorkflowInput } from './apiTypes';

const folder = path.join(path.dirname(__dirname), 'examples');

/** What n8n's list of workflows shows the examples by: folders need a licence of n8n. */
export const examplesTag = 'Examples';

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
	return withCredentials(await read(file), file, credentialIds);
}

async function read(file: string): Promise<WorkflowInput> {
	return JSON.parse(await readFile(path.join(folder, `${file}.json`), 'utf8')) as WorkflowInput;
}

function withCredentials(
	workflow: WorkflowInput,
	file: string,
	credentialIds: Record<string, string>,
): WorkflowInput {
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
 * Stores an example in n8n with the tag {@link examplesTag}, unless there is a workflow of its name: that one may have been edited.
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
	if (existing) return existing.id;
	return (await api.createWorkflow({ ...workflow, tags: [await api.tag(examplesTag)] })).id;
}

/**
 * Stores every example that n8n has no workflow of that name for, not published, with the tag
 * {@link examplesTag}. Nodes get a stored credential of their type; where there is none, a person
 * chooses it.
 *
 * @returns the names of the examples that were stored
 */
export async function importExamples(api: N8nApi): Promise<string[]> {
	const stored = Object.fromEntries(
		(await api.listCredentials()).map(({ id, type }) => [type, id]),
	);
	const existing = new Set((await api.listWorkflows()).map(({ name }) => name));
	const tag = await api.tag(examplesTag);
	const names: string[] = [];
	const files = (await readdir(folder)).filter((file) => path.extname(file) === '.json');
	const all = await Promise.all(files.map(async (file) => await read(path.parse(file).name)));
	// n8n lists the newest first, so the one to try first comes last.
	for (const workflow of all.sort((a, b) => (a.name < b.name ? 1 : -1))) {
		if (existing.has(workflow.name)) continue;
		for (const node of workflow.nodes) {
			const [type] = Object.keys(node.credentials ?? {});
			if (type && !stored[type]) delete node.credentials;
		}
		await api.createWorkflow({ ...withCredentials(workflow, workflow.name, stored), tags: [tag] });
		names.push(workflow.name);
	}
	return names;
}
