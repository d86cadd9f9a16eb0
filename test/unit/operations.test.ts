import { readdirSync } from 'node:fs';
import path from 'node:path';

import { type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { operations, properties, resources } from '../../nodes/SignVerify/operations';
import type { Operation } from '../../nodes/SignVerify/operations/types';
import { employmentContract } from '../../sandbox/demo/papers/templates/employmentContract';
import { root } from '../../scripts/tools';

const isOperation = (value: unknown): value is Operation =>
	typeof value === 'object' && value !== null && 'resource' in value && 'action' in value;

test('every operation that a file exports is in the registry', async () => {
	const folder = path.join(root, 'nodes/SignVerify/operations');
	const files = readdirSync(folder, { recursive: true })
		.map((file) => String(file).replaceAll(path.sep, '/'))
		.filter((file) => /^\w+\/\w+\.ts$/.test(file));
	const found = await Promise.all(
		files.map(async (file) => {
			const exported = (await import(path.join(folder, file))) as Record<string, unknown>;
			return Object.entries(exported).flatMap(([name, value]) =>
				isOperation(value) ? [{ file, name, value }] : [],
			);
		}),
	);
	const forgotten = found.flat().filter(({ value }) => !operations.includes(value));
	expect(found.flat()).toHaveLength(operations.length + forgotten.length);
	expect(
		forgotten.map(
			({ file, name }) =>
				`The operation in nodes/SignVerify/operations/${file} is not in registry.ts: add "export { ${name} } from './${file.slice(0, -3)}';"`,
		),
	).toEqual([]);
});

test('what has a limit for waiting says that it waits', () => {
	const limited = operations.filter(({ fields }) =>
		fields.some(({ name }) => name === 'limitWaitTime'),
	);
	expect(limited).toHaveLength(2);
	expect(operations.filter(({ waits }) => waits)).toEqual(limited);
});

test('each resource offers first what it says', () => {
	for (const [resource, { first }] of Object.entries(resources)) {
		expect(
			operations.some((operation) => operation.resource === resource && operation.value === first),
		).toBe(true);
	}
	const selectors = properties.filter(({ name }) => name === 'operation');
	expect(selectors.map(({ default: chosen }) => chosen)).toEqual(
		selectors.map(({ displayOptions }) => {
			const [resource] = (displayOptions?.show?.resource ?? []) as Array<keyof typeof resources>;
			return resource && resources[resource].first;
		}),
	);
});

test('a field shows for its operation only', () => {
	for (const { name, displayOptions } of properties) {
		if (name === 'resource') continue;
		expect(displayOptions?.show?.resource).toHaveLength(1);
		if (name !== 'operation') expect(displayOptions?.show?.operation).toHaveLength(1);
	}
});

test('what sends is offered first, and the others by their names', () => {
	const selector = properties.find(({ name }) => name === 'operation');
	const [first, second, ...others] = (selector?.options ?? []).map(({ name }) => name);
	expect([first, second]).toEqual(['Send for Signature', 'Send for Signature and Wait']);
	expect(others).toContain('Download');
	expect(others).toEqual([...others].sort());
});

describe('the form stays small enough to take in at a glance', () => {
	const maxControls = 9;
	const maxOptions = 4;

	/** What a person sees below a field's name: a form that is loaded has an entry for each value. */
	const controlsOf = ({ displayName, type, typeOptions }: INodeProperties): string[] => {
		const { slots, fields } = employmentContract;
		const { resourceMapperMethod, addAllFields } = typeOptions?.resourceMapper ?? {};
		if (type === 'notice') return [];
		if (type !== 'resourceMapper') return [displayName];
		if (resourceMapperMethod === 'getSignatoryRoles') {
			return slots.flatMap(({ label }) => [`${label}: Name`, `${label}: Email`]);
		}
		return fields.filter(({ isRequired }) => isRequired || addAllFields).map(({ label }) => label);
	};

	test(`"Employment contract" has at most ${maxControls} controls in Send for Signature`, () => {
		const chosen = {
			resource: 'document',
			operation: 'createFromTemplate',
			templateId: { __rl: true, mode: 'list', value: employmentContract.templateID },
		};
		const defaults = properties
			.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes(chosen.operation))
			.map(({ name, default: value }) => [name, value] as const);
		const values = { ...Object.fromEntries(defaults), ...chosen };
		const shown = properties.filter(
			(field) =>
				field.displayOptions?.show?.operation?.includes(chosen.operation) &&
				field.type !== 'collection' &&
				NodeHelpers.displayParameter(values, field, null, null),
		);
		const controls = shown.flatMap(controlsOf);
		expect(controls).toContain('Employee: Email');
		const remedy = 'make one of these an option, or show it only with what needs it';
		const tooMany = controls.length > maxControls ? [`${remedy}: ${controls.join(', ')}`] : [];
		expect(tooMany).toEqual([]);
	});

	test(`an operation has at most ${maxOptions} options`, () => {
		const tooMany = properties
			.filter(({ name, options = [] }) => name === 'options' && options.length > maxOptions)
			.map(
				({ displayOptions, options = [] }) =>
					`${displayOptions?.show?.operation?.join()}: remove one of ${options.map(({ name }) => name).join(', ')}, or move it to the credential`,
			);
		expect(tooMany).toEqual([]);
	});
});
