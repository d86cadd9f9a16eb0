import { readdirSync } from 'node:fs';
import path from 'node:path';

import { operations, properties, resources } from '../../nodes/SignVerify/operations/nodeForm';
import type { Operation } from '../../nodes/SignVerify/operations/operationTypes';
import { root } from '../../scripts/tools';

const isOperation = (value: unknown): value is Operation =>
	typeof value === 'object' && value !== null && 'resource' in value && 'action' in value;

test('The registry contains every operation that a file exports', async () => {
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

test('Operations with Limit Wait Time are marked as waiting', () => {
	const limited = operations.filter(({ fields }) =>
		fields.some(({ name }) => name === 'limitWaitTime'),
	);
	expect(limited).toHaveLength(2);
	expect(operations.filter(({ waits }) => waits)).toEqual(limited);
});

test('Each resource selects its default operation', () => {
	for (const [resource, { defaultOperation }] of Object.entries(resources)) {
		expect(
			operations.some(
				(operation) => operation.resource === resource && operation.value === defaultOperation,
			),
		).toBe(true);
	}
	const selectors = properties.filter(({ name }) => name === 'operation');
	expect(selectors.map(({ default: chosen }) => chosen)).toEqual(
		selectors.map(({ displayOptions }) => {
			const [resource] = (displayOptions?.show?.resource ?? []) as Array<keyof typeof resources>;
			return resource && resources[resource].defaultOperation;
		}),
	);
});

test('A field is shown only for its operation', () => {
	for (const { name, displayOptions } of properties) {
		if (name === 'resource') continue;
		expect(displayOptions?.show?.resource).toHaveLength(1);
		if (name !== 'operation') expect(displayOptions?.show?.operation).toHaveLength(1);
	}
});

test('Sending operations come first, followed by the others in alphabetical order', () => {
	const selector = properties.find(({ name }) => name === 'operation');
	const [first, second, ...others] = (selector?.options ?? []).map(({ name }) => name);
	expect(first).toBe('Send for Signature');
	expect(second).toBe('Send for Signature and Wait');
	expect(others).toContain('Download');
	expect(others).toEqual([...others].sort());
});
