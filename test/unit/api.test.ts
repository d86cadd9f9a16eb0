import { documentIdOf, signatoriesOf } from '../../nodes/SignVerify/api/documents';
import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { expectLinear } from '../support/growth';
import { standIn } from '../support/standIn';
import { readIdentityResults } from '../../nodes/SignVerify/api/identities';
import { readById } from '../../nodes/SignVerify/api/readById';
import {
	listAllTemplates,
	listTemplates,
	listTemplatesWithIds,
	nameOf,
	signaturePlacesOf,
} from '../../nodes/SignVerify/api/templates';
import type { Template } from '../../nodes/SignVerify/api/types';
import { findTemplate } from '../../nodes/SignVerify/templateForm/templateChoice';
import { templateProblems } from '../../nodes/SignVerify/templateForm/templateProblems';

describe("A created document's ID", () => {
	test.each<[string, unknown, string]>([
		['is its documentID', { documentID: 'd', _id: 'x' }, 'd'],
		['is its _id if the documentID is empty', { documentID: '', _id: 'd' }, 'd'],
		['is empty if only a nested object has an ID', { document: { documentID: 'd' } }, ''],
		['is empty if both IDs are empty', { documentID: '', _id: null }, ''],
		['is empty if the response is missing', undefined, ''],
	])('%s', (_name, response, id) => {
		expect(documentIdOf(response)).toBe(id);
	});
});

describe("A document's signatories", () => {
	test('are marked as signed if isSigned is 1 or true, even as a string', () => {
		const signed = (isSigned: unknown) =>
			signatoriesOf([{ signatoryID: 's', isSigned }])[0]?.signed;
		for (const yes of [1, '1', true, 'true', 'TRUE']) expect(signed(yes)).toBe(true);
		for (const no of [0, '0', false, 'no', '', null, undefined]) expect(signed(no)).toBe(false);
	});

	test('exclude the creator and malformed entries, and are empty if there is no list', () => {
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

const serviceReturning = (body: unknown, status = 200) => {
	const { context, calls } = standIn(() => ({ status, body }));
	return { service: new ServiceClient(context), calls };
};

describe("Reading an identity request's status", () => {
	test("uses the request's ID, encoded in the URL", async () => {
		const { service, calls } = serviceReturning({
			success: true,
			responseData: { status: 'CREATED' },
		});
		expect(await readById(service, 'identityRequest', 'a/b c')).toEqual({
			object: { status: 'CREATED' },
			refusal: '',
		});
		await readIdentityResults(service, 's 1', { personal: false, expected: { name: '' } });
		expect(calls.map(({ options }) => [options.method, options.url])).toEqual([
			['GET', 'https://sign.example.com/api/identity/validation/request/a%2Fb%20c'],
			['GET', 'https://sign.example.com/api/identity/session/results/s%201'],
		]);
	});

	test.each([400, 404, 410, 422])(
		"returns only the service's words after HTTP %i",
		async (status) => {
			const { service } = serviceReturning({ success: false, message: 'no' }, status);
			expect(await readById(service, 'identityRequest', 'v')).toEqual({
				refusal: `(HTTP ${status}: "no")`,
			});
		},
	);

	test.each<[unknown]>([[{}], ['none'], [[]], [null]])(
		'returns no object if responseData is %j',
		async (responseData) => {
			const { service } = serviceReturning({ success: true, responseData });
			expect(await readById(service, 'identityRequest', 'v')).toEqual({ refusal: '' });
		},
	);

	test('causes an error if the service rejects the call for any other reason', async () => {
		const { service } = serviceReturning({ success: false, message: 'no' }, 409);
		await expect(readById(service, 'identityRequest', 'v')).rejects.toThrow('409');
	});
});

describe('Verification results', () => {
	const results = async (found: unknown, personal = false) =>
		await readIdentityResults(
			serviceReturning({ success: true, responseData: found }).service,
			's',
			{ personal, expected: { name: '' } },
		);

	test("contain each score's value and status, but personal data only on request", async () => {
		const score = { face: { value: 0.9, status: 'OK', photo: 'x' }, name: 'Ana', value: 1 };
		const found = {
			customerId: 'c',
			results: { score, ocr: { name: 'Ana', birthDate: '-315622800000' } },
		};
		const shown = { face: { value: 0.9, status: 'OK' }, value: 1 };
		expect(await results(found)).toEqual({
			validationId: 's',
			customerId: 'c',
			passed: null,
			nameMatches: 'unknown',
			isOfAge: 'unknown',
			isExpired: 'unknown',
			score: shown,
			failedChecks: [],
		});
		expect(await results(found, true)).toMatchObject({
			ocr: { name: 'Ana', birthDate: '1960-01-01' },
		});
	});

	test('contain null for a missing score or malformed personal data, but leave out a missing date', async () => {
		expect(await results({ results: { ocr: { name: 'Ana' } } }, true)).toEqual({
			validationId: 's',
			customerId: null,
			passed: null,
			nameMatches: 'unknown',
			isOfAge: 'unknown',
			isExpired: 'unknown',
			score: null,
			ocr: { name: 'Ana' },
		});
		const scored = { results: { score: { value: 0, status: 'FAIL' }, ocr: 'none' } };
		expect(await results(scored, true)).toMatchObject({ score: { value: 0 }, ocr: null });
	});

	test.each<[string[], object]>([
		[
			[],
			{ overall: { value: 97, status: 'OK' }, liveness: { overall: { value: 98, status: '' } } },
		],
		[[], { overall: { value: 97, status: ' ok ' }, liveness: { overall: { value: 98 } } }],
		[
			['liveness.digitalAttack', 'faceRecognition.nameMatch', 'overall'],
			{
				idValidation: { overall: { value: 97, status: 'OK' } },
				liveness: { digitalAttack: { status: 'FAIL' }, evasionAttack: { status: '' } },
				faceRecognition: { nameMatch: { status: 'Juan Pérez, FAIL' } },
				overall: { value: 25, status: 'REVIEW' },
			},
		],
		// What the interface doesn't name may be personal data.
		[[], { overall: { value: 1, status: 'OK' }, 'Ana Gil': { status: 'FAIL' }, status: 'FAIL' }],
		[[], { overall: { value: 1, status: { toString: 'FAIL' } }, liveness: 'FAIL' }],
	])('name the failed checks, here %j, and nothing else', async (failedChecks, score) => {
		const expected = { failedChecks };
		expect(await results({ results: { score } })).toMatchObject(expected);
		expect(await results({ results: { score } }, true)).toMatchObject(expected);
	});

	test.each([[undefined], [null], [{}], ['FAIL'], [{ overall: { value: 0, status: '' } }]])(
		'contain no failed checks if the score is %j',
		async (score) => {
			const found = await results({ results: { score, ocr: { name: 'Ana' } } });
			expect(found).toMatchObject({ score: null });
			expect(found).not.toHaveProperty('failedChecks');
		},
	);
});

const template = (fields: object) => fields as unknown as Template;

describe('The template list', () => {
	const listIn = async (responseData: unknown) => {
		const { context } = standIn(() => ({ body: { success: true, responseData } }));
		const logged: string[] = [];
		Object.assign(context, {
			logger: { debug: (text: string) => logged.push(text) },
		});
		return { found: await listTemplates(new ServiceClient(context), 'v2'), logged };
	};

	test('converts malformed values or leaves them out, and logs how many it left out', async () => {
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
			{ templateID: 'c', form: { salary: { key: 'salary' } } },
			{ templateID: 'd', form: [], signatories: 'Employee' },
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
		expect(logged).toContain("SignVerify: left out templates or fields that can't be used: 7");
	});
});

describe('The template lookup', () => {
	interface Listed {
		newer?: Array<Partial<Template>>;
		older?: Array<Partial<Template>>;
		/** The HTTP status of the response to the call for the older list. */
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
		['if both templates are in the same list', { newer: [lease, rent] }],
		['if the other template is in the newer list', { newer: [lease], older: [rent] }],
		['if the other template is in the older list', { newer: [rent], older: [lease] }],
		['if the other template has no templateID', { newer: [nameless], older: [rent] }],
	])("rejects a templateID that is also another template's _id %s", async (_, listed) => {
		await expect(find('b', listed)).rejects.toThrow(
			`Template: ${templateProblems.severalWithId('b', []).problem}`,
		);
		expect(await find('c', listed)).toBe('Rent');
	});

	test.each<[string, string, Listed, string]>([
		[
			'across both versions',
			'a',
			{ newer: [lease], older: [{ templateID: 'a', _id: 'x', name: 'LEASE' }] },
			'"Lease" (version 2), "LEASE" (version 1)',
		],
		[
			'within one list',
			'a',
			{ older: [lease, { templateID: 'a', name: 'Other' }] },
			'"Lease" (version 1), "Other" (version 1)',
		],
	])(
		'rejects an ID that two templates share %s, and names both templates',
		async (_, id, listed, names) => {
			await expect(find(id, listed)).rejects.toThrow(
				`Template: ${templateProblems.severalWithId(id, [names]).problem}`,
			);
		},
	);

	test.each<[string, Partial<Template>]>([
		['name', { templateID: 'a', _id: 'x', name: 'Lease' }],
		['_id', { templateID: 'a', _id: 'b', name: 'Old lease' }],
	])(
		'selects the version 2 template if both lists contain one with the same templateID and %s',
		async (_, older) => {
			const { service } = lists({ newer: [lease], older: [older] });
			expect((await findTemplate(service, 'a'))?.templateVersion).toBe('v2');
			expect((await listAllTemplates(service)).map(({ name }) => name)).toEqual(['Lease']);
		},
	);

	test('needs the older list only if no newer template has the templateID', async () => {
		const listed = { newer: [lease], status: 403 };
		expect(await find('a', listed)).toBe('Lease');
		await expect(find('b', listed)).rejects.toThrow('(HTTP 403');
		await expect(find('c', listed)).rejects.toThrow('(HTTP 403');
	});

	test('makes one call for each list, even if the service does not have a list for version 2', async () => {
		const { context, calls } = standIn(({ options }) =>
			options.url.endsWith('/v2')
				? { status: 404, body: { success: false } }
				: { body: { success: true, responseData: [lease] } },
		);
		expect((await findTemplate(new ServiceClient(context), 'a'))?.name).toBe('Lease');
		expect(calls).toHaveLength(2);
	});

	test('merges templates with the same ID in linear time, and gives each only its own IDs', async () => {
		const alike = (length: number) =>
			Array.from({ length }, (_, at) => ({ templateID: 'a', _id: `i${at}`, name: `${at}` }));
		const listed = await listTemplatesWithIds(lists({ newer: alike(100) }).service);
		expect(listed.map(({ ids }) => ids)).toEqual(alike(100).map(({ _id }) => ['a', _id]));
		await expectLinear(8000, (length) => {
			const { service } = lists({ newer: alike(length) });
			return async () => await listTemplatesWithIds(service);
		});
	});

	test('include the _id of each list if both lists contain the template', async () => {
		const { service } = lists({ newer: [lease], older: [{ ...lease, _id: 'x' }] });
		const [{ ids } = { ids: [] }] = await listTemplatesWithIds(service);
		expect(ids).toEqual(['a', 'b', 'x']);
	});
});

describe('Signature places', () => {
	test.each<[string, unknown, string[]]>([
		[
			'take their labels from their keys, in the same capitals',
			[{ key: 'hr_director' }, { key: 'HR director' }, { key: 'Employer' }],
			['hr_director: hr director', 'HR director: HR director', 'Employer: Employer'],
		],
		[
			'replace hyphens and underscores in labels with spaces',
			[{ key: 'the_new--tenant 2' }],
			['the_new--tenant 2: the new tenant 2'],
		],
		['trim labels, but not keys', [{ key: ' _owner_ ' }], ['_owner_: owner']],
		[
			'are numbered if they have no keys',
			[{ key: '' }, {}, 'x'],
			['1: Signatory 1', '2: Signatory 2', '3: Signatory 3'],
		],
		[
			'get a number if their key is already taken',
			[{ key: 'a' }, { key: 'a' }],
			['a: a', '2: Signatory 2'],
		],
		[
			'get a numbered label if their key does not contain any words',
			[{ key: '--' }],
			['--: Signatory 1'],
		],
		["are omitted if the template's list is malformed", 'employer', []],
		['are omitted if the template has no list', undefined, []],
	])('%s', (_name, signatories, slots) => {
		const found = signaturePlacesOf(template({ signatories })).map(
			({ id, label }) => `${id}: ${label}`,
		);
		expect(found).toEqual(slots);
	});

	test('have different IDs, whatever their keys are, and a key that occurs once stays the ID', () => {
		const words = [
			'signer',
			'',
			'1',
			'2',
			'3',
			'2-2',
			'3-2',
			'__proto__',
			'constructor',
			'a.name',
			' a ',
		];
		let seed = 7;
		const next = (count: number) => (seed = (seed * 16_807) % 2_147_483_647) % count;
		for (let round = 0; round < 2000; round++) {
			const keys = Array.from({ length: next(9) }, () => words[next(words.length)] ?? '');
			const signatories = keys.map((key) => ({ key }));
			const places = signaturePlacesOf(template({ signatories }));
			const ids = places.map(({ id }) => id);
			expect(new Set(ids).size).toBe(keys.length);
			expect(signaturePlacesOf(template({ signatories }))).toEqual(places);
			for (const [index, key] of keys.entries()) {
				const isOnlyOne = keys.indexOf(key) === keys.lastIndexOf(key);
				if (isOnlyOne && key.trim()) expect(ids[index]).toBe(key.trim());
			}
		}
	});

	test('are read in linear time', async () => {
		await expectLinear(20_000, (length) => {
			const signatories = Array.from({ length }, (_, index) => ({ key: `role ${index}` }));
			return () => expect(signaturePlacesOf(template({ signatories }))).toHaveLength(length);
		});
	});
});
