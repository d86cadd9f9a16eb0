import { runAction } from '../support/contexts';
import { creationsAt, failureOf, filledForm, useService, v2 } from '../support/service';
import { linkedData } from '../support/links';

const service = useService();

const creations = () => creationsAt(service);

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

	/** The service refuses this name, and the node does not know that. */
	const refusedItem = { signatories: { signatory: [{ email: 'al@example.com', name: 'Al' }] } };

	test('a run that stops says what it has created', async () => {
		const items = Array.from({ length: 8 }, () => ({}));
		const perItem = items.map((_, index) => (index === 2 ? refusedItem : {}));
		const credential = service.credential({ parallelRequests: 1 });
		const error = await failureOf(runAction(credential, { parameters: v2, items, perItem }));
		const [first, second] = service.sandbox.documents().slice(-2);
		expect(error.message).toMatch(/^The service refused the request .* \[item 3\]$/);
		expect(error.description).toContain(
			`Created in this run (2), do not send again: items 1 to 2. 5 of 8 items were not started. The service has document ${first?.documentID} (item 1), document ${second?.documentID} (item 2). <a `,
		);
		expect(creations()).toHaveLength(3);
	});

	test('however much it has created, it names all items, and as many documents as fit', async () => {
		const items = Array.from({ length: 302 }, () => ({}));
		const perItem = items.map((_, index) => (index === 300 ? refusedItem : {}));
		const credential = service.credential({ parallelRequests: 1 });
		const error = await failureOf(runAction(credential, { parameters: v2, items, perItem }));
		expect(error.description).toContain(
			'Created in this run (300), do not send again: items 1 to 300. 1 of 302 items were not started. The service has document ',
		);
		const [, named, more] =
			/\(item (\d+)\), and (\d+) more\. <a /.exec(String(error.description)) ?? [];
		expect(Number(named)).toBeGreaterThan(100);
		expect(Number(named) + Number(more)).toBe(300);
	});

	test('a refusal names the fields as the form does', async () => {
		const signatory = [
			{ email: 'ada@example.com', name: 'Ada Lovelace' },
			{ email: 'al@example.com', name: 'Al' },
		];
		const template = service.sandbox.templates().find(({ slots }) => slots.length === 2);
		if (!template) throw new Error('The sandbox has no template with two places to sign.');
		const parameters = { ...v2, ...filledForm(template), signatories: { signatory } };
		const error = await failureOf(runAction(service.credential(), { parameters }));
		expect(error.message).toBe(
			'The service refused the request (HTTP 400: Signatory 2, Name: must have 4 to 100 characters)',
		);
		expect(creations()).toHaveLength(1);
	});

	test("a refusal of several fields names all of them, the template's by their labels", async () => {
		const message = [
			{ msg: 'inputs.role must be shorter than or equal to 3 characters' },
			{ msg: 'country must be one of the following values: Mexico, Peru' },
		];
		const answer = { status: 422, body: { success: false, message } };
		service.sandbox.faults.set({ endpoint: 'POST /templates/createDocumentByTemplateV2', answer });
		const error = await failureOf(runAction(service.credential(), { parameters: v2 }));
		expect(error.message).toBe(
			'The service refused the request (HTTP 422: Fields: Job title: must be shorter than or equal to 3 characters; Country: must be one of the following values: Mexico, Peru)',
		);
	});
});
