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
	expected:
		way === 'original'
			? 'it continues to wait for the same; nothing is sent again'
			: 'n8n refuses, and names the other retry, which works; nothing is sent again',
	async run(scene) {
		const items = await operations[name].prepare(scene.service, 2);
		const workflowId = await scene.add(workflowOf('Stopped', scene.node(name), items));
		const { api } = scene.host.n8n;
		const first = await api.run(workflowId, names.start);
		if (!(await scene.checkWaits(first, name))) return;
		const begun = scene.created(name);
		await scene.host.client.call('POST', `/executions/${first}/stop`);
		if (way === 'currently saved') await checkRefusal(scene, workflowId, first);
		const second = await retry(scene, workflowId, first);
		const { status } = await scene.host.watch.settled(second);
		scene.checks.same('outcome', 'status of the retried execution', status, 'waiting');
		const done = await scene.drive(second, name);
		scene.checks.same('neverTwice', 'what was created', scene.created(name), begun);
		scene.checkNext(name, items, done);
	},
});

async function retry(scene: Scene, workflowId: string, id: string): Promise<string> {
	// n8n answers only when the new execution waits or has ended.
	void scene.host.client
		.call('POST', `/executions/${id}/retry`, { body: { loadWorkflow: false } })
		.catch(() => undefined);
	return await until('the retried execution', async () => {
		const all = await scene.host.n8n.api.executions({ workflowId });
		return all.find((each) => each.id !== id)?.id;
	});
}

/** A marked node that is disabled would pass on what comes to it, in every further round of a loop, too. */
async function checkRefusal(scene: Scene, workflowId: string, id: string): Promise<void> {
	const said = await scene.host.client
		.call('POST', `/executions/${id}/retry`, { body: { loadWorkflow: true } })
		.then(
			() => 'nothing',
			(error: unknown) => String(error),
		);
	const names = said.includes('Retry with original workflow');
	scene.checks.that('outcome', names, () => `n8n says: ${said}`);
	const all = await scene.host.n8n.api.executions({ workflowId });
	scene.checks.same('outcome', 'executions', all.length, 1);
}

export const retriedRows = waiting.flatMap((name) =>
	(['original', 'currently saved'] as const).map((way) => rowOf(name, way)),
);
