import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { outputOf } from '../../host/executions';
import { loopback } from '../../host/ports';
import { identitiesFor, signDocument } from '../operations/service';
import { until } from '../support/until';
import { useStage } from './support/stage';
import { allExecutions, createDocument, credentialId } from './support/trigger';
import {
	nextName,
	sendAndWait,
	untilSucceeded,
	untilWaiting,
	waitingWorkflow,
	waitUntilVerified,
} from './support/wait';

// n8n is behind a proxy, under a path that the proxy removes from each call. Two of n8n's endpoints are
// renamed, so the path can't be found by the endpoints' usual names.
const prefix = '/company/n8n';
const proxy = createServer((incoming, reply) => {
	const { method, headers, url = '' } = incoming;
	if (!url.startsWith(`${prefix}/`)) {
		reply.writeHead(404).end();
		return;
	}
	const path = url.slice(prefix.length);
	const forwarded = httpRequest(
		{ host: loopback, port: stage.n8n.port, method, path, headers },
		(response) => {
			reply.writeHead(response.statusCode ?? 502, response.rawHeaders);
			response.pipe(reply);
		},
	);
	forwarded.once('error', () => reply.writeHead(502).end());
	incoming.pipe(forwarded);
});

const stage = useStage('under-path', async () => {
	await new Promise<void>((resolve) => proxy.listen(0, loopback, resolve));
	const { port } = proxy.address() as AddressInfo;
	return {
		N8N_PATH: `${prefix}/`,
		N8N_WEBHOOK_URL: `http://${loopback}:${port}${prefix}/`,
		N8N_ENDPOINT_WEBHOOK: 'api/hooks',
		N8N_ENDPOINT_WEBHOOK_WAIT: 'api/waits',
	};
});

afterAll(() => {
	proxy.closeAllConnections();
	proxy.close();
});

/** The paths of the webhooks that are registered for an event. */
const pathsOf = (event: string) =>
	stage.sandbox
		.webhooks()
		.filter(({ type }) => type === event)
		.map(({ webHookUrl }) => new URL(webHookUrl).pathname);

/** Starts a workflow that waits. @returns The ID of its execution. */
async function wait(parameters: INodeParameters): Promise<string> {
	const { api } = stage.n8n;
	const { workflow } = waitingWorkflow('Waits', parameters, await credentialId(api));
	const execution = await api.run((await api.createWorkflow(workflow)).id, 'Start');
	await untilWaiting(api, execution);
	return execution;
}

test('a trigger starts its workflow if n8n is under a path', async () => {
	const { api } = stage.n8n;
	await until('it is registered', () => pathsOf('completedDocument').length === 1);
	expect(pathsOf('completedDocument')[0]).toMatch(/^\/company\/n8n\/api\/hooks\//);
	const { signed } = stage.workflows;
	await signDocument(stage.sandbox, await createDocument(stage.sandbox));
	const [started] = await allExecutions(api, signed, 1);
	expect(started?.mode).toBe('webhook');
	// Otherwise, the workflow would also start for the documents of the tests below.
	await api.unpublish(signed);
	await until('it is removed', () => pathsOf('completedDocument').length === 0);
});

test('the event about a signed document ends its wait if n8n is under a path', async () => {
	const execution = await wait(sendAndWait(stage.sandbox));
	expect(pathsOf('completedDocument')).toEqual([
		expect.stringMatching(new RegExp(`^${prefix}/api/waits/${execution}/`)),
	]);
	await signDocument(stage.sandbox, stage.sandbox.documents().at(-1)?.documentID ?? '');
	const done = await untilSucceeded(stage.n8n.api, execution);
	expect(outputOf(done, nextName)[0]?.json).toMatchObject({ outcome: 'completed' });
});

test('the event about a finished verification ends its wait if n8n is under a path', async () => {
	const execution = await wait(await waitUntilVerified(stage.sandbox, 'ada@example.com'));
	const [validation = ''] = identitiesFor(stage.sandbox, 'ada@example.com');
	await stage.sandbox.completeIdentity(validation, 'pass');
	const done = await untilSucceeded(stage.n8n.api, execution);
	expect(outputOf(done, nextName)[0]?.json).toMatchObject({ passed: true, outcome: 'completed' });
});
