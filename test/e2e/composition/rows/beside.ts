import { outputOf } from '../../../../host/executions';
import { operationNamed, type Item } from '../../../operations';
import { until } from '../../../support/until';
import { retryExecution } from '../../support/trigger';
import type { Scene, SingleRow } from '../scene';
import { names, workflowOf } from '../workflow';

interface Waiting {
	workflowId: string;
	execution: string;
	items: Item[];
}

async function startOne(scene: Scene, items: Item[]): Promise<Waiting> {
	const workflowId = await scene.add(workflowOf('Waits', scene.node(), items));
	const execution = await scene.host.n8n.api.run(workflowId, names.start);
	await scene.checkWaits(execution);
	return { workflowId, execution, items };
}

/** Ends one wait and checks that the execution continues with its own document or request. */
async function endOne(scene: Scene, { execution, items }: Waiting): Promise<void> {
	const [awaited = ''] = scene.awaitedBy(items);
	await scene.finish(execution, awaited);
	scene.checkNext(items, await scene.host.watch.ended(execution));
}

/** A workflow and its copy, whose nodes have the same IDs, wait at the same time. */
const copied: SingleRow = {
	what: 'A copied workflow',
	tried: operationNamed('identity/sendAndWait'),
	async run(scene) {
		const [first, second] = await scene.operation.prepare(scene.service, 2);
		if (!first || !second) throw new Error('There are no two requests.');
		const original = await startOne(scene, [first]);
		const { nodes, connections, settings } = await scene.host.n8n.api.getWorkflow(
			original.workflowId,
		);
		const items = [second];
		const pinData = { [names.start]: items.map((json) => ({ json })) };
		const copy = { name: 'Copy', nodes, connections, ...(settings ? { settings } : {}), pinData };
		const execution = await scene.start(copy);
		await scene.checkWaits(execution);
		await scene.checkWaits(original.execution);
		await endOne(scene, { ...original, execution, items });
		await scene.checkWaits(original.execution);
		await endOne(scene, original);
	},
};

const renamed: SingleRow = {
	what: 'A workflow that is renamed, changed, and restored while it waits',
	tried: operationNamed('document/sendAndWait'),
	async run(scene) {
		const { api } = scene.host.n8n;
		const one = await startOne(scene, await scene.operation.prepare(scene.service, 1));
		const saved = await api.getWorkflow(one.workflowId);
		const nodes = saved.nodes.map((node) => ({ ...node, name: `${node.name} 2` }));
		await api.updateWorkflow(one.workflowId, { name: 'Another name', nodes, connections: {} });
		await scene.checkWaits(one.execution);
		const { nodes: before, connections } = saved;
		await api.updateWorkflow(one.workflowId, { nodes: before, connections });
		await scene.checkWaits(one.execution);
		await endOne(scene, one);
	},
};

/** n8n retries an execution with its original workflow, or with the currently saved one. */
const retried = (
	[
		['original', 'document/sendAndWait'],
		['currently saved', 'identity/sendAndWait'],
	] as const
).map(([way, name]): SingleRow => ({
	what: `An execution that is stopped while it waits, and then retried with the ${way} workflow`,
	tried: operationNamed(name),
	async run(scene) {
		const { workflowId, execution, items } = await startOne(
			scene,
			await scene.operation.prepare(scene.service, 1),
		);
		const created = scene.createdFor(items);
		await scene.host.client.call('POST', `/executions/${execution}/stop`);
		// Don't wait for the response, because n8n does not respond until the new execution is waiting or has
		// ended.
		void retryExecution(scene.host.client, execution, way !== 'original').catch(() => undefined);
		const second = await until('the retry has started', async () => {
			const all = await scene.host.n8n.api.executions({ workflowId });
			return all.find(({ id }) => id !== execution)?.id;
		});
		const done = await scene.host.watch.ended(second);
		scene.checkSuccess(done);
		scene.checks.expectSame('neverTwice', 'what was created', scene.createdFor(items), created);
		const outputs = outputOf(done, names.next).map(({ json }) => [
			json.documentId ?? json.validationId,
			json.outcome,
		]);
		scene.checks.expectSame('onePerItem', 'items out', outputs, [
			[scene.awaitedBy(items)[0], 'timedOut'],
		]);
	},
}));

/** Rows in which something else happens to the workflow while an execution is waiting. */
export const besideRows = [copied, renamed, ...retried];
