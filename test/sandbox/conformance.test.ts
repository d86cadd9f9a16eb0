import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import Ajv from 'ajv/dist/2020';
import axios from 'axios';
import { endpointNames } from '../../sandbox/contract/endpoints';
import { eventTypes } from '../../sandbox/schemas';
import { root } from '../../scripts/tools';
import { textOfFile } from '../support/files';
import { type Live, live } from './conformance/live';
import { callTo, endpointRows } from './conformance/endpoints';
import { eventRows } from './conformance/events';
import { resourceRows, stateRows, unlistedFields } from './conformance/resources';
import { headersSaid, servicePage, tableRows } from './conformance/servicePage';
import { stopAll } from './serviceKit';

const openapi = 'sandbox/openapi.json';
interface Described {
	security: Array<Record<string, unknown>>;
	parameters?: Array<{ in: string; name: string }>;
}
interface OpenApi {
	openapi: string;
	paths: Record<string, Record<string, Described>>;
	webhooks: Record<string, unknown>;
	components: { securitySchemes: Record<string, { name?: string }> };
}

const rows = [...resourceRows, ...stateRows, ...endpointRows, ...eventRows];
const names = rows.map(({ table, row }) => `${table}: ${row}`);
let seen: Live;

beforeAll(async () => {
	seen = await live();
});
afterAll(stopAll);

test.each(rows.map((row) => [`table "${row.table}", row "${row.row}"`, row] as const))(
	'the sandbox matches docs/dev/service.md, %s',
	async (_name, row) => {
		await row.check(seen);
	},
);

test('docs/dev/service.md lists every field of every resource', () => {
	expect([...new Set(unlistedFields(seen))]).toEqual([]);
});

test('each row of docs/dev/service.md is checked exactly once', () => {
	const wanted = tableRows();
	expect(wanted.length).toBeGreaterThan(100);
	expect(new Set(wanted).size).toBe(wanted.length);
	const unchecked = wanted.filter((name) => !names.includes(name));
	const unwritten = names.filter((name) => !wanted.includes(name));
	expect([
		...unchecked.map((name) => `test/sandbox/conformance/: add a check for "${name}"`),
		...unwritten.map((name) => `docs/dev/service.md: add the row "${name}"`),
	]).toEqual([]);
	expect(names).toHaveLength(wanted.length);
});

describe('sandbox/openapi.json', () => {
	const document = JSON.parse(textOfFile(openapi)) as OpenApi;
	const ajv = new Ajv({ strict: false });
	ajv.addSchema(document, 'openapi');
	const pointer = (...steps: string[]) =>
		steps.map((step) => `/${step.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
	/** The errors from validating a value against the schema at the given path in the document. */
	const errorsOf = (value: unknown, ...place: string[]) => {
		const fits = ajv.compile({ $ref: `openapi#${encodeURI(pointer(...place))}` });
		return fits(value) ? [] : fits.errors;
	};
	const inJson = ['content', 'application/json', 'schema'];

	// The validator runs as a separate program, because Jest does not load ES modules.
	test('is a valid OpenAPI 3.1 document', async () => {
		const validator = 'node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js';
		const run = promisify(execFile);
		await run(process.execPath, [validator, openapi], { cwd: root });
		expect(document.openapi).toMatch(/^3\.1\./);
	});

	const served = async () =>
		(await axios.get<OpenApi>(`${seen.sandbox.url}/openapi.json`, { proxy: false })).data;

	// This test reads the served document, because a mistake in a contract entry shows up there, but not in
	// the file.
	test('contains every event and requires the headers that docs/dev/service.md lists', async () => {
		const { paths, components, webhooks } = await served();
		const wrong = endpointNames.flatMap((name) => {
			const [method = '', path = ''] = name.split(' ');
			const { security, parameters = [] } =
				paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;
			const schemes = Object.keys(security[0] ?? {}).map((key) => components.securitySchemes[key]);
			const fixed = parameters.filter((parameter) => parameter.in === 'header');
			const asked = [...schemes, ...fixed]
				.map((header) => (header?.name ?? 'authorization').toLowerCase())
				.sort()
				.join(', ');
			const said = headersSaid(name).sort().join(', ');
			return asked === said
				? []
				: `${name} asks for ${asked}, but ${servicePage}#authentication says ${said}: correct "access" in its entry (sandbox/contract/endpoints/), or fixedHeaders beside it (endpoint.ts), or the page`;
		});
		expect(wrong).toEqual([]);
		expect(Object.keys(webhooks).sort()).toEqual([...eventTypes].sort());
	});

	test('matches what the sandbox serves (if not, run: npm run generate -- openapi)', async () => {
		expect(await served()).toEqual(document);
	});

	test('describes every response from the sandbox', () => {
		for (const name of endpointNames) {
			const { body } = callTo(seen, name);
			const [method = '', path = ''] = name.split(' ');
			const url = path.replace(/:(\w+)/g, '{$1}');
			const place = ['paths', url, method.toLowerCase(), 'responses', '200', ...inJson];
			expect([name, errorsOf(body, ...place)]).toEqual([name, []]);
			expect(errorsOf({ ...body, surprise: 1 }, ...place)).not.toEqual([]);
		}
	});

	test('describes every notification from the sandbox', () => {
		for (const [type, bodies] of Object.entries(seen.notifications)) {
			const place = ['webhooks', type, 'post', 'requestBody', ...inJson];
			expect(bodies.length).toBeGreaterThan(0);
			for (const body of bodies) expect([type, errorsOf(body, ...place)]).toEqual([type, []]);
		}
		const [signed] = seen.notifications.signDocument;
		const completed = ['webhooks', 'completedDocument', 'post', 'requestBody', ...inJson];
		expect(errorsOf(signed, ...completed)).not.toEqual([]);
	});

	test('describes an error response from the sandbox', async () => {
		const { status, body } = await seen.send('GET', '/identity/session/results/none', {});
		expect(status).toBe(404);
		expect(errorsOf(body, 'components', 'responses', 'NotFound', ...inJson)).toEqual([]);
		expect(errorsOf(body, 'components', 'schemas', 'Failure')).toEqual([]);
	});
});
