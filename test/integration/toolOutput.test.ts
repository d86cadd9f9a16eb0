import type { IDataObject } from 'n8n-workflow';

import { operationNamed, resolvedFor, testedOperations, type Item } from '../operations';
import { clientOf } from '../support/credentials';
import { runAction } from '../support/contexts';
import { useService } from '../support/service';

// What an AI agent gets from a list or a look-up: it reads all of it, and is charged for it.
const service = useService();

async function run(parameters: IDataObject, asTool = true): Promise<IDataObject[]> {
	const output = await runAction(service.credential(), { parameters, asTool });
	return output.map(({ json }) => json);
}

/** The form of an operation, filled in right for something that the service has. */
async function formOf(name: string): Promise<IDataObject> {
	const tested = operationNamed(name);
	const { sandbox } = service;
	const items = await tested.prepare({ sandbox, client: clientOf(sandbox) }, 2);
	return resolvedFor(items[1] as Item, tested.parameters);
}

const listsAndLookUps = testedOperations.filter(({ operation }) =>
	operation.value.startsWith('get'),
);
const [reading, short] = [true, false].map((hasChoice) =>
	listsAndLookUps.filter(({ operation }) => 'toolOutput' in operation === hasChoice),
) as [typeof listsAndLookUps, typeof listsAndLookUps];

test.each(short)('$name is short enough for an agent', async ({ name }) => {
	const [first] = await run(await formOf(name), false);
	const count = Object.keys(first ?? {}).length;
	const file = `nodes/SignVerify/operations/${name}.ts`;
	// n8n's guideline: a choice for an answer with more than ten fields.
	expect(count > 0 && count <= 10 ? [] : [`${name}: add toolOutput to ${file}`]).toEqual([]);
});

test('the entry of every operation with the choice says what is left', () => {
	const wrong = reading
		.filter(({ simplified }) => !simplified)
		.map(
			({ name, operation }) =>
				`${name}: add simplified: […] to its entry in test/operations/${operation.resource}.ts`,
		);
	expect(wrong).toEqual([]);
});

describe.each(reading)('$name', ({ name, simplified = [] }) => {
	let form: IDataObject;
	const choose = async (more: IDataObject = {}, asTool = true) =>
		await run({ ...form, ...more }, asTool);
	beforeAll(async () => {
		form = await formOf(name);
	});

	test('gives an agent the most useful fields, and the node itself all', async () => {
		const whole = await choose({}, false);
		expect(whole.length).toBeGreaterThan(0);
		const few = await choose();
		expect(few).toHaveLength(whole.length);
		for (const each of few) expect(Object.keys(each)).toEqual(simplified);
		expect(few).not.toEqual(whole);
		expect(await choose({ output: 'raw' })).toEqual(whole);
		const both = whole.map((raw, index) => ({ ...few[index], raw }));
		expect(await choose({ output: 'both' })).toEqual(both);
		await expect(choose({ output: 'all' })).rejects.toThrow('Output: there is no such choice');
		// The node has no such parameter: one that a workflow holds all the same means nothing.
		expect(await choose({ output: 'simplified' }, false)).toEqual(whole);
	});
});
