import { outputOf } from '../../../../host/executions';
import { itemCount, operationNamed } from '../../../operations';
import { connect, names, workflowOf } from '../workflow';
import type { SingleRow } from '../scene';

/** Execute Once: three items come in, and the first one alone is done. */
const executeOnce = ['identity/request', 'document/sendAndWait'].map((name): SingleRow => ({
	what: `Execute Once, three items${name.endsWith('AndWait') ? ', and the node waits' : ''}`,
	tried: operationNamed(name),
	expected: 'the first item alone is done',
	async run(scene) {
		const items = await scene.operation.prepare(scene.service, 3);
		const node = scene.node({ executeOnce: true });
		const execution = await scene.start(workflowOf('Execute Once', node, items));
		const done = await scene.drive(execution, items);
		scene.checkNext(items.slice(0, 1), done);
		scene.checkOnce(items.slice(0, 1));
		scene.checkOnce(items.slice(1), 0);
	},
}));

/** Always Output Data changes nothing for an operation that gives an item for each. */
const alwaysOutput: SingleRow = {
	what: 'Always Output Data',
	tried: operationNamed('identity/sendAndWait'),
	expected: 'every item is done, as without it',
	async run(scene) {
		const items = await scene.operation.prepare(scene.service, itemCount(scene.operation, 2));
		const node = scene.node({ alwaysOutputData: true });
		const execution = await scene.start(workflowOf('Always Output Data', node, items));
		scene.checkNext(items, await scene.drive(execution, items));
		scene.checkOnce(items);
	},
};

/** For a list without a result it gives one empty item, which n8n makes. */
const emptyList: SingleRow = {
	what: 'Always Output Data, and nothing is found',
	tried: operationNamed('template/getAll'),
	expected: 'one empty item',
	async run(scene) {
		const items = await scene.operation.prepare(scene.service, 2);
		const nothing = { limit: 5, filters: { name: 'a name that no template has' } };
		const node = scene.node({ alwaysOutputData: true }, nothing);
		const workflow = workflowOf('Finds nothing', node, items);
		// The empty item comes from no item: what is behind the node could not ask for its source.
		workflow.connections = connect([[names.start, node.name]]);
		const done = await scene.host.watch.settled(await scene.start(workflow));
		scene.checks.same('outcome', 'the execution', done.status, 'success');
		const outputs = outputOf(done, names.node).map(({ json }) => json);
		scene.checks.same('onePerItem', 'items out', outputs, [{}]);
	},
};

export const settingRows = [...executeOnce, alwaysOutput, emptyList];
