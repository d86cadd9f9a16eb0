import { action, loadContext, runAction } from '../support/contexts';
import { failureOf } from '../support/service';
import { envelope, Stub, text } from '../support/stub';

// Names, keys and IDs that the service gives. n8n runs a text in a parameter that begins with "=" as an
// expression, and drops a value whose name could change what an object is.
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
/** As the editor saves a choice: with the words of the list beside it. */
const chosen = { __rl: true, mode: 'list', value: 't1', cachedResultName: code };

let stub: Stub;
let listed: object[];
let sent: Array<{ inputs?: object }>;
let logged: string[];
beforeEach(async () => {
	[listed, sent, logged] = [templates, [], []];
	stub = await new Stub().start();
	stub.answer = (response, request) => {
		if (request.method === 'POST') sent.push(JSON.parse(request.body) as object);
		const data = request.method === 'POST' ? { documentID: 'd1' } : listed;
		text(envelope(data))(response, request);
	};
});
afterEach(async () => await stub.close());

// That no method gives a text that n8n would run: hostile.property.test.ts.
test('what n8n cannot keep is left out in the editor, and n8n logs how much', async () => {
	const parameters = { resource: 'document', operation: 'createFromTemplate', templateId: chosen };
	const load = action.methods.resourceMapping.getTemplateFields;
	const { fields } = await load.call(loadContext(stub.credential(), parameters, logged));
	expect(fields.map(({ id }) => id)).toEqual(['named']);
	expect(logged).toEqual([
		expect.stringContaining('3 entries of getTemplateFields were left out') as string,
	]);
});

/** Sends a document, and says whether an expression looked at the item. */
async function send(form: object, operation = 'createFromTemplate', more: object = {}) {
	let evaluated = false;
	const item = {
		get ssn() {
			evaluated = true;
			return '078-05-1120';
		},
		plain: 'value',
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
			leaveLastRolesEmpty: true,
			fields: mapped({ named: '={{ $json.plain }}' }),
			...form,
		},
		items: [item],
	});
	return evaluated;
}

/** Mapped fields as the editor saves them: with IDs and labels of the service. */
const mapped = (value: unknown) => ({
	mappingMode: 'defineBelow',
	value,
	matchingColumns: [],
	schema: [{ id: code, displayName: code, type: 'string', required: true, display: true }],
});

describe('in a run', () => {
	const people = {
		'signer.name': 'Ada Lovelace',
		'signer.email': '={{ $json.plain }}@example.com',
	};
	test.each([
		['the name of a template and the labels of fields are not evaluated', {}],
		['nor are roles', { signatoryRoles: mapped(people) }],
		[
			'and what one expression for all fields gives is not evaluated again',
			{ fields: '={{ ({ value: { named: $json.code } }) }}' },
			code,
		],
		[
			'also if it gives only the values',
			{ fields: mapped('={{ ({ named: $json.code }) }}') },
			code,
		],
	])('%s', async (_name, form, named = 'value') => {
		expect(await send(form)).toBe(false);
		expect(sent).toMatchObject([{ templateID: 't1', country: 'Mexico', inputs: { named } }]);
	});

	test.each([
		['fields', 'Fields', '={{ undefined }}'],
		['fields', 'Fields', mapped('={{ "named" }}')],
		['signatoryRoles', 'Signatories', mapped('={{ [] }}')],
	])('an expression for all of %s that gives none is refused', async (name, field, form) => {
		expect((await failureOf(send({ [name]: form }))).message).toBe(
			`${field}: the expression gives no values`,
		);
		expect(sent).toEqual([]);
	});
});

describe('fields of a template that are called as what every object has', () => {
	const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'prototype', 'valueOf'];
	/** An object with own properties of such names, as JSON gives it. */
	const filled = (given: string[]) =>
		JSON.parse(`{${given.map((name) => `"${name}":"value of ${name}"`).join()}}`) as object;
	const offer = (isRequired: boolean): void => {
		const form = names.map((key) => ({ key, label: '', isRequired }));
		listed = [{ templateID: 't1', name: 'Lease', form, signatories: [{ key: 'signer' }] }];
	};
	const byName = { fields: { mappingMode: 'autoMapInputData', value: null } };

	test('are sent as filled in, and left out where nothing is', async () => {
		offer(false);
		// n8n itself drops the others from what the form holds.
		const reaching = filled(['toString', 'hasOwnProperty', 'valueOf']);
		await send({ fields: mapped(reaching) });
		expect(Object.entries(sent[0]?.inputs ?? {})).toEqual(Object.entries(reaching));
	});

	test('are taken from the item', async () => {
		offer(false);
		await send(byName, undefined, filled(names));
		expect(Object.entries(sent[0]?.inputs ?? {})).toEqual(Object.entries(filled(names)));
	});

	test('are not taken from an item that lacks them', async () => {
		offer(true);
		const missing = 'the template requires a value, and there is none';
		const { message } = await failureOf(send(byName));
		for (const name of names) expect(message).toContain(`Fields: ${name}: ${missing}`);
	});
});
