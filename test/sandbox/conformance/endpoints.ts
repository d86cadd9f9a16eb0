import type { TSchema } from '@sinclair/typebox';
import {
	contract,
	type EndpointName,
	endpointNames,
	fixedHeadersOf,
} from '../../../sandbox/contract/endpoints';
import { createV1, createBody, people, position } from '../serviceKit';
import type { Call, Live, Row, Sent } from './live';
import { dataOf } from './resources';
import { type EndpointSection, headersSaid, pageRows, sectionOf, servicePage } from './servicePage';

/** Checks that the service behaves as one row describes. */
type Check = Row['check'];

/**
 * Compares the names in a row of the page with the names that the row must contain.
 * @param written The names in the row; undefined if the page has no such row.
 * @throws Error that names the row to change, and how.
 */
function expectRow(heading: string, row: string, written: string[] | undefined, wanted: string[]) {
	const missing = wanted.filter((name) => !written?.includes(name));
	const wrong = written?.filter((name) => !wanted.includes(name)) ?? [];
	const changes = [
		...(missing.length > 0 ? [`add ${missing.join(', ')}`] : []),
		...(wrong.length > 0 ? [`remove ${wrong.join(', ')}`] : []),
	];
	if (changes.length === 0) return;
	const place = `${servicePage}, "${heading}", row ${row}${written ? '' : ' (it is missing)'}`;
	throw new Error(
		`${place}: ${changes.join('; ')}. If the page is right, correct the entry in sandbox/contract/endpoints/, or fixedHeaders beside it (endpoint.ts)`,
	);
}

/** The successful call to an endpoint. @throws Error that names the place for such a call. */
export function callTo({ calls }: Live, name: EndpointName): Call {
	if (name in calls) return calls[name];
	throw new Error(`${name} is never called: add a call to test/sandbox/conformance/live.ts`);
}

/** The parts of the successful call to an endpoint, for repeating the call with changes. */
function sentTo(live: Live, name: EndpointName): Sent & { method: string; path: string } {
	const { method, path, query, body } = callTo(live, name).request;
	return { method, path, query: query as Sent['query'], body };
}

/** Makes a call and expects the sandbox to reject it as a violation of the contract. */
async function expectRefusal(live: Live, method: string, path: string, sent: Sent): Promise<Call> {
	const call = await live.send(method, path, sent);
	if (!call.request.violation) {
		const said = JSON.stringify(sent, (_name, value: unknown) => value ?? '(left out)');
		throw new Error(
			`${method} ${path} with ${said} breaks docs/dev/service.md, but the sandbox does not refuse it as that (HTTP ${call.status}): correct what sandbox/contract/endpoints/ says of it, or the page`,
		);
	}
	expect(call.status).toBeGreaterThanOrEqual(400);
	expect(call.body).toMatchObject({ success: false, responseCode: call.status });
	return call;
}

/** The values of a schema with their types, in the page's notation: `url: string`. */
function namedIn({ properties = {} }: TSchema): string[] {
	return Object.entries(properties as Record<string, TSchema>).map(
		([name, { type }]) => `${name}: ${String(type)}`,
	);
}

/** Omits the required values of a part one at a time, and expects each call to be rejected. */
function refusedWithoutEach(name: EndpointName, part: 'query' | 'body', schema?: TSchema): Check {
	return async (live) => {
		const { method, path, ...sent } = sentTo(live, name);
		for (const value of (schema?.required ?? []) as string[]) {
			const less = { ...(sent[part] as object), [value]: undefined };
			await expectRefusal(live, method, path, { ...sent, [part]: less });
		}
	};
}

/** Expects a call without this header to be rejected, and the response to name the header. */
async function expectToNeed(header: string, live: Live, name: EndpointName): Promise<void> {
	const { method, path, ...sent } = sentTo(live, name);
	const isToken = name === 'POST /access/token';
	const own = isToken ? { 'api-key': live.sandbox.account.apiKey } : {};
	const headers = { ...own, [header]: undefined };
	const { status, body } = await expectRefusal(live, method, path, { ...sent, headers });
	const fixed = fixedHeadersOf(method)[header];
	if (fixed !== undefined) {
		expect(body.message).toBe(`The ${header} header must be ${fixed}`);
		return;
	}
	expect([name, status]).toEqual([name, isToken ? 400 : 401]);
	expect(body.message).toBe(`Missing headers: ${header}`);
}

/** Expects every signatory to get one email with the signing link from the response. */
const mailsTo =
	(name: EndpointName): Check =>
	async (live) => {
		await live.sandbox.idle();
		const { signatory } = dataOf<{
			signatory: Array<{ emailID: string; signing: { url: string } }>;
		}>(callTo(live, name));
		expect(signatory).toHaveLength(people.length);
		for (const { emailID, signing } of signatory) {
			const links = live.sandbox
				.mails()
				.filter(({ to, text }) => to.includes(emailID) && text.includes(signing.url));
			expect(links).toHaveLength(1);
		}
	};

/**
 * Checks how an endpoint is called and how it responds, row by row: the page must agree with the
 * endpoint's entry, and the sandbox must do what both describe. The page and the entry are written by hand, so
 * these checks find a mistake in either one.
 */
function checksOf(name: EndpointName, page: EndpointSection): Record<string, Check> {
	const { params, query, body, looksUp = false } = contract[name];
	const [method = '', path = ''] = name.split(' ');
	const fixed = Object.keys(fixedHeadersOf(method));
	const called: Check = (live) => {
		expect(page.call).toBe(`${method} {base_url}${path.replace(/:(\w+)/g, '{$1}')}`);
		const { status, request } = callTo(live, name);
		expect([name, status, request.violation]).toEqual([name, 200, undefined]);
	};
	// The content of the response is checked elsewhere, by the resource's rows and schema.
	const responded: Check = (live) => {
		const { message, success, responseCode, responseData } = callTo(live, name).body;
		expect([name, success, responseCode]).toEqual([name, true, 200]);
		if (page.isDocumented && message !== page.message) {
			throw new Error(
				`${servicePage}, "${page.heading}", row Response: write \`message\`: \`${String(message)}\` instead of \`${page.message}\`. If the page is right, correct the response in sandbox/contract/endpoints/`,
			);
		}
		if (page.responseNames.length === 0) return;
		const foundNames = Object.keys(responseData as object);
		expectRow(page.heading, 'Response', page.responseNames, foundNames);
	};
	const checks: Record<string, Check> = { Call: called, Response: responded };
	const add = (part: string, schema: TSchema | undefined, behaves: Check) => {
		const onPage = page.named(part);
		if (!schema && !onPage) return;
		checks[part] = async (live) => {
			expectRow(page.heading, part, onPage, schema ? namedIn(schema) : []);
			await behaves(live);
		};
	};
	add('Path', params, async (live) => {
		const { status } = await live.send(method, path.replace(/:\w+/g, 'nothing'), {});
		expect([name, status]).toEqual([name, looksUp ? 404 : 200]);
	});
	const acceptsAnyQuery: Check = async (live) => {
		const { status, request } = await live.send(method, path, { query: { any: 'thing' } });
		expect([name, status, request.violation]).toEqual([name, 200, undefined]);
	};
	const isOpen = query !== undefined && !query.properties;
	add('Query', query, isOpen ? acceptsAnyQuery : refusedWithoutEach(name, 'query', query));
	const refusesBody: Check = async (live) => {
		const sent = sentTo(live, name);
		await expectRefusal(live, method, sent.path, { ...sent, body: {} });
	};
	add('Body', body, body ? refusedWithoutEach(name, 'body', body) : refusesBody);
	// A header that the table "Authentication" lists does not need a row in the endpoint's section.
	const needsRow = fixed.some((header) => !headersSaid(name).includes(header));
	if (needsRow || page.headers) {
		checks.Headers = async (live) => {
			const headers = [...new Set([...headersSaid(name), ...fixed])].sort();
			expectRow(page.heading, 'Headers', page.headers, headers);
			for (const header of headers) await expectToNeed(header, live, name);
		};
	}
	if (page.hasEffect) checks.Effect = mailsTo(name);
	return checks;
}

const rowsOfEndpoints = endpointNames.flatMap((name): Row[] => {
	const section = sectionOf(name);
	return Object.entries(checksOf(name, section)).map(([row, check]) => ({
		table: section.heading,
		row,
		check,
	}));
});

/** Each field of `staticSignPositions` is required, and its value is stored in the Document. */
const rowsOfPositions = Object.keys(position).map((row): Row => ({
	table: 'Where the signatures go',
	row,
	check: async (live) => {
		const { signatory } = dataOf<{ signatory: Array<{ fieldArray: unknown[] }> }>(
			live.calls['POST /templates/createDocumentByTemplate'],
		);
		const { coordinates, imageSize, pageY, pageYv2, page, viewport } = position;
		expect(signatory[0]?.fieldArray).toMatchObject([
			{ left: coordinates.x, top: coordinates.y, ...imageSize, pageY, pageYv2, page, viewport },
		]);
		const staticSignPositions = [{ ...position, [row]: undefined }];
		const body = { ...createBody(live.sandbox, 'v1'), staticSignPositions };
		await expectRefusal(live, 'POST', createV1, { body });
	},
}));

/** Checks, for each header in the table, that every call that needs the header is rejected without it. */
const rowsOfHeaders = pageRows()
	.filter(({ heading }) => heading === 'Authentication')
	.map(({ heading, cells: [row = ''] }) => ({
		table: heading,
		row,
		check: async (live: Live) => {
			const header = row.toLowerCase();
			const asking = endpointNames.filter((name) => headersSaid(name).includes(header));
			if (asking.length === 0) {
				throw new Error(
					`${servicePage}, "${heading}": no endpoint needs the header ${row}. Remove its row, or correct the column that says which calls have it`,
				);
			}
			for (const name of asking) await expectToNeed(header, live, name);
			if (asking.includes('GET /webhooks')) return;
			const { status } = await live.send('GET', '/webhooks', { headers: { [header]: undefined } });
			expect(status).toBe(200);
		},
	}));

/** The rows of all tables about endpoints. */
export const endpointRows: Row[] = [...rowsOfHeaders, ...rowsOfEndpoints, ...rowsOfPositions];
