import type { IDataObject } from 'n8n-workflow';

import { properties, toolProperties } from '../../nodes/SignVerify/operations';
import { operationNamed, resolvedFor, testedOperations, type Item } from '../operations';
import { clientOf } from '../support/credentials';
import { runAction } from '../support/contexts';
import { byId, useService } from '../support/service';

// How much an operation puts out. An AI agent reads all of it, and is charged for it.
const service = useService();

async function run(parameters: IDataObject): Promise<IDataObject[]> {
	const output = await runAction(service.credential(), { parameters });
	return output.map(({ json }) => json);
}

/** The form of an operation, filled in right for something that the service has. */
async function formOf(name: string): Promise<IDataObject> {
	const tested = operationNamed(name);
	const { sandbox } = service;
	const items = await tested.prepare({ sandbox, client: clientOf(sandbox) }, 2);
	return resolvedFor(items[1] as Item, tested.parameters);
}

const withChoice = testedOperations.filter(({ operation: { fields } }) =>
	fields.some(({ name }) => name === 'output'),
);

test('every list and look-up has the choice, and its entry says what is left', () => {
	const isRead = ({ operation }: (typeof testedOperations)[number]) =>
		operation.value.startsWith('get');
	const without = testedOperations
		.filter((each) => isRead(each) && !withChoice.includes(each))
		.map(({ name }) => `${name}: add outputField to nodes/SignVerify/operations/${name}.ts`);
	const unsaid = withChoice
		.filter(({ simplified }) => !simplified)
		.map(
			({ name, operation }) =>
				`${name}: add simplified: […] to its entry in test/operations/${operation.resource}.ts`,
		);
	expect([...without, ...unsaid]).toEqual([]);
});

describe.each(withChoice)('$name', ({ name, simplified = [] }) => {
	test('gives the most useful fields, unless it is raw', async () => {
		const form = await formOf(name);
		const few = await run(form);
		expect(few.length).toBeGreaterThan(0);
		// n8n's guideline for tools: at most ten fields.
		for (const each of few) expect(Object.keys(each)).toEqual(simplified);
		expect(simplified.length).toBeLessThanOrEqual(10);
		const raw = await run({ ...form, output: 'raw' });
		expect(raw).toHaveLength(few.length);
		for (const each of raw) expect(Object.keys(each)).not.toEqual(simplified);
		service.sandbox.forgetRequests();
		await expect(run({ ...form, output: 'both' })).rejects.toThrow(
			'Output: there is no such choice',
		);
		expect(service.sandbox.requests).toEqual([]);
	});
});

test('an AI agent has the same form as the node, without the operations that wait', () => {
	const shownFor = (form: typeof properties) =>
		form.filter(({ name }) => name === 'output').map(({ displayOptions }) => displayOptions?.show);
	expect(shownFor(toolProperties)).toEqual(shownFor(properties));
	expect(shownFor(properties)).toHaveLength(withChoice.length);
});

describe('what an operation takes has the same name in the output of the one before', () => {
	/** Runs operations one after the other, each with the named fields of what the one before put out. */
	async function chain(...steps: Array<[name: string, form: (json: IDataObject) => IDataObject]>) {
		let json: IDataObject = {};
		for (const [name, form] of steps) {
			const [resource, operation] = name.split('/');
			[json = {}] = await run({ resource, operation, ...form(json) });
		}
		return json;
	}

	test('validationId, of identities', async () => {
		const begun = await chain(
			['identity/request', () => ({ email: 'ada@example.com' })],
			['identity/get', ({ validationId }) => ({ validationId })],
		);
		const { validationId, email } = begun;
		expect(email).toBe('ada@example.com');
		await service.sandbox.completeIdentity(String(validationId), 'pass');
		const results = await chain(['identity/getResults', () => ({ sessionId: validationId })]);
		expect(results).toMatchObject({ validationId, passed: true });
	});

	test('webhookId, event and webhookUrl, of webhooks', async () => {
		const form = { event: 'sendDocument', webhookUrl: 'https://example.com/chain' };
		const created = await chain(['webhook/create', () => form]);
		expect(created).toMatchObject(form);
		const filters = { event: created.event };
		const deleted = await chain(
			['webhook/getAll', () => ({ filters })],
			['webhook/delete', ({ webhookId }) => ({ webhookId: byId(String(webhookId)) })],
		);
		expect(deleted).toEqual({ deleted: true, webhookId: created.webhookId });
	});

	test('templateId, the keys of fields, and those of roles, of templates and documents', async () => {
		const named = { filters: { name: 'Employment contract' } };
		const template = await chain(
			['template/getAll', () => named],
			['template/get', ({ templateId }) => ({ templateId: byId(String(templateId)) })],
		);
		const fields = template.fields as Array<{ key: string }>;
		const roles = template.roles as Array<{ key: string; label: string }>;
		expect(template.csvHeader).toBe(fields.map(({ key }) => key).join(','));
		const of = (entries: Array<[string, string]>) => ({
			mappingMode: 'defineBelow',
			value: Object.fromEntries(entries),
		});
		const document = await chain([
			'document/createFromTemplate',
			() => ({
				templateId: byId(String(template.templateId)),
				fields: of(fields.map(({ key }) => [key, '2027-01-11'])),
				signatoryRoles: of(
					roles.flatMap(({ key }, at): Array<[string, string]> => [
						[`${key}.name`, `Person ${at}`],
						[`${key}.email`, `person-${at}@example.com`],
					]),
				),
				country: { __rl: true, mode: 'name', value: 'Mexico' },
			}),
		]);
		expect(document).toMatchObject({
			documentId: expect.any(String) as string,
			templateId: template.templateId,
			signatories: roles.map(({ label }, at) => ({
				email: `person-${at}@example.com`,
				role: label,
				signed: false,
			})),
			createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
		});
	});
});
