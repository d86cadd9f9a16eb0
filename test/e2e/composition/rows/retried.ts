import { outputOf } from '../../../../host/executions';
import { until } from '../../support/stage';
import { operations, type OperationName } from '../operations';
import { names, workflowOf } from '../workflow';
import type { Scene, SingleRow } from './scene';

const waiting: OperationName[] = ['document/sendAndWait', 'identity/sendAndWait'];

/** What n8n's editor calls the two ways in which it retries an execution. */
type Way = 'original' | 'currently saved';

const rowOf = (name: OperationName, way: Way): SingleRow => ({
	what: `An execution that is stopped while it waits, and retried with the ${way} workflow`,
	operation: name,
	expected: 'it continues with what was sent and `timedOut: true`; nothing is sent again',
	async run(scene) {
		const items = await operations[name].prepare(scene.service, 1);
		const workflowId = await scene.add(workflowOf('Stopped', scene.node(name), items));
		const first = await scene.host.n8n.api.run(workflowId, names.start);
		if (!(await scene.checkWaits(first, name))) return;
		const begun = scene.created(name);
		await scene.host.client.call('POST', `/executions/${first}/stop`);
		const second = await retry(scene, workflowId, first, way);
		const done = await scene.host.watch.ended(second);
		scene.checkSuccess(done);
		scene.checks.same('neverTwice', 'what was created', scene.created(name), begun);
		const outputs = outputOf(done, names.next).map(({ json }) => [
			json.documentId ?? json.validationId,
			json.completed,
			json.timedOut,
		]);
		scene.checks.same('onePerItem', 'items out', outputs, [[begun[0], false, true]]);
	},
});

async function retry(scene: Scene, workflowId: string, id: string, way: Way): Promise<string> {
	// n8n answers only when the new execution waits or has ended.
	void scene.host.client
		.call('POST', `/executions/${id}/retry`, { body: { loadWorkflow: way !== 'original' } })
		.catch(() => undefined);
	return await until('the retried execution', async () => {
		const all = await scene.host.n8n.api.executions({ workflowId });
		return all.find((each) => each.id !== id)?.id;
	});
}

export const retriedRows = waiting.flatMap((name) =>
	(['original', 'currently saved'] as const).map((way) => rowOf(name, way)),
);
