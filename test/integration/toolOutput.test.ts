import type { IDataObject } from 'n8n-workflow';

import { operations } from '../../nodes/SignVerify/operations';
import { runAction } from '../support/contexts';
import { byId, useService } from '../support/service';

// What an AI agent gets from a list or a look-up: it reads all of it, and is charged for it.
const service = useService();

async function run(parameters: IDataObject, asTool = true): Promise<IDataObject[]> {
	const output = await runAction(service.credential(), { parameters, asTool });
	return output.map(({ json }) => json);
}

/** One answer for each operation that has the choice, and what is left of it. */
const simplified: Record<string, string[]> = {
	'identity get': ['emailId', 'status', 'createdAt', 'sessionId', 'customerId'],
	'identity getResults': ['sessionId', 'customerId', 'score'],
	'template get': [
		'templateID',
		'name',
		'description',
		'status',
		'templateVersion',
		'signatories',
		'form',
		'formSignatory',
	],
	'template getAll': ['templateID', 'name', 'description', 'templateVersion', 'inputs'],
	'webhook getAll': ['webHookID', 'type', 'webHookUrl', 'addedOn'],
};
let parametersOf: Record<string, IDataObject>;

beforeAll(async () => {
	await run({
		resource: 'webhook',
		operation: 'create',
		webhookUrl: 'http://127.0.0.1:9/events',
	});
	const email = 'ada@example.com';
	const [request] = await run({ resource: 'identity', operation: 'request', email });
	const id = String(request?.validationId);
	await service.sandbox.completeIdentity(id, 'pass');
	const template = service.sandbox.templates().find(({ generation }) => generation === 'v2');
	parametersOf = {
		'identity get': { validationId: id },
		'identity getResults': { sessionId: id, includePersonalData: false },
		'template get': { templateId: byId(template?.templateID ?? '') },
		'template getAll': { templateVersion: 'v1' },
		'webhook getAll': {},
	};
});

const reading = operations.flatMap((each) => ('run' in each ? [each] : []));
const offering = reading.filter(({ toolOutput }) => toolOutput);

test('every list and look-up has the choice', () => {
	const names = offering.map(({ resource, value }) => `${resource} ${value}`);
	expect(names.sort()).toEqual(Object.keys(simplified).sort());
	const getting = reading.filter(({ value }) => value.startsWith('get'));
	expect(getting.map(({ toolOutput }) => toolOutput)).not.toContain(undefined);
});

describe.each(offering)('$resource $value', ({ resource, value: operation, toolOutput }) => {
	const choose = async (more: IDataObject = {}, asTool = true) =>
		await run(
			{ resource, operation, ...parametersOf[`${resource} ${operation}`], ...more },
			asTool,
		);

	test('gives an agent the most useful fields, and the node itself all', async () => {
		const whole = await choose({}, false);
		expect(whole.length).toBeGreaterThan(0);
		const few = await choose();
		expect(few).toHaveLength(whole.length);
		for (const each of few) {
			expect(Object.keys(each)).toEqual(simplified[`${resource} ${operation}`]);
		}
		expect(few).not.toEqual(whole);
		expect(await choose({ output: 'raw' })).toEqual(whole);
		// The node has no such parameter: one that a workflow holds all the same means nothing.
		expect(await choose({ output: 'fields', outputFields: [] }, false)).toEqual(whole);
	});

	test('gives the selected fields, and always the ID', async () => {
		const [whole = {}] = await choose({}, false);
		const { id = '', fields = [] } = toolOutput ?? {};
		expect(fields).toEqual(expect.arrayContaining(Object.keys(whole)));
		expect(await choose({ output: 'fields' })).toEqual(
			(await choose({}, false)).map((each) => ({ [id]: each[id] })),
		);
		const last = Object.keys(whole).at(-1) ?? '';
		const [chosen] = await choose({ output: 'fields', outputFields: [last] });
		expect(chosen).toEqual({ [id]: whole[id], [last]: whole[last] });
	});
});

test('of a template the keys and labels to fill in are left, not the IDs within', async () => {
	const parameters = { resource: 'template', operation: 'get', ...parametersOf['template get'] };
	const [template] = await run(parameters);
	expect(template?.signatories).toEqual([{ key: 'employee' }]);
	expect(template?.form).toContainEqual({
		key: 'role',
		label: 'Job title',
		isRequired: true,
	});
});

test('of a verification the overall scores are left, and personal data if asked for', async () => {
	const parameters = { resource: 'identity', operation: 'getResults' };
	const [results] = await run({ ...parameters, ...parametersOf['identity getResults'] });
	const overall = { value: expect.any(Number) as number, status: 'OK' };
	expect(results?.score).toEqual({
		overall,
		idValidation: { overall },
		liveness: { overall },
		faceRecognition: { overall },
	});
	const [personal] = await run({
		...parameters,
		...parametersOf['identity getResults'],
		includePersonalData: true,
	});
	expect(personal).toHaveProperty('ocr');
});

test('moments are ISO 8601, as in all simplified output', async () => {
	const [webhook] = await run({ resource: 'webhook', operation: 'getAll' });
	expect(webhook?.addedOn).toMatch(/^\d{4}-\d\d-\d\dT/);
});
