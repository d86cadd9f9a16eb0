import { inspect } from 'node:util';

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../nodes/SignVerify/operations/operationTypes';
import { contentProblems } from '../../nodes/SignVerify/text/contentMistakes';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import {
	keyProblems,
	peopleProblems,
	positionProblems,
} from '../../nodes/SignVerify/operations/sendingProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';
import { templateProblems } from '../../nodes/SignVerify/templateForm/templateProblems';
import { operationNamed, testedOperations } from '../operations';
import { runAction } from '../support/contexts';
import { identityFinished } from '../support/events';
import { otherTemplate, severalWrong, wordsWith } from '../support/problemWords';
import {
	ada,
	byId,
	creationsAt,
	contract,
	despite,
	failureOf,
	fields,
	mapped,
	useService,
	v1Setup,
	v2,
} from '../support/service';

const service = useService();

const address = 'https://example.com/events';
const id = '65f1c0de0000000000000201';
const typed = valueProblems.typedExpression.problem;
const long = 'x'.repeat(5000);

/** Inputs, grouped by the error message that they cause. A `…` in a message stands for any text. */
type Wrong = Record<string, IDataObject[]>;

const identityEvent = { event: identityFinished };

/** For each operation, a valid input and the changes that make it invalid. */
const tables: Record<string, { right: IDataObject; wrong: Wrong }> = {
	'document/download': {
		right: { files: ['document'], documentUrl: 'https://example.com/x.pdf' },
		wrong: {
			[`Files: ${valueProblems.notSelected.problem}`]: [{ files: [] }],
			[`Files: ${valueProblems.notAChoice('').problem}`]: [{ files: ['photo'] }],
			[`Document URL: ${valueProblems.empty.problem}`]: [
				{ documentUrl: '' },
				{ documentUrl: undefined },
			],
			[`Document URL: ${valueProblems.notUrl.problem}`]: [
				{ documentUrl: 'example.com/x.pdf' },
				{ documentUrl: 'ftp://example.com/x.pdf' },
				// A message would show what's in the list, and the link can contain a secret.
				{ documentUrl: ['https://example.com/x.pdf?key=1', 'https://example.com/y.pdf?key=2'] },
				{ documentUrl: { url: 'https://example.com/x.pdf?key=1' } },
			],
			[`Document URL: ${typed}`]: [{ documentUrl: 'https://example.com/{{ $json.id }}' }],
			[`Certificate URL: ${valueProblems.empty.problem}`]: [{ files: ['document', 'certificate'] }],
		},
	},
	'template/get': {
		right: { templateId: byId(id) },
		wrong: {
			[`Template: ${valueProblems.notSelected.problem}`]: [{ templateId: byId('') }],
		},
	},
	'template/getAll': {
		right: {},
		wrong: {
			[`Limit: ${valueProblems.notInRange('a whole number of at least 1').problem}`]: [
				{ limit: -1 },
			],
		},
	},
	'webhook/create': {
		right: { event: 'signDocument', webhookUrl: address },
		wrong: {
			[`Event: ${valueProblems.notAChoice('').problem}`]: [{ event: 'opened' }],
			[`Webhook URL: ${valueProblems.empty.problem}`]: [{ webhookUrl: ' ' }],
			[`Webhook URL: ${valueProblems.notUrl.problem}`]: [
				{ webhookUrl: '/webhook/1' },
				{ webhookUrl: 'https://a.example/\ud83d' },
				{ webhookUrl: 'https://a.example/a lease' },
				{ webhookUrl: 'see https://a.example' },
				{ webhookUrl: 'https://a.example:port' },
				{ webhookUrl: { url: 'https://a.example/?secret=1' } },
			],
			[`Webhook URL: ${typed}`]: [{ webhookUrl: 'https://flows.example.com/{{$json.id}}' }],
			[`Name: ${valueProblems.empty.problem}`]: [identityEvent, { ...identityEvent, name: '  ' }],
			[`Name: ${valueProblems.typedExpression.problem}`]: [
				{ ...identityEvent, name: '{{ $json.name }}' },
			],
		},
	},
	'webhook/getAll': {
		right: {},
		wrong: {
			[`Limit: ${valueProblems.notInRange('a whole number of at least 1').problem}`]: [
				{ limit: 0 },
			],
		},
	},
	'webhook/delete': {
		right: { webhookId: byId(id) },
		wrong: {
			[`Webhook: ${valueProblems.notSelected.problem}`]: [{ webhookId: byId('') }],
			[`Webhook: ${valueProblems.notId(address).problem}`]: [{ webhookId: byId(address) }],
			[`Webhook: ${valueProblems.notId(long).problem}`]: [{ webhookId: byId(long) }],
		},
	},
	'identity/request': {
		right: { email: 'ada@example.com' },
		wrong: {
			[`Email: ${valueProblems.empty.problem}`]: [{ email: '' }],
			[`Email: ${valueProblems.notEmail('ada').problem}`]: [{ email: 'ada' }],
			[`Email: ${valueProblems.addressTooLong('…').problem}`]: [{ email: `${long}@example.com` }],
			// Without this check, the text would pass as an email address, because braces and dollar signs
			// are allowed before the @.
			[`Email: ${typed}`]: [
				{ email: '{{$json.user}}@example.com' },
				{ email: ['{{$json.user}}@example.com'] },
			],
			[`Verification Type: ${valueProblems.empty.problem}`]: [{ verificationType: ' ' }],
			[`Verification Type: ${valueProblems.notText('…').problem}`]: [{ verificationType: NaN }],
			[`Verification Type: ${valueProblems.typedExpression.problem}`]: [
				{ verificationType: '{{ $json.type }}' },
			],
		},
	},
	'identity/get': {
		right: { validationId: id },
		wrong: {
			[`Verification ID: ${valueProblems.empty.problem}`]: [{ validationId: '' }],
			[`Verification ID: ${valueProblems.notId('..').problem}`]: [{ validationId: '..' }],
			[`Verification ID: ${typed}`]: [{ validationId: '{{$json.id}}' }],
			[`Verification ID: ${valueProblems.invisibleCharacter.problem}`]: [
				{ validationId: 'a\u202Eb' },
				{ validationId: 'a\ud83d' },
			],
		},
	},
	'identity/getResults': {
		right: { validationId: id },
		wrong: {
			[`Verification ID: ${valueProblems.empty.problem}`]: [{ validationId: ' ' }],
			[`Verification ID: ${valueProblems.notId('a?b=c').problem}`]: [{ validationId: 'a?b=c' }],
		},
	},
};

const people = (...signatory: unknown[]) => ({ signatories: { signatory } }) as IDataObject;
const email = (value: unknown) => people({ ...ada, email: value });
const name = (value: unknown) => people({ ...ada, name: value });
const role = (value: unknown) => ({ fields: mapped({ ...fields, role: value }) }) as IDataObject;
const list = (signatoriesList: unknown) =>
	({ specifySignatories: 'expression', signatoriesList }) as IDataObject;
const country = (mode: string, value: string) => ({ country: { __rl: true, mode, value } });
const position = (given: IDataObject) => ({ options: { signPositions: { position: [given] } } });

const tooManyDigits = valueProblems.tooManyDigits.problem;
/** @param others The properties that the list's entry has. */
const withoutProperty = (property: string, others: string) => {
	const { problem } = valueProblems.empty;
	return peopleProblems.noProperty({ problem, property, others }).problem;
};

const ofDocument: Wrong = {
	[`Template: ${valueProblems.notSelected.problem}`]: [{ templateId: byId('') }],
	[`Template: ${templateProblems.noneWithId('…').problem}`]: [
		{ templateId: byId(`${id.slice(1)}9`) },
	],
	[`Template: ${tooManyDigits}`]: [{ templateId: { ...byId(''), value: 12345678901234567890 } }],
	[`Signature Positions: ${positionProblems.definedByTemplate('Employment contract').problem}…`]: [
		position({ email: ada.email }),
	],
	// The second value contains only invisible characters.
	[`Job title: ${valueProblems.empty.problem}`]: [role(''), role(' \u200B\n')],
	[`${otherTemplate}: salary`]: [{ fields: mapped({ ...fields, salary: '1' }) }],
	[`Job title: ${valueProblems.notText('…').problem}`]: [role({}), role(NaN), role(['a', 'b'])],
	[`Job title: ${contentProblems.spreadsheetError.problem('#REF!')}`]: [role('#REF!')],
	[`Start date: ${contentProblems.noValue.problem('Invalid DateTime')}`]: [
		{ fields: mapped({ ...fields, start_date: 'Invalid DateTime' }) },
	],
	[`Job title: ${typed}`]: [role('The {{ $json.role }}'), role(['{{ $json.role }}'])],
	[`Job title: ${tooManyDigits}`]: [role(2 ** 53)],
	[`Fields: ${valueProblems.notFilledInWithEditor.problem}`]: [
		{ fields: [fields] },
		{ fields: JSON.stringify([fields]) },
		{ fields: { mappingMode: 'defineBelow' } },
		{ fields: { mappingMode: 'defineBelow', value: [fields] } },
		{ fields: { mappingMode: 'defineBelow', value: 'Analyst' } },
	],
	[`Fields: ${valueProblems.notAChoice('').problem}`]: [
		{ fields: { mappingMode: 'automatic', value: fields } },
	],
	[`Fields: ${valueProblems.noValues.problem}`]: [{ fields: {} }, { fields: '{}' }],
	[`Signatories: ${peopleProblems.nobody.problem}`]: [{ signatories: {} }],
	[`Signatories: ${typed}`]: [list('[{ "name": "{{ $json.name }}", "email": "ada@example.com" }]')],
	[`Signatories: ${peopleProblems.noList('…').problem}`]: [
		list(''),
		list(ada),
		list(['ada@example.com']),
		list('[1]'),
		list([ada, null]),
	],
	[`Email (Signatory 1): ${valueProblems.empty.problem}`]: [
		email(' '),
		list([{ ...ada, email: '' }]),
		list([{ ...ada, Email: null, email: undefined }]),
	],
	[`Email (Signatory 1): ${withoutProperty('email', 'name, emailAddress')}`]: [
		list([{ name: ada.name, emailAddress: ada.email }]),
	],
	[severalWrong(
		['Name (Signatory 1)', withoutProperty('name', 'fullName, emailAddress')],
		['Email (Signatory 1)', withoutProperty('email', 'fullName, emailAddress')],
	)]: [
		list([{ fullName: ada.name, emailAddress: ada.email }]),
		list(JSON.stringify([{ fullName: ada.name, emailAddress: ada.email }])),
	],
	[`Name (Signatory 1): ${withoutProperty('name', 'email, a, b, c, d and 1 more')}`]: [
		list([{ email: ada.email, a: 1, b: 1, c: 1, d: 1, e: 1 }]),
	],
	[severalWrong(
		['Name (Signatory 1)', withoutProperty('name', '')],
		['Email (Signatory 1)', withoutProperty('email', '')],
	)]: [list([{}])],
	[`Email (Signatory 1): ${valueProblems.notEmail('ada').problem}`]: [email('ada')],
	[`Email (Signatory 1): ${valueProblems.notEmail("ada@example.com'").problem}`]: [
		email("ada@example.com'"),
	],
	[`Email (Signatory 1): ${valueProblems.nameInAddress('…').problem}`]: [
		email('Ada <ada@example.com>, Ben <ben@example.com>'),
	],
	[`Name (Signatory 1): "Ana undefined" ${contentProblems.noValue.problem('undefined')}`]: [
		name('Ana undefined'),
	],
	[`Name (Signatory 1): "AnaGil" ${contentProblems.controlCharacter.problem('\u0000')}`]: [
		name('Ana\u0000Gil'),
	],
	[`Email (Signatory 1): ${valueProblems.notText('…').problem}`]: [
		email([ada.email, 'ben@example.com']),
		email(true),
	],
	[`Email (Signatory 1): ${valueProblems.invisibleCharacter.problem}`]: [
		email('ada@example.com%0d%0abcc@example.com'),
		email('ada@exam\u200Bple.com'),
		email('a\u0000da@example.com'),
		email('ada\ud83d@example.com'),
	],
	[`Email (Signatory 2): ${peopleProblems.sameEmail('ADA@Example.com', 'Email (Signatory 1)').problem}`]:
		[people(ada, { ...ada, email: 'ADA@Example.com' })],
	// The "é" is one character in the first address, and two in the second.
	[`Email (Signatory 2): ${peopleProblems.sameEmail('jose\u0301@example.com', 'Email (Signatory 1)').problem}`]:
		[
			people(
				{ ...ada, email: 'jos\u00e9@example.com' },
				{ ...ada, email: 'jose\u0301@example.com' },
			),
		],
	[`Name (Signatory 1): ${valueProblems.empty.problem}`]: [name('')],
	[`Name (Signatory 1): ${valueProblems.notText('…').problem}`]: [
		name({}),
		name(Infinity),
		name(false),
		name(7),
	],
	[`Name (Signatory 1): ${typed}`]: [
		name("{{ $json['Full name'] }}"),
		name(['{{ $json.name }}']),
		list([{ ...ada, name: '{{ $json.name }}' }]),
	],
	[`Email (Signatory 1): ${typed}`]: [
		email('{{$json.user}}@example.com'),
		email(['{{$json.user}}@example.com']),
		email('Ada Lovelace <{{$json.user}}@example.com>'),
		list([{ ...ada, email: '{{$json.user}}@example.com' }]),
	],
	[`Email (employee): ${typed}`]: [
		{
			specifySignatories: 'byRole',
			signatoryRoles: mapped({
				'employee.name': ada.name,
				'employee.email': '{{$json.user}}@example.com',
			}),
		},
	],
	[`Name (Signatory 1): ${tooManyDigits}`]: [name(-1e21)],
	[`Country: ${valueProblems.notSelected.problem}`]: [{ country: '' }, { country: 5 }],
	[`Country: ${contentProblems.noValue.problem('undefined')}`]: [country('name', 'undefined')],
	[`Country: ${typed}`]: [country('name', '{{ $json.country }}')],
	// If the node treated this as text, all items would have the same key.
	[`Send Once Key: ${typed}`]: [{ options: { sendOnceKey: '{{ $json.contract }}' } }],
};

const ofPositions: Wrong = {
	[`Signature Position 1, Signatory Email: ${positionProblems.noSignatory('eve@example.com', []).problem}`]:
		[position({ email: 'eve@example.com' })],
	[`Signature Position 1, Signatory Email: ${valueProblems.empty.problem}`]: [
		position({ email: '' }),
	],
	[`Signature Position 1, Signatory Email: ${typed}`]: [
		position({ email: '{{$json.user}}@example.com' }),
	],
	[`Signature Position 1, Page: ${valueProblems.notInRange('a whole number of at least 1').problem}`]:
		[
			position({ email: ada.email, page: 0 }),
			position({ email: ada.email, page: '={{ $json.page }}' }),
		],
	[`Signature Position 1, Left: ${valueProblems.notInRange('a number of at least 0').problem}`]: [
		position({ email: ada.email, x: '', y: 1 }),
	],
	[`Signature Positions: ${positionProblems.none.problem}`]: [
		{ options: { signPositions: {} } },
		{ options: { signPositions: { positions: [{ email: ada.email }] } } },
		{ options: { signPositions: [{ email: ada.email }] } },
		{ options: { signPositions: '={{ [{ email: $json.email }] }}' } },
	],
	[`Signature Position 1, Left: ${positionProblems.outsidePage(613, '612 points wide').problem}`]: [
		position({ email: ada.email, x: 433 }),
		position({ email: ada.email, x: 433, pageSize: 'legal' }),
		position({ email: ada.email, x: 433, pageSize: 'custom' }),
	],
	[`Signature Position 1, Top: ${positionProblems.outsidePage(841.9, '841.89 points high').problem}`]:
		[position({ email: ada.email, y: 781.9, pageSize: 'a4' })],
	[`Signature Position 1, Page Size: ${valueProblems.notAChoice('').problem}`]: [
		position({ email: ada.email, pageSize: 'A5' }),
	],
	[`Signature Position 1, Color: ${positionProblems.noColor('…').problem}`]: [
		position({ email: ada.email, color: 'blue' }),
		position({ email: ada.email, color: 'rgb(31, 79, 216)' }),
		position({ email: ada.email, color: '1f4' }),
		position({ email: ada.email, color: 255 }),
		position({ email: ada.email, color: '#1f4fd' }),
		position({ email: ada.email, color: '##1f4fd8' }),
		position({ email: ada.email, color: '#1f4fd8; x' }),
		position({ email: ada.email, color: 'undefined' }),
	],
	[`Signature Position 1, Color: ${valueProblems.empty.problem}`]: [
		position({ email: ada.email, color: '' }),
		position({ email: ada.email, color: '={{ null }}' }),
	],
	[`Signature Position 1, Color: ${valueProblems.notText('…').problem}`]: [
		position({ email: ada.email, color: ['#1f4fd8'] }),
		position({ email: ada.email, color: { hex: '#1f4fd8' } }),
		position({ email: ada.email, color: NaN }),
	],
	[`Signature Position 1, Color: ${typed}`]: [
		position({ email: ada.email, color: '{{ $json.color }}' }),
	],
	[`Signature Position 1, Page Width: ${valueProblems.notInRange('a number of at least 72').problem}`]:
		[position({ email: ada.email, pageSize: 'custom', pageWidth: 0 })],
};

const created = () => [
	service.sandbox.documents().length,
	service.sandbox.webhooks().length,
	service.sandbox.identityRequests().length,
];

/** Formats an input for a test's name: on one line, with visible codes for invisible characters. */
const shown = (input: IDataObject) =>
	inspect(input, { depth: 6, compact: 9, breakLength: Infinity, maxStringLength: 60 }).replace(
		/\p{Cf}/gu,
		(invisible) => `\\u{${invisible.codePointAt(0)?.toString(16)}}`,
	);

function testAll(wrong: Wrong, right: () => IDataObject): void {
	const cases = Object.entries(wrong).flatMap(([message, inputs]) =>
		inputs.map((input) => ({ message, input, words: shown(input) })),
	);
	test.each(cases)('fails with `$message` for $words', async ({ message, input }) => {
		const before = created();
		const parameters = { ...right(), ...input };
		const error = await failureOf(runAction(service.credential(), { parameters }));
		expect(error.message).toMatch(wordsWith(message, true));
		expect(error.description).toMatch(/^[A-Z].*\.(?: More: https:\/\/\S+#[\w-]+)?$/s);
		expect(created()).toEqual(before);
		// Only calls for a token and for the lists in which the node looks up a template are permitted.
		const paths = service.sandbox.requests.map((request) => request.path);
		expect(paths.filter((path) => !/^\/(access\/token|templates(\/v2)?)$/.test(path))).toEqual([]);
	});
}

const tested = Object.entries(tables).map(([name, table]) => ({
	...operationNamed(name),
	...table,
}));
describe.each(tested)('$words', ({ operation: { resource, value }, right, wrong }) => {
	testAll(wrong, () => ({ resource, operation: value, ...right }));
});
describe('Document: Send for Signature', () => testAll(ofDocument, () => v2));
describe('Document: Send for Signature with a version 1 template', () =>
	testAll(ofPositions, () => v1Setup(service).parameters));

describe('the request to create a document', () => {
	const sentWith = async (input: IDataObject) => {
		service.sandbox.forgetRequests();
		await runAction(service.credential(), { parameters: { ...v2, ...input } });
		return creationsAt(service).map(({ body }) => body);
	};

	test.each<[string, IDataObject]>([
		['the fields have no mapping mode', { fields: { value: fields } }],
		['the fields are a plain object', { fields }],
		['the fields are JSON', { fields: JSON.stringify(fields) }],
		['the mapped values are JSON', { fields: mapped(JSON.stringify(fields) as never) }],
		['a field is a one-item list', role(['Analyst'])],
		['the email and name are one-item lists', people({ email: [ada.email], name: [ada.name] })],
		['the template ID has a line break after it', { templateId: byId(`${contract}%0A\u2060`) }],
		['the template is a one-item list', { templateId: byId([v2.templateId.value] as never) }],
		['the country is a one-item list', country('name', ['Mexico'] as never)],
		[
			'the keys in a list of people differ in case and spacing',
			list([{ EMAIL: ada.email, ' Name': ada.name }]),
		],
		['the list of people is JSON', list(JSON.stringify([ada]))],
		['a switch is 0 instead of false', { options: { leaveLastRolesEmpty: 0 } }],
	])('is the same even if %s', async (_how, input) => {
		expect(await sentWith(input)).toEqual(await sentWith({}));
	});
});

test('invisible characters around an email address and spaces around a name are not sent', async () => {
	const unseen = '\u200B\u{E0001} ada@example.com%0D%0A\u202E\n';
	const parameters = {
		...v2,
		...people({ email: unseen, name: '\uFEFF\u200BAda Lovelace\u00A0' }),
	};
	await runAction(service.credential(), { parameters });
	expect(creationsAt(service)[0]?.body).toMatchObject({
		signatories: [{ email: 'ada@example.com', name: 'Ada Lovelace' }],
	});
});

test("an error that explains an expression's wrong value leaves out a column that n8n cannot read", async () => {
	const parameters = { ...v2, ...role("={{ $json.title ?? $('Gone').item.json.title }}") };
	const items = [{ title: 'undefined' }];
	const error = await failureOf(runAction(service.credential(), { parameters, items }));
	expect(error.message).toBe(
		`Job title: ${contentProblems.noValue.problem('undefined')}, because $json.title is "undefined"`,
	);
});

test('an expression that reads a column that the item does not have is reported with the columns that there are', async () => {
	const parameters = {
		...v2,
		specifySignatories: 'byRole',
		signatoryRoles: mapped({
			'employee.name': '={{ $json.Nr }}',
			'employee.email': "={{ $json['E-mail'] }}",
		}),
		fields: mapped({ ...fields, role: '={{ $json.Post }}' }),
	};
	const options = { sendOnceKey: '={{ $json.Number }}' };
	const items = [{ Name: 'Ada Lovelace', 'E-mail': '' }];
	const missing = (column: string) => columnProblems.missing(column, 'Name, E-mail').problem;
	const messageOf = async (form: IDataObject) =>
		(await failureOf(runAction(service.credential(), { parameters: form, items }))).message;
	const message = await messageOf(parameters);
	for (const problem of [
		`Name (employee): ${valueProblems.empty.problem}, because ${missing('Nr')}`,
		`Email (employee): ${valueProblems.empty.problem};`,
		`Job title: ${valueProblems.empty.problem}, because ${missing('Post')}`,
	])
		expect(message).toContain(problem);
	expect(await messageOf({ ...parameters, options })).toContain(
		`Send Once Key: ${keyProblems.noValue.problem}, because ${missing('Number')}`,
	);
	const byName = (value: string) => ({ __rl: true, mode: 'name', value });
	const request = { resource: 'identity', operation: 'request' };
	for (const [form, problem] of [
		[{ ...v2, country: byName('={{ $json.Land }}') }, `Country: ${valueProblems.noValue.problem}`],
		[
			{ ...v2, templateId: byId('={{ $json.Land }}') },
			`Template: ${valueProblems.noValue.problem}`,
		],
		[{ ...request, email: '={{ $json.Land }}' }, `Email: ${valueProblems.empty.problem}`],
		[
			{ ...v2, ...list("={{ [{ name: $json.Land, email: 'ada@example.com' }] }}") },
			`Name (Signatory 1): ${valueProblems.empty.problem}`,
		],
	] as const) {
		expect(await messageOf(form)).toBe(`${problem}, because ${missing('Land')}`);
	}
});

test('a cell that is empty in one row, and a column whose name begins with a byte order mark, are not called missing columns', async () => {
	const saved = { ...fields, role: '={{ $json.Post }}' };
	const parameters = { ...v2, fields: mapped(saved) };
	// n8n's spreadsheet nodes leave out a row's empty cells.
	const items = [{ Name: 'Ada', Post: 'Clerk' }, { Name: 'Ben' }];
	const error = await failureOf(runAction(service.credential(), { parameters, items }));
	expect(error.description).toContain(`Job title: ${valueProblems.empty.problem}. `);
	const marked = [{ '\uFEFFPost': 'Clerk' }];
	const other = await failureOf(runAction(service.credential(), { parameters, items: marked }));
	expect(other.message).toBe(
		`Job title: ${valueProblems.empty.problem}, because ${columnProblems.otherCharacters('Post').problem}`,
	);
	expect(other.description).toContain(columnProblems.otherCharacters('').remedy);
});

test('a date that an expression makes from a missing column is explained by that column', async () => {
	const start_date = "={{ DateTime.fromISO($json['Start date']).toFormat('DD') }}";
	const parameters = { ...v2, fields: mapped({ ...fields, start_date }) };
	const items = [{ Beginn: '2027-02-01' }];
	const { message } = await failureOf(runAction(service.credential(), { parameters, items }));
	expect(message).toBe(
		`Start date: ${contentProblems.noValue.problem('Invalid DateTime')}, because ${columnProblems.missing('Start date', 'Beginn').problem}`,
	);
});

const oldColumns = (column: string) =>
	`${columnProblems.partMissing.problem}, because ${columnProblems.missing(column, 'First, Last, Pay, Nr').problem}`;

test('a part of an expression whose column no item has causes a warning, and an error in a Send Once Key', async () => {
	const items = [{ First: 'Ana', Last: 'Gil', Pay: '5', Nr: '7' }];
	const signatory = [{ name: '={{ $json.First }} {{ $json.Surname }}', email: 'ana@example.com' }];
	const role = '=Cook for {{ $json.Salary }}';
	const parameters = { ...v2, fields: mapped({ ...fields, role }), signatories: { signatory } };
	const send = async (more: IDataObject) => {
		const options = { ...despite, ...more };
		return await runAction(service.credential(), { parameters: { ...parameters, options }, items });
	};
	const [sent] = await send({});
	expect(sent?.json.warnings).toEqual([
		expect.stringContaining(`Name (Signatory 1): ${oldColumns('Surname')}`),
		expect.stringContaining(`Job title: ${oldColumns('Salary')}`),
	]);
	// A workflow that wasn't made in the editor may contain the values without the form's settings.
	const plain = { ...parameters, fields: { ...fields, role } };
	const [sentToo] = await runAction(service.credential(), { parameters: plain, items });
	expect(sentToo?.json.warnings).toEqual(sent?.json.warnings);
	const error = await failureOf(send({ sendOnceKey: '=C-{{ $json.Number }}' }));
	expect(error.message).toContain(`Send Once Key: ${oldColumns('Number')}`);
	// If only the cell is empty, the error explains how to allow this.
	const withDefault = "{{ $json.Number ?? '' }}";
	expect(error.description).toContain(` ${withDefault} `);
	const [keyed] = await send({ sendOnceKey: `=C-{{ $json.Nr }}-${withDefault}` });
	expect(keyed?.json).toHaveProperty('documentId');
});

describe('A text in which code wrote "undefined"', () => {
	const written = contentProblems.joinedUndefined;
	const columns = 'First, Middle, Number';
	test.each([
		['={{ $json.First + $json.Surname }}', columnProblems.missing('Surname', columns).problem],
		[
			'={{ `${$json.First}${$json.Surname}` }}!',
			columnProblems.missing('Surname', columns).problem,
		],
		['={{ $json.First + $json.Middle?.trim() }}', '$json.First is "Ana" and $json.Middle is empty'],
		['={{ $json.First + $input.first().json.Surname }}', '$json.First is "Ana"'],
		['Anaundefined', undefined],
	])('causes a warning in a field, and is an error in a key: %s', async (saved, reason) => {
		const items = [{ First: 'Ana', Middle: null, Number: 1 }];
		const because = reason === undefined ? '' : `, because ${reason}`;
		const parameters = {
			...v2,
			fields: mapped({ ...fields, role: saved }),
			options: { ...despite, sendOnceKey: '={{ $json.Number }}' },
		};
		const [sent] = await runAction(service.credential(), { parameters, items });
		expect(sent?.json.warnings).toEqual([
			expect.stringContaining(`${written.problem('undefined')}${because}`),
		]);
		const refused = async (options: IDataObject) => {
			const form = { ...parameters, options };
			const failure = await failureOf(runAction(service.credential(), { parameters: form, items }));
			return `${failure.message} ${failure.description}`;
		};
		const before = creationsAt(service).length;
		expect(await refused({})).toContain(written.problem('undefined'));
		expect(await refused({ sendOnceKey: saved })).toMatch(
			wordsWith(`Send Once Key: "${items[0]?.First}undefined`),
		);
		expect(creationsAt(service)).toHaveLength(before);
	});

	test.each([
		['={{ $json.First + $json.Middle }}', 'Ananull'],
		['={{ "EUR" + $json.Number * $json.First }}', 'EURNaN'],
		['={{ ($json.First + $json.Surname).toUpperCase() }}', 'ANAUNDEFINED'],
		['={{ $json.First.toLowerCase() + "@undefinedlabs.com" }}', 'ana@undefinedlabs.com'],
	])('is distinguished from what words contain: %s', async (role, text) => {
		const parameters = { ...v2, fields: mapped({ ...fields, role }) };
		const items = [{ First: 'Ana', Middle: null, Number: 1 }];
		const [sent] = await runAction(service.credential(), { parameters, items });
		expect((creationsAt(service).at(-1)?.body as IDataObject).inputs).toMatchObject({ role: text });
		expect(sent?.json.warnings).toEqual([]);
	});
});

const noNumber = { Name: 'Ben', Number: '', Year: 2027 };
test.each<[string, IDataObject, string, boolean]>([
	['=C-{{ $json.Number }}', noNumber, '$json.Number', true],
	['=C-{{ $json.Number }}', { Name: 'Ben' }, '$json.Number', true],
	["={{ 'C' + $json.Number.trim() }}", noNumber, '$json.Number', true],
	['={{ $json.Number }}-{{ $json.Year }}', noNumber, '$json.Number', false],
	[
		"={{ $json['Contract number'] }}-{{ $execution.id }}",
		{ Name: 'Ben' },
		"$json['Contract number']",
		false,
	],
])(
	'a Send Once Key %s whose cell is empty in an item is an error',
	async (sendOnceKey, item, read, isAll) => {
		const items = [{ Name: 'Ana', Number: '1', Year: 2027, 'Contract number': '1' }, item];
		const parameters = { ...v2, options: { sendOnceKey, sendDespiteWarnings: isAll } };
		const { message, description } = await failureOf(
			runAction(service.credential(), { parameters, items }),
		);
		expect(`${message} ${description}`).toContain(
			`Send Once Key: ${columnProblems.emptyPart(read, isAll).problem}, because ${read} is empty`,
		);
		expect(creationsAt(service)).toEqual([]);
	},
);

test('a cell that both a field and the Send Once Key need is named by its field first', async () => {
	const signatory = [{ name: 'Ana Gil', email: '={{ $json.Email }}' }];
	const options = { sendOnceKey: '={{ $json.Email }} 2027' };
	const parameters = { ...v2, signatories: { signatory }, options };
	const items = [{ Email: '' }];
	const { message } = await failureOf(runAction(service.credential(), { parameters, items }));
	expect(message).toBe(
		severalWrong(
			['Email (Signatory 1)', valueProblems.empty.problem],
			[
				'Send Once Key',
				`${columnProblems.emptyPart('', true).problem}, because $json.Email is empty`,
			],
		),
	);
});

test.each<[string, string, IDataObject]>([
	['all its cells', '={{ $json.Number }}-{{ $json.Year }}', { Number: 0, Year: 2027 }],
	[
		'a default for an empty cell',
		"={{ $json.Number }}-{{ $json.Suffix ?? '' }}",
		{ Number: '1', Suffix: '' },
	],
	['one of two cells', '={{ $json.Number || $json.Year }}', { Number: '', Year: 2027 }],
	['a column in a list', '={{ $json.Rows.map((row) => row.id).join() }}', { Rows: [{ id: 1 }] }],
])('a Send Once Key with %s is used without a word', async (_what, sendOnceKey, item) => {
	const parameters = { ...v2, options: { sendOnceKey } };
	const [sent] = await runAction(service.credential(), { parameters, items: [item] });
	expect(sent?.json).toMatchObject({ outcome: 'sent', warnings: [] });
});

test.each([
	['a default', "={{ $json.First }}{{ $json.Surname?.trim() ?? '' }}"],
	['only a question about the column', '={{ $json.First }}{{ $json.Surname.isEmpty() }}'],
	['a list without empty values', "={{ [$json.First, $json.Surname].filter(Boolean).join(' ') }}"],
	['a column with a method', '={{ $json.First.trim() }} {{ $json.First.toLowerCase() }}'],
])('an expression with %s causes no warning about a missing column', async (_what, role) => {
	const parameters = { ...v2, fields: mapped({ ...fields, role }) };
	const items = [{ First: 'Ana' }];
	const [sent] = await runAction(service.credential(), { parameters, items });
	expect(sent?.json.warnings).toEqual([]);
});

test('an item with columns of similar names is sent whatever the columns of the other items are', async () => {
	const values = ['Ada Lovelace', 'Cook', '2027-02-01'];
	const items = [
		['Employee name', 'Job title', 'Start date'],
		['employee-name', 'job-title', 'start-date'],
	].map((columns) => Object.fromEntries(columns.map((column, at) => [column, values[at]])));
	const automatic = { mappingMode: 'autoMapInputData', value: null };
	const parameters = { ...v2, fields: automatic };
	const output = await runAction(service.credential(), { parameters, items });
	expect(output.map(({ json }) => json.warnings)).toEqual([expect.any(Array), expect.any(Array)]);
	const [first, second] = creationsAt(service).map(({ body }) => (body as IDataObject).inputs);
	expect(second).toEqual(first);
});

test.each([
	['C-undefined', contentProblems.noValue.problem('undefined')],
	['[object Object]-1', contentProblems.wholeObject.problem('[object Object]')],
	['#REF!', contentProblems.spreadsheetError.problem('#REF!')],
	['null', contentProblems.null.problem('null')],
])(
	'the Send Once Key %j is rejected, because the next item would have the same',
	async (sendOnceKey, problem) => {
		const parameters = { ...v2, options: { sendOnceKey } };
		const { message } = await failureOf(runAction(service.credential(), { parameters }));
		expect(message).toMatch(wordsWith(`Send Once Key: …${problem}`, true));
	},
);

test.each([
	['undefined@example.com', contentProblems.noValue.problem('undefined')],
	['NaN.gil@example.com', contentProblems.noValue.problem('NaN')],
	['#REF!@example.com', contentProblems.spreadsheetError.problem('#REF!')],
])('the address %j is rejected', async (email, problem) => {
	const parameters = { ...v2, ...people({ ...ada, email }) };
	const { message } = await failureOf(runAction(service.credential(), { parameters }));
	expect(message).toMatch(wordsWith(`Email (Signatory 1): …${problem}`, true));
});

test.each([
	[
		'an address that contains null',
		{ email: 'null@example.com' },
		`Email (Signatory 1): "null@example.com" ${contentProblems.null.problem('null')}`,
	],
	[
		'a name with the address',
		{ name: 'Ada <ada@example.com>', email: 'ada@example.com' },
		`Name (Signatory 1): ${contentProblems.otherThanName.problem('Ada <ada@example.com>')}`,
	],
])('%s causes a warning', async (_what, person, warning) => {
	const parameters = { ...v2, ...people({ ...ada, ...person }) };
	const [item] = await runAction(service.credential(), { parameters });
	expect(item?.json.warnings).toEqual([expect.stringContaining(warning)]);
});

test('an empty cell is not explained by a column that the expression reads only in its place', async () => {
	const role = '={{ $json.Job || $json.Beruf }}';
	const parameters = { ...v2, fields: mapped({ ...fields, role }) };
	const items = [{ Job: '' }];
	const { message } = await failureOf(runAction(service.credential(), { parameters, items }));
	expect(message).toBe(`Job title: ${valueProblems.empty.problem}`);
});

const gone = "={{ $('Gone').item.json.title }}";
test.each([
	['Job title', { fields: mapped({ role: gone }) }],
	[
		'Email (employee)',
		{ specifySignatories: 'byRole', signatoryRoles: mapped({ 'employee.email': gone }) },
	],
	['Send Once Key', { options: { sendOnceKey: gone } }],
	['Country', { country: gone }],
	['Your Email', { inTestRuns: 'me', testEmail: gone }],
	[
		'Name Contains',
		{ resource: 'template', operation: 'getAll', filters: { name: gone }, returnAll: true },
	],
])(
	'an expression in %s that n8n cannot evaluate is reported with the field',
	async (field, form) => {
		const error = await failureOf(
			runAction(service.credential(), { parameters: { ...v2, ...form }, mode: 'manual' }),
		);
		expect(error.message).toBe(`${field}: Referenced node doesn't exist`);
	},
);

test('all invalid values in an item are reported together', async () => {
	const wrong = {
		...v2,
		...people(ada, { name: 'Bob' }, { email: 'eve', name: '' }),
		country: ' ',
		fields: mapped({ ...fields, role: '' }),
	};
	const error = await failureOf(runAction(service.credential(), { parameters: wrong }));
	expect(error.message).toBe(
		severalWrong(
			['Country', valueProblems.notSelected.problem],
			['Email (Signatory 2)', valueProblems.empty.problem],
			['Name (Signatory 3)', valueProblems.empty.problem],
			['Email (Signatory 3)', valueProblems.notEmail('eve').problem],
			['Job title', valueProblems.empty.problem],
		),
	);
	expect(error.description?.split('\n')).toEqual([
		expect.stringMatching(/^Country: [A-Z].*\.$/),
		expect.stringMatching(/^Email \(Signatory 2\): [A-Z].*\.$/),
		expect.stringMatching(/^Name \(Signatory 3\): [A-Z].*\.$/),
		`Email (Signatory 3): ${valueProblems.notEmail('').remedy}`,
		expect.stringMatching(/^Job title: [A-Z].*\.$/),
		'Nothing was sent.',
	]);
	expect(creationsAt(service)).toHaveLength(0);
});

/** Returns all switches in a form, each with its path and its label. */
function switchesOf(fields: INodeProperties[], path = ''): Array<[path: string, name: string]> {
	return fields.flatMap(({ type, name, displayName, options = [] }) => {
		if (type === 'boolean') return [[`${path}${name}`, displayName] as [string, string]];
		if (type !== 'collection') return [];
		return switchesOf(options as INodeProperties[], `${path}${name}.`);
	});
}

/**
 * Every switch of every operation. A switch is listed only once, even if a form contains it in several
 * variants.
 */
const switches = testedOperations.flatMap(({ words, operation }) =>
	[...new Map(switchesOf(operation.fields))].map(
		([path, name]) => [words, name, path, operation] as const,
	),
);

const rightForms: Partial<Record<Operation['resource'], IDataObject>> = {
	document: {
		...v2,
		specifySignatories: 'byRole',
		signatoryRoles: mapped({ 'employee.name': ada.name, 'employee.email': ada.email }),
	},
	identity: {
		email: 'ada@example.com',
		validationId: '65f1c0de0000000000000201',
	},
};

/** Makes an operation's form with the given value at the given path. */
function formWith({ resource, value: operation }: Operation, path: string, value: unknown) {
	const [first = '', inner] = path.split('.');
	return {
		...rightForms[resource],
		resource,
		operation,
		[first]: inner ? { [inner]: value } : value,
	} as IDataObject;
}

describe.each(switches)('%s: the "%s" switch (%s)', (_words, name, path, operation) => {
	test.each([
		['"maybe"', 'maybe', 'maybe'],
		[
			'an expression that returns nothing, instead of treating it as off',
			'={{ $json.wanted }}',
			null,
		],
	])('rejects %s', async (_what, given, value) => {
		const parameters = formWith(operation, path, given);
		const perItem = [formWith(operation, path, value)];
		const error = await failureOf(runAction(service.credential(), { parameters, perItem }));
		expect(error.message).toBe(`${name}: ${valueProblems.notTrueOrFalse.problem}`);
	});
});
