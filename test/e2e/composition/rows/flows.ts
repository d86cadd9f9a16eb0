import type { WorkflowInput } from '../../../../host/apiTypes';
import { outputOf } from '../../../../host/executions';
import { operationNamed } from '../../../operations';
import { until } from '../../../support/until';
import type { Scene, SingleRow } from '../scene';
import { connect, manualTrigger, nodeOf, workflowWith } from '../../support/workflow';
import { names, sourceNode, workflowOf } from '../workflow';

/** A sub-workflow waits, and so does the workflow that called it. */
const subWorkflow: SingleRow = {
	what: 'A sub-workflow that waits',
	tried: operationNamed('document/sendAndWait'),
	async run(scene) {
		const items = await scene.operation.prepare(scene.service, 1);
		const called = await scene.add(calledWorkflow(scene));
		const call = nodeOf({
			name: 'Call',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: {
				workflowId: { __rl: true, mode: 'id', value: called },
				mode: 'once',
				options: { waitForSubWorkflow: true },
			},
		});
		const caller = workflowWith(
			'Calls the sub-workflow',
			[manualTrigger(), call, nodeOf({ name: names.next, type: 'n8n-nodes-base.noOp' })],
			[
				[names.start, 'Call'],
				['Call', names.next],
			],
			items,
		);
		const execution = await scene.start(caller);
		const waiter = async () =>
			await until('the sub-workflow is running', async () => {
				const found = await scene.host.n8n.api.executions({ workflowId: called });
				return found[0]?.id;
			});
		const done = await scene.drive(execution, items, { waiter });
		scene.checkNext(items, done);
		scene.checkOnce(items);
	},
};

function calledWorkflow(scene: Scene): WorkflowInput {
	const trigger = nodeOf({
		name: 'Called',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	});
	return workflowWith(
		'Sub-workflow',
		[trigger, scene.node(), sourceNode(names.next, 'Called')],
		[
			['Called', names.node],
			[names.node, names.next],
		],
	);
}

/** Two branches meet at a Merge. One of them waits, and the other registers a webhook. */
const merge: SingleRow = {
	what: 'A Merge node that joins two branches, one of which waits',
	tried: operationNamed('identity/sendAndWait'),
	async run(scene) {
		const items = await scene.operation.prepare(scene.service, 1);
		const webhookUrl = 'http://127.0.0.1:9/other-branch';
		const { parameters } = operationNamed('webhook/create');
		const side = scene.node({
			name: 'Other branch',
			parameters: { ...parameters, webhookUrl },
		});
		const merging = nodeOf({ name: 'Merge', type: 'n8n-nodes-base.merge', typeVersion: 3 });
		const workflow = workflowWith(
			'Two branches',
			[manualTrigger(), scene.node(), side, sourceNode(names.next), merging],
			[
				[names.start, names.node],
				[names.start, side.name],
				[names.node, names.next],
				[names.next, 'Merge', 0, 0],
				[side.name, 'Merge', 0, 1],
			],
			items,
		);
		const done = await scene.drive(await scene.start(workflow), items);
		scene.checkNext(items, done);
		scene.checkOnce(items);
		const all = scene.service.sandbox.webhooks();
		const ofBranch = all.filter(({ webHookUrl }) => webHookUrl === webhookUrl).length;
		scene.checks.expectSame('neverTwice', 'webhooks of the other branch', ofBranch, 1);
		const merged = outputOf(done, 'Merge').map(({ json }) => json.source ?? 'other');
		scene.checks.expectSame('onePerItem', 'after the Merge', merged, [1, 'other']);
	},
};

const twoWaits: SingleRow = {
	what: 'Two waiting nodes in a row',
	tried: operationNamed('identity/sendAndWait'),
	async run(scene) {
		const [first, next] = await scene.operation.prepare(scene.service, 2);
		if (!first || !next) throw new Error('There are no two requests.');
		const items = [first];
		// Both waits have the same source item.
		const people = [{ ...next, n: 1 }];
		const second = scene.node({ name: 'Second' }, { validationId: String(next.id) });
		const workflow = workflowOf('Two waits', scene.node(), items);
		workflow.nodes.push(second);
		workflow.connections = connect([
			[names.start, names.node],
			[names.node, second.name],
			[second.name, names.next],
		]);
		const done = await scene.drive(await scene.start(workflow), [...items, ...people]);
		scene.checkSuccess(done);
		scene.checkDone(people, outputOf(done, names.next));
		scene.checkOnce([...items, ...people]);
	},
};

export const flowRows = [subWorkflow, merge, twoWaits];

/** With Execute Once, the node handles only the first of three items. */
const executeOnce = ['identity/request', 'document/sendAndWait'].map((name): SingleRow => ({
	what: 'Execute Once with three items',
	tried: operationNamed(name),
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

/** With Always Output Data, n8n returns one empty item for an empty list. */
const emptyList: SingleRow = {
	what: 'Always Output Data, if nothing is found',
	tried: operationNamed('template/getAll'),
	async run(scene) {
		const items = await scene.operation.prepare(scene.service, 2);
		const nothing = { limit: 5, filters: { name: 'a name that no template has' } };
		const node = scene.node({ alwaysOutputData: true }, nothing);
		const workflow = workflowOf('Finds nothing', node, items);
		// The next node is left out, because it could not find the source of the empty item.
		workflow.connections = connect([[names.start, node.name]]);
		const done = await scene.host.watch.settled(await scene.start(workflow));
		scene.checks.expectSame('outcome', 'the execution', done.status, 'success');
		const outputs = outputOf(done, names.node).map(({ json }) => json);
		scene.checks.expectSame('onePerItem', 'items out', outputs, [{}]);
	},
};

export const settingRows = [...executeOnce, emptyList];
