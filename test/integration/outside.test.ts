import { createGzip } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';
import { fileProblems } from '../../nodes/SignVerify/files/fileProblems';
import { action, loadContext, runAction } from '../support/contexts';
import { wordsWith } from '../support/problemWords';
import { failureOf } from '../support/service';
import { type Responder, envelope, jsonHeaders, Stub, respondWith } from '../support/stub';
import { contentProblems } from '../../nodes/SignVerify/text/contentMistakes';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';

// Names, keys and IDs from the service can contain anything. If a parameter's text begins with "=", n8n
// evaluates the text as an expression. n8n also drops values with names that could change what an object is,
// such as `__proto__`.
const code = '={{ $json.ssn }}';
const signers = [{ key: 'signer' }, { key: code }, { key: 'constructor' }];
const hostile = {
	templateID: 't1',
	name: code,
	description: code,
	status: code,
	form: [
		{ key: 'named', label: code, isRequired: true },
		{ key: code, label: 'Code', isRequired: false },
		{ key: 'constructor', label: '', isRequired: false },
		{ key: '__proto__', label: '', isRequired: false },
	],
	signatories: signers,
};
const templates = [hostile, { ...hostile, templateID: code }, { templateID: 't2', name: 'Lease' }];
/** A choice as the editor saves it: the value, and the text shown for it in the list. */
const chosen = { __rl: true, mode: 'list', value: 't1', cachedResultName: code };

let stub: Stub;
let listed: object[];
let sent: Array<{ inputs?: object }>;
let logged: string[];
beforeEach(async () => {
	[listed, sent, logged] = [templates, [], []];
	stub = await new Stub().start();
	stub.respond = (response, request) => {
		if (request.method === 'POST') sent.push(JSON.parse(request.body) as object);
		const data = request.method === 'POST' ? { documentID: 'd1' } : listed;
		respondWith(envelope(data))(response, request);
	};
});
afterEach(async () => await stub.close());

test('fields with the same label are told apart by their keys in the form', async () => {
	const form = ['begin', 'end'].map((key) => ({ key, label: 'Date', isRequired: true }));
	listed = [{ ...hostile, form }];
	const parameters = { resource: 'document', operation: 'send', templateId: chosen };
	const load = action.methods.resourceMapping.getTemplateFields;
	const { fields } = await load.call(loadContext(stub.credential(), parameters, logged));
	expect(fields.map(({ displayName }) => displayName)).toEqual(['Date (begin)', 'Date (end)']);
});

// hostile.property.test.ts checks that no method returns text that n8n would evaluate.
test('fields that n8n cannot store are left out of the form and counted in the log', async () => {
	const parameters = { resource: 'document', operation: 'send', templateId: chosen };
	const load = action.methods.resourceMapping.getTemplateFields;
	const { fields } = await load.call(loadContext(stub.credential(), parameters, logged));
	expect(fields.map(({ id }) => id)).toEqual(['named']);
	expect(logged).toContain(
		"SignVerify: left out list entries whose IDs n8n can't store: 3 (getTemplateFields)",
	);
});

/** Sends a document. @returns Whether an expression read the item's secret field. */
async function readsItem(form: object, operation = 'send', more: object = {}) {
	let evaluated = false;
	const item = {
		// The node itself reads columns until it finds a value, because a row without any is left out.
		plain: 'value',
		get ssn() {
			evaluated = true;
			return '078-05-1120';
		},
		code,
		...more,
	};
	await runAction(stub.credential(), {
		parameters: {
			resource: 'document',
			operation,
			templateId: chosen,
			country: { __rl: true, mode: 'list', value: 'Mexico', cachedResultName: code },
			signatoryRoles: mapped({ 'signer.name': 'Ada Lovelace', 'signer.email': 'ada@example.com' }),
			options: { leaveLastRolesEmpty: true },
			fields: mapped({ named: '={{ $json.plain }}' }),
			...form,
		},
		items: [item],
	});
	return evaluated;
}

/** Mapped fields as the editor saves them: the values, and the IDs and labels from the service. */
const mapped = (value: unknown) => ({
	mappingMode: 'defineBelow',
	value,
	matchingColumns: [],
	schema: [{ id: code, displayName: code, type: 'string', required: true, display: true }],
});

describe('an execution', () => {
	const people = {
		'signer.name': 'Ada Lovelace',
		'signer.email': '={{ $json.plain }}@example.com',
	};
	test.each([
		["evaluates neither a template's name nor its field labels", {}],
		['does not evaluate role labels', { signatoryRoles: mapped(people) }],
	])('%s', async (_name, form) => {
		expect(await readsItem(form)).toBe(false);
		expect(sent).toMatchObject([
			{ templateID: 't1', country: 'Mexico', inputs: { named: 'value' } },
		]);
	});

	test.each([
		['sets all fields', '={{ ({ value: { named: $json.code } }) }}'],
		['sets only the field values', mapped('={{ ({ named: $json.code }) }}')],
	])(
		'does not reevaluate the result of an expression that %s, but refuses the curly braces in it',
		async (_name, fields) => {
			const { message } = await failureOf(readsItem({ fields }));
			expect(message).toContain(contentProblems.expression.problem('{{ $json.ssn }}'));
			expect(message).not.toContain('078-05-1120');
			expect(sent).toEqual([]);
		},
	);

	test.each([
		['all fields', 'fields', 'Fields', '={{ undefined }}', valueProblems.noValues.problem],
		[
			'the values of all fields',
			'fields',
			'Fields',
			mapped('={{ "named" }}'),
			valueProblems.notValues('"named"').problem,
		],
		[
			'the values of all roles',
			'signatoryRoles',
			'Signatories',
			mapped('={{ [] }}'),
			valueProblems.notValues('a list ([])').problem,
		],
	])(
		'rejects an expression that is meant to set %s but returns no values',
		async (_what, name, field, form, problem) => {
			expect((await failureOf(readsItem({ [name]: form }))).message).toBe(`${field}: ${problem}`);
			expect(sent).toEqual([]);
		},
	);
});

describe('template fields named after built-in object properties', () => {
	const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'prototype', 'valueOf'];
	/**
	 * An object with these names as its own properties. JSON.parse creates such a property even for
	 * `__proto__`.
	 */
	const filled = (given: string[]) =>
		JSON.parse(`{${given.map((name) => `"${name}":"value of ${name}"`).join()}}`) as object;
	const offer = (isRequired: boolean): void => {
		const form = names.map((key) => ({ key, label: '', isRequired }));
		listed = [{ templateID: 't1', name: 'Lease', form, signatories: [{ key: 'signer' }] }];
	};
	const byName = { fields: { mappingMode: 'autoMapInputData', value: null } };

	test('are sent if they are filled in and left out if they are not', async () => {
		offer(false);
		// n8n itself removes values with any of the other names from a form.
		const reaching = filled(['toString', 'hasOwnProperty', 'valueOf']);
		await readsItem({ fields: mapped(reaching) });
		expect(Object.entries(sent[0]?.inputs ?? {})).toEqual(Object.entries(reaching));
	});

	test("get their values from the item's columns", async () => {
		offer(false);
		await readsItem(byName, undefined, filled(names));
		expect(Object.entries(sent[0]?.inputs ?? {})).toEqual(Object.entries(filled(names)));
	});

	test('do not get values from an item without matching columns', async () => {
		offer(true);
		const { message } = await failureOf(readsItem(byName));
		expect(message).toMatch(
			wordsWith(`Fields: ${columnProblems.noneMatchesAnyField(names.join(', '), '…').problem}`),
		);
	});
});

describe('a real connection', () => {
	const read = { resource: 'identity', operation: 'get', validationId: 'v1' };
	const create = { resource: 'identity', operation: 'request', email: 'ada@example.com' };
	const run = async (parameters: IDataObject, timeoutSeconds?: number) =>
		await runAction(stub.credential('a-key', timeoutSeconds), { parameters });
	const lost = 'so the identity request may have been created';

	test('transfers a list of nearly 8 MB', async () => {
		const url = 'https://a.example';
		const webhook = { type: 'signDocument', webHookUrl: url, notes: 'x'.repeat(990_000) };
		const webhooks = Array.from({ length: 8 }, (_, at) => ({ webHookID: `${at}`, ...webhook }));
		stub.respond = respondWith(envelope(webhooks));
		expect(await run({ resource: 'webhook', operation: 'getAll' })).toHaveLength(8);
	});

	/** Sends an endless stream of compressed megabytes, as fast as they are read. */
	const flood: Responder = (response) => {
		response.writeHead(200, { ...jsonHeaders, 'content-encoding': 'gzip' });
		const packed = createGzip();
		packed.pipe(response);
		const piece = Buffer.alloc(1_000_000, ' ');
		const more = () => {
			while (!response.destroyed && packed.write(piece));
		};
		packed.on('drain', more);
		response.on('close', () => packed.removeListener('drain', more));
		more();
	};

	test('is closed when an endless response reaches the size limit', async () => {
		stub.respond = flood;
		const tooLarge = `${stub.url} returned too much data (more than 2 MB, 8 MB in a list, or 100 levels of nesting)`;
		const failedRead = await failureOf(run(read));
		expect(failedRead.message).toBe(tooLarge);
		expect(failedRead.description).toBe(
			'Check the Base URL in the credential, including its path.',
		);
		expect((await failureOf(run(create))).message).toBe(`${tooLarge}, ${lost}`);
		const list = { resource: 'webhook', operation: 'getAll', returnAll: true };
		const failedList = await failureOf(run(list));
		expect(failedList.message).toBe(tooLarge);
		expect(stub.calls.filter((call) => call.includes('/identity'))).toHaveLength(2);
		expect(await stub.openConnections()).toBe(0);
	});

	/** Sends one byte every 50 ms, without ever ending the response. */
	const drip: Responder = (response) => {
		response.writeHead(200, jsonHeaders);
		const timer = setInterval(() => response.write(' '), 50);
		response.on('close', () => clearInterval(timer));
	};

	test('is closed at the time limit if the response to a create call never ends, and the call is not retried', async () => {
		stub.respond = drip;
		const failed = await failureOf(run(create, 1));
		expect(failed.message).toMatch(/didn't respond in time, so the identity request may/);
		expect(stub.calls.filter((call) => call.includes('/identity'))).toHaveLength(1);
		expect(await stub.openConnections()).toBe(0);
	});

	test('follows a redirect when downloading a file', async () => {
		const pdf = Buffer.from('%PDF-1.7 hello');
		stub.respond = (response, { path }) => {
			if (path === '/old') response.writeHead(302, { location: '/new.pdf' }).end();
			else response.end(pdf);
		};
		const form = { resource: 'document', operation: 'download', documentUrl: `${stub.url}/old` };
		const [item] = await run(form);
		expect(item?.binary?.document?.bytes).toBe(pdf.length);
	});

	test('is not repeated for a link that sets a cookie and redirects to itself, which needs a browser', async () => {
		const visits: string[] = [];
		stub.respond = (response, { path, headers }) => {
			visits.push(path);
			if (headers.cookie) response.end('%PDF-1.7');
			else response.writeHead(302, { location: path, 'set-cookie': 'visited=1' }).end();
		};
		const form = { resource: 'document', operation: 'download', documentUrl: `${stub.url}/file` };
		const { problem, remedy } = fileProblems.needsBrowser('the document');
		expect(await failureOf(run(form))).toMatchObject({ message: problem, description: remedy });
		// The HTTP client follows five redirects.
		expect(visits).toHaveLength(6);
	});

	test('names the address that a download was redirected to if nothing listens there', async () => {
		stub.respond = (response) =>
			response.writeHead(302, { location: 'http://127.0.0.1:1/new.pdf' }).end();
		const form = { resource: 'document', operation: 'download', documentUrl: `${stub.url}/old` };
		const failed = await failureOf(run(form));
		expect(failed.message).toContain('127.0.0.1:1 is refusing connections');
	});
});
