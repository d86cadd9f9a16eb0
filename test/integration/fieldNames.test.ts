import { runAction } from '../support/contexts';
import { byId, failureOf, mapped } from '../support/service';
import { envelope, Stub, text } from '../support/stub';

let stub: Stub;
let sent: Array<{ inputs: Record<string, string> }>;
const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'prototype', 'valueOf'];
const template = (isRequired: boolean) => ({
	templateID: 't1',
	name: 'Lease',
	status: 'ACTIVE',
	form: [...names, 'plain'].map((key) => ({ key, label: '', isRequired })),
});

beforeEach(async () => {
	stub = await new Stub().start();
	sent = [];
});
afterEach(async () => {
	await stub.close();
});

function offer(isRequired: boolean): void {
	stub.answer = (response, request) => {
		if (request.method === 'POST') sent.push(JSON.parse(request.body) as (typeof sent)[0]);
		const data = request.method === 'POST' ? { documentID: 'd1' } : [template(isRequired)];
		text(envelope(data))(response, request);
	};
}

const run = async (fields: object, item: Record<string, string> = {}) =>
	await runAction(stub.credential(), {
		parameters: {
			resource: 'document',
			operation: 'createFromTemplate',
			templateId: byId('t1'),
			country: { __rl: true, mode: 'name', value: 'Mexico' },
			signatoriesFrom: 'form',
			signatories: { signatory: [{ email: 'ada@example.com', name: 'Ada Lovelace' }] },
			fields,
		},
		items: [item],
	});

/** An object with own properties of such names, as JSON gives it. */
const filled = (given: string[]): Record<string, string> =>
	JSON.parse(`{${given.map((name) => `"${name}":"value of ${name}"`).join()}}`) as never;
const entriesSent = () => Object.entries(sent[0]?.inputs ?? {});

// n8n itself drops the others from what the form holds.
const reaching = ['toString', 'hasOwnProperty', 'valueOf'];

describe('fields of a template that are called as what every object has', () => {
	test('are left out where nothing is filled in', async () => {
		offer(false);
		await run(mapped({ plain: 'x' }));
		expect(entriesSent()).toEqual([['plain', 'x']]);
	});

	test('are sent as filled in', async () => {
		offer(false);
		await run(mapped(filled(reaching)));
		expect(entriesSent()).toEqual(Object.entries(filled(reaching)));
	});

	test('are taken from the item', async () => {
		offer(false);
		await run({ mappingMode: 'autoMapInputData', value: null }, filled(names));
		expect(entriesSent()).toEqual(Object.entries(filled(names)));
	});

	test('are not taken from an item that lacks them', async () => {
		offer(true);
		const error = await failureOf(run({ mappingMode: 'autoMapInputData', value: null }));
		expect(error.message).toMatch(/^\d+ fields are missing or wrong: /);
		for (const name of names) {
			expect(error.message).toContain(
				`Fields: ${name}: the template requires a value, and there is none`,
			);
		}
		expect(sent).toEqual([]);
	});
});
