import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { N8nApi } from '../../host/api';
import { CleanupStack } from '../../host/cleanupStack';
import { isRunning } from '../../host/executions';
import { ensureHost } from '../../host/install.cjs';
import { startN8n } from '../../host/n8n';
import { installPackage } from '../../host/package';
import { freePorts, loopback } from '../../host/ports';
import { supervise, type SupervisedProcess } from '../../host/queue/supervise';
import { signIn } from '../../host/stage';
import { startSandbox, type Sandbox } from '../../sandbox';
import { root } from '../../scripts/tools';
import { textOfFile } from '../support/files';
import { axios } from '../support/http';
import { until } from '../support/until';
import { eventsOf, everyExecution, loggedIn, triggerWorkflow } from '../e2e/support/trigger';
import { startCaddy } from '../support/caddy';
import { restartMain } from './support/kills';
import { report, retry } from './support/stage';

const folder = path.join(root, '.run', 'queue-restart');
/** While its database is being migrated, n8n responds to every call with 200 and this text. */
const startingUp = 'n8n is starting up';
const closing = new CleanupStack();
let sandbox: Sandbox;
let n8n: SupervisedProcess;
/** n8n's own URL, which bypasses the proxy. */
let direct: string;

beforeAll(async () => {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const [port, n8nPort, brokerPort] = (await freePorts(3)) as [number, number, number];
	direct = `http://${loopback}:${n8nPort}`;

	sandbox = await startSandbox({
		seed: { documents: 2000 },
		deliveryBackoffMs: Array.from({ length: 90 }, () => 2000),
	});
	closing.add(async () => await sandbox.close());

	// The proxy uses the configuration for a single n8n process (docs/go-live.md).
	const proxy = startCaddy(
		textOfFile('deploy/Caddyfile.single')
			.replace('n8n.example.com', `http://${loopback}:${port}`)
			.replace('localhost:5678', `${loopback}:${n8nPort}`),
	);
	closing.add(async () => proxy.stop());

	const installation = await ensureHost({ log: report });
	const userFolder = path.join(folder, 'n8n');
	await installPackage({ userFolder, log: report });
	const options = { installation, userFolder, port: n8nPort, brokerPort };
	const webhookUrl = `http://${loopback}:${port}/`;
	const logFile = path.join(folder, 'n8n.log');
	const start = async () => await startN8n({ ...options, webhookUrl, logFile });
	n8n = await supervise('n8n', start, report);
	closing.add(async () => await n8n.stop());
}, 420_000);
afterAll(async () => {
	await closing.run();
	await rm(folder, { recursive: true, force: true });
});

/**
 * Sends ten events per second, each about a different document, until `isOver` is true.
 * @returns The documents' IDs.
 */
async function sendAll(isOver: () => boolean): Promise<string[]> {
	const sent: string[] = [];
	for (const { documentID } of sandbox.documents()) {
		if (isOver()) break;
		await sandbox.fire('signDocument', documentID);
		sent.push(documentID);
		await delay(100);
	}
	return sent;
}

/**
 * Calls n8n directly, bypassing the proxy, until `isOver` is true. Counts the responses with status 200 whose
 * text starts with `startingUp`.
 */
async function countStartingUp(
	startingUpResponses: { count: number },
	isOver: () => boolean,
): Promise<void> {
	while (!isOver()) {
		const response = await axios.post<unknown>(`${direct}/webhook/x`, {}).catch(() => undefined);
		if (response?.status === 200 && String(response.data).startsWith(startingUp))
			startingUpResponses.count++;
		await delay(10);
	}
}

test('a single n8n process with a health-checking proxy handles every event, even if the process is killed repeatedly', async () => {
	const api = new N8nApi(direct);
	const owner = await signIn(api, folder);
	const data = { baseUrl: sandbox.baseUrl, ...sandbox.account };
	const credential = { name: 'SignVerify sandbox', type: 'signVerifyApi', data };
	const { id: credentialId } = await api.createCredential(credential);
	const workflow = triggerWorkflow('Restarts', { events: ['signDocument'] }, credentialId);
	const { id } = await api.createWorkflow(workflow);
	await api.publish(id);

	let isOver = false;
	const sending = sendAll(() => isOver);
	const startingUpResponses = { count: 0 };
	const asking = countStartingUp(startingUpResponses, () => isOver);
	// On a fast machine, the migration takes only milliseconds, so the text does not appear on every start.
	for (let kills = 0; kills < 3 || (startingUpResponses.count === 0 && kills < 10); kills++) {
		await delay(4000);
		await restartMain({ main: n8n });
	}
	isOver = true;
	const [sent] = await Promise.all([sending, asking]);
	await sandbox.idle();
	const deliveries = sandbox.deliveries();
	const tries = deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0);
	const seen = `past the proxy, "${startingUp}" was seen ${startingUpResponses.count} times with 200`;
	report(`${sent.length} events, ${tries} deliveries; ${seen}`);
	expect(deliveries.filter(({ state }) => state !== 'delivered')).toEqual([]);

	const client = await loggedIn(direct, owner);
	const settled = async () =>
		await until('all executions have ended', async () => {
			const all = await everyExecution(client, id);
			return all.some(isRunning) ? undefined : all;
		});
	const interrupted = (await settled()).filter(({ status }) => status !== 'success');
	await retry({ url: direct, owner }, interrupted);
	const done = (await settled()).filter(({ status }) => status === 'success');
	report(`${done.length} executions done, ${interrupted.length} of them by "Retry"`);
	const executed = new Set((await eventsOf(api, done)).map(({ documentId }) => documentId));
	expect(sent.filter((documentID) => !executed.has(documentID))).toEqual([]);
}, 900_000);
