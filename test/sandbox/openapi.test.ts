import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import Ajv from 'ajv/dist/2020';
import axios from 'axios';
import { root } from '../../scripts/tools';
import { ENDPOINTS } from '../../sandbox/contract/endpoints';
import { DOCUMENT_EVENTS, IDENTITY_EVENTS } from '../../sandbox/schemas';
import { type Live, live } from './conformance/live';
import { start, stopAll } from './serviceKit';

const openapiFile = 'sandbox/openapi.json';
const text = readFileSync(path.join(root, openapiFile), 'utf8');
const document = JSON.parse(text) as {
	openapi: string;
	paths: Record<string, Record<string, { security: Array<Record<string, unknown>> }>>;
	webhooks: Record<string, unknown>;
	components: { securitySchemes: Record<string, { name?: string; scheme?: string }> };
};

afterAll(stopAll);

// A program of its own: Jest does not load ES modules.
test('it is a valid OpenAPI 3.1 document', async () => {
	const validator = 'node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js';
	const run = promisify(execFile);
	await run(process.execPath, [validator, openapiFile], { cwd: root });
	expect(document.openapi).toMatch(/^3\.1\./);
});

test('it has every endpoint with the headers that it asks for, and the seven events', () => {
	const described = new Map(
		Object.entries(document.paths).flatMap(([url, item]) =>
			Object.entries(item).map(([method, { security }]): [string, string] => {
				const headers = Object.keys(security[0] ?? {}).map((key) => {
					const { name, scheme } = document.components.securitySchemes[key] ?? {};
					return name ?? scheme;
				});
				const path = url.replace(/\{(\w+)\}/g, ':$1');
				return [`${method.toUpperCase()} ${path}`, headers.join(', ')];
			}),
		),
	);
	const accessOf = (name: string) => {
		if (name.includes('/access/')) return ['key', 'user-id, api-key'];
		if (name.includes('/templates')) return ['template', 'user-id, token, bearer'];
		return ['token', 'user-id, token'];
	};
	const wrong = ENDPOINTS.flatMap((name) => {
		const [access, headers] = accessOf(name);
		const found = described.get(name);
		if (found === undefined) return `${name} is not in ${openapiFile}: run "npm run generate"`;
		const route = `config: { access: '${access}' } at its route in sandbox/http/routes*.ts`;
		return found === headers ? [] : `${name} asks for ${found}, not ${headers}: write ${route}`;
	});
	const unknown = [...described.keys()].filter((name) => !ENDPOINTS.some((one) => one === name));
	expect([
		...wrong,
		...unknown.map((name) => `${name} is not in sandbox/contract/operations.ts`),
	]).toEqual([]);
	const events = [...DOCUMENT_EVENTS, ...IDENTITY_EVENTS];
	expect(Object.keys(document.webhooks).sort()).toEqual(events.sort());
});

test('sandbox/openapi.json is what the sandbox serves; npm run generate -- openapi writes it', async () => {
	const { url } = await start();
	const { data } = await axios.get<unknown>(`${url}/openapi.json`, { proxy: false });
	expect(data).toEqual(document);
});

test('a page shows it, and both have the strict policy of the other pages', async () => {
	const { url } = await start();
	const get = (address: string) => axios.get<unknown>(url + address, { proxy: false });
	for (const address of ['/openapi.json', '/docs', '/docs/static/swagger-ui.css']) {
		const { headers } = await get(address);
		const policy = String(headers['content-security-policy']);
		expect(policy).toContain("default-src 'self'");
		expect(policy).not.toContain('unsafe');
	}
	expect((await get('/docs')).data).toContain('swagger-ui');
});

describe('what the sandbox really answers and sends fits it', () => {
	let seen: Live;
	beforeAll(async () => {
		seen = await live();
	});

	const ajv = new Ajv({ strict: false });
	ajv.addSchema(document, 'openapi');
	const pointer = (...steps: string[]) =>
		steps.map((step) => `/${step.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
	/** What about a value does not fit the schema at a place of the document. */
	const errorsOf = (value: unknown, ...place: string[]) => {
		const fits = ajv.compile({ $ref: `openapi#${encodeURI(pointer(...place))}` });
		return fits(value) ? [] : fits.errors;
	};
	const inJson = ['content', 'application/json', 'schema'];

	test('every answer', async () => {
		const calls = Object.values(seen.calls);
		// What can be asked for without knowing anything needs no call in the life of a document.
		for (const name of ENDPOINTS) {
			const [method = '', url = ''] = name.split(' ');
			if (method === 'GET' && !url.includes(':')) calls.push(await seen.send(method, url, {}));
		}
		const met = calls.map(({ request, body }) => {
			const name = ENDPOINTS.find((each) => {
				const [method, pattern = ''] = each.split(' ');
				const place = new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`);
				return method === request.method && place.test(request.path);
			})!;
			const [method = '', pattern = ''] = name.split(' ');
			const url = pattern.replace(/:(\w+)/g, '{$1}');
			const place = ['paths', url, method.toLowerCase(), 'responses', '200', ...inJson];
			expect([name, errorsOf(body, ...place)]).toEqual([name, []]);
			expect(errorsOf({ ...body, surprise: 1 }, ...place)).not.toEqual([]);
			return name;
		});
		const never = ENDPOINTS.filter((name) => !met.includes(name));
		const where = 'add a call to it in test/sandbox/conformance/live.ts';
		expect(never.map((name) => `${name} is never called: ${where}`)).toEqual([]);
	});

	test('every notification', () => {
		for (const [type, bodies] of Object.entries(seen.notifications)) {
			const place = ['webhooks', type, 'post', 'requestBody', ...inJson];
			expect(bodies.length).toBeGreaterThan(0);
			for (const body of bodies) expect([type, errorsOf(body, ...place)]).toEqual([type, []]);
		}
		const [signed] = seen.notifications.signDocument;
		const completed = ['webhooks', 'completedDocument', 'post', 'requestBody', ...inJson];
		expect(errorsOf(signed, ...completed)).not.toEqual([]);
	});

	test('a refusal', async () => {
		const { status, body } = await seen.send('GET', '/identity/session/results/none', {});
		expect(status).toBe(404);
		expect(errorsOf(body, 'components', 'responses', 'NotFound', ...inJson)).toEqual([]);
		expect(errorsOf(body, 'components', 'schemas', 'Failure')).toEqual([]);
	});
});
