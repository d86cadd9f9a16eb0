import { readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import path from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import fc from 'fast-check';
import { root } from '../../scripts/tools';
import type { Sandbox } from '../../sandbox';
import { type ApiDocument, type GeneratedRequest, type Known, Requests } from './openapiRequests';
import { create, createBody, type Http, PEOPLE, signedIn, start, stopAll } from './serviceKit';

const text = readFileSync(path.join(root, 'sandbox/openapi.json'), 'utf8');
const document = JSON.parse(text) as ApiDocument;
const RUNS = 120;

const operations = Object.entries(document.paths).flatMap(([url, item]) =>
	Object.entries(item).map(([method, operation]) => ({
		name: `${method} ${url}`,
		url,
		method,
		operation,
	})),
);

let sandbox: Sandbox;
let http: Http;
let values: Known;
const problems = jest.spyOn(console, 'error').mockImplementation(() => {});

beforeAll(async () => {
	sandbox = await start({ tokenLifetimeSeconds: 3600 });
	http = await signedIn(sandbox);
	values = await known();
});
afterAll(stopAll);

/** Values with which requests get further than to the first check. */
async function known(): Promise<Known> {
	await create(sandbox, http, 'v2');
	const [v1, v2] = [createBody(sandbox, 'v1'), createBody(sandbox, 'v2')];
	const asked = await http.post<{ responseData: { validationId: string } }>(
		'/identity/validation/request',
		{ email: PEOPLE[0]?.email, type: 'FACE', backgroundCheck: false },
	);
	const { validationId } = asked.data.responseData;
	await sandbox.completeIdentity(validationId, 'pass');
	return {
		templateID: [v1.templateID, v2.templateID],
		inputs: [v1.inputs, v2.inputs],
		signatories: [PEOPLE.slice(0, 1), PEOPLE],
		email: PEOPLE.map(({ email }) => email),
		name: PEOPLE.map(({ name }) => name),
		url: ['http://127.0.0.1:9/hook', 'https://hooks.example.com/a?secret=b'],
		validationId: [validationId],
		sessionId: [validationId],
		type: ['VERIFICATION_REQUEST_FINISHED', 'FACE'],
	};
}

const ajv = new Ajv({ strict: false });
ajv.addSchema(document, 'openapi');
const checks = new Map<string, ValidateFunction>();

/** Checks a body against the answer that the document has for this status. */
function fits(url: string, method: string, status: number): ValidateFunction {
	const responses: Record<string, unknown> = document.paths[url]?.[method]?.responses ?? {};
	const answer = String(status) in responses ? String(status) : 'default';
	const place = ['paths', url, method, 'responses', answer];
	const { $ref } = (responses[answer] ?? {}) as { $ref?: string };
	const steps = [...($ref?.slice(2).split('/') ?? place), 'content', 'application/json', 'schema'];
	const pointer = steps.map((step) => `/${step.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
	let check = checks.get(pointer);
	if (!check) checks.set(pointer, (check = ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` })));
	return check;
}

interface Call {
	status: number;
	type: string;
	body: string;
}

/** Sends a request as it was made: no client mends it on the way. */
function call(
	method: string,
	{ path: url, query, body }: GeneratedRequest,
	headers = http.headers,
) {
	const search = new URLSearchParams(query).toString();
	const base = new URL(sandbox.baseUrl);
	return new Promise<Call>((resolve, reject) => {
		const length = Buffer.byteLength(body ?? '');
		const json =
			body === undefined
				? {}
				: { 'Content-Type': 'application/json', 'Content-Length': String(length) };
		const outgoing = send({
			port: base.port,
			host: base.hostname,
			method,
			path: `${base.pathname}${url}${search ? `?${search}` : ''}`,
			headers: { ...headers, ...json },
		});
		outgoing.once('error', reject);
		outgoing.once('response', (answer) => {
			const chunks: Buffer[] = [];
			answer.on('data', (chunk: Buffer) => chunks.push(chunk));
			answer.once('end', () =>
				resolve({
					status: answer.statusCode ?? 0,
					type: answer.headers['content-type'] ?? '',
					body: Buffer.concat(chunks).toString(),
				}),
			);
		});
		outgoing.end(body);
	});
}

/** Holds one answer to the document. */
function check(url: string, method: string, { status, type, body }: Call): void {
	expect(status).toBeLessThan(500);
	expect(type).toMatch(/^application\/json/);
	const valid = fits(url, method, status);
	const errors = valid(JSON.parse(body)) ? [] : valid.errors;
	expect({ status, errors }).toEqual({ status, errors: [] });
}

/** Of the templates, only those that an operation takes: else it would hardly ever create a document. */
function requestsFor(url: string): Requests {
	const pick = (list: unknown[] = []) => {
		if (!url.includes('/createDocument')) return list;
		return url.endsWith('V2') ? list.slice(1) : list.slice(0, 1);
	};
	const { templateID, inputs } = values;
	return new Requests(document, { ...values, templateID: pick(templateID), inputs: pick(inputs) });
}

describe.each(operations)('$name', ({ url, method, operation }) => {
	const headersOf = (): Record<string, string> => {
		const { userId, apiKey } = sandbox.account;
		return 'apiKey' in (operation.security[0] ?? {})
			? { 'user-id': userId, 'api-key': apiKey }
			: { ...http.headers };
	};

	test('what the document allows gets an answer that the document has', async () => {
		const seen = new Set<number>();
		await fc.assert(
			fc.asyncProperty(requestsFor(url).valid(url, operation), async (request) => {
				const answer = await call(method.toUpperCase(), request, headersOf());
				seen.add(answer.status);
				check(url, method, answer);
			}),
			{ numRuns: RUNS },
		);
		// It is no test of the refusals alone.
		if (method !== 'delete') expect(seen).toContain(200);
	});

	test('what is broken is refused by an answer that the document has, and never a 5xx', async () => {
		await fc.assert(
			fc.asyncProperty(
				requestsFor(url).broken(url, operation),
				fc.constantFrom('user-id', 'token', 'api-key', 'Authorization', 'none'),
				fc.string({ unit: fc.constantFrom(...'abc 123/.-=é') }),
				async (request, header, value) => {
					const headers = headersOf();
					if (header in headers) headers[header] = Buffer.from(value).toString('latin1');
					check(url, method, await call(method.toUpperCase(), request, headers));
				},
			),
			{ numRuns: RUNS },
		);
	});
});

test('the sandbox has failed nowhere meanwhile', () => {
	expect(problems.mock.calls).toEqual([]);
});
