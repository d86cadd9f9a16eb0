import { runAction } from '../support/contexts';
import {
	ada,
	contract,
	creationsAt,
	fields,
	useService,
	v1Setup,
	v2,
	failureOf,
} from '../support/service';
import { linkedData } from '../support/errors';

const service = useService();

const creations = () => creationsAt(service);

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
				signatories: [{ ...ada, role: 'Employee', signed: false }],
				createdAt: new Date(document?.addedOn ?? 0).toISOString(),
			},
			pairedItem: { item: 0 },
		});
		expect(service.sandbox.mails().some((mail) => mail.to.includes(ada.email))).toBe(true);
	});

	test('version 1: the call with complete positions', async () => {
		const { template, inputs, parameters } = v1Setup(service);
		const signPositions = {
			position: [
				{ email: 'ADA@example.com', page: 2 },
				{ email: ada.email, page: 1, x: 10, y: 20, width: 100, height: 40 },
			],
		};
		const options = { signPositions };
		await runAction(service.credential(), { parameters: { ...parameters, options } });

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
						coordinates: { x: 365, y: 730 },
						page: 2,
						pageY: 730,
						pageYv2: 730,
						color: '#1f4fd8',
						imageSize: { width: 180, height: 60 },
						parentImageSize: page,
						viewport: page,
					},
					expect.objectContaining({
						coordinates: { x: 10, y: 20 },
						page: 1,
						imageSize: { width: 100, height: 40 },
					}),
				],
			},
		});
		expect(creations()[0]?.violation).toBeUndefined();
	});

	test('raw output is the document as the service answered it', async () => {
		const parameters = { ...v2, options: { output: 'raw' } };
		const [raw] = await runAction(service.credential(), { parameters });
		expect(raw?.json).toMatchObject({
			documentID: expect.any(String) as string,
			logsStatus: expect.any(Array) as unknown[],
			signatory: [expect.objectContaining({ signing: expect.any(Object) as object })],
		});
		expect(raw?.json).not.toHaveProperty('responseData');
	});
});

describe('when creating a document fails', () => {
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
					message: 'Signatory 1, Email: "nobody" is not an e-mail address',
					description: linkedData(
						'Enter one address, such as name@email.com.',
						'is-not-an-e-mail-address',
					),
					invalidFields: ['Signatory 1, Email'],
					itemIndex: 1,
				},
			},
			pairedItem: { item: 1 },
		});
		expect(creations()).toHaveLength(2);
	});

	test('a refusal of several fields names all of them as the form does', async () => {
		const message = [
			{ msg: 'inputs.role must be shorter than or equal to 3 characters' },
			{ msg: 'country must be one of the following values: Mexico, Peru' },
		];
		const answer = { status: 422, body: { success: false, message } };
		service.sandbox.faults.set({ endpoint: 'POST /templates/createDocumentByTemplateV2', answer });
		const error = await failureOf(runAction(service.credential(), { parameters: v2 }));
		expect(error.message).toBe(
			'The service refused the request (HTTP 422: Fields: role: must be shorter than or equal to 3 characters; Country: must be one of the following values: Mexico, Peru)',
		);
	});
});
