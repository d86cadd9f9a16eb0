import { documentIdOf, signatoriesOf } from '../../nodes/SignVerify/api/documents';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { processorTimeOf } from '../support/processorTime';
import { standIn } from '../support/standIn';
import { readIdentityRequest, readIdentityResults } from '../../nodes/SignVerify/api/identity';
import {
	findTemplate,
	listAllTemplates,
	listTemplates,
	nameOf,
	slotsOf,
} from '../../nodes/SignVerify/api/templates';
import type { Template } from '../../nodes/SignVerify/api/types';

describe('the ID of a created document', () => {
	test.each<[string, unknown, string]>([
		['documentID', { documentID: 'd', _id: 'x' }, 'd'],
		['_id alone', { documentID: '', _id: 'd' }, 'd'],
		['not in a member', { document: { documentID: 'd' } }, ''],
		['not an empty one', { documentID: '', _id: null }, ''],
		['in nothing', undefined, ''],
	])('%s', (_name, answer, id) => {
		expect(documentIdOf(answer)).toBe(id);
	});
});

describe('the signatories of a document', () => {
	test('have signed where the service says 1 or true, in any type', () => {
		const signed = (isSigned: unknown) =>
			signatoriesOf([{ signatoryID: 's', isSigned }])[0]?.signed;
		for (const yes of [1, '1', true, 'true', 'TRUE']) expect(signed(yes)).toBe(true);
		for (const no of [0, '0', false, 'no', '', null, undefined]) expect(signed(no)).toBe(false);
	});

	test('are all but the creator, and nothing else of a list that is none', () => {
		const list = [
			{ signatoryID: 's', userID: 'u', emailID: 'a@example.com', name: 'Ana' },
			{ emailID: 'b@example.com' },
			{ userID: 'u', emailID: 'creator@example.com' },
			'somebody',
			null,
		];
		expect(signatoriesOf(list)).toEqual([
			{ email: 'a@example.com', name: 'Ana', signed: false },
			{ email: 'b@example.com', signed: false },
		]);
		expect(signatoriesOf({ emailID: 'a@example.com' })).toEqual([]);
	});
});

const answering = (body: unknown, status = 200) => {
	const { context, calls } = standIn(() => ({ status, body }));
	return { service: new ServiceClient(context), calls };
};

describe('the status of a request', () => {
	test('is read by its ID, whatever is in it', async () => {
		const { service, calls } = answering({ success: true, responseData: { status: 'CREATED' } });
		expect(await readIdentityRequest(service, 'a/b c')).toEqual({ status: 'CREATED' });
		await readIdentityResults(service, 's 1', { personal: false });
		expect(calls.map(({ options }) => [options.method, options.url])).toEqual([
			['GET', 'https://sign.example.com/api/identity/validation/request/a%2Fb%20c'],
			['GET', 'https://sign.example.com/api/identity/session/results/s%201'],
		]);
	});

	test.each([400, 404, 410, 422])('is not there after HTTP %i', async (status) => {
		const { service } = answering({ success: false, message: 'no' }, status);
		expect(await readIdentityRequest(service, 'v')).toBeUndefined();
	});

	test.each<[unknown]>([[{}], ['none'], [[]], [null]])(
		'is not there in %j',
		async (responseData) => {
			const { service } = answering({ success: true, responseData });
			expect(await readIdentityRequest(service, 'v')).toBeUndefined();
		},
	);

	test('is an error where the service refuses for another reason', async () => {
		const { service } = answering({ success: false, message: 'no' }, 409);
		await expect(readIdentityRequest(service, 'v')).rejects.toThrow('409');
	});
});

describe('the results of a verification', () => {
	const results = async (found: unknown, personal = false) =>
		await readIdentityResults(answering({ success: true, responseData: found }).service, 's', {
			personal,
		});

	test('have the values and statuses of the scores, and no personal data unless asked for', async () => {
		const score = { face: { value: 0.9, status: 'OK', photo: 'x' }, name: 'Ana', value: 1 };
		const found = { customerId: 'c', results: { score, ocr: { name: 'Ana', birthDate: '0' } } };
		const shown = { face: { value: 0.9, status: 'OK' }, value: 1 };
		expect(await results(found)).toEqual({
			validationId: 's',
			customerId: 'c',
			passed: null,
			score: shown,
		});
		expect(await results(found, true)).toMatchObject({
			ocr: { name: 'Ana', birthDate: '1970-01-01T00:00:00.000Z' },
		});
	});

	test('have no score where only the ID was read, and no date where there is none', async () => {
		expect(await results({ results: { ocr: { name: 'Ana' } } }, true)).toEqual({
			validationId: 's',
			customerId: null,
			passed: null,
			score: null,
			ocr: { name: 'Ana' },
		});
		const scored = { results: { score: { value: 0, status: 'FAIL' }, ocr: 'none' } };
		expect(await results(scored, true)).toMatchObject({ score: { value: 0 }, ocr: null });
	});
});

const template = (fields: object) => fields as unknown as Template;

describe('the list of templates', () => {
	const listIn = async (responseData: unknown) => {
		const { context } = standIn(() => ({ body: { success: true, responseData } }));
		const logged: string[] = [];
		Object.assign(context, { logger: { warn: (text: string) => logged.push(text) } });
		return { found: await listTemplates(new ServiceClient(context), 'v2'), logged };
	};

	test("is made whole: text or left out, and n8n's log has the number", async () => {
		const odd = [
			'x',
			null,
			{ name: 'without an ID' },
			{ templateID: {}, _id: 7, name: { first: 'x' }, form: [null, { key: {} }], extra: [1] },
			{
				templateID: 'a',
				status: null,
				form: [
					{ key: 5, label: ['x'], isRequired: 'false' },
					{ key: 'k', label: 'K', isRequired: 1 },
				],
			},
			{ templateID: 'b', inputs: 'none' },
		];
		const { found, logged } = await listIn(odd);
		const templateVersion = 'v2';
		expect(found).toEqual([
			{ templateVersion, templateID: '', _id: '7', name: '', form: [], extra: [1] },
			{
				templateVersion,
				templateID: 'a',
				status: '',
				form: [
					{ key: '5', label: '', isRequired: false },
					{ key: 'k', label: 'K', isRequired: true },
				],
			},
			{ templateVersion, templateID: 'b', inputs: [] },
		]);
		expect(found.map(nameOf)).toEqual(['7', 'a', 'b']);
		expect(logged).toEqual([expect.stringMatching(/^SignVerify: 5 templates or fields /)]);
	});
});

describe('the ID of a template', () => {
	interface Listed {
		newer?: Array<Partial<Template>>;
		older?: Array<Partial<Template>>;
		/** The status of the older list. */
		status?: number;
	}

	const lists = ({ newer = [], older = [], status = 200 }: Listed) => {
		const { context, calls } = standIn(({ options }) => {
			if (options.url.endsWith('/v2')) return { body: { success: true, responseData: newer } };
			return { status, body: { success: status === 200, responseData: older } };
		});
		return { service: new ServiceClient(context, 0), calls };
	};
	const find = async (id: string, listed: Listed) =>
		(await findTemplate(lists(listed).service, id))?.name;

	const lease = { templateID: 'a', _id: 'b', name: 'Lease' };
	const rent = { templateID: 'b', _id: 'c', name: 'Rent' };
	const nameless = { templateID: '', _id: 'b', name: 'Sale' };

	test.each<[string, Listed]>([
		['of one list', { newer: [lease, rent] }],
		['of the other list', { newer: [lease], older: [rent] }],
		['of the other list, newer', { newer: [rent], older: [lease] }],
		['beside one that has no other ID', { newer: [nameless], older: [rent] }],
	])(
		'that is the _id of another one means the one whose templateID it is, %s',
		async (_, listed) => {
			expect(await find('b', listed)).toBe('Rent');
			expect(await find('c', listed)).toBe('Rent');
		},
	);

	test.each<[string, string, Listed, string]>([
		[
			'in both generations',
			'a',
			{ newer: [lease], older: [{ templateID: 'a', _id: 'x', name: 'LEASE' }] },
			'"Lease" (version 2), "LEASE" (version 1)',
		],
		[
			'in one list',
			'a',
			{ older: [lease, { templateID: 'a', name: 'Other' }] },
			'"Lease" (version 1), "Other" (version 1)',
		],
	])('that two have %s is refused, and both are named', async (_, id, listed, names) => {
		await expect(find(id, listed)).rejects.toThrow(
			`Template: several templates have the ID "${id}": ${names}`,
		);
	});

	test.each<[string, Partial<Template>]>([
		['name', { templateID: 'a', _id: 'x', name: 'Lease' }],
		['_id', { templateID: 'a', _id: 'b', name: 'Old lease' }],
	])('in both generations means the newer one, if they have the same %s', async (_, older) => {
		const { service } = lists({ newer: [lease], older: [older] });
		expect((await findTemplate(service, 'a'))?.templateVersion).toBe('v2');
		expect((await listAllTemplates(service)).map(({ name }) => name)).toEqual(['Lease']);
	});

	test('needs no older list if a newer template has it as templateID, and needs it otherwise', async () => {
		const listed = { newer: [lease], status: 403 };
		expect(await find('a', listed)).toBe('Lease');
		await expect(find('b', listed)).rejects.toThrow('(HTTP 403');
		await expect(find('c', listed)).rejects.toThrow('(HTTP 403');
	});

	test('is looked up with one call for each list, also where version 2 does not exist', async () => {
		const { context, calls } = standIn(({ options }) =>
			options.url.endsWith('/v2')
				? { status: 404, body: { success: false } }
				: { body: { success: true, responseData: [lease] } },
		);
		expect((await findTemplate(new ServiceClient(context), 'a'))?.name).toBe('Lease');
		expect(calls).toHaveLength(2);
	});

	test('is found in no time, however many templates have the same one', async () => {
		const newer = Array.from({ length: 20_000 }, (_, at) => ({ templateID: 'a', name: `${at}` }));
		const { service } = lists({ newer });
		await listAllTemplates(service);
		const start = process.cpuUsage();
		expect(await listAllTemplates(service)).toHaveLength(20_000);
		expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
	});
});

describe('the places to sign', () => {
	test.each<[string, unknown, string[]]>([
		['have the words of their key', [{ key: 'employer' }], ['employer: Employer']],
		[
			'without its hyphens',
			[{ key: 'the_new--tenant 2' }],
			['the_new--tenant 2: The new tenant 2'],
		],
		['and spaces around it', [{ key: ' _owner_ ' }], ['_owner_: Owner']],
		[
			'or their number',
			[{ key: '' }, {}, 'x'],
			['1: Signatory 1', '2: Signatory 2', '3: Signatory 3'],
		],
		['where a key is there twice', [{ key: 'a' }, { key: 'a' }], ['a: A', '2: Signatory 2']],
		['where it has no words', [{ key: '--' }], ['--: Signatory 1']],
		['are none in something else', 'employer', []],
		['are not listed by the older generation', undefined, []],
	])('%s', (_name, signatories, slots) => {
		const found = slotsOf(template({ signatories })).map(({ id, label }) => `${id}: ${label}`);
		expect(found).toEqual(slots);
	});

	test('are read in no time, however many there are', () => {
		const signatories = Array.from({ length: 40_000 }, (_, index) => ({ key: `role ${index}` }));
		const time = processorTimeOf(() =>
			expect(slotsOf(template({ signatories }))).toHaveLength(40_000),
		);
		// 2.6 s when each key was looked for in the whole list.
		expect(time).toBeLessThan(250);
	});
});
