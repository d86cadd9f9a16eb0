import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readExample } from '../../host/examples';
import { useExamples } from './support/examples';
import { axios } from './support/http';

// What an AI agent of a real n8n gets from the node as a tool.
const own = useExamples('agent');
const { stage } = own;

/** Has an assistant use the node as its one tool; gives what the tool told it. */
async function told(parameters: INodeParameters): Promise<IDataObject[]> {
	const { api } = stage.n8n;
	const workflow = await readExample('agent-sends-the-contract', own.credentials);
	const nodeOf = (name: string) => {
		const node = workflow.nodes.find((each) => each.name === name);
		if (!node) throw new Error(`The example has no node "${name}".`);
		return node;
	};
	const chat = nodeOf('Ask in your own words');
	chat.parameters = { public: true, mode: 'webhook', options: {} };
	const tool = nodeOf('Send the contract');
	tool.parameters = parameters;
	// Reading needs no review.
	workflow.nodes = workflow.nodes.filter(({ name }) => name !== 'Ask a person first');
	const toAgent = workflow.connections['Ask a person first'];
	delete workflow.connections['Ask a person first'];
	if (toAgent) workflow.connections[tool.name] = toAgent;

	const { id } = await api.createWorkflow(workflow);
	await api.activate(id);
	try {
		const { data } = await axios.post<{ output: string }>(
			`${stage.n8n.url}/webhook/${chat.webhookId}/chat`,
			{ action: 'sendMessage', sessionId: id, chatInput: 'Which templates are there?' },
		);
		return JSON.parse(data.output.replace(/^Done: /, '')) as IDataObject[];
	} finally {
		await api.deactivate(id);
	}
}

const list = { resource: 'template', operation: 'getAll', returnAll: true };

test('a list is simplified, raw, or has the selected fields', async () => {
	const templates = stage.sandbox.templates().filter(({ generation }) => generation === 'v2');
	const simplified = await told(list);
	expect(simplified.map(({ templateID }) => templateID)).toEqual(
		templates.map(({ templateID }) => templateID),
	);
	expect(JSON.stringify(simplified)).not.toContain('"_id"');
	expect(simplified[0]).toHaveProperty('form');

	const raw = await told({ ...list, output: 'raw' });
	expect(raw).toHaveLength(templates.length);
	for (const each of raw) expect(each).toHaveProperty('_id');

	const selected = await told({ ...list, output: 'fields', outputFields: ['name'] });
	expect(selected).toEqual(raw.map(({ templateID, name }) => ({ templateID, name })));
});
