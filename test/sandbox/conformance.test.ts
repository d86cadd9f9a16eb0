import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import Ajv from 'ajv/dist/2020';
import axios from 'axios';
import { ENDPOINTS } from '../../sandbox/contract/endpoints';
import { EVENT_TYPES } from '../../sandbox/schemas';
import { root } from '../../scripts/tools';
import { textOfFile } from '../support/files';
import { type Live, live } from './conformance/live';
import { callTo, endpointRows } from './conformance/endpoints';
import { eventRows } from './conformance/events';
import { resourceRows, stateRows, unlistedFields } from './conformance/resources';
import { headersSaid, SERVICE_PAGE, tableRows } from './conformance/servicePage';
import { stopAll } from './serviceKit';

const OPENAPI = 'sandbox/openapi.json';
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

test.each(rows.map((row) => [`${row.table}: ${row.row}`, row] as const))(
	'%s',
	async (_name, row) => {
		await row.check(seen);
	},
);

test('no resource has a field that docs/dev/service.md does not list', () => {
	expect([...new Set(unlistedFields(seen))]).toEqual([]);
});

// A row that no test checks is added in test/sandbox/conformance/.
test('the list has every row of the page, and no other', () => {
	const wanted = tableRows();
	expect(wanted.length).toBeGreaterThan(100);
	expect(new Set(wanted).size).toBe(wanted.length);
	expect([...names].sort()).toEqual(wanted.sort());
});

describe('sandbox/openapi.json', () => {
	const document = JSON.parse(textOfFile(OPENAPI)) as OpenApi;
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

	// A program of its own: Jest does not load ES modules.
	test('it is a valid OpenAPI 3.1 document', async () => {
		const validator = 'node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js';
		const run = promisify(execFile);
		await run(process.execPath, [validator, OPENAPI], { cwd: root });
		expect(document.openapi).toMatch(/^3\.1\./);
	});

	const served = async () =>
		(await axios.get<OpenApi>(`${seen.sandbox.url}/openapi.json`, { proxy: false })).data;

	// As it is served: before it is written again, the file would say the same of a wrong entry.
	test('it asks of each endpoint for the headers of the page, and has every event', async () => {
		const { paths, components, webhooks } = await served();
		const wrong = ENDPOINTS.flatMap((name) => {
			const [method = '', path = ''] = name.split(' ');
			const { security, parameters = [] } =
				paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;
			const schemes = Object.keys(security[0] ?? {}).map((key) => components.securitySchemes[key]);
			const fixed = parameters.filter((parameter) => parameter.in === 'header');
			const asked = [...schemes, ...fixed]
				.map((header) => (header?.name ?? 'authorization').toLowerCase())
				.join(', ');
			const said = headersSaid(name).join(', ');
			return asked === said
				? []
				: `${name} asks for ${asked}, but ${SERVICE_PAGE}#authentication says ${said}: correct "access" in its entry (sandbox/contract/endpoints/), or FIXED_HEADERS beside it (endpoint.ts), or the page`;
		});
		expect(wrong).toEqual([]);
		expect(Object.keys(webhooks).sort()).toEqual([...EVENT_TYPES].sort());
	});

	test('it is what the sandbox serves; npm run generate -- openapi writes it', async () => {
		expect(await served()).toEqual(document);
	});

	test('fits every answer of the sandbox', () => {
		for (const name of ENDPOINTS) {
			const { body } = callTo(seen, name);
			const [method = '', path = ''] = name.split(' ');
			const url = path.replace(/:(\w+)/g, '{$1}');
			const place = ['paths', url, method.toLowerCase(), 'responses', '200', ...inJson];
			expect([name, errorsOf(body, ...place)]).toEqual([name, []]);
			expect(errorsOf({ ...body, surprise: 1 }, ...place)).not.toEqual([]);
		}
	});

	test('fits every notification of the sandbox', () => {
		for (const [type, bodies] of Object.entries(seen.notifications)) {
			const place = ['webhooks', type, 'post', 'requestBody', ...inJson];
			expect(bodies.length).toBeGreaterThan(0);
			for (const body of bodies) expect([type, errorsOf(body, ...place)]).toEqual([type, []]);
		}
		const [signed] = seen.notifications.signDocument;
		const completed = ['webhooks', 'completedDocument', 'post', 'requestBody', ...inJson];
		expect(errorsOf(signed, ...completed)).not.toEqual([]);
	});

	test('fits a refusal of the sandbox', async () => {
		const { status, body } = await seen.send('GET', '/identity/session/results/none', {});
		expect(status).toBe(404);
		expect(errorsOf(body, 'components', 'responses', 'NotFound', ...inJson)).toEqual([]);
		expect(errorsOf(body, 'components', 'schemas', 'Failure')).toEqual([]);
	});
});
