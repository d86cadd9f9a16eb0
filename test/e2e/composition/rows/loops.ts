import type { INode, INodeParameters } from 'n8n-workflow';

import type { Execution, WorkflowInput } from '../../../../host/apiTypes';
import { outputOf } from '../../../../host/executions';
import type { Fault } from '../../../../sandbox';
import { operationNamed, type Item } from '../../../operations';
import type { Driving, Scene, SingleRow } from '../scene';
import { onErrorWords } from '../cells';
import { manualTrigger, nodeOf, workflowWith, type Link } from '../../support/workflow';
import { names, sourceNode } from '../workflow';

const loop = 'Loop Over Items';

/**
 * A workflow with Start, a loop that runs the node under test once for each batch, and a node after the loop.
 */
function loopOf(node: INode, items: Item[], batchSize: number): WorkflowInput {
	const back: Link[] =
		node.onError === 'continueErrorOutput'
			? [
					[node.name, names.failed, 1],
					[names.failed, loop],
				]
			: [];
	const batches = nodeOf({
		name: loop,
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize },
	});
	const done = nodeOf({ name: 'Done', type: 'n8n-nodes-base.noOp' });
	return workflowWith(
		`Loop, ${batchSize} at a time`,
		[manualTrigger(), batches, node, sourceNode(names.next), sourceNode(names.failed), done],
		[
			[names.start, loop],
			[loop, 'Done', 0],
			[loop, node.name, 1],
			[node.name, names.next],
			[names.next, loop],
			...back,
		],
		items,
	);
}

interface LoopCase {
	what: string;
	/** Resource and operation, such as `document/sendAndWait`. */
	tried: string;
	batchSize?: number;
	count?: number;
	node?: Partial<INode>;
	parameters?: INodeParameters;
	fault?: Fault;
	driving?: Driving;
	secondIsWrong?: boolean;
	/**
	 * Checks the result. By default, each person must get one document or request, and each item must be
	 * done.
	 */
	check?(scene: Scene, items: Item[], done: Execution): void;
}

function loopRow({ what, tried, ...special }: LoopCase): SingleRow {
	return {
		what,
		tried: operationNamed(tried),
		async run(scene) {
			const { batchSize = 1, count = 3, parameters, fault, secondIsWrong, driving } = special;
			const { operation, service } = scene;
			const items = await operation.prepare(service, count);
			const given = items.map((item) =>
				secondIsWrong && item.n === 2 ? { ...item, ...operation.malformed } : item,
			);
			const node = scene.node(special.node, parameters);
			await scene.prepareOthers(count);
			if (fault) service.sandbox.faults.set(fault);
			const execution = await scene.start(loopOf(node, given, batchSize));
			const done = await scene.drive(execution, items, driving);
			const check = special.check ?? checkAllDone;
			check(scene, items, done);
			const sent = items.filter(({ n }) => !secondIsWrong || n !== 2);
			scene.checkOnce(sent);
		},
	};
}

function checkAllDone(scene: Scene, items: Item[], done: Execution): void {
	scene.checkNext(items, done);
	const out = outputOf(done, 'Done').map(({ json }) => json.source);
	const expected = items.map(({ n }) => n);
	scene.checks.expectSame('onePerItem', 'items after the loop', out, expected);
}

/**
 * Checks a loop in which the second of three items is wrong. Only that item may have an error. It does not
 * matter which output the error is on.
 */
function checkSecondFails(scene: Scene, items: Item[], done: Execution): void {
	scene.checkSuccess(done);
	const good = outputOf(done, names.next).filter(({ json }) => !json.error);
	const right = items.filter(({ n }) => n !== 2);
	scene.checkDone(right, good);
	const out = outputOf(done, 'Done').map(({ json }) => [json.source, Boolean(json.error)]);
	const expected = items.map(({ n }) => [n, n === 2]);
	scene.checks.expectSame('onePerItem', 'after the loop, with an error', out, expected);
}

const deletion = 'DELETE /webhooks';
const refused = { response: { status: 400, body: { success: false, message: 'provoked' } } };

const cases: LoopCase[] = [
	{
		what: 'Loop Over Items with a batch size of 2',
		tried: 'document/send',
		batchSize: 2,
	},
	// Cleaning up after one wait must not affect the next wait, because both have the same node, execution
	// and URL.
	{
		what: 'Loop Over Items, if deleting a webhook takes 1.5 seconds',
		tried: 'identity/sendAndWait',
		fault: { endpoint: deletion, delayMs: 1500 },
		driving: { rest: 2500 },
	},
	{
		what: 'Loop Over Items, if deleting a webhook fails once',
		tried: 'document/sendAndWait',
		fault: { endpoint: deletion, times: 1, ...refused },
		driving: { rest: 500 },
	},
	{
		what: 'Loop Over Items, if the first wait reaches its time limit',
		tried: 'document/sendAndWait',
		count: 2,
		// n8n checks limits only once a minute. The second limit is longer so that the second wait does not
		// reach it.
		parameters: {
			limitWaitTime: '={{ $json.n === 1 ? 0.15 : 5 }}',
			limitWaitTimeUnit: 'minutes',
		},
		driving: { leave: (index) => index === 0, timeLimit: 100_000, rest: 1500 },
		check(scene, items, done) {
			scene.checkSuccess(done);
			const out = outputOf(done, names.next).map(({ json }) => [json.source, json.outcome]);
			const expected = items.map(({ n }) => [n, n === 1 ? 'timedOut' : 'completed']);
			scene.checks.expectSame(
				'waitsWithRegistration',
				'items out, and their outcomes',
				out,
				expected,
			);
		},
	},
	...(
		[
			['document/send', 'continueRegularOutput'],
			['document/sendAndWait', 'continueErrorOutput'],
		] as const
	).map(([tried, onError]) => ({
		what: `Loop Over Items with On Error set to ${onErrorWords[onError]}, if the second of three items is wrong`,
		tried,
		node: { onError },
		secondIsWrong: true,
		check: checkSecondFails,
	})),
];

export const loopRows = cases.map(loopRow);
