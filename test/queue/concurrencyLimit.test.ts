import { setTimeout as delay } from 'node:timers/promises';

import { axios } from '../support/http';
import { useStage } from '../e2e/support/stage';
import { allExecutions, clearStage, credentialId, triggerWorkflow } from '../e2e/support/trigger';

const stage = useStage('concurrency-limit', async () => ({
	N8N_CONCURRENCY_PRODUCTION_LIMIT: '1',
}));

test('an event that n8n holds back for longer than two minutes is one execution, although it is sent again', async () => {
	await clearStage(stage);
	const { api } = stage.n8n;
	// Shorter than 65 s, so n8n keeps the execution in memory, and its place with it.
	const wait = {
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { amount: 45, unit: 'seconds' },
	};
	const credential = await credentialId(api);
	const { id } = await api.createWorkflow(
		triggerWorkflow('Held', { events: ['signDocument'] }, credential, wait),
	);
	await api.activate(id);
	const url = stage.sandbox.webhooks().at(-1)?.webHookUrl ?? '';
	const send = async (addedOn: number) => {
		const body = { type: 'signDocument', Document: { documentID: 'd' }, addedOn };
		await axios.post(url, body, { timeout: 3000 }).catch(() => undefined);
	};
	// Three hold the place for 135 s together, and n8n holds the fourth back.
	for (const addedOn of [1, 2, 3, 4]) await send(addedOn);
	await delay(125_000);
	await send(4);
	await allExecutions(api, id, 4);
	await delay(5000);
	expect(await allExecutions(api, id, 4)).toHaveLength(4);
}, 400_000);
