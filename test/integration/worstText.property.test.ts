import { Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { objectOf } from '../../nodes/SignVerify/util/values';
import { settle } from '../../nodes/SignVerify/util/async';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { action, loadContext, runAction, trigger } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { formWith } from '../support/formPlaces';
import { expectLinear } from '../support/growth';
import { sampled } from '../support/sample';
import { ada, byId, mapped } from '../support/service';
import { completedEvent, fileResponse, triggerNode } from '../support/triggerNode';

/** Texts on which some function takes time that grows with the square of their length. */
const worst: Record<string, string> = {
	'marks of one class': '\u0301',
	'marks of two classes': '\u0301\u0327',
	'marks that decompose': '\u0f73',
	'letters that become marks': `${'\u0323'.repeat(30)}\uff9e`,
	'Hangul jamo': '\u1161\u11a8',
	'a ligature of 18 letters': '\ufdfa',
	'sharp s': 'ß',
	'I with a dot': '\u0130',
	'lone surrogates': '\ud800',
	'invisible characters': '\u200b',
	spaces: ' ',
	'line breaks': '\r\n',
	dots: '.',
	'stars and spaces': '* ',
	digits: '1',
	'curly braces': '{{',
	'angle brackets': '<',
	'closing tags': '</a',
	midnights: '00:00:00 ',
	'equals signs': '=',
	'encoded line breaks': '%0a',
	'file endings': '.pdf',
	'date separators': '1-',
	commas: 'a,',
	'at signs': '@',
	'URLs with logins': 'http://a:',
	slashes: '/',
};

/** A text of this length that a pattern for its beginning and one for its end both have to search. */
const longText = (unit: string, length: number) =>
	`x${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length - 1) + 'x';

const texts = Object.entries(worst);

/** At this length, quadratic work takes a second. A form takes up to 100,000 characters. */
const testedLength = 20_000;

/** How many of the worst texts each test uses, unless everything is tested. */
const textsInSample = 3;

/** Checks that some work takes linear time for each of the worst texts, or for a sample of them. */
async function expectLinearForTexts(work: (text: string) => Promise<unknown>): Promise<void> {
	for (const [name, unit] of sampled(texts, textsInSample)) {
		const workOn = (length: number) => {
			const text = longText(unit, length);
			return async () => await work(text);
		};
		await expectLinear(testedLength, workOn, name);
	}
}

let accounts = 0;

/** Makes a credential of a new account whose service returns these templates and webhooks. */
function accountWith(templates: unknown[], { webhooks = [] as unknown[], message = '' } = {}) {
	const responses: Array<[RegExp, unknown]> = [
		[/\/access\/token/, { responseData: { accessToken: 'a'.repeat(40) } }],
		[/\/templates\/v2/, { templates }],
		[/\/templates$/, { templates: [] }],
		[/\/webhooks/, { responseData: webhooks }],
	];
	const respond = async ({ url }: IHttpRequestOptions) => {
		const [, body] = responses.find(([path]) => path.test(url.split('?')[0] ?? '')) ?? [];
		const whole = body
			? { success: true, responseCode: 200, ...body }
			: { success: false, responseCode: 400, message };
		return await Promise.resolve({
			statusCode: body ? 200 : 400,
			headers: {},
			body: Readable.from([Buffer.from(JSON.stringify(whole))]),
		});
	};
	const userId = `user-${++accounts}`;
	return new CredentialKeeper(
		{ baseUrl: 'https://sign.example.com/api', userId, apiKey: 'the-key' },
		respond,
	);
}

const template = {
	_id: 'one',
	templateID: 'one',
	name: 'Contract',
	description: 'For everyone',
	key: 'contract',
	status: 'ACTIVE',
	signatories: [{ key: 'employee' }],
	form: [
		{ key: 'clause', label: 'Clause', type: 'text', isRequired: true },
		{ key: 'start_date', label: 'Start date', type: 'text', isRequired: false },
	],
	formSignatory: [],
};

const document: IDataObject = {
	resource: 'document',
	operation: 'send',
	templateId: byId('one'),
	fields: mapped({ clause: 'Rent', start_date: 'May 4, 2027' }),
	specifySignatories: 'byRole',
	signatoryRoles: mapped({ 'employee.name': ada.name, 'employee.email': ada.email }),
	country: { __rl: true, mode: 'name', value: 'Mexico' },
	options: { neverSend: true },
};
const oneByOne = { ...document, specifySignatories: 'oneByOne', signatories: { signatory: [ada] } };
const byExpression = { ...document, specifySignatories: 'expression', signatoriesList: [ada] };
const identity: IDataObject = {
	resource: 'identity',
	operation: 'request',
	email: ada.email,
	verificationType: 'FACE',
	backgroundCheck: false,
	options: { neverSend: true },
};
const automatic = { mappingMode: 'autoMapInputData', value: null };
const byColumns = { ...document, fields: automatic, signatoryRoles: automatic };

/** Runs the node with one item. Returns the item's output. */
async function outputOf(
	keeper: CredentialKeeper,
	form: IDataObject,
	json: IDataObject = {},
): Promise<IDataObject> {
	const setup = { parameters: form, items: [json], continueOnFail: true };
	const [item] = await runAction(keeper, setup);
	return item?.json ?? {};
}

describe('A text that someone enters', () => {
	const places: Array<[string, IDataObject, Array<string | number>]> = [
		['Clause', document, ['fields', 'value', 'clause']],
		['Start date', document, ['fields', 'value', 'start_date']],
		['Name (employee)', document, ['signatoryRoles', 'value', 'employee.name']],
		['Email (employee)', document, ['signatoryRoles', 'value', 'employee.email']],
		['Name (Signatory 1)', oneByOne, ['signatories', 'signatory', 0, 'name']],
		['Country', document, ['country', 'value']],
		['Template', document, ['templateId', 'value']],
		['Send Once Key', document, ['options', 'sendOnceKey']],
		['Email', identity, ['email']],
		['Name Contains', { resource: 'template', operation: 'getAll' }, ['filters', 'name']],
	];

	test.each(places)(
		'in %s is handled in linear time, and rejected by its field if no contract has as much text',
		async (field, form, path) => {
			const keeper = accountWith([template]);
			const accepted = await outputOf(keeper, form);
			expect(accepted).not.toHaveProperty('error');
			const mappedForm = formWith(form, path, '={{ $json.text }}');
			await expectLinearForTexts(async (text) => await outputOf(keeper, mappedForm, { text }));
			for (const [, unit] of sampled(texts, textsInSample)) {
				const { error } = await outputOf(keeper, mappedForm, { text: longText(unit, 1_000_000) });
				expect(objectOf(error).message).toBe(`${field}: ${valueProblems.tooLong.problem}`);
			}
		},
	);

	test('in a list is handled in linear time', async () => {
		for (const path of ['signatoriesList', 'signatories']) {
			const keeper = accountWith([template]);
			const form = path === 'signatories' ? oneByOne : byExpression;
			const mappedForm = { ...form, [path]: '={{ $json.text }}' };
			await expectLinearForTexts(async (text) => await outputOf(keeper, mappedForm, { text }));
		}
	});

	test("in the trigger's filter is handled in linear time", async () => {
		await expectLinearForTexts(async (text) => {
			const node = triggerNode({ filters: { templates: text } });
			return await settle(node.start({ body: completedEvent() }));
		});
	});

	test('of several pages in a field is sent as it is', async () => {
		const clause = 'Rent is due. '.repeat(7000).trim();
		const form = formWith(document, ['fields', 'value', 'clause'], '={{ $json.text }}');
		expect(await outputOf(accountWith([template]), form, { text: clause })).toMatchObject({
			fields: { Clause: clause },
		});
	});

	test.each(['searchTemplates', 'searchCountries', 'searchWebhooks'] as const)(
		'in the search box of %s is handled in linear time',
		async (name) => {
			const webhooks = [{ type: 'signDocument', webHookUrl: 'https://a.example', webHookID: 'w' }];
			const keeper = accountWith([template], { webhooks });
			const search = action.methods.listSearch[name];
			await expectLinearForTexts(
				async (text) =>
					await settle(search.call(loadContext(keeper, document), text) as Promise<unknown>),
			);
		},
	);
});

describe('Map Automatically', () => {
	const row = { Clause: 'Rent', 'Employee name': ada.name, 'Employee email': ada.email };

	test('handles a long column name in linear time', async () => {
		const keeper = accountWith([template]);
		await expectLinearForTexts(async (text) => {
			await outputOf(keeper, byColumns, { ...row, [text]: 'x' });
			await outputOf(keeper, byColumns, { [text]: 'x' });
		});
	});

	test('handles many columns and fields in linear time', async () => {
		await expectLinear(20_000, (columnCount) => {
			const form = Array.from({ length: columnCount / 100 }, (_, index) => ({
				key: `key_${index}`,
				label: `Field ${index}`,
				isRequired: false,
			}));
			const keeper = accountWith([{ ...template, form: [...template.form, ...form] }]);
			const columns = Array.from({ length: columnCount }, (_, index) => [`Column ${index}`, 'x']);
			const wide = { ...(Object.fromEntries(columns) as IDataObject), ...row, 'field 7': 'seven' };
			const fields = { Clause: 'Rent', 'Field 7': 'seven' };
			return async () => expect(await outputOf(keeper, byColumns, wide)).toMatchObject({ fields });
		});
	});
});

test('A text as the host of a link is handled in linear time', async () => {
	const keeper = accountWith([template]);
	await expectLinearForTexts(async (text) => {
		const link = { resource: 'document', operation: 'download', files: ['document'] };
		await outputOf(keeper, { ...link, documentUrl: `https://${text}/a.pdf` });
		const webhook = { resource: 'webhook', operation: 'create', event: 'signDocument' };
		await outputOf(keeper, { ...webhook, webhookUrl: `https://${text}/hook` });
	});
});

test.each([
	['people', ada],
	['empty entries', {}],
])('A list of many %s is handled in linear time', async (_what, entry) => {
	const keeper = accountWith([template]);
	const mappedForm = { ...byExpression, signatoriesList: '={{ $json.people }}' };
	await expectLinear(20_000, (length) => {
		const people = Array.from({ length }, (_, index) =>
			'email' in entry ? { ...entry, email: `person-${index}@example.com` } : {},
		);
		return async () => {
			const { error } = await outputOf(keeper, mappedForm, { people });
			expect(objectOf(error).message).toContain('Signatories');
		};
	});
});

describe('A text in a response', () => {
	const hostile = (text: string) => [
		template,
		{
			...template,
			_id: 'two',
			templateID: 'two',
			name: text,
			description: text,
			status: text,
			signatories: [{ key: text }],
			form: [{ key: text, label: text, type: 'text', isRequired: true }],
		},
	];
	const two = { ...document, templateId: byId('two') };
	const methods = [
		...Object.entries(action.methods.listSearch),
		...Object.entries(action.methods.resourceMapping),
		...Object.entries(trigger.methods.loadOptions),
	] as unknown as Array<[string, (this: unknown, filter?: string) => Promise<unknown>]>;

	test.each(methods)(
		'is listed in linear time by %s, and does not hide the others',
		async (_name, method) => {
			await expectLinearForTexts(async (text) => {
				const webhooks = [
					{ type: text, webHookUrl: text, webHookID: text },
					{ type: text, webHookUrl: `https://${text}`, webHookID: 'two' },
				];
				const context = loadContext(accountWith(hostile(text), { webhooks }), two);
				const found = await settle(method.call(context, 'Contract'));
				if (!found.ok) throw found.error;
				const { results, fields } = objectOf(found.value);
				const entries = [results ?? fields ?? found.value].flat().map(objectOf);
				for (const { name, displayName } of entries) {
					expect(String(name ?? displayName).length).toBeLessThan(510);
				}
			});
		},
	);

	test.each([
		['Template: Get Many', { resource: 'template', operation: 'getAll', filters: { name: 'x' } }],
		['Send for Signature with values', two],
		['Send for Signature with columns', { ...byColumns, templateId: byId('two') }],
		['Send for Signature with another template', document],
	])('is handled in linear time by %s', async (_name, form) => {
		await expectLinearForTexts(async (text) => {
			await outputOf(accountWith(hostile(text)), form, { [text]: text });
		});
	});

	test('is shown in linear time in an error', async () => {
		const form = { resource: 'identity', operation: 'get', validationId: 'one' };
		await expectLinearForTexts(async (message) => {
			const { error } = await outputOf(accountWith([], { message }), form);
			expect(String(objectOf(error).message).length).toBeLessThan(500);
		});
	});
});

describe('A text in an event', () => {
	const filters = { templates: ['one'] };
	const usual = {
		title: 'Lease',
		country: 'Mexico',
		templateID: 'one',
		createdBy: { emailID: ada.email },
		documentURL: 'https://files.example/a.pdf',
		signatory: [{ name: ada.name, emailID: ada.email, signatoryID: '1', isSigned: 1 }],
	};

	const paths: Array<Array<string | number>> = [
		['title'],
		['country'],
		['status'],
		['templateID'],
		['documentURL'],
		['addedOn'],
		['createdBy', 'emailID'],
		['signatory', 0, 'name'],
		['signatory', 0, 'emailID'],
		['signatory', 0, 'signatoryID'],
	];

	test.each(paths.map((path) => [path.join('.'), path] as const))(
		'in %s is handled in linear time',
		async (_name, path) => {
			const nodes = [{}, { filters }, { downloadFiles: true }].map((form) =>
				triggerNode(form, { fetch: () => fileResponse('%PDF-1.7') }),
			);
			await expectLinearForTexts(async (text) => {
				for (const node of nodes) {
					await node.call({ body: completedEvent(formWith(usual, [...path], text)) });
				}
			});
		},
	);

	// A URL's host is normalized, too.
	test('as the host of a link is handled in linear time', async () => {
		const node = triggerNode({ downloadFiles: true }, { fetch: () => fileResponse('%PDF-1.7') });
		await expectLinearForTexts(async (text) => {
			const documentURL = `https://${text}/a.pdf`;
			await node.call({ body: completedEvent({ ...usual, documentURL }) });
		});
	});

	test.each(['signatory', 'logsStatus'] as const)(
		'and many entries in %s are handled in linear time, and start the workflow',
		async (name) => {
			const node = triggerNode({});
			const entryOf = (at: number) =>
				({
					signatory: { signatoryID: `p${at}`, emailID: `${at}@b.co` },
					logsStatus: {
						operationType: 'SIGNED',
						operationData: { signatoryID: `p${at}` },
						addedOn: 1,
					},
				})[name];
			await expectLinear(20_000, (length) => {
				const list = Array.from({ length }, (_, at) => entryOf(at));
				return async () => {
					const body = completedEvent({ ...usual, [name]: list });
					expect((await node.call({ body })).items).toHaveLength(1);
				};
			});
		},
	);
});
