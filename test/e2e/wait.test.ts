import { outputOf } from '../../host/executions';
import { useStage } from './support/stage';
import { clearStage, credentialId } from './support/trigger';
import { ended, nextName, sendAndWait, signAll, waiting, waitingName, waitingWorkflow } from './support/wait';

const stage = useStage('wait');
let credential: string;
beforeAll(async () => {
	await clearStage(stage);
	credential = await credentialId(stage.n8n.api);
}, 240_000);

test('probe', async () => {
	const { api } = stage.n8n;
	const { workflow } = waitingWorkflow('W', sendAndWait(stage.sandbox), credential);
	const { id } = await api.createWorkflow(workflow);
	const execution = await api.run(id, 'Start');
	const waits = await waiting(api, execution);
	console.log(JSON.stringify(outputOf(waits, waitingName)), stage.sandbox.webhooks());
	const document = stage.sandbox.documents().at(-1);
	await stage.sandbox.fire('completedDocument', stage.sandbox.documents()[0]!.documentID).catch(console.log);
	await stage.sandbox.idle();
	console.log(stage.sandbox.deliveries().map((d) => JSON.stringify(d.attempts)));
	await signAll(stage.sandbox, document!.documentID);
	await stage.sandbox.idle();
	console.log(stage.sandbox.deliveries().map((d) => JSON.stringify(d.attempts)));
	const done = await ended(api, execution, 8000);
	console.log(done.status, done.error, JSON.stringify(outputOf(done, nextName)));
	console.log(stage.sandbox.webhooks());
}, 60_000);
