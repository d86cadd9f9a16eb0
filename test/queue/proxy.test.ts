import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startProxy, type Proxy } from '../../host/queue/proxy';
import { freePorts } from '../../host/ports';
import { axios } from '../e2e/support/http';

/** Stand-ins for main and webhook processor, which answer with their name and what they got. */
const servers: Server[] = [];
let proxy: Proxy;
let isWebhookUp = true;

async function standIn(name: string): Promise<number> {
	const server = createServer((call, response) => {
		call.resume();
		response.end(`${name} ${call.method} ${call.url} ${String(call.headers['x-forwarded-for'])}`);
	});
	server.on('upgrade', (_call: IncomingMessage, socket) => {
		socket.write(
			'HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n',
		);
		socket.pipe(socket);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	servers.push(server);
	return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
	const main = await standIn('main');
	const webhook = await standIn('webhook');
	const [port] = (await freePorts(1)) as [number];
	proxy = await startProxy(port, (isProduction) => {
		if (!isProduction) return main;
		return isWebhookUp ? webhook : undefined;
	});
});
afterAll(async () => {
	await proxy.close();
	for (const server of servers) server.close();
});

test.each([
	['/webhook/a/signverify?secret=x', 'webhook'],
	['/webhook-waiting/1', 'webhook'],
	['/form/onboarding', 'webhook'],
	['/form-waiting/1', 'webhook'],
	['/webhook-test/a', 'main'],
	['/form-test/a', 'main'],
	['/rest/login', 'main'],
	['/', 'main'],
])('%s is answered by %s', async (path, name) => {
	const { data } = await axios.post<string>(`${proxy.url}${path}`, {});
	expect(data).toBe(`${name} POST ${path} 127.0.0.1`);
});

test('the editor gets its live connection', async () => {
	const call = request(`${proxy.url}/rest/push`, {
		headers: { connection: 'Upgrade', upgrade: 'echo' },
	});
	const echoed = new Promise<string>((resolve, reject) => {
		call.once('error', reject);
		call.once('upgrade', (_answer, socket) => {
			socket.once('data', (data: Buffer) => {
				socket.destroy();
				resolve(data.toString());
			});
			socket.write('hello');
		});
	});
	call.end();
	expect(await echoed).toBe('hello');
});

test('while the webhook processor is not ready, the sender is told to try again', async () => {
	isWebhookUp = false;
	expect((await axios.post(`${proxy.url}/webhook/a`, {})).status).toBe(502);
	isWebhookUp = true;
	expect((await axios.post(`${proxy.url}/webhook/a`, {})).status).toBe(200);
});
