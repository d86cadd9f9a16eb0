import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { requestIdentity } from '../operations/service';
import { runAction, type RunSetup } from '../support/contexts';
import { clientOf } from '../support/credentials';
import {
	ada,
	creationsAt,
	despite,
	failureOf,
	fields,
	filledForm,
	mapped,
	peopleFor,
	templateFor,
	useService,
	v2,
} from '../support/service';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';
import { contentProblems } from '../../nodes/SignVerify/text/contentMistakes';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { peopleProblems, keyProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { settle } from '../../nodes/SignVerify/util/async';

// A value that is wrong is never sent. With Send Despite Warnings, a value that looks wrong is sent,
// but with a warning in the output.
const service = useService();
const creations = () => creationsAt(service).map(({ body }) => body as IDataObject);
const run = async (setup: RunSetup) => {
	const hints: NodeExecutionHint[] = [];
	const output = await runAction(service.credential(), { ...setup, hints });
	return { output, hints: hints.map(({ message }) => message) };
};
const people = (...signatory: unknown[]) => ({ signatories: { signatory } }) as IDataObject;
const start = (value: unknown) =>
	({ fields: mapped({ ...fields, start_date: value }) }) as IDataObject;
const looksWrong = start('2027-02-30');
const warning = `Start date: ${contentProblems.missingDay.problem('2027-02-30')}. ${contentProblems.missingDay.remedy}`;

const ofName = `Name (Signatory 1): "Ana null" ${contentProblems.null.problem('null')}. ${contentProblems.null.remedy}`;

describe('warnings', () => {
	test('appear in the output of each sent item that causes them', async () => {
		const { output, hints } = await run({
			parameters: v2,
			items: [{}, {}, {}],
			perItem: [{}, people({ ...ada, name: 'Ana null' }), people({ ...ada, name: 'Ana Gil' })],
		});
		expect(output.map(({ json }) => json.warnings)).toEqual([[], [ofName], []]);
		expect(hints).toEqual([`Item 2: ${ofName}`]);
		expect(creations()).toHaveLength(3);
	});

	test('are listed with the names that an error gives the items, even in a test', async () => {
		const signatories = people({ ...ada, name: '={{ $json.name }}' });
		const items = [
			{ key: 'C-7', name: 'Ana null' },
			{ key: 'C-8', name: 'Ben null', row_number: 3 },
			{ key: 'C-9', name: 'Ada Lovelace' },
		];
		const hintWith = async (options: IDataObject) => {
			const parameters = {
				...v2,
				...signatories,
				options: { ...despite, neverSend: true, ...options },
			};
			const { hints } = await run({ parameters, items });
			return hints.find((hint) => hint.startsWith('2 items have warnings. '));
		};
		const keyed = await hintWith({ sendOnceKey: '={{ $json.key }}' });
		expect(keyed).toContain('warnings. C-7, Ana null (item 1): Name (Signatory 1): ');
		expect(keyed).toContain(' C-8, Ben null (row 3): Name (Signatory 1): ');
		const plain = await hintWith({});
		expect(plain).toContain('warnings. Item 1: Name (Signatory 1): ');
		expect(plain).toContain(' Ben null (row 3): Name (Signatory 1): ');
	});

	test('appear in the output of Never Send', async () => {
		const parameters = {
			...v2,
			...looksWrong,
			options: { ...despite, neverSend: true, output: 'raw' },
		};
		const { output } = await run({ parameters });
		expect(output[0]?.json).toMatchObject({ outcome: 'nothing', warnings: [warning] });
		expect(creations()).toHaveLength(0);
	});

	test('appear in a hint, but not in raw output or on skipped items', async () => {
		const raw = await run({
			parameters: { ...v2, ...looksWrong, options: { ...despite, output: 'raw' } },
		});
		expect(raw.output[0]?.json).not.toHaveProperty('warnings');
		expect(raw.hints).toEqual([warning]);
		const keyed = { ...v2, ...looksWrong, options: { ...despite, sendOnceKey: 'k' } };
		const { output } = await run({ parameters: keyed, items: [{}, {}] });
		expect(output.map(({ json }) => 'warnings' in json)).toEqual([true, false]);
	});

	test('are combined into one hint of limited length for 500 items', async () => {
		const items = Array.from({ length: 500 }, () => ({}));
		const parameters = { ...v2, ...looksWrong, options: { ...despite, neverSend: true } };
		const { hints } = await run({ parameters, items });
		expect(hints.filter((hint) => hint.startsWith('500 items have warnings.'))).toHaveLength(1);
		for (const hint of hints) expect(hint.length).toBeLessThan(1200);
	});

	test('about optional fields without a column appear only once per execution', async () => {
		const automatic = { mappingMode: 'autoMapInputData', value: null };
		const { output } = await run({
			parameters: { ...v2, fields: automatic, options: { ...despite, neverSend: true } },
			items: [{ ...fields }, { ...fields, role: 'Cook' }],
		});
		const found = output.map(({ json }) => (json.warnings as string[]).length);
		expect(found).toEqual([1, 0]);
	});
});

describe('a date field', () => {
	test.each([
		...['2027-02-01 10:30', 'desde las 00:00 del 1 de febrero'],
		...['Upon signature', 'N/A', 'First day of each month', 'a la firma del contrato', '--'],
		...['3/4/2027', '1 de febrero de 2027', '2027-02-01 10:00', '1405/02/31'],
	])('sends "%s" as it is, without a warning', async (value) => {
		const { output } = await run({ parameters: { ...v2, ...start(value) } });
		expect(creations()[0]?.inputs).toMatchObject({ start_date: value });
		expect(output[0]?.json.warnings).toEqual([]);
	});

	test.each([
		...['2027-02-30', '46054', '2026-03-05T00:00:00.000-05:00', 'null', 'MarÃ\u00ada'],
		...['2027-02-01 00:00:00', '2027-02-01T00:00', '1801440000000', '/Date(1801440000000)/'],
	])('sends "%s" as it is, with a warning', async (value) => {
		const { output } = await run({ parameters: { ...v2, ...start(value) } });
		expect(creations()[0]?.inputs).toMatchObject({ start_date: value });
		expect(output[0]?.json.warnings).toEqual([expect.stringMatching(/^Start date: /)]);
	});

	test.each(['undefined', 'NaN', 'Invalid DateTime', '#REF!', 'on {{ $json.day }}'])(
		'never sends "%s"',
		async (value) => {
			const items = [{ day: value }];
			await failureOf(run({ parameters: { ...v2, ...start('={{ $json.day }}') }, items }));
			expect(creations()).toEqual([]);
		},
	);
});

describe('an expression with text beside its parts', () => {
	const { partsEmpty } = columnProblems;
	const warned = async (form: IDataObject, json: IDataObject) => {
		const parameters = {
			...v2,
			...form,
			options: { ...despite, ...(form.options as IDataObject) },
		};
		// With another row, no column is missing.
		const { output } = await run({ parameters, items: [json, { ...json, other: '' }] });
		return output[0]?.json.warnings as string[];
	};
	const stops = async (form: IDataObject, json: IDataObject) => {
		const parameters = { ...v2, ...form, options: form.options ?? {} };
		const done = await settle(run({ parameters, items: [json] }));
		return !done.ok;
	};
	const required = (role: string) => ({ fields: mapped({ ...fields, role }) }) as IDataObject;
	const optional = (workplace: string) =>
		({ fields: mapped({ ...fields, workplace }) }) as IDataObject;

	test.each<[string, IDataObject]>([
		['={{ $json.rent * 12 }} €', { rent: '1.200,00' }],
		['=$ {{ $json.rent }}', { rent: '' }],
		['={{ $json.rent }} € ', { rent: null }],
		['=({{ $json.rent }} / {{ $json.fee * 2 }})', { rent: '', fee: 'x' }],
		["={{ $json['Any rent?'] }} €", { 'Any rent?': '' }],
	])('stops the item in a required field if only signs are left: %s', async (saved, json) => {
		const warning = `Job title: ${partsEmpty.problem}. ${partsEmpty.remedy}`;
		expect(await warned(required(saved), json)).toEqual([warning]);
		expect(await stops(required(saved), json)).toBe(true);
		expect(await warned(optional(saved), json)).toEqual([
			warning.replace('Job title', 'Workplace'),
		]);
		expect(await stops(optional(saved), json)).toBe(false);
	});

	test.each<[string, IDataObject]>([
		['=Suite {{ $json.suite }}', { suite: '' }],
		['=§ 5 {{ $json.suite * 1 }}', { suite: 'B' }],
	])('only causes a warning if words or digits are left: %s', async (saved, json) => {
		expect(await warned(required(saved), json)).toEqual([
			`Job title: ${partsEmpty.problem}. ${partsEmpty.remedy}`,
		]);
		expect(await stops(required(saved), json)).toBe(false);
	});

	test.each<[string, IDataObject]>([
		['={{ $json.rent * 12 }} €', { rent: 1200 }],
		['={{ $json.rent }} €', { rent: 0 }],
		["=Lease{{ $json.pets ? ' with pets' : '' }}", { pets: false }],
		["={{ $json.amount ?? '' }} MXN", { amount: null }],
		['={{ $json.amount || $json.rent }} €', { amount: '', rent: '' }],
		['={{ $json.amount && $json.amount * 12 }} €', { amount: '' }],
		["={{ $json.amount.replace('€', '') }} €", { amount: '€' }],
		['={{ $json.amount.concat(``) }} €', { amount: '' }],
		['=€', {}],
	])('is right if a part has a value, or may be empty: %s', async (saved, json) => {
		expect(await warned(required(saved), json)).toEqual([]);
		expect(await stops(required(saved), json)).toBe(false);
	});

	test('is judged in a name, and in a template chosen by name', async () => {
		const json = { name: '', kind: '' };
		const told = `${partsEmpty.problem}. ${partsEmpty.remedy}`;
		const named = (name: string) => people({ ...ada, name });
		expect(await warned(named('=Dr. {{ $json.name }}'), json)).toEqual([
			`Name (Signatory 1): ${told}`,
		]);
		expect(await stops(named('={{ $json.name }}-{{ $json.name }}'), json)).toBe(true);
		const templateId = { __rl: true, mode: 'name', value: '=Employment contract{{ $json.kind }}' };
		expect(await warned({ templateId }, json)).toEqual([`Template: ${told}`]);
	});

	test('is judged in a Send Once Key whose cells are filled', async () => {
		const key = (sendOnceKey: string) => ({ options: { sendOnceKey } });
		const told = `Send Once Key: ${partsEmpty.problem}. ${partsEmpty.remedy}`;
		expect(await warned(key('=C-{{ $json.nr * 1 }}'), { nr: 'x' })).toEqual([told]);
		expect(await warned(key('=C-{{ $json.nr * 1 }}'), { nr: 7 })).toEqual([]);
		expect(await stops(key('={{ $json.nr * 1 }}-{{ $json.nr * 2 }}'), { nr: 'x' })).toBe(true);
		const { message } = await failureOf(
			run({ parameters: { ...v2, ...key('=-{{ $json.nr }}') }, items: [{ nr: '' }] }),
		);
		expect(message).toContain(columnProblems.emptyPart('$json.nr', true).problem);
	});

	test("isn't judged in JSON and in a list of people, where one text has many values", async () => {
		const json = { rent: 'x', name: '' };
		const inputs = { ...fields, role: '{{ $json.rent * 12 }} €' };
		const object = { specifyFields: 'expression', fieldsObject: `=${JSON.stringify(inputs)}` };
		expect(await warned(object, json)).toEqual([]);
		const list = [{ ...ada, name: 'Ada {{ $json.name }}' }];
		const signatoriesList = `=${JSON.stringify(list)}`;
		expect(await warned({ specifySignatories: 'expression', signatoriesList }, json)).toEqual([]);
	});
});

describe('an HTML tag', () => {
	const country = { __rl: true, mode: 'name', value: 'Mexico<br>' };
	const role = mapped({ ...fields, role: 'Cook</p>' });
	const tagIn = (form: IDataObject) => (JSON.stringify(form).includes('<br>') ? '<br>' : '</p>');
	const places: Array<[string, IDataObject, IDataObject]> = [
		['Job title: ', { fields: role }, { inputs: { ...fields, role: 'Cook</p>' } }],
		[
			'Name (Signatory 1): ',
			people({ ...ada, name: 'Ada<br>Lovelace' }),
			{ signatories: [{ ...ada, name: 'Ada<br>Lovelace' }] },
		],
		['Country: ', { country }, { country: 'Mexico<br>' }],
	];

	test.each(places)('in %s is sent as it is, with a warning', async (place, form, sent) => {
		const { output } = await run({ parameters: { ...v2, ...form } });
		expect(creations()).toMatchObject([sent]);
		const [warned] = output[0]?.json.warnings as string[];
		expect(warned).toContain(contentProblems.htmlTag.problem(tagIn(form)));
		expect(warned?.startsWith(place)).toBe(true);
	});

	test.each(places)('in %s is refused without Send Despite Warnings', async (place, form) => {
		const parameters = { ...v2, ...form, options: {} };
		const { message } = await failureOf(run({ parameters }));
		expect(message).toContain(place);
		expect(message).toContain(contentProblems.htmlTag.problem(tagIn(form)));
		expect(creations()).toEqual([]);
	});

	test('in the name that an identity verification expects causes a warning', async () => {
		const client = clientOf(service.sandbox);
		const validationId = await requestIdentity({ sandbox: service.sandbox, client }, ada.email);
		await service.sandbox.completeIdentity(validationId, 'pass');
		const parameters = {
			resource: 'identity',
			operation: 'getResults',
			validationId,
			expectedName: 'Ada</b> Lovelace',
		};
		expect((await run({ parameters })).hints).toEqual([
			expect.stringContaining(
				`Expected Name: "Ada‹/b› Lovelace" ${contentProblems.htmlTag.problem('‹/b›')}`,
			),
		]);
	});
});

describe('Without Send Despite Warnings, the node', () => {
	test.each(['PTS', 'PYMTS', '4E-2', '<<EL ARRENDADOR>>', '1801440000', '1. Rent\f2. Deposit'])(
		'sends %j as it is',
		async (role) => {
			const options = {};
			await run({ parameters: { ...v2, fields: mapped({ ...fields, role }), options } });
			expect(creations()).toMatchObject([{ inputs: { role } }]);
		},
	);
});

describe('a text of characters without ink', () => {
	test.each(['\u3164', '\u3164 \u3164', '\u115F\u1160', '\uFFA0', '\u2800', '\u00AD'])(
		'is an empty value in each place: %j',
		async (text) => {
			const items = [{ text }];
			const from = '={{ $json.text }}';
			const forms: Array<[string, IDataObject]> = [
				['Name (Signatory 1)', people({ ...ada, name: from })],
				['Email (Signatory 1)', people({ ...ada, email: from })],
				['Job title', { fields: mapped({ ...fields, role: from }) }],
				['Send Once Key', { options: { sendOnceKey: from } }],
			];
			for (const [place, form] of forms) {
				const { message } = await failureOf(run({ parameters: { ...v2, ...form }, items }));
				expect([valueProblems.empty.problem, keyProblems.noValue.problem]).toContain(
					message.replace(`${place}: `, ''),
				);
			}
			const country = { __rl: true, mode: 'name', value: text };
			const { message } = await failureOf(run({ parameters: { ...v2, country } }));
			expect(message).toContain(`Country: ${valueProblems.notSelected.problem}`);
			expect(creations()).toEqual([]);
		},
	);
});

describe('a country', () => {
	test('that the node does not know is sent as written, with a warning', async () => {
		const country = { __rl: true, mode: 'name', value: 'State of Israel' };
		const { output } = await run({ parameters: { ...v2, country } });
		expect(creations()[0]?.country).toBe('State of Israel');
		expect(output[0]?.json.warnings).toEqual([
			`Country: ${peopleProblems.unknownCountry('State of Israel').problem}. ${peopleProblems.unknownCountry('').remedy}`,
		]);
	});
});

describe('a person', () => {
	test('can be entered as "Name <email address>"', async () => {
		await run({
			parameters: { ...v2, ...people({ email: '"Gil, Ana" <ana@example.com>', name: '' }) },
		});
		await run({ parameters: { ...v2, ...people({ ...ada, email: `X <${ada.email}>` }) } });
		expect(creations().map(({ signatories }) => signatories)).toEqual([
			[{ email: 'ana@example.com', name: 'Gil, Ana' }],
			[ada],
		]);
	});

	test('whose address has two dots in a row is accepted with a warning, listed after any warning about the name', async () => {
		const signatory = { name: 'Ana null', email: 'Ana <ana..gil@example.com>' };
		const { output, hints } = await run({ parameters: { ...v2, ...people(signatory) } });
		const ofEmail = `Email (Signatory 1): ${valueProblems.unusualDot('ana..gil@example.com').problem}. ${valueProblems.unusualDot('').remedy}`;
		expect(output[0]?.json.warnings).toEqual([ofName, ofEmail]);
		expect(hints).toEqual([`${ofName} ${ofEmail}`]);
		expect(creations()[0]?.signatories).toMatchObject([{ email: 'ana..gil@example.com' }]);
	});

	test('whose address has two dots in a row also causes a warning in an identity request and in the email for test runs', async () => {
		const email = 'ana..gil@example.com';
		const request = { resource: 'identity', operation: 'request', email, options: despite };
		const identity = await run({ parameters: request });
		expect(identity.output[0]?.json.warnings).toEqual([
			expect.stringContaining(`Email: ${valueProblems.unusualDot(email).problem}`),
		]);
		const toTester = { inTestRuns: 'me', testEmail: email };
		const test = await run({ parameters: { ...v2, ...toTester }, mode: 'manual' });
		expect(test.output[0]?.json.warnings).toEqual([
			expect.stringContaining(`Your Email: ${valueProblems.unusualDot(email).problem}`),
		]);
	});

	test('whose address is a failed placeholder is refused', async () => {
		const items = [{ email: '{{$json.user}}@example.com' }];
		const parameters = { ...v2, ...people({ ...ada, email: '={{ $json.email }}' }) };
		const { message } = await failureOf(run({ parameters, items }));
		expect(message).toContain(
			`Email (Signatory 1): "{{$json.user}}@example.com" ${contentProblems.expression.problem('{{$json.user}}')}`,
		);
		expect(creations()).toEqual([]);
	});

	test('whose name repeats the address is accepted with a warning', async () => {
		const { output } = await run({
			parameters: { ...v2, ...people({ name: 'Ana@example.com', email: 'ana@example.com' }) },
		});
		expect(output[0]?.json.warnings).toEqual([
			expect.stringContaining(contentProblems.otherThanName.problem('Ana@example.com')),
		]);
	});

	test.each(['രാജന്\u200d', 'علی\u200c', 'Zoë \u{1F3F4}\u{E0067}\u{E007F}', '\ufa19\ufa30'])(
		'is sent with exactly the name %j',
		async (name) => {
			const { output } = await run({ parameters: { ...v2, ...people({ ...ada, name }) } });
			expect(creations()[0]?.signatories).toEqual([{ ...ada, name }]);
			expect(output[0]?.json.warnings).toEqual([]);
		},
	);

	test.each([
		['\u202B', '\u202C'],
		['\u200f', '\u200e'],
		[' \u2068\u200b', '\r\n\u2069\ufeff\u0085'],
	])(
		'is sent without %j before the name and %j after it, unlike a field',
		async (before, after) => {
			const name = '\u05E0\u05D5\u05E2\u05D4';
			const role = `${before}+972 50${after}`;
			const parameters = {
				...v2,
				...people({ ...ada, name: `${before}${name}${after}` }),
				fields: mapped({ ...fields, role }),
			};
			const { output } = await run({ parameters });
			expect(creations()[0]).toMatchObject({ signatories: [{ ...ada, name }], inputs: { role } });
			expect(output[0]?.json.warnings).toEqual([]);
		},
	);

	test.each(['\r\n', '\v', '\f'])(
		'whose name contains the line break %j is sent with a space in place of the line break, and with a warning',
		async (lineBreak) => {
			const { output } = await run({
				parameters: { ...v2, ...people({ ...ada, name: `Ada${lineBreak}Lovelace` }) },
			});
			expect(creations()[0]?.signatories).toEqual([{ ...ada, name: 'Ada Lovelace' }]);
			expect(output[0]?.json.warnings).toEqual([
				`Name (Signatory 1): ${peopleProblems.severalLines.problem}. ${peopleProblems.severalLines.remedy}`,
			]);
		},
	);

	test('can also be entered as "Name <email address>" in an identity request', async () => {
		const parameters = {
			resource: 'identity',
			operation: 'request',
			email: 'Ana <ana@example.com>',
		};
		const { output } = await run({ parameters });
		expect(output[0]?.json).toMatchObject({ email: 'ana@example.com', warnings: [] });
	});
});

describe('Leave Last Roles Empty', () => {
	const ways = {
		'one by one': (list: unknown[]) => ({ specifySignatories: 'oneByOne', ...people(...list) }),
		'by an expression': (list: unknown[]) => ({
			specifySignatories: 'expression',
			signatoriesList: list,
		}),
	};
	const none = { email: '', name: ' ' };
	const half = { email: '', name: 'Ben' };
	const setup = (way: keyof typeof ways, list: unknown[], leaveLastRolesEmpty = true) => ({
		...filledForm(templateFor(2, service.sandbox)),
		...v2Operation,
		...ways[way](list),
		options: { leaveLastRolesEmpty },
	});
	const v2Operation = { resource: 'document', operation: 'send' };

	test.each(Object.keys(ways) as Array<keyof typeof ways>)(
		'allows only the last roles to be empty (people entered %s)',
		async (way) => {
			const [first] = peopleFor({ signaturePlaces: [1] });
			await run({ parameters: setup(way, [first, none]) });
			expect(creations().map(({ signatories }) => signatories)).toEqual([[first]]);
			for (const list of [
				[first, half],
				[none, first],
				[none, none],
			]) {
				await failureOf(run({ parameters: setup(way, list) }));
			}
			await failureOf(run({ parameters: setup(way, [first, none], false) }));
			expect(creations()).toHaveLength(1);
		},
	);
});
