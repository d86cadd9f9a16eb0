import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import type { N8nApi } from './api';
import type { DataTableInput, WorkflowInput } from './apiTypes';

const root = path.dirname(__dirname);

/**
 * The number of the first example for each task. The tasks are headings in docs/examples.md, and n8n shows them as tags,
 * which can have 24 characters. Tags are used because folders in n8n require a license.
 */
export const firstExampleOfTask = {
	'Start here': 1,
	'Send contracts': 4,
	'After the signature': 11,
	'Know who has signed': 16,
	'Verify identities': 22,
	'Check your workflows': 24,
};

/** The folders with examples, and the tag that the examples in each folder have in addition to that of their task. */
const tagsOfFolders = { examples: [], 'examples/builders': ['For builders'] };

interface Example {
	/** The name of the file, without its folder and extension. */
	file: string;
	tags: string[];
	workflow: WorkflowInput;
}

/** Reads all examples in the order of their numbers, which is that of docs/examples.md. */
async function readExamples(): Promise<Example[]> {
	const shelves = Object.entries(tagsOfFolders).map(async ([folder, tags]) => {
		const files = (await readdir(path.join(root, folder))).filter((file) => /\.json$/.test(file));
		const found = files.map(async (file) => {
			const text = await readFile(path.join(root, folder, file), 'utf8');
			const workflow = JSON.parse(text) as WorkflowInput;
			return { file: path.parse(file).name, tags: [taskOf(workflow), ...tags], workflow };
		});
		return await Promise.all(found);
	});
	const examples = (await Promise.all(shelves)).flat();
	return examples.sort((a, b) => (a.workflow.name < b.workflow.name ? -1 : 1));
}

/** The task of an example, whose name begins with its number. */
function taskOf({ name }: WorkflowInput): string {
	const tasks = Object.entries(firstExampleOfTask);
	return tasks.filter(([, first]) => first <= Number.parseInt(name, 10)).at(-1)?.[0] ?? '';
}

/** Returns the names of all files, without folder and extension, in the same order as `readExamples`. */
export async function exampleFiles(): Promise<string[]> {
	return (await readExamples()).map(({ file }) => file);
}

/**
 * Reads an example and connects its nodes to stored credentials.
 * @param file The name of the file, without folder and extension.
 * @param credentialIds The ID of the credential to use for each credential type. Without it, no node is connected.
 * @throws Error if the file does not exist, or if a node needs a credential of a type that is not in
 * `credentialIds`.
 */
export async function readExample(
	file: string,
	credentialIds?: Record<string, string>,
): Promise<WorkflowInput> {
	const found = (await readExamples()).find((example) => example.file === file);
	if (!found) throw new Error(`Example "${file}" not found.`);
	return credentialIds ? withCredentials(found, credentialIds) : found.workflow;
}

function withCredentials(
	{ file, workflow }: Example,
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
 * Stores examples in n8n without publishing them. n8n then lists them in the order of their numbers. An existing workflow with the same name or ID is not replaced, because the user may have edited it. If an
 * example would create a data table when it runs, the table is created right away, because other examples
 * read it.
 * @param credentialIds The ID of the credential to use for each credential type. For all other types, users
 * select a credential themselves.
 * @param files The names of the files to store. Defaults to all files.
 * @returns The IDs of the workflows, by file name.
 */
export async function importExamples(
	api: N8nApi,
	credentialIds: Record<string, string>,
	files?: string[],
): Promise<Record<string, string>> {
	const existing = await api.listWorkflows();
	const ids: Record<string, string> = {};
	const wanted = (await readExamples()).filter(({ file }) => files?.includes(file) ?? true);
	// n8n lists the newest workflow first, so store the last example first.
	for (const example of wanted.reverse()) {
		const { file, workflow } = example;
		for (const node of workflow.nodes) {
			const types = Object.keys(node.credentials ?? {});
			if (types.some((type) => !credentialIds[type])) delete node.credentials;
		}
		for (const table of tablesMadeBy(workflow)) await api.dataTable(table);
		const found = existing.find(({ id, name }) => id === workflow.id || name === workflow.name);
		ids[file] = found?.id ?? '';
		if (found) continue;
		const stored = withCredentials(example, credentialIds);
		const tags: string[] = [];
		for (const tag of example.tags) tags.push(await api.tag(tag));
		ids[file] = (await api.createWorkflow({ ...stored, tags })).id;
	}
	return ids;
}

/** Finds the data tables that a workflow creates when it runs. */
function tablesMadeBy({ nodes }: WorkflowInput): DataTableInput[] {
	return nodes.flatMap(({ type, parameters }) => {
		if (type !== 'n8n-nodes-base.dataTable' || parameters.operation !== 'create') return [];
		const { tableName, columns } = parameters as {
			tableName: string;
			columns: { column: DataTableInput['columns'] };
		};
		return [{ name: tableName, columns: columns.column }];
	});
}
