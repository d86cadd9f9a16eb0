import type { IDataObject, INode } from 'n8n-workflow';

import type { Execution, WorkflowInput } from '../../../../host/apiTypes';
import { outputOf } from '../../../../host/executions';
import type { Fault } from '../../../../sandbox';
import { operations, type Item, type OperationName } from '../operations';
import { asSaved, onErrors, onErrorWords } from '../settings';
import { connect, manualTrigger, names, nodeOf, sourceNode, type Link } from '../workflow';
import type { Driving, Scene, SingleRow } from './scene';

const loop = 'Loop Over Items';
const looped: OperationName[] = [
	'document/createFromTemplate',
	'document/sendAndWait',
	'identity/sendAndWait',
];
const waiting: OperationName[] = ['document/sendAndWait', 'identity/sendAndWait'];

/** Start, a loop in which the node under test runs once for each batch, and what is behind it. */
function loopOf(node: INode, items: Item[], batchSize: number): WorkflowInput {
	const back: Link[] =
		node.onError === 'continueErrorOutput'
			? [
					[node.name, names.failed, 1],
					[names.failed, loop],
				]
			: [];
	return {
		name: `Loop, ${batchSize} at a time`,
		nodes: [
			manualTrigger(),
			nodeOf({
				name: loop,
				type: 'n8n-nodes-base.splitInBatches',
				typeVersion: 3,
				parameters: { batchSize },
			}),
			node,
			sourceNode(names.next),
			sourceNode(names.failed),
			nodeOf({ name: 'Done', type: 'n8n-nodes-base.noOp' }),
		],
		connections: connect([
			[names.start, loop],
			[loop, 'Done', 0],
			[loop, node.name, 1],
			[node.name, names.next],
			[names.next, loop],
			...back,
		]),
		settings: { executionOrder: 'v1' },
		pinData: { [names.start]: items.map((json) => ({ json })) },
	};
}

/** What is special about a loop. */
interface LoopCase {
	what: string;
	expected: string;
	batchSize?: number;
	count?: number;
	node?: Partial<INode>;
	parameters?: IDataObject;
	fault?: Fault;
	driving?: Driving;
	long?: boolean;
	/** What its end is checked for, beside that everybody got one. */
	check?(scene: Scene, name: OperationName, items: Item[], done: Execution): void;
}

function loopRow(name: OperationName, special: LoopCase): SingleRow {
	return {
		what: special.what,
		operation: name,
		expected: special.expected,
		...(special.long ? { long: true } : {}),
		async run(scene) {
			const { batchSize = 1, count = 3, node: settings, parameters = {}, fault } = special;
			const items = await operations[name].prepare(scene.service, count);
			const node = scene.node(name, settings, parameters as INode['parameters']);
			await scene.prepareOthers(name, count);
			if (fault) scene.service.sandbox.faults.set(fault);
			const execution = await scene.start(loopOf(node, items, batchSize));
			const done = await scene.drive(execution, name, special.driving);
			if (special.check) special.check(scene, name, items, done);
			else {
				scene.checkNext(name, items, done);
				const out = outputOf(done, 'Done').map(({ json }) => json.source);
				scene.checks.same(
					'onePerItem',
					'items behind the loop',
					out,
					items.map(({ n }) => n),
				);
			}
			scene.checkOnce(name, items);
		},
	};
}

const batches = [1, 2].flatMap((batchSize) =>
	looped
		.filter((name) => batchSize === 1 || !waiting.includes(name))
		.map((name) =>
			loopRow(name, {
				what: `Loop Over Items, batch size ${batchSize}`,
				expected: 'every item is done, one batch after another',
				batchSize,
			}),
		),
);

const deletion = 'DELETE /webhooks';
const refused = { answer: { status: 400, body: { success: false, message: 'provoked' } } };

/** The clean-up of one wait must not harm the next: same node, same execution, same address. */
const cleanUps = waiting.flatMap((name) => [
	loopRow(name, {
		what: 'Loop Over Items, and deleting a webhook takes 1.5 seconds',
		expected: 'every item is done',
		fault: { endpoint: deletion, delayMs: 1500 },
		driving: { rest: 2500 },
	}),
	loopRow(name, {
		what: 'Loop Over Items, and deleting a webhook fails once',
		expected: 'every item is done',
		fault: { endpoint: deletion, times: 1, ...refused },
		driving: { rest: 500 },
	}),
	loopRow(name, {
		what: 'Loop Over Items, the first wait ends by its time limit',
		expected: 'the first item says `timedOut: true`, the second item is done',
		count: 2,
		long: true,
		// n8n looks once a minute: until then the second must not be over, too.
		parameters: {
			limitWaitTime: '={{ $json.n === 1 ? 0.15 : 5 }}',
			limitWaitTimeUnit: 'minutes',
		},
		driving: { leave: (index) => index === 0, timeLimit: 100_000, rest: 1500 },
		check(scene, _name, items, done) {
			scene.checkSuccess(done);
			const out = outputOf(done, names.next).map(({ json }) => [json.source, json.timedOut]);
			const expected = items.map(({ n }) => [n, n === 1]);
			scene.checks.same('waitsWithRegistration', 'items out, and timedOut', out, expected);
		},
	}),
]);

/** Retry On Fail in a loop: each round has tries of its own. */
const retries = looped.map((name) =>
	loopRow(name, {
		what: 'Loop Over Items with Retry On Fail, and the service refuses once',
		expected: 'every item is done',
		node: asSaved({ onError: 'stopWorkflow', retry: true }),
		fault: { endpoint: operations[name].calls.call ?? '', times: 1, skip: 1, ...refused },
	}),
);

/** On Error in a loop: the second of three items is wrong. */
const failures = looped.flatMap((name) =>
	onErrors.slice(1).map((onError): SingleRow => ({
		what: `Loop Over Items, On Error: ${onErrorWords[onError]}, the second of three items is wrong`,
		operation: name,
		expected: 'the wrong item has an error, the others are done',
		async run(scene) {
			const operation = operations[name];
			const items = await operation.prepare(scene.service, 3);
			const wrong = items.map((each) =>
				each.n === 2 ? { ...each, ...operation.malformed } : each,
			);
			const node = scene.node(name, { onError });
			const done = await scene.drive(await scene.start(loopOf(node, wrong, 1)), name);
			scene.checkSuccess(done);
			const good = outputOf(done, names.next).filter(({ json }) => !json.error);
			const right = items.filter(({ n }) => n !== 2);
			scene.checkDone(name, right, good);
			const out = outputOf(done, 'Done').map(({ json }) => [json.source, Boolean(json.error)]);
			const expected = items.map(({ n }) => [n, n === 2]);
			scene.checks.same('onePerItem', 'behind the loop, with an error', out, expected);
			scene.checkOnce(name, right);
		},
	})),
);

export const loopRows = [...batches, ...cleanUps, ...retries, ...failures];
