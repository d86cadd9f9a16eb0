import { runAction } from '../support/contexts';
import { allOf, byId, failureOf, mapped, useService } from '../support/service';

const service = useService();

const contract = '65f1c0de0000000000000201';
const fields = { employee_name: 'Ada Lovelace', role: 'Analyst', start_date: '2027-01-11' };
const ada = { email: 'ada@example.com', name: 'Ada Lovelace' };
const v2 = {
	resource: 'document',
	operation: 'createFromTemplate',
	templateVersion: 'v2',
	templateId: byId(contract),
	fields: mapped(fields),
	signatories: { signatory: [ada] },
	country: 'Mexico',
};

/** A version 1 template of the sandbox, with a value for each of its inputs. */
function v1Setup() {
	const template = service.sandbox.templates().find((each) => each.generation === 'v1');
	if (!template) throw new Error('The sandbox has no version 1 template.');
	const inputs = Object.fromEntries(template.fields.map(({ key, label }) => [key, `the ${label}`]));
	const parameters = {
		...v2,
		templateVersion: 'v1',
		templateId: byId(template.templateID),
		fields: mapped(inputs),
	};
	return { template, inputs, parameters };
}

const creations = () =>
	service.sandbox.requests.filter((each) => each.path.startsWith('/templates/create'));

describe('creating a document', () => {
	test('version 2: the call, the mail and the output', async () => {
		const [item] = await runAction(service.credential(), { parameters: v2 });
		await service.sandbox.idle();

		const [call] = creations();
		expect(call).toMatchObject({
			method: 'POST',
			path: '/templates/createDocumentByTemplateV2',
			query: {},
			status: 200,
			body: { templateID: contract, country: 'Mexico', inputs: fields, signatories: [ada] },
		});
		expect(Object.keys(call?.body as object).sort()).toEqual([
			'country',
			'inputs',
			'signatories',
			'templateID',
		]);
		expect(call?.headers.authorization).toBe(`Bearer ${call?.headers.token}`);
		expect(call?.violation).toBeUndefined();

		const document = service.sandbox.documents().at(-1);
		expect(item).toEqual({
			json: {
				documentId: document?.documentID,
				title: document?.title,
				status: 'PENDING',
				templateId: contract,
				country: 'Mexico',
				signatories: [{ ...ada, signed: false }],
				addedOn: new Date(document?.addedOn ?? 0).toISOString(),
			},
			pairedItem: { item: 0 },
		});
		expect(service.sandbox.mails().some((mail) => mail.to.includes(ada.email))).toBe(true);
	});

	test('version 1: the call with complete positions', async () => {
		const { template, inputs, parameters } = v1Setup();
		const signPositions = {
			position: [
				{ email: 'ADA@example.com', place: 'bottomRight', page: 2, color: '#00aa00' },
				{
					email: ada.email,
					place: 'exact',
					page: 1,
					x: 10,
					y: 20,
					width: 100,
					height: 40,
					color: '',
				},
			],
		};
		await runAction(service.credential(), { parameters: { ...parameters, signPositions } });

		const page = { width: 595.28, height: 841.89 };
		expect(creations()[0]).toMatchObject({
			path: '/templates/createDocumentByTemplate',
			status: 200,
			body: {
				templateID: template.templateID,
				country: 'Mexico',
				inputs,
				signatories: [ada],
				staticSignPositions: [
					{
						user: { email: ada.email },
						coordinates: { x: 365.28, y: 731.89 },
						page: 2,
						pageY: 731.89,
						pageYv2: 731.89,
						color: '#00aa00',
						imageSize: { width: 180, height: 60 },
						parentImageSize: page,
						viewport: page,
					},
					{
						user: { email: ada.email },
						coordinates: { x: 10, y: 20 },
						page: 1,
						pageY: 20,
						pageYv2: 20,
						color: '#1f4fd8',
						imageSize: { width: 100, height: 40 },
						parentImageSize: page,
						viewport: page,
					},
				],
			},
		});
		expect(creations()[0]?.violation).toBeUndefined();
	});

	test('raw output is the document as the service answered it', async () => {
		const [item] = await runAction(service.credential(), {
			parameters: { ...v2, simplify: false },
		});
		expect(item?.json).toEqual(
			expect.objectContaining({
				documentID: expect.any(String),
				logsStatus: expect.any(Array),
				computedFields: expect.any(Object),
			}),
		);
		expect(item?.json).not.toHaveProperty('responseData');
	});

	test('an answer with nothing but success still gives an output that is true', async () => {
		const answer = { status: 200, body: { success: true, message: 'OK', responseCode: 200 } };
		service.sandbox.faults.set({ endpoint: 'POST /templates/createDocumentByTemplateV2', answer });
		const [item] = await runAction(service.credential(), { parameters: v2 });
		expect(item?.json).toEqual({
			title: 'Employment contract',
			templateId: contract,
			country: 'Mexico',
			signatories: [{ ...ada, signed: false }],
		});
	});

	test('many items: all created, in order, the list of templates read once', async () => {
		const count = 25;
		const items = Array.from({ length: count }, (_, index) => ({ index }));
		const perItem = items.map(({ index }) => ({
			signatories: { signatory: [{ email: `p${index}@example.com`, name: `Person ${index}` }] },
		}));
		const output = await runAction(service.credential(), { parameters: v2, items, perItem });
		expect(
			output.map(({ json, pairedItem }) => [
				(json.signatories as Array<{ email: string }>)[0]?.email,
				pairedItem,
			]),
		).toEqual(items.map(({ index }) => [`p${index}@example.com`, { item: index }]));
		expect(service.sandbox.requests.filter((each) => each.path === '/templates/v2')).toHaveLength(
			1,
		);
		expect(creations()).toHaveLength(count);
	});
});

describe('values for the fields', () => {
	const sent = () => (creations()[0]?.body as { inputs: unknown }).inputs;

	test('are sent as strings, and left out where there is none', async () => {
		const values = { employee_name: 12.5, role: true, start_date: new Date(0), workplace: null };
		await runAction(service.credential(), { parameters: { ...v2, fields: mapped(values) } });
		expect(sent()).toEqual({
			employee_name: '12.5',
			role: 'true',
			start_date: '1970-01-01T00:00:00.000Z',
		});
	});

	test('"map automatically" takes properties called like a key or a label, and only those', async () => {
		await runAction(service.credential(), {
			parameters: { ...v2, fields: { mappingMode: 'autoMapInputData', value: null } },
			items: [
				{ employee_name: 'Ada', 'job title': 'Analyst', 'Start date ': '2027-01-11', other: 'x' },
			],
		});
		expect(sent()).toEqual({ employee_name: 'Ada', role: 'Analyst', start_date: '2027-01-11' });
	});
});

describe('signatories from an expression', () => {
	const parameters = { ...v2, signatories: undefined, signatoriesFrom: 'expression' };

	test.each([
		['a list', [ada]],
		['JSON text', JSON.stringify([ada])],
	])('%s', async (_name, signatoriesList) => {
		await runAction(service.credential(), {
			parameters: { ...parameters, signatoriesList },
		});
		expect(creations()[0]?.body).toMatchObject({ signatories: [ada] });
	});
});

describe('a template with another number of places to sign', () => {
	test('is a warning, not a refusal', async () => {
		const hints: Array<{ message: string }> = [];
		const signatories = { signatory: [ada, { email: 'bob@example.com', name: 'Bob Builder' }] };
		await runAction(service.credential(), {
			parameters: { ...v2, signatories },
			hints: hints,
		});
		expect(hints.map((each) => each.message)).toEqual([
			'The template "Employment contract" has one place to sign, but item 0 names 2 signatories.',
		]);
		expect(creations()).toHaveLength(1);
	});
});

describe('when something fails', () => {
	const badItem = { signatories: { signatory: [{ email: 'nobody', name: 'No Body' }] } };

	test('with "continue on error" only the failed item gives an error', async () => {
		const output = await runAction(service.credential(), {
			parameters: v2,
			items: [{}, {}, {}],
			perItem: [{}, badItem, {}],
			continueOnFail: true,
		});
		expect(output.map(({ json }) => 'documentId' in json)).toEqual([true, false, true]);
		expect(output[1]).toEqual({
			json: {
				error: {
					message: 'Signatories: Email of signatory 1: "nobody" is not an e-mail address',
					description: 'Enter one address, such as name@email.com.',
					itemIndex: 1,
				},
			},
			pairedItem: { item: 1 },
		});
		expect(creations()).toHaveLength(2);
	});

	test('a run that stops says what it has created', async () => {
		const items = Array.from({ length: 8 }, () => ({}));
		const perItem = items.map((_, index) => (index === 2 ? badItem : {}));
		const parameters = { ...v2, options: { parallelRequests: 1 } };
		const error = await failureOf(runAction(service.credential(), { parameters, items, perItem }));
		const [first, second] = service.sandbox.documents().slice(-2);
		expect(error.description).toContain(
			`Created in this run, do not send again: document ${first?.documentID} (item 0), document ${second?.documentID} (item 1).`,
		);
		expect(error.description).toContain('5 of 8 items were not started.');
		expect(creations()).toHaveLength(2);
	});

	test.each([
		[
			'an answer of 502',
			{ answer: { status: 502, body: '<html><head><title>502 Bad Gateway</title></head></html>' } },
			'The service failed (HTTP 502: 502 Bad Gateway), so the document may have been created',
		],
		[
			'a connection that breaks after the service acted',
			{ reset: 'after' as const },
			/broke the connection off, so the document may have been created/,
		],
		[
			'an answer that is no answer',
			{ answer: { status: 200, body: 'hello' } },
			/text that is not JSON, which is not an answer of the signing service, so the document may have been created/,
		],
	])(
		'%s is never repeated, and says that the document may exist',
		async (_name, fault, message) => {
			service.sandbox.faults.set({
				endpoint: 'POST /templates/createDocumentByTemplateV2',
				...fault,
			});
			const error = await failureOf(runAction(service.credential(), { parameters: v2 }));
			expect(error.message).toMatch(message);
			expect(error.description).toContain(
				'Look for the document at the service before you run this item again.',
			);
			expect(creations()).toHaveLength(1);
		},
	);

	test("the service's refusal is passed on, and says that nothing was created", async () => {
		const answer = {
			status: 400,
			body: { success: false, message: [{ msg: 'Some emails are repeated' }] },
		};
		service.sandbox.faults.set({ endpoint: 'POST /templates/createDocumentByTemplateV2', answer });
		const error = await failureOf(runAction(service.credential(), { parameters: v2 }));
		expect(error.message).toBe(
			'The service refused the request (HTTP 400: Some emails are repeated)',
		);
		expect(error.description).toContain('Nothing was created.');
	});

	test('no error shows the key or the token', async () => {
		const credential = service.credential();
		await runAction(credential, { parameters: v2 });
		const token = String(credential.stored.accessToken);
		for (const fault of [
			{ reset: 'before' as const },
			{
				answer: {
					status: 500,
					body: { message: `token ${token} with key ${service.sandbox.account.apiKey}` },
				},
			},
		]) {
			const stop = service.sandbox.faults.set({
				endpoint: 'POST /templates/createDocumentByTemplateV2',
				...fault,
			});
			const error = await failureOf(runAction(credential, { parameters: v2 }));
			stop();
			expect(allOf(error)).not.toContain(token);
			expect(allOf(error)).not.toContain(service.sandbox.account.apiKey);
		}
	});
});

describe('input that is wrong', () => {
	const signatory = (...list: unknown[]) => ({ signatories: { signatory: list } });
	const list = (signatoriesList: unknown) => ({ signatoriesFrom: 'expression', signatoriesList });

	test.each<[string, Record<string, unknown>, string | RegExp]>([
		['no template', { templateId: byId('') }, 'Template: none is chosen'],
		[
			'an unknown template',
			{ templateId: byId('65f1c0de0000000000000999') },
			/^Template: the account has no v2 template with the ID/,
		],
		['an unknown version', { templateVersion: 'v3' }, 'Template Version: there is no such version'],
		[
			'a required field without a value',
			{ fields: mapped({ ...fields, role: '' }) },
			'Fields: Job title: the template requires a value, and there is none',
		],
		[
			'a required field that an expression left null',
			{ fields: mapped({ ...fields, role: null }) },
			'Fields: Job title: the template requires a value, and there is none',
		],
		[
			'an unknown field',
			{ fields: mapped({ ...fields, salary: '1' }) },
			'Fields: the template "Employment contract" has no "salary"',
		],
		[
			'a list as a value',
			{ fields: mapped({ ...fields, role: ['a'] }) },
			'Fields: Job title: the value must be a text, but is a list',
		],
		[
			'an object as a value',
			{ fields: mapped({ ...fields, role: { a: 1 } }) },
			'Fields: Job title: the value must be a text, but is an object',
		],
		[
			'NaN as a value',
			{ fields: mapped({ ...fields, role: NaN }) },
			'Fields: Job title: the value must be a text, but is not a number',
		],
		['fields of null', { fields: mapped(null as never) }, /the template requires a value/],
		['no signatory', { signatories: {} }, 'Signatories: there is none'],
		['an empty list', signatory(), 'Signatories: there is none'],
		[
			'an empty e-mail',
			signatory({ ...ada, email: ' ' }),
			'Signatories: Email of signatory 1: it is empty',
		],
		[
			'an e-mail of null',
			signatory({ ...ada, email: null }),
			'Signatories: Email of signatory 1: it is empty',
		],
		[
			'no e-mail address',
			signatory({ ...ada, email: 'ada' }),
			'Signatories: Email of signatory 1: "ada" is not an e-mail address',
		],
		[
			'two addresses in one',
			signatory({ ...ada, email: 'a@x.com, b@x.com' }),
			/is not an e-mail address/,
		],
		[
			'an e-mail with a name',
			signatory({ ...ada, email: 'Ada <ada@example.com>' }),
			/is not an e-mail address/,
		],
		[
			'an endless e-mail',
			signatory({ ...ada, email: `${'a'.repeat(300)}@example.com` }),
			/is not an e-mail address/,
		],
		[
			'an e-mail twice',
			signatory(ada, { ...ada, email: 'ADA@Example.com' }),
			'Signatories: Email of signatory 2: "ADA@Example.com" is the e-mail of signatory 1, too',
		],
		[
			'an empty name',
			signatory({ ...ada, name: '' }),
			'Signatories: Name of signatory 1: it is empty',
		],
		['an expression that gives nothing', list(''), 'Signatories: the expression gives nothing'],
		[
			'an expression that gives a text',
			list('ada@example.com'),
			'Signatories: the expression does not give a list',
		],
		[
			'an expression that gives an object',
			list(ada),
			'Signatories: the expression does not give a list',
		],
		[
			'a list of texts',
			list(['ada@example.com']),
			'Signatories: signatory 1: it is not an object with an email and a name',
		],
		[
			'a list with null',
			list([ada, null]),
			'Signatories: signatory 2: it is not an object with an email and a name',
		],
		['an empty country', { country: '' }, 'Country: it is empty'],
		['a country that is no text', { country: 5 }, 'Country: it is empty'],
		[
			'too many parallel requests',
			{ options: { parallelRequests: 51 } },
			'Parallel Requests: it must be a whole number',
		],
		[
			'half a parallel request',
			{ options: { parallelRequests: 1.5 } },
			'Parallel Requests: it must be a whole number',
		],
		['no time at all', { options: { timeout: 0 } }, 'Timeout: it is out of range'],
	])('%s', async (_name, wrong, message) => {
		const documents = service.sandbox.documents().length;
		const error = await failureOf(
			runAction(service.credential(), { parameters: { ...v2, ...wrong } }),
		);
		expect(error.message).toMatch(message);
		expect(error.description).toBeTruthy();
		expect(service.sandbox.documents()).toHaveLength(documents);
		expect(creations()).toHaveLength(0);
	});

	test.each<[string, Record<string, unknown>, string | RegExp]>([
		[
			'a position for a stranger',
			{ email: 'eve@example.com' },
			'Signature Positions: position 1, Signatory Email: "eve@example.com" is not one of the signatories',
		],
		[
			'a position for nobody',
			{ email: '' },
			'Signature Positions: position 1, Signatory Email: it is empty',
		],
		[
			'page 0',
			{ email: ada.email, page: 0 },
			'Signature Positions: position 1, Page: it must be a whole number of at least 1',
		],
		['page one and a half', { email: ada.email, page: 1.5 }, /Page: it must be a whole number/],
		[
			'an unknown place',
			{ email: ada.email, place: 'somewhere' },
			'Signature Positions: position 1, Place: there is no such place',
		],
		[
			'coordinates left empty',
			{ email: ada.email, place: 'exact', x: '', y: 1 },
			'Signature Positions: position 1, Left: it must be a number of at least 0',
		],
		[
			'a color by name',
			{ email: ada.email, color: 'red' },
			'Signature Positions: position 1, Color: it is not a hex color',
		],
	])('version 1: %s', async (_name, position, message) => {
		const parameters = { ...v1Setup().parameters, signPositions: { position: [position] } };
		const error = await failureOf(runAction(service.credential(), { parameters: parameters }));
		expect(error.message).toMatch(message);
		expect(creations()).toHaveLength(0);
	});
});
