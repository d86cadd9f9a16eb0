import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A collector of traces on this machine, as a company runs one beside its n8n. */
export class Collector {
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
