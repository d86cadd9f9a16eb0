import type { WorkflowInput } from '../../../../host/apiTypes';
import { outputOf } from '../../../../host/executions';
import { until } from '../../support/stage';
import { operations, type OperationName } from '../operations';
import { numbered } from '../operations/values';
import { connect, manualTrigger, names, nodeOf, sourceNode, workflowOf } from '../workflow';
import type { Scene, SingleRow } from './scene';

const waiting: OperationName[] = ['document/sendAndWait', 'identity/sendAndWait'];
const pinned = (items: object[]) => ({ [names.start]: items.map((json) => ({ json })) });

/** A sub-workflow waits, and the workflow that called it waits for it. */
const subWorkflows = waiting.map((name): SingleRow => ({
	what: 'A sub-workflow that waits',
	operation: name,
	expected: 'both workflows continue when it is done, with the items of the sub-workflow',
	async run(scene) {
		const items = await operations[name].prepare(scene.service, 1);
		const called = await scene.add(subWorkflow(scene, name));
		const caller: WorkflowInput = {
			name: 'Calls the sub-workflow',
			nodes: [
				manualTrigger(),
				nodeOf({
					name: 'Call',
					type: 'n8n-nodes-base.executeWorkflow',
					typeVersion: 1.2,
					parameters: {
						workflowId: { __rl: true, mode: 'id', value: called },
						mode: 'once',
						options: { waitForSubWorkflow: true },
					},
				}),
				nodeOf({ name: names.next, type: 'n8n-nodes-base.noOp' }),
			],
			connections: connect([
				[names.start, 'Call'],
				['Call', names.next],
			]),
			settings: { executionOrder: 'v1' },
			pinData: pinned(items),
		};
		const execution = await scene.start(caller);
		const waiter = async () =>
			await until('the sub-workflow runs', async () => {
				const found = await scene.host.n8n.api.executions({ workflowId: called });
				return found[0]?.id;
			});
		const done = await scene.drive(execution, name, { waiter });
		scene.checkNext(name, items, done);
		scene.checkOnce(name, items);
	},
}));

function subWorkflow(scene: Scene, name: OperationName): WorkflowInput {
	return {
		name: 'Sub-workflow',
		nodes: [
			nodeOf({
				name: 'Called',
				type: 'n8n-nodes-base.executeWorkflowTrigger',
				typeVersion: 1.1,
				parameters: { inputSource: 'passthrough' },
			}),
			scene.node(name),
			sourceNode(names.next, 'Called'),
		],
		connections: connect([
			['Called', names.node],
			[names.node, names.next],
		]),
		settings: { executionOrder: 'v1' },
	};
}

/** Two branches meet at a Merge; one of them waits, and the other one sends something, too. */
const merges = waiting.map((name): SingleRow => ({
	what: 'A Merge of two branches, one of which waits',
	operation: name,
	expected: 'the other branch runs once, and both meet after the wait',
	async run(scene) {
		const items = await operations[name].prepare(scene.service, 1);
		const side = scene.node(
			'webhook/create',
			{ name: 'Other branch' },
			{
				webhookUrl: '=http://127.0.0.1:9/{{ $json.n }}',
			},
		);
		const workflow: WorkflowInput = {
			name: 'Two branches',
			nodes: [
				manualTrigger(),
				scene.node(name),
				side,
				sourceNode(names.next),
				nodeOf({ name: 'Merge', type: 'n8n-nodes-base.merge', typeVersion: 3 }),
			],
			connections: connect([
				[names.start, names.node],
				[names.start, side.name],
				[names.node, names.next],
				[names.next, 'Merge', 0, 0],
				[side.name, 'Merge', 0, 1],
			]),
			settings: { executionOrder: 'v1' },
			pinData: pinned(items),
		};
		const done = await scene.drive(await scene.start(workflow), name);
		scene.checkNext(name, items, done);
		scene.checkOnce(name, items);
		const urls = scene.service.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);
		const branch = items.map(
			({ n }) => urls.filter((url) => url === `http://127.0.0.1:9/${n}`).length,
		);
		scene.checks.same('neverTwice', 'webhooks of the other branch', branch, [1]);
		const merged = outputOf(done, 'Merge').map(({ json }) => json.source ?? 'other');
		scene.checks.same('onePerItem', 'behind the Merge', merged, [1, 'other']);
	},
}));

/** Pinned data stands for the node: it does not run. */
const pins = waiting.map((name): SingleRow => ({
	what: 'Pinned data',
	operation: name,
	expected: 'nothing is sent, and the workflow continues with the pinned items',
	async run(scene) {
		const items = await operations[name].prepare(scene.service, 2);
		const workflow = workflowOf('Pinned', scene.node(name), items);
		workflow.pinData = {
			...workflow.pinData,
			[names.node]: items.map(({ n }) => ({ json: { pinned: n } })),
		};
		const done = await scene.drive(await scene.start(workflow), name);
		scene.checkSuccess(done);
		const out = outputOf(done, names.next).map(({ json }) => json.pinned);
		scene.checks.same('onePerItem', 'items out', out, [1, 2]);
		scene.checkOnce(name, items, 0);
	},
}));

/** A name in which n8n's expressions could go wrong. */
const odd = 'He said "{{ hi }}" {it\'s} }}';
const oddNames = waiting.map((name): SingleRow => ({
	what: `A node with the name \`${odd}\``,
	operation: name,
	expected: 'every item is done',
	async run(scene) {
		const items = await operations[name].prepare(scene.service, 1);
		const node = scene.node(name, { name: odd });
		const done = await scene.drive(await scene.start(workflowOf('Odd name', node, items)), name);
		scene.checkNext(name, items, done);
		scene.checkOnce(name, items);
	},
}));

/** Two nodes that wait, one after the other. */
const twoWaits = waiting.map((name): SingleRow => ({
	what: 'Two waiting nodes, one after the other',
	operation: name,
	expected: 'each waits for its own, and every item is done',
	async run(scene) {
		const items = await operations[name].prepare(scene.service, 1);
		const second = scene.node(
			name,
			{ name: 'Second' },
			{
				...operations[name].parameters,
				...(name === 'document/sendAndWait'
					? { signatories: { signatory: [{ email: 'second@example.com', name: 'Ada Lovelace' }] } }
					: { email: 'second@example.com' }),
			},
		);
		const workflow = workflowOf('Two waits', scene.node(name), items);
		workflow.nodes.push(second);
		workflow.connections = connect([
			[names.start, names.node],
			[names.node, second.name],
			[second.name, names.next],
		]);
		const done = await scene.drive(await scene.start(workflow), name);
		scene.checkSuccess(done);
		const people = numbered(1, () => ({ email: 'second@example.com' }));
		scene.checkDone(name, people, outputOf(done, names.next));
		scene.checkOnce(name, [...items, ...people]);
	},
}));

export const flowRows = [...subWorkflows, ...merges, ...pins, ...oddNames, ...twoWaits];
