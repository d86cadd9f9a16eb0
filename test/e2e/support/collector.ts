import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

import { parse, type Type } from 'protobufjs';

/** What of OpenTelemetry's protocol the tests read; fields that are not named here are passed over. */
const { root } = parse(`
	syntax = "proto3";
	message Request { repeated Resource resources = 1; }
	message Resource { repeated Scope scopes = 2; }
	message Scope { repeated Span spans = 2; }
	message Span { string name = 5; repeated Attribute attributes = 9; }
	message Attribute { string key = 1; Value value = 2; }
	message Value { oneof kind { string text = 1; bool flag = 2; int64 whole = 3; double number = 4; } }
`);
const request: Type = root.lookupType('Request');

/** A span as it reached the collector. */
export interface Span {
	name: string;
	attributes: Record<string, unknown>;
}

interface Decoded {
	resources?: Array<{
		scopes?: Array<{
			spans?: Array<{
				name?: string;
				attributes?: Array<{ key: string; value?: Record<string, unknown> }>;
			}>;
		}>;
	}>;
}

/** A collector of traces on this machine, as a company runs one beside its n8n. */
export class Collector {
	readonly spans: Span[] = [];

	/** All that came, as it came. */
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
				if (body.length > 0) collector.take(isZipped ? gunzipSync(body) : body);
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

	private take(body: Buffer): void {
		this.received += body.toString('utf8');
		const { resources = [] } = request.toObject(request.decode(body), { longs: Number }) as Decoded;
		const spans = resources.flatMap(({ scopes = [] }) =>
			scopes.flatMap((each) => each.spans ?? []),
		);
		for (const { name = '', attributes = [] } of spans) {
			const pairs = attributes.map(({ key, value }) => [key, Object.values(value ?? {})[0]]);
			this.spans.push({ name, attributes: Object.fromEntries(pairs) as Span['attributes'] });
		}
	}
}
