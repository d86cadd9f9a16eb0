import type { IDataObject } from 'n8n-workflow';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	mistakeInField,
	mistakeInName,
	contentProblems,
} from '../../nodes/SignVerify/text/contentMistakes';
import { textRules } from '../../nodes/SignVerify/form/texts';
import type { Finding } from '../../nodes/SignVerify/text/finding';
import { settle } from '../../nodes/SignVerify/util/async';
import { clearAll } from '../../nodes/SignVerify/util/processMemory';
import { keyProblems, peopleProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';
import { templateProblems } from '../../nodes/SignVerify/templateForm/templateProblems';
import { runAction, type RunSetup } from '../support/contexts';
import {
	ada,
	byId,
	creationsAt,
	despite,
	failureOf,
	fields,
	mapped,
	useService,
	v2,
} from '../support/service';
import { countriesWithLists } from '../support/realLists';
import { oneOfEach } from '../support/sample';
import realValues from '../unit/realValues.json';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { dateProblems } from '../../nodes/SignVerify/text/dates';
import { wordsWith } from '../support/problemWords';

// What looks wrong stops the run, while a warning doesn't.
const service = useService();
/** The option of a node that stops on warnings. A node without it stops, too. */
const strict = { sendDespiteWarnings: false };
const automatic = { mappingMode: 'autoMapInputData', value: null };

/** A template with one role, whose fields have these labels. The keys are different from the labels. */
function imported(
	number: number,
	form: Array<{ key: string; label: string; isRequired?: boolean }>,
) {
	const templateID = `64aa${String(number).padStart(20, '0')}`;
	const template = {
		_id: `64ab${String(number).padStart(20, '0')}`,
		templateID,
		name: `Contract ${number}`,
		description: '',
		key: `contract_${number}`,
		status: 'ACTIVE',
		signatories: [{ key: 'tenant', type: 'signature', _id: '1' }],
		form: form.map((field, index) => ({
			isRequired: false,
			type: 'text',
			...field,
			_id: String(index),
		})),
		formSignatory: [],
	};
	const { refused } = service.sandbox.importTemplates(JSON.stringify([template]));
	expect(refused).toEqual([]);
	// The node remembers the account's templates for a while.
	clearAll();
	return templateID;
}

const people = (person: IDataObject): IDataObject => ({
	signatories: { signatory: [{ ...ada, ...person }] },
});
const field = (value: string, key = 'role'): IDataObject => ({
	fields: mapped({ ...fields, [key]: value }),
});
const lease = [
	{ key: 'rent_1', label: 'Rent' },
	{ key: 'city_1', label: 'Región' },
];
/** A list whose fields come from its columns. The person stays the same. */
const columns = (...items: IDataObject[]) => ({
	parameters: () => ({ ...v2, templateId: byId(imported(1, lease)), fields: automatic }),
	items,
});
/** Two items for two people, with these values in the form. */
const listOf2 = (values: IDataObject) => ({
	parameters: () => ({ ...v2, fields: mapped({ ...fields, ...values }) }),
	items: [{ Salary: '5' }, { Salary: '6' }],
	perItem: [people({ email: 'a@example.com' }), people({ email: 'b@example.com' })],
});
/** The sandbox refuses to send a template that isn't active. */
const check = { neverSend: true };
const inactive = { _id: '64aa0000000000000000b001', templateID: '64aa0000000000000000b002' };

/** A list that causes a warning, and the same list without the mistake. */
interface Mistake {
	wrong: Partial<Omit<RunSetup, 'parameters'>> & { parameters(): IDataObject };
	right: Partial<Omit<RunSetup, 'parameters'>> & { parameters(): IDataObject };
	/** The words of the row, in which `…` stands for any text. */
	warning: string;
}
const form = (more: IDataObject) => ({ parameters: () => ({ ...v2, ...more }) });

/** The fields as an object of which one property is an expression. */
const object = (role: string) =>
	form({ specifyFields: 'expression', fieldsObject: `=${JSON.stringify({ ...fields, role })}` });

/** The warnings of the action node, by the file that judges them, or that has the rule. */
const stops: Record<string, Record<string, Mistake>> = {
	'text/contentMistakes.ts': {
		'a mistake in the words of a field': {
			wrong: form(field('Cook</p>')),
			right: form(field('Cook <b>')),
			warning: contentProblems.htmlTag.problem('…'),
		},
		'a mistake in the words of a name': {
			wrong: form(people({ name: 'Ana null' })),
			right: form(people({ name: 'Ana Null' })),
			warning: contentProblems.null.problem('null'),
		},
	},
	'text/dates.ts': {
		'a date with a time, written as computers do': {
			wrong: form(field('={{ DateTime.fromISO("2027-02-01T10:30:00Z") }}', 'start_date')),
			right: form(field('={{ DateTime.fromISO("2027-02-01") }}', 'start_date')),
			warning: dateProblems.timestamp('…').problem,
		},
		'a duration': {
			wrong: form(field('={{ Duration.fromObject({ days: 31 }) }}')),
			right: form(field('={{ Duration.fromObject({ days: 31 }).toHuman() }}')),
			warning: contentProblems.duration.problem('…'),
		},
	},
	'text/addresses.ts': {
		'an address with a dot in an unusual place': {
			wrong: form(people({ email: 'ana..gil@example.com' })),
			right: form(people({ email: 'ana.gil@example.com' })),
			warning: valueProblems.unusualDot('ana..gil@example.com').problem,
		},
		'an address with letters of two alphabets': {
			wrong: form(people({ email: 'ana@ex\u0430mple.com' })),
			right: form(people({ email: 'ana@\u043F\u0440\u0438\u043C\u0435\u0440.com' })),
			warning: valueProblems.mixedAlphabets('ana@ex\u0430mple.com').problem,
		},
	},
	'operations/sendOnceKey.ts': {
		'a key that is the same for all items': {
			wrong: form({ options: { sendOnceKey: 'C-1' } }),
			right: {
				...form({ options: { sendOnceKey: '={{ $json.number }}' } }),
				items: [{ number: 'C-1' }],
			},
			warning: keyProblems.sameForAll.problem,
		},
	},
	'operations/repeatedItems.ts': {
		'an item that stands twice in the list': {
			wrong: { ...form({}), items: [{}, {}] },
			right: {
				...form({}),
				items: [{}, {}],
				perItem: [people({ email: 'a@example.com' }), people({ email: 'b@example.com' })],
			},
			warning: keyProblems.repeated({ item: 2, first: 1, option: '' }).problem,
		},
	},
	'columns/columnsRead.ts': {
		'a part of a text from a missing column': {
			wrong: { ...form(field('=Cook for {{ $json.Pay }}')), items: [{ Salary: '5' }] },
			right: { ...form(field('=Cook for {{ $json.Salary }}')), items: [{ Salary: '5' }] },
			warning: columnProblems.partMissing.problem,
		},
		'an expression of which only signs are left': {
			wrong: { ...form(field('={{ $json.pay * 12 }} €')), items: [{ pay: '1.200,00' }] },
			right: { ...form(field('={{ $json.pay * 12 }} €')), items: [{ pay: '1200.00' }] },
			warning: columnProblems.partsEmpty.problem,
		},
	},
	'operations/document/variableText.ts': {
		'a part of an object with all fields from a missing column': {
			wrong: { ...object('Cook for {{ $json.Pay }}'), items: [{ Salary: '5' }] },
			right: { ...object('Cook for {{ $json.Salary }}'), items: [{ Salary: '5' }] },
			warning: `Fields: ${columnProblems.partMissing.problem}`,
		},
		'a part of an optional field from a missing column in a list of several': {
			wrong: listOf2({ employer: '=Acme {{ $json.Pay }}' }),
			right: listOf2({ employer: '=Acme {{ $json.Salary }}' }),
			warning: `Employer: ${columnProblems.partMissing.problem}`,
		},
	},
	'operations/document/variableColumns.ts': {
		'a column whose name has another accent': {
			wrong: columns({ Rent: '1', Regiòn: 'Lima' }, { Rent: '2' }),
			right: columns({ Rent: '1', Región: 'Lima' }, { Rent: '2' }),
			warning: columnProblems.otherAccents('Regiòn').problem,
		},
	},
	'columns/columnMatching.ts': {
		"a value from the label's column, although the key's column has another one": {
			wrong: columns({ Rent: '1', rent_1: '2', Región: 'Lima' }),
			right: columns({ Rent: '1', rent_1: '1', Región: 'Lima' }),
			warning: columnProblems.otherDiffers('Rent', 'rent_1').problem,
		},
		'an empty column beside a similar one with a value': {
			wrong: columns({ Rent: '1', Región: '', Region: 'Lima' }),
			right: columns({ Rent: '1', Región: 'Lima', Region: 'Lima' }),
			warning: columnProblems.onlySimilarFilled('Región', 'Region').problem,
		},
	},
};

/** A contract from a template that has this status by the time the form is read. */
const withTemplate = (status: string) => ({
	parameters() {
		service.sandbox.importTemplates(JSON.stringify([{ ...templateOf(inactive), status }]));
		clearAll();
		return {
			...v2,
			templateId: byId(inactive.templateID),
			fields: mapped({ rent: '1' }),
			options: check,
		};
	},
});

const informs: Record<string, Record<string, Mistake>> = {
	'columns/columnsRead.ts': {
		'an expression of which only words are left': {
			wrong: { ...form(field('=Cook {{ $json.level }}')), items: [{ level: '' }] },
			right: { ...form(field("=Cook {{ $json.level ?? '' }}")), items: [{ level: '' }] },
			warning: columnProblems.partsEmpty.problem,
		},
	},
	'operations/document/dateWriter.ts': {
		'a day that is not written out': {
			wrong: form({ ...field('01/02/2027', 'start_date'), options: { writeDatesIn: 'en-US' } }),
			right: form({ ...field('2027/2/1', 'start_date'), options: { writeDatesIn: 'en-US' } }),
			warning: dateProblems.notWrittenOut('01/02/2027').problem,
		},
	},
	'text/contentMistakes.ts': {
		'a value that is right just as often': {
			wrong: form(field('#A/B')),
			right: form(field('A/B')),
			warning: contentProblems.likeSpreadsheetError.problem('#A/B'),
		},
	},
	'text/addresses.ts': {
		'a dot that only Japanese providers allow': {
			wrong: form(people({ email: 'taro.@docomo.example.jp' })),
			right: form(people({ email: 'taro@docomo.example.jp' })),
			warning: valueProblems.unusualDot('taro.@docomo.example.jp').problem,
		},
	},
	'operations/document/country.ts': {
		'a country outside the list': {
			wrong: form({ country: { __rl: true, mode: 'name', value: 'Narnia' } }),
			right: form({ country: { __rl: true, mode: 'name', value: 'Perú' } }),
			warning: peopleProblems.unknownCountry('Narnia').problem,
		},
	},
	'operations/document/signatories.ts': {
		'a name on two lines': {
			wrong: form(people({ name: 'Ana\nGil' })),
			right: form(people({ name: 'Ana Gil' })),
			warning: peopleProblems.severalLines.problem,
		},
	},
	'operations/document/variableColumns.ts': {
		'an optional field without a column': {
			wrong: columns({ Rent: '1' }, { Rent: '2' }),
			right: columns({ Rent: '1', Región: '' }, { Rent: '2', Región: '' }),
			warning: columnProblems.noneForOptionalFields('Región').problem,
		},
		'columns that are all there, but empty': {
			wrong: columns({ Rent: '', Región: '' }),
			right: columns({ Rent: '', Región: 'Lima' }),
			warning: columnProblems.allEmpty('Rent, Región').problem,
		},
	},
	'operations/document/variableText.ts': {
		'a part of an optional field from a missing column in a run of one': {
			wrong: { ...form(field('=Acme {{ $json.Pay }}', 'employer')), items: [{ Salary: '5' }] },
			right: { ...form(field('=Acme {{ $json.Salary }}', 'employer')), items: [{ Salary: '5' }] },
			warning: `Employer: ${columnProblems.partMissing.problem}`,
		},
	},
	'templateForm/templateChoice.ts': {
		'a template that is not active': {
			wrong: withTemplate('DRAFT'),
			right: withTemplate('ACTIVE'),
			warning: templateProblems.inactive('Lease', 'DRAFT').problem,
		},
	},
	'columns/columnMatching.ts': {
		'a value from a column whose name lacks an accent': {
			wrong: columns({ Rent: '1', Region: 'Lima' }),
			right: columns({ Rent: '1', REGIÓN: 'Lima' }),
			warning: columnProblems.accentMissing('Region').problem,
		},
		"a value from the key's column, because the label's column is empty": {
			wrong: columns({ Rent: '', rent_1: '2', Región: 'Lima' }),
			right: columns({ rent_1: '2', Región: 'Lima' }),
			warning: columnProblems.otherIsEmpty('rent_1', 'Rent').problem,
		},
	},
};

const templateOf = (ids: object) => ({
	...ids,
	name: 'Lease',
	description: '',
	key: 'lease',
	status: 'ACTIVE',
	signatories: [{ key: 'tenant', type: 'signature', _id: '1' }],
	form: [{ key: 'rent', type: 'text', isRequired: true, label: 'Rent', _id: '3' }],
	formSignatory: [],
});

/** Warnings that other tests cause: how many of them a file has, and where. */
const elsewhere: Record<string, number> = {
	// A date that is another day where n8n runs depends on the process's zone (test/unit/contentMistakes.test.ts).
	'text/dates.ts': 1,
	// The operations that compare an ID with the expected person send nothing (test/integration/expectedPerson.test.ts).
	'form/expectedPerson.ts': 1,
	// The sandbox refuses an address without a dot after the @ (test/integration/checking.test.ts).
	'text/addresses.ts': 1,
	// The public URL matters only to a wait (test/integration/waiting.test.ts).
	'registrations/publicUrl.ts': 1,
};
/** The files that define or handle the severities, and those that pass one on to a rule in another file. */
const notJudging = [
	'text/finding.ts',
	'item/sendDespiteWarnings.ts',
	'columns/itemText.ts',
	// 'warning' is n8n's type of a hint here.
	'item/notices.ts',
];

type Judged = [what: string, mistake: Mistake];
const judged = (kind: Record<string, Record<string, Mistake>>): Judged[] =>
	Object.values(kind).flatMap((rows) => Object.entries(rows));

async function run({ parameters, ...setup }: Mistake['right'], options: IDataObject) {
	const whole = parameters();
	const merged = { ...whole, options: { ...Object(whole.options), ...options } as IDataObject };
	const output = await runAction(service.credential(), { ...setup, parameters: merged });
	return output.flatMap(({ json }) => json.warnings as string[]);
}

describe('A value that looks wrong', () => {
	test.each(judged(stops))('stops the item: %s', async (_what, { wrong, right, warning }) => {
		const { message, description } = await failureOf(run(wrong, strict));
		expect(`${message} ${description}`).toMatch(wordsWith(warning));
		expect(description).toContain('Send Despite Warnings');
		expect(creationsAt(service)).toEqual([]);
		expect((await run(wrong, despite)).join(' ')).toMatch(wordsWith(warning));
		expect(await run(right, strict)).toEqual([]);
	});
});

describe('A warning', () => {
	test.each(judged(informs))(
		'does not stop the item: %s',
		async (_what, { wrong, right, warning }) => {
			expect((await run(wrong, strict)).join(' ')).toMatch(wordsWith(warning));
			expect(await run(right, strict)).toEqual([]);
		},
	);
});

test('every kind of warning has a row in one of the two tables', () => {
	const root = join(__dirname, '../../nodes/SignVerify');
	const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
		(name) => name.endsWith('.ts') && !notJudging.includes(name),
	);
	const without = files.flatMap((name) => {
		const source = readFileSync(join(root, name), 'utf8');
		// The words that text/contentMistakes.ts looks for are in a table of their own (test/unit/contentMistakes.test.ts).
		const countOf = (severity: string) =>
			name === 'text/contentMistakes.ts' ? 1 : source.split(`'${severity}'`).length - 1;
		const rows = (kind: typeof stops) => Object.keys(kind[name] ?? {}).length;
		const count = countOf('looksWrong') + countOf('warning');
		const tested = rows(stops) + rows(informs) + (elsewhere[name] ?? 0);
		return tested < count ? [`${name} has ${count} warnings, of which ${tested} are tested`] : [];
	});
	expect(without).toEqual([]);
	const named = [stops, informs, elsewhere]
		.flatMap((table) => Object.keys(table))
		.concat(notJudging);
	expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

test('an item that stands in the list twice without a key is stopped, and the error advises a key', async () => {
	const setup = { parameters: { ...v2, options: strict }, items: [{}, {}] };
	const { message, description } = await failureOf(runAction(service.credential(), setup));
	expect(message).toBe('Nothing was sent, because 1 of 2 items has a problem.');
	expect(description).toContain(
		`Send Once Key: ${keyProblems.repeated({ item: 2, first: 1, option: '' }).problem}. ${keyProblems.repeated({ item: 2, first: 1, option: 'Send Once Key' }).remedy}\n`,
	);
	expect(description).toContain('Send Despite Warnings');
	expect(creationsAt(service)).toEqual([]);
	const options = { ...strict, sendOnceKey: '={{ $json.number }}' };
	const items = [{ number: 'C-1' }, { number: 'C-1' }];
	const output = await runAction(service.credential(), { parameters: { ...v2, options }, items });
	expect(output.map(({ json }) => json.outcome === 'skipped')).toEqual([false, true]);
	expect(creationsAt(service)).toHaveLength(1);
});

test('Identity: Request stops on a value that looks wrong, and otherwise warns', async () => {
	const request = { resource: 'identity', operation: 'request', email: 'ana..gil@example.com' };
	const requests = service.sandbox.identityRequests().length;
	const sentWith = async (form: IDataObject) =>
		await runAction(service.credential(), { parameters: { ...request, ...form } });
	for (const form of [{ options: strict }, { options: {} }, { options: null }, {}]) {
		const { message, description } = await failureOf(sentWith(form));
		expect(message).toContain(`Email: ${valueProblems.unusualDot('ana..gil@example.com').problem}`);
		expect(description).toContain('Send Despite Warnings');
	}
	expect(service.sandbox.identityRequests()).toHaveLength(requests);
	const [warned] = await sentWith({ options: despite });
	expect(warned?.json.warnings).toHaveLength(1);
	const [right] = await sentWith({ email: 'ana.gil@example.com', options: strict });
	expect(right?.json.warnings).toEqual([]);
	expect(service.sandbox.identityRequests()).toHaveLength(requests + 2);
});

describe('A right list', () => {
	const rowsPerList = 3;

	/** A list as a spreadsheet has it: a name, an address and the fields' values in each row, by column. */
	interface List {
		labels: string[];
		rows: Array<{ name: string; email: string; values: Record<string, string> }>;
	}

	const findingsOf = {
		name: mistakeInName,
		email: (email: string) => textRules.email().mistakeIn(email, email),
		field: (label: string, value: string) =>
			mistakeInField(value, { label, key: 'k', type: 'text' }),
	};
	const isStopped = (finding?: Finding) => finding !== undefined && finding.severity !== 'warning';

	/** The countries' values without the few single ones that are stopped. */
	const countries = Object.values(realValues).map(({ names, emails, fields }) => ({
		names: names.filter((name) => !isStopped(findingsOf.name(name))),
		emails: emails.filter((email) => !isStopped(findingsOf.email(email))),
		fields: fields.filter(([label = '', value = '']) => !isStopped(findingsOf.field(label, value))),
	}));
	const countOf = (all: typeof countries) =>
		all.flatMap(({ names, emails, fields }) => [...names, ...emails, ...fields]).length;

	const at = <Value>(list: Value[], index: number) => list[index % list.length] as Value;

	/** Makes a list of a country's values. The offset decides which of them are in the same row. */
	function listOf({ names, emails, fields }: (typeof countries)[number], offset: number): List {
		const labels = [...new Set(fields.map(([label = '']) => label))];
		const rows = Array.from({ length: rowsPerList }, (_, row) => ({
			name: at(names, offset + row),
			email: at(emails, offset + row),
			values: {
				'No.': `${offset}-${row}`,
				...Object.fromEntries(
					labels
						// Some nodes leave out a row's empty cells.
						.filter((_label, index) => row === 0 || (index + row + offset) % 4 !== 0)
						.map((label) => {
							const own = fields.filter(([other]) => other === label);
							return [label, at(own, offset + row)[1] ?? ''];
						}),
				),
			},
		}));
		return { labels: ['No.', ...labels], rows };
	}

	let number = 100;

	async function send({ labels, rows }: List, isByExpression: boolean) {
		const form = labels.map((label, index) => ({ key: `key_${index}`, label }));
		const templateId = byId(imported(++number, form));
		const keyOf = new Map(form.map(({ key, label }) => [label, key]));
		const parameters = isByExpression
			? {
					...v2,
					templateId,
					specifyFields: 'expression',
					fieldsObject: '={{ $json.fields }}',
					specifySignatories: 'expression',
					signatoriesList: '={{ [$json.person] }}',
					options: strict,
				}
			: {
					...v2,
					templateId,
					fields: automatic,
					specifySignatories: 'byRole',
					signatoryRoles: automatic,
					options: strict,
				};
		const items = rows.map(({ name, email, values }): IDataObject =>
			isByExpression
				? {
						person: { name, email },
						fields: Object.fromEntries(
							Object.entries(values).flatMap(([label, value]) => {
								const key = keyOf.get(label);
								return key === undefined ? [] : [[key, value]];
							}),
						),
					}
				: { 'Tenant name': name, 'Tenant email': email, ...values },
		);
		service.sandbox.forgetRequests();
		const output = await runAction(service.credential(), { parameters, items });
		expect(creationsAt(service)).toHaveLength(rows.length);
		return output.flatMap(({ json }) => json.warnings as string[]);
	}

	test('leaves out at most one in a hundred single values', () => {
		const all = countOf(Object.values(realValues));
		const kept = countOf(countries);
		expect(all - kept).toBeLessThanOrEqual(all / 100);
	});

	/**
	 * The lists of one country, as offices keep them. Each row has the columns of the other lists as well, which nothing
	 * reads, and the last column is missing, because it's empty in every row, or the node before left it out.
	 */
	const realListsOf = ({ names, emails, lists }: (typeof countriesWithLists)[number]): List[] =>
		Object.values(lists).map((columns) => ({
			labels: Object.keys(columns),
			rows: names.map((name, row) => ({
				name,
				email: emails[row] ?? '',
				values: Object.fromEntries(
					[...Object.values(lists).filter((other) => other !== columns), columns]
						.flatMap((others) => Object.entries(others))
						.filter(([label]) => label !== Object.keys(columns).at(-1))
						.map(([label, cells]) => [label, cells[row] ?? '']),
				),
			})),
		}));

	const all = [
		...countries.flatMap((country, number) =>
			Array.from({ length: 5 }, (_, offset) => ({ number, list: listOf(country, offset) })),
		),
		...countriesWithLists.flatMap((country, index) =>
			realListsOf(country).map((list) => ({ number: countries.length + index, list })),
		),
	];
	const numbered = all.map((one, index) => ({ ...one, index }));
	const lists = oneOfEach(numbered, ({ number }) => `list of country ${number}`);

	/** How many values of a list inform, although they're right. A missing column informs as well. */
	const countOfTold = ({ labels, rows }: List, isByExpression: boolean) => {
		const told = rows.flatMap(({ name, email, values }) => [
			...[findingsOf.name(name), findingsOf.email(email)].filter(Boolean),
			...labels.filter((label) => findingsOf.field(label, values[label] ?? '')),
		]);
		const isMissing = (label: string) => rows.every(({ values }) => values[label] === undefined);
		return told.length + (!isByExpression && labels.some(isMissing) ? 1 : 0);
	};

	test(`is sent without a stop, and without a warning about anything but its values and a missing column: ${lists.length} lists`, async () => {
		expect(all.length).toBeGreaterThanOrEqual(300);
		const wrong: string[] = [];
		for (const { index, list } of lists) {
			const isByExpression = index % 2 === 1;
			const sending = await settle(send(list, isByExpression));
			if (!sending.ok) {
				const { message, description } = sending.error as Error & { description?: string };
				wrong.push(`list ${index}: ${message} ${description}`);
			} else if (sending.value.length !== countOfTold(list, isByExpression)) {
				wrong.push(`list ${index} has the warnings ${sending.value.join(' ')}`);
			}
		}
		expect(wrong).toEqual([]);
	});

	test('of each of the templates that come with the sandbox is sent, too', async () => {
		const templates = service.sandbox.templates().filter(({ name, status, version }) => {
			const isImported = name.startsWith('Contract ') || name === 'Lease';
			return !isImported && (version === 'v1' || status === 'ACTIVE');
		});
		expect(templates.length).toBeGreaterThan(3);
		for (const template of templates) {
			const items = [0, 1, 2].map((row): IDataObject => {
				const values = template.fields.map(({ key, label }) => [
					label || key,
					/date|start/i.test(`${key} ${label}`) ? `2027-02-0${row + 1}` : `${label} ${row}`,
				]);
				const people = template.signaturePlaces.length || 1;
				const list = Array.from({ length: people }, (_, index) => ({
					name: `Ana Gil ${row} ${index}`,
					email: `ana.${row}.${index}@example.com`,
				}));
				return { list, ...Object.fromEntries(values) } as IDataObject;
			});
			const parameters = {
				...v2,
				templateId: byId(template.templateID),
				fields: automatic,
				specifySignatories: 'expression',
				signatoriesList: '={{ $json.list }}',
				options: strict,
			};
			service.sandbox.forgetRequests();
			const output = await runAction(service.credential(), { parameters, items });
			expect(output.flatMap(({ json }) => json.warnings)).toEqual([]);
			expect(creationsAt(service)).toHaveLength(3);
		}
	});
});
