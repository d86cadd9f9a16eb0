import { outputOf } from '../../../../host/executions';
import { operations, type Item, type OperationName } from '../operations';
import { names, workflowOf } from '../workflow';
import type { Scene, SingleRow } from './scene';

const waiting: OperationName[] = ['document/sendAndWait', 'identity/sendAndWait'];

/** Starts a workflow that waits for one item. */
async function startOne(scene: Scene, name: OperationName, email: string): Promise<Waiting> {
	const items: Item[] = [{ n: 1, email }];
	const before = scene.created(name);
	const workflowId = await scene.add(workflowOf('Waits', scene.node(name), items));
	const execution = await scene.host.n8n.api.run(workflowId, names.start);
	await scene.checkWaits(execution, name);
	const [id = ''] = scene.created(name).filter((each) => !before.includes(each));
	return { name, workflowId, execution, items, id };
}

interface Waiting {
	name: OperationName;
	workflowId: string;
	execution: string;
	items: Item[];
	/** What it waits for. */
	id: string;
}

/** Ends one wait; it must go on, with its own. */
async function endOne(scene: Scene, { name, execution, items, id }: Waiting): Promise<void> {
	await scene.finish(execution, name, id);
	scene.checkNext(name, items, await scene.host.watch.ended(execution));
}

/** Several workflows with one credential wait at once; the last ends first. */
const oneCredential: SingleRow = {
	what: 'Four workflows with one credential that wait at once',
	triedWith: 'both operations that wait',
	expected: 'each wait ends by its own event, and the others keep their webhooks',
	async run(scene) {
		const all: Waiting[] = [];
		for (const name of [...waiting, ...waiting]) {
			all.push(await startOne(scene, name, `person-${all.length}@example.com`));
		}
		for (const each of all.reverse()) {
			await endOne(scene, each);
			const rest = all.slice(all.indexOf(each) + 1);
			for (const { execution, name } of rest) await scene.checkWaits(execution, name);
		}
	},
};

/** A copy of a workflow, with the same nodes: both wait at once. */
const copied = waiting.map((name): SingleRow => ({
	what: 'A copied workflow',
	operation: name,
	expected: 'original and copy wait for their own, and keep their own webhooks',
	async run(scene) {
		const original = await startOne(scene, name, 'original@example.com');
		const { nodes, connections, settings } = await scene.host.n8n.api.getWorkflow(
			original.workflowId,
		);
		const items: Item[] = [{ n: 1, email: 'copy@example.com' }];
		const pinData = { [names.start]: items.map((json) => ({ json })) };
		const copy = await scene.start({
			name: 'Copy',
			nodes,
			connections,
			...(settings ? { settings } : {}),
			pinData,
		});
		await scene.checkWaits(copy, name);
		await scene.checkWaits(original.execution, name);
		const [id = ''] = operations[name].created?.(scene.service.sandbox, items[0] as Item) ?? [];
		await endOne(scene, { ...original, execution: copy, items, id });
		await scene.checkWaits(original.execution, name);
		await endOne(scene, original);
	},
}));

/** A workflow is renamed, changed and restored while it waits. */
const renamed = waiting.map((name): SingleRow => ({
	what: 'A workflow that is renamed, changed and restored while it waits',
	operation: name,
	expected: 'the wait ends by its own event',
	async run(scene) {
		const { api } = scene.host.n8n;
		const one = await startOne(scene, name, 'person-1@example.com');
		const saved = await api.getWorkflow(one.workflowId);
		const nodes = saved.nodes.map((node) => ({ ...node, name: `${node.name} 2` }));
		await api.updateWorkflow(one.workflowId, { name: 'Another name', nodes, connections: {} });
		await scene.checkWaits(one.execution, name);
		const { nodes: before, connections } = saved;
		await api.updateWorkflow(one.workflowId, { nodes: before, connections });
		await scene.checkWaits(one.execution, name);
		await endOne(scene, one);
		const out = outputOf(await api.execution(one.execution), names.next).length;
		scene.checks.same('onePerItem', 'items out', out, 1);
	},
}));

export const sharedRows = [oneCredential, ...copied, ...renamed];
