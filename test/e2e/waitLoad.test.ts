import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { clientOf } from '../support/credentials';
import { post } from './support/http';
import { until } from './support/stage';
import { loggedIn } from './support/trigger';
import { ended, signAll, useWaiting, waitingOnes } from './support/wait';

/**
 * How waiting grows: each completed document is reported to every execution that waits. What was
 * measured stands in `.run/results/wait-load.json` (docs/dev/architecture.md).
 */
const own = useWaiting('wait-load');
const measured: object[] = [];

afterAll(async () => {
	const folder = path.join(root, '.run/results');
	await mkdir(folder, { recursive: true });
	const load = os.loadavg()[0];
	await writeFile(path.join(folder, 'wait-load.json'), JSON.stringify({ load, measured }, null, 2));
});

test.each([1, 10, 100])(
	'%i executions wait: one document costs as many calls, and ends its own execution alone',
	async (count) => {
		const { api, url } = own.n8n;
		const { sandbox } = own.stage;
		const { id, path: webhook } = await own.add();
		await api.activate(id);
		const allThatWait = async () => await waitingOnes(api, id);
		const before = sandbox.documents().length;
		for (let started = 0; started < count; started++) {
			expect(await post(`${url}/webhook/${webhook}`, {})).toBe(200);
		}
		await until('all wait', async () => (await allThatWait()).length === count);
		const documents = sandbox.documents().slice(before);
		expect(documents).toHaveLength(count);
		const document = documents[Math.floor(count / 2)]?.documentID ?? '';
		const earlier = sandbox.deliveries().length;

		const all = (await allThatWait()).map((each) => each.id);
		const begun = performance.now();
		await signAll(sandbox, document);
		await sandbox.idle();
		const gone = await until('its execution has ended', async () => {
			const left = new Set((await allThatWait()).map((each) => each.id));
			return all.find((each) => !left.has(each));
		});
		expect(await own.documentOf(gone)).toEqual([document]);
		measured.push({
			waiting: count,
			calls: sandbox.deliveries().length - earlier,
			seconds: Math.round((performance.now() - begun) / 100) / 10,
		});
		const attempts = sandbox
			.deliveries()
			.slice(earlier)
			.map((each) => each.attempts.map(({ status }) => status));
		expect(attempts).toEqual(Array(count).fill([200]));
		expect(await allThatWait()).toHaveLength(count - 1);

		// The rest, so that nothing is left: some are completed, a hundred are given up.
		if (count > 10) {
			await giveUp((await allThatWait()).map((each) => each.id));
		} else {
			for (const { documentID } of documents) {
				if (documentID !== document) await signAll(sandbox, documentID);
			}
			for (const each of all) expect((await ended(api, each)).status).toBe('success');
		}
		await own.noRegistrations();
	},
);

/** Deletes executions, as a user may, and what they leave at the service until their limits are over. */
async function giveUp(executions: string[]): Promise<void> {
	const client = await loggedIn(own.n8n.url, own.stage.owner);
	await client.call('POST', '/executions/delete', { body: { ids: executions } });
	const service = clientOf(own.stage.sandbox);
	for (const { webHookID } of own.stage.sandbox.webhooks()) await service.deleteWebhook(webHookID);
}
