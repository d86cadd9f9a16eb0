import { get } from 'node:http';
import { gzipSync } from 'node:zlib';

import { readExample } from '../../host/examples';
import { freePorts, loopback } from '../../host/ports';
import { startCaddy } from '../support/caddy';
import { textOfFile } from '../support/files';
import { axios } from '../support/http';
import { until } from '../support/until';
import { connectToWorkflow } from './support/mcpClient';
import { useStage } from './support/stage';
import { credentialId } from './support/trigger';

// The signing desk, and everything else that's open, behind each of our configurations for Caddy. For Caddy, this machine is outside the office's
// network. A single n8n process serves both host names of the Compose files.
const elsewhere = '192.0.2.0/24';

/** The URLs under which the proxy serves n8n. */
interface Urls {
	webhooks: string;
	editor: string;
}

interface Configuration {
	file: string;
	urlsAt(port: number): Urls;
	/** The settings of n8n that the configuration's page asks the user to make. */
	settings(urls: Urls): Record<string, string>;
	start(urls: Urls, n8nPort: number): { stop(): void };
}

const single: Configuration = {
	file: 'Caddyfile.single',
	urlsAt: (port) => ({
		webhooks: `http://${loopback}:${port}`,
		editor: `http://${loopback}:${port}`,
	}),
	// docs/go-live.md sets no URL for the editor.
	settings: ({ webhooks }) => ({ N8N_WEBHOOK_URL: `${webhooks}/`, N8N_EDITOR_BASE_URL: '' }),
	start: ({ webhooks }, n8nPort) =>
		startCaddy(
			textOfFile('deploy/Caddyfile.single')
				.replace('n8n.example.com', webhooks)
				.replace('localhost:5678', `${loopback}:${n8nPort}`)
				.replaceAll('remote_ip private_ranges', `remote_ip ${elsewhere}`),
		),
};

const ofCompose: Configuration = {
	file: 'Caddyfile',
	urlsAt: (port) => ({
		webhooks: `http://${loopback}:${port}`,
		editor: `http://localhost:${port}`,
	}),
	settings: ({ webhooks, editor }) => ({
		N8N_WEBHOOK_URL: `${webhooks}/`,
		N8N_EDITOR_BASE_URL: `${editor}/`,
	}),
	start: ({ webhooks, editor }, n8nPort) =>
		startCaddy(
			textOfFile('deploy/Caddyfile').replaceAll(/\b(main|webhook):5678/g, `${loopback}:${n8nPort}`),
			{
				SITE_ADDRESS: `${editor}, ${webhooks}`,
				N8N_HOST: 'localhost',
				WEBHOOK_HOST: loopback,
				EDITOR_ADDRESSES: elsewhere,
				MAX_EVENT_BYTES: '2000000',
				MAX_FORM_BYTES: '16000000',
			},
		),
};

/** Sends a path exactly as it is. @returns The response's status. */
async function statusOfPath(url: string, path: string): Promise<number | undefined> {
	const { hostname, port } = new URL(url);
	return await new Promise((resolve, reject) => {
		const call = get({ hostname, port, path, agent: false }, (response) => {
			response.resume();
			resolve(response.statusCode);
		});
		call.on('error', reject);
	});
}

describe.each([single, ofCompose])('behind $file', ({ file, urlsAt, settings, start }) => {
	let urls: Urls;
	let proxy: { stop(): void };
	const stage = useStage(`desk-${file}`, async () => {
		const [port = 0] = await freePorts(1);
		urls = urlsAt(port);
		return { N8N_PROXY_HOPS: '1', ...settings(urls) };
	});

	beforeAll(async () => {
		const { api } = stage.n8n;
		proxy = start(urls, stage.n8n.port);
		const desk = await readExample('signing-desk', { signVerifyApi: await credentialId(api) });
		// The desk works without a register.
		desk.nodes = desk.nodes.filter(({ name }) => name !== 'Who has not signed');
		delete desk.connections['Who has not signed'];
		await api.publish((await api.createWorkflow(desk)).id);
		await until('the proxy passes calls to n8n', async () => {
			const url = `${urls.webhooks}/mcp/signing-desk`;
			const call = axios.post(url, {}, { validateStatus: (status) => status === 401 });
			return await call.then(
				() => true,
				() => false,
			);
		});
	});
	afterAll(() => proxy?.stop());

	test('an AI app outside can log in to the signing desk and use it', async () => {
		const desk = await connectToWorkflow(`${urls.webhooks}/mcp/signing-desk`, stage.owner);
		const { text, isError } = await desk.call('List_templates', {});
		expect(isError).toBe(false);
		expect(text).toContain('Equipment handover');
	});

	// n8n would parse all of it before it knows who calls.
	test.each([
		'/webhook/x',
		'/webhook-test/x',
		'/mcp/signing-desk',
		'/mcp-oauth/register',
		'/rest/login',
	])('nobody outside can send a large or a compressed call to %s', async (path) => {
		const url =
			(path.startsWith('/rest') || path.startsWith('/mcp-oauth') ? urls.editor : urls.webhooks) +
			path;
		const statusOf = async (body: Buffer | string, headers = {}) =>
			(await axios.post(url, body, { headers, validateStatus: null })).status;
		// Caddy 2.6.2 responds with 502 if it finds out only while it passes the call on.
		expect([413, 502]).toContain(await statusOf('x'.repeat(3_000_000)));
		expect(await statusOf(gzipSync('{}'), { 'content-encoding': 'gzip' })).toBe(415);
		expect([413, 415, 502]).not.toContain(
			await statusOf('{}', { 'content-type': 'application/json' }),
		);
	});

	// A client that cleans paths would hide the mistake, so write the request by hand.
	test.each([
		'/rest/workflows/../../webhook/x',
		'/rest/workflows/%2e%2e/%2E%2E/webhook/x',
		'/webhook/..%2f..%2Frest/workflows',
		'/webhook/..%5c..%5Crest/workflows',
		'//webhook/x',
		'/webhook//x',
		'/assets/../rest/workflows',
		'/webhook/..?a=b',
	])('nobody outside can call %s', async (path) => {
		for (const url of [urls.webhooks, urls.editor]) expect(await statusOfPath(url, path)).toBe(400);
	});

	test.each(['/webhook/a..b', '/webhook/.hidden', '/webhook/x?next=https://example.com/../a%2fb'])(
		'%s outside reaches n8n',
		async (path) => {
			expect(await statusOfPath(urls.webhooks, path)).toBe(404);
			const { data } = await axios.get<unknown>(urls.webhooks + path, { validateStatus: null });
			expect(JSON.stringify(data)).toContain('not registered');
		},
	);

	test('people outside can send a large form', async () => {
		const sent = await axios.post(`${urls.webhooks}/form/none`, 'x'.repeat(3_000_000), {
			validateStatus: null,
		});
		expect(sent.status).toBe(404);
		expect(JSON.stringify(sent.data)).toContain('none');
	});

	test.each([
		'/',
		'/home/workflows',
		'/workflow/new',
		'/rest/workflows',
		'/rest/credentials',
		'/rest/executions',
		'/rest/settings/security',
		'/rest/owner/setup',
		'/api/v1/workflows',
		'/mcp-server/http',
	])('nobody outside reaches %s', async (path) => {
		for (const url of new Set(Object.values(urls))) {
			const { status: code, headers } = await axios.get<unknown>(url + path, {
				validateStatus: null,
			});
			expect(code).toBe(404);
			// This is the proxy's answer, not that of n8n.
			expect(headers['content-length']).toBe('0');
		}
	});
});
