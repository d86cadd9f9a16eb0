import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { freePorts } from '../../host/ports';
import { root } from '../../scripts/tools';
import { until } from '../support/until';
import { caddy, startCaddy, type RunningCaddy } from '../support/caddy';

const editor = 'n8n.example.com';
const hooks = 'hooks.example.com';
const servers: Server[] = [];
let proxy: RunningCaddy | undefined;
let port = 0;

/** Stands where a process of n8n would: says who it is, and breaks off what is to fail. */
async function upstream(name: string): Promise<string> {
	const server = createServer((call, answer) => {
		if (call.url?.includes('fail')) call.socket.destroy();
		else answer.end(`${name} ${call.url}`);
	});
	servers.push(server);
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Calls the proxy by a name. Gives status and body. */
async function call(host: string, target: string): Promise<string> {
	return await new Promise((done, fail) => {
		const options = { host: '127.0.0.1', port, path: target, headers: { host } };
		request(options, (answer) => {
			let body = '';
			answer.on('data', (part: Buffer) => (body += part.toString()));
			answer.on('end', () => done(`${answer.statusCode} ${body}`.trim()));
		})
			.once('error', fail)
			.end();
	});
}

beforeAll(async () => {
	if (!caddy) return;
	[port = 0] = await freePorts(1);
	const text = readFileSync(path.join(root, 'deploy/Caddyfile'), 'utf8')
		.replaceAll('webhook:5678', await upstream('webhook'))
		.replaceAll('main:5678', await upstream('main'))
		.replace(/^\{/, `{\n\thttp_port ${port}`);
	proxy = startCaddy(text, { SITE_ADDRESS: `:${port}`, N8N_HOST: editor, WEBHOOK_HOST: hooks });
	await until('Caddy listens', async () =>
		(await call(hooks, '/webhook/ready').catch(() => '')).startsWith('200'),
	);
}, 60_000);
afterAll(() => {
	proxy?.stop();
	for (const each of servers) each.close();
});

/** Where there is no Caddy, only deploy.test.ts looks at its file. CADDY_PATH names it. */
const withCaddy = caddy ? test : test.skip;

withCaddy.each([
	[hooks, '/webhook/a?secret=s', '200 webhook /webhook/a?secret=s'],
	[hooks, '/webhook-waiting/1?signature=s', '200 webhook /webhook-waiting/1?signature=s'],
	[hooks, '/form/onboarding', '200 webhook /form/onboarding'],
	[hooks, '/webhook-test/a', '200 main /webhook-test/a'],
	[hooks, '/', '404'],
	[hooks, '/rest/login', '404'],
	[hooks, '/api/v1/workflows', '404'],
	[hooks, '/metrics', '404'],
	[editor, '/', '200 main /'],
	[editor, '/rest/login', '200 main /rest/login'],
	['elsewhere.example.com', '/webhook/a', '404'],
])('%s%s: %s', async (host, target, expected) => {
	expect(await call(host, target)).toBe(expected);
});

withCaddy('what fails is logged without its query', async () => {
	expect(await call(hooks, '/webhook/fail?secret=very-secret')).toBe('502');
	await until('it is logged', () => proxy?.printed().includes('/webhook/fail?…'));
	expect(proxy?.printed()).not.toContain('very-secret');
});
