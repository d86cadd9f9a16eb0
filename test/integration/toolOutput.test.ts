import type { IDataObject } from 'n8n-workflow';

import { operationNamed, resolvedFor, testedOperations, type Item } from '../operations';
import { templateId } from '../operations/service';
import { clientOf } from '../support/credentials';
import { runAction } from '../support/contexts';
import { byId, useService } from '../support/service';

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

const reading = testedOperations.filter(
	// Of a verification, an agent needs the whole result: only values and statuses.
	({ name, operation }) => operation.value.startsWith('get') && name !== 'identity/getResults',
);

test('every list and look-up has the choice, and its entry says what is left', () => {
	const wrong = reading.flatMap(({ name, operation, simplified }) => [
		...('toolOutput' in operation
			? []
			: [`${name}: add toolOutput to nodes/SignVerify/operations/${name}.ts`]),
		...(simplified
			? []
			: [`${name}: add simplified: […] to its entry in test/operations/${operation.resource}.ts`]),
	]);
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

test('of a template the keys and labels to fill in are left, not the IDs within', async () => {
	const [template] = await run({ ...(await formOf('template/get')), templateId: byId(templateId) });
	expect(template?.signatories).toEqual([{ key: 'employee' }]);
	expect(template?.form).toContainEqual({
		key: 'role',
		label: 'Job title',
		isRequired: true,
	});
});

test('moments are ISO 8601, as in all simplified output', async () => {
	const [webhook] = await run(await formOf('webhook/getAll'));
	expect(webhook?.addedOn).toMatch(/^\d{4}-\d\d-\d\dT/);
});
