import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import type { N8nApi } from './api';
import type { DataTableInput, WorkflowInput } from './apiTypes';

const root = path.dirname(__dirname);

/** The folders of the examples, each with what n8n's list shows them by: folders need a licence of n8n. */
const tags = { examples: 'Examples', 'examples/hardened': 'Production-ready' };

interface Example {
	/** The file's name, without folder and ending. */
	file: string;
	tag: string;
	workflow: WorkflowInput;
}

/** All examples in the order in which to try them: starters by their numbers, then the hardened ones. */
async function readExamples(): Promise<Example[]> {
	const shelves = Object.entries(tags).map(async ([folder, tag]) => {
		const files = (await readdir(path.join(root, folder))).filter((file) => /\.json$/.test(file));
		const found = files.map(async (file) => {
			const text = await readFile(path.join(root, folder, file), 'utf8');
			return { file: path.parse(file).name, tag, workflow: JSON.parse(text) as WorkflowInput };
		});
		return (await Promise.all(found)).sort((a, b) => (a.workflow.name < b.workflow.name ? -1 : 1));
	});
	return (await Promise.all(shelves)).flat();
}

/** The names of all files, without folder and ending, in that order. */
export async function exampleFiles(): Promise<string[]> {
	return (await readExamples()).map(({ file }) => file);
}

/**
 * Reads an example and ties its nodes to stored credentials.
 *
 * @param file the file's name, without folder and ending
 * @param credentialIds the id of the credential to use, by credential type
 * @throws Error when there is no such file, or a node needs a credential of a type that is not given
 */
export async function readExample(
	file: string,
	credentialIds: Record<string, string>,
): Promise<WorkflowInput> {
	const found = (await readExamples()).find((example) => example.file === file);
	if (!found) throw new Error(`Example "${file}" not found.`);
	return withCredentials(found, credentialIds);
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
 * Stores examples in n8n, not published, so that its list shows them in the order in which to try them. A workflow that n8n
 * has by the same name stays as it is, because somebody may have edited it. Data tables that an
 * example makes when it runs are made at once, because others read them.
 *
 * @param credentialIds the id of the credential to use, by credential type; a person chooses the others
 * @param files names of files, for only these
 * @returns the IDs of the workflows, by the names of their files
 */
export async function importExamples(
	api: N8nApi,
	credentialIds: Record<string, string>,
	files?: string[],
): Promise<Record<string, string>> {
	const existing = new Map((await api.listWorkflows()).map(({ id, name }) => [name, id]));
	const ids: Record<string, string> = {};
	const wanted = (await readExamples()).filter(({ file }) => files?.includes(file) ?? true);
	// n8n lists the newest first.
	for (const example of wanted.reverse()) {
		const { file, tag, workflow } = example;
		for (const node of workflow.nodes) {
			const types = Object.keys(node.credentials ?? {});
			if (types.some((type) => !credentialIds[type])) delete node.credentials;
		}
		for (const table of tablesMadeBy(workflow)) await api.dataTable(table);
		ids[file] = existing.get(workflow.name) ?? '';
		if (ids[file]) continue;
		const stored = withCredentials(example, credentialIds);
		ids[file] = (await api.createWorkflow({ ...stored, tags: [await api.tag(tag)] })).id;
	}
	return ids;
}

/** The data tables that a workflow makes when it runs. */
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
