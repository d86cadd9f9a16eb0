import { outputOf } from '../../../../host/executions';
import { operations, type OperationName } from '../operations';
import { connect, names, workflowOf } from '../workflow';
import type { SingleRow } from './scene';

const creating: OperationName[] = [
	'document/createFromTemplate',
	'document/sendAndWait',
	'identity/request',
	'identity/sendAndWait',
	'webhook/create',
];

/** Execute Once: three items come in, and the first one alone is done. */
const executeOnce = creating.map((name): SingleRow => ({
	what: 'Execute Once, three items',
	operation: name,
	expected: 'the first item alone is done',
	async run(scene) {
		const items = await operations[name].prepare(scene.service, 3);
		const node = scene.node(name, { executeOnce: true });
		const execution = await scene.start(workflowOf('Execute Once', node, items));
		const done = await scene.drive(execution, name);
		scene.checkNext(name, items.slice(0, 1), done);
		scene.checkOnce(name, items.slice(0, 1));
		scene.checkOnce(name, items.slice(1), 0);
	},
}));

/** Always Output Data changes nothing for an operation that gives an item for each. */
const alwaysOutput = creating.map((name): SingleRow => ({
	what: 'Always Output Data',
	operation: name,
	expected: 'every item is done, as without it',
	async run(scene) {
		const items = await operations[name].prepare(scene.service, operations[name].waits ? 1 : 2);
		const node = scene.node(name, { alwaysOutputData: true });
		const execution = await scene.start(workflowOf('Always Output Data', node, items));
		scene.checkNext(name, items, await scene.drive(execution, name));
		scene.checkOnce(name, items);
	},
}));

const lists: Array<[OperationName, object]> = [
	['webhook/getAll', { address: 'nobody.example.com' }],
	['template/getAll', { name: 'nothing is called that' }],
];

/** For a list without a result it gives one empty item, which n8n makes. */
const emptyLists = lists.map(([name, filters]): SingleRow => ({
	what: 'Always Output Data, and nothing is found',
	operation: name,
	expected: 'one empty item',
	async run(scene) {
		const items = await operations[name].prepare(scene.service, 2);
		const rest = { alwaysOutputData: true };
		const node = scene.node(name, rest, { limit: 5, filters: { ...filters } });
		const workflow = workflowOf('Finds nothing', node, items);
		// The empty item comes from no item: what is behind the node could not ask for its source.
		workflow.connections = connect([[names.start, node.name]]);
		const done = await scene.host.watch.settled(await scene.start(workflow));
		scene.checks.same('outcome', 'the execution', done.status, 'success');
		const outputs = outputOf(done, names.node).map(({ json }) => json);
		scene.checks.same('onePerItem', 'items out', outputs, [{}]);
	},
}));

export const settingRows = [...executeOnce, ...alwaysOutput, ...emptyLists];
