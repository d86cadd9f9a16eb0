import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

import { colleague, contractForm } from '../../host/onboarding';
import { outputOf } from '../../host/executions';
import { actionSteps, lineOf } from '../../host/workflow';
import { useStage } from './support/stage';
import { until } from '../support/until';

/** A collector of traces on this machine, as a company runs one beside its n8n. */
class Collector {
	/** All that came, as it came: in OpenTelemetry's binary protocol, every text stands as it is. */
	received = '';

	private constructor(private readonly server: Server) {}

	static async start(): Promise<Collector> {
		const server = createServer();
		const collector = new Collector(server);
		server.on('request', (call, answer) => {
			const parts: Buffer[] = [];
			call.on('data', (part: Buffer) => parts.push(part));
			call.on('end', () => {
				const body = Buffer.concat(parts);
				const isZipped = call.headers['content-encoding'] === 'gzip';
				if (body.length > 0) {
					collector.received += (isZipped ? gunzipSync(body) : body).toString('utf8');
				}
				answer.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
			});
		});
		await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
		return collector;
	}

	/** Its address, without a path. */
	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((done) => this.server.close(done));
	}
}

let collector: Collector;

// A company that watches its n8n, and lets it call no other address than the service's.
const stage = useStage('watched', async () => {
	collector = await Collector.start();
	return {
		N8N_OTEL_ENABLED: 'true',
		N8N_OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
		N8N_OTEL_TRACES_PRODUCTION_ONLY: 'false',
		OTEL_BSP_SCHEDULE_DELAY: '200',
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
	};
});
afterAll(async () => await collector.close());

const parameters = { ...contractForm, options: { sendOnceKey: '={{ $json.key }}' } };

test('the span of a node reaches a collector, and holds no personal data', async () => {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const workflow = lineOf('Watched', [action('Send', parameters)]);
	workflow.pinData = { Start: ['one', 'two', 'two'].map((key) => ({ json: { key } })) };
	const { id } = await api.createWorkflow(workflow);
	const { status } = await api.waitForExecution(await api.run(id, 'Start'));

	expect(status).toBe('success');
	// A key and its value follow each other, with a length in between.
	await until('the span of the node came', () =>
		/n8n\.node\.name[^]{1,8}Send/.test(collector.received),
	);
	expect(collector.received).toMatch(/n8n\.node\.type[^]{1,8}n8n-nodes-signverify\.signVerify/);
	const { apiKey, userId } = stage.sandbox.account;
	for (const personal of [colleague.name, colleague.email, colleague.role, apiKey, userId]) {
		expect(collector.received).not.toContain(personal);
	}
});

test("with n8n's protection against forged requests on, only the allowed address is called", async () => {
	const { api } = stage.n8n;
	const get = (credential: { id: string; name: string }) =>
		lineOf('Templates', [
			{
				name: 'Templates',
				type: 'n8n-nodes-signverify.signVerify',
				parameters: { resource: 'template', operation: 'getAll' },
				credentials: { signVerifyApi: credential },
			},
		]);
	const runWith = async (baseUrl: string) => {
		const data = { baseUrl, ...stage.sandbox.account };
		const credential = await api.createCredential({ name: baseUrl, type: 'signVerifyApi', data });
		const { id } = await api.createWorkflow(get(credential));
		return await api.waitForExecution(await api.run(id, 'Start'));
	};

	const allowed = await runWith(stage.sandbox.baseUrl);
	expect(outputOf(allowed, 'Templates').length).toBeGreaterThan(3);

	// Somebody listens there, too, and must not be called.
	let calls = 0;
	const inside = createServer((_call, answer) => {
		calls++;
		answer.end('{}');
	});
	await new Promise<void>((done) => inside.listen(0, '127.0.0.2', done));
	const { port } = inside.address() as AddressInfo;
	const refused = await runWith(`http://127.0.0.2:${port}/api`);
	inside.close();
	expect(refused.status).toBe('error');
	expect(refused.error?.message).toMatch(
		/^Base URL: http:\/\/127\.0\.0\.2:\d+ could not be reached\./,
	);
	expect(calls).toBe(0);
});
