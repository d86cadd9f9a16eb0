import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { operations, resources } from '../../nodes/SignVerify/operations';
import { root } from '../../scripts/tools';
import { DocumentedPart, tableOf } from '../support/documentedPart';
import { textOfFile } from '../support/files';
import type { OutputSchema } from '../support/outputs';
import { blocksOf, expectToSay, readPage } from './markdown';

// The pages must name the fields in the schemas. `npm run generate -- schemas` generates the schemas from
// real output.
function schemaOf(name: string): OutputSchema {
	const file = path.join(root, 'nodes/SignVerify/__schema__', `v1.1.0${name}.json`);
	if (!existsSync(file)) {
		throw new Error(`${name} has no schema: npm run generate -- schemas, then -- outputs`);
	}
	return JSON.parse(readFileSync(file, 'utf8')) as OutputSchema;
}
const fieldsOf = ({ properties = {} }: OutputSchema) => Object.keys(properties);

/** Fields that an event contains only if an option requests them, or if the event is about an identity. */
const ofOptions = ['answers', 'answersLeftOut', 'history', 'historyLeftOut'];
const ofIdentity = ['passed', 'validationId', 'email', 'customerId'];
/** Fields that only the items of One Item per Person contain, apart from those of an identity. */
const ofPerson = ['name', 'signed', 'signedAt', 'completedAt', 'ip', 'signingLink'];
const notAlways = [...ofOptions, ...ofIdentity, ...ofPerson];
const notAlwaysOfEach = ['signingLink', 'expiresAt', 'ip'];

/** A field as a page shows it. For a list, the fields of its entries follow in parentheses. */
function shown([name, { items }]: [string, OutputSchema]): string {
	const inner = items ? fieldsOf(items).filter((name) => !notAlwaysOfEach.includes(name)) : [];
	const words = inner.map((name) => `\`${name}\``).join(', ');
	return `\`${name}\`${words && ` (${words})`}`;
}

/** The table of all operations, in the same order as in the form. */
function tableOfOutputs(): string {
	const ofEvents = fieldsOf(schemaOf(''));
	const ofSending = fieldsOf(schemaOf('/document/send'));
	const order = Object.keys(resources);
	const inOrder = [...operations].sort(
		(left, right) => order.indexOf(left.resource) - order.indexOf(right.resource),
	);
	const rows = inOrder.map((operation) => {
		const { resource, value, name } = operation;
		const words = `${resources[resource].name}: ${name}`;
		if (value === 'download')
			return [
				words,
				'the input item, with [the files](signed-files.md) in binary fields, and their checksums, such as `documentSha256`',
			];
		const { properties = {} } = schemaOf(`/${resource}/${value}`);
		const fields = Object.entries(properties);
		if (!('waits' in operation) || resource !== 'document')
			return [words, fields.map(shown).join(', ')];
		// An operation that waits for a document outputs the fields of an event or those of the sent
		// document. This row does not repeat them.
		const repeated = [...ofEvents, ...ofSending.filter((name) => name !== 'outcome'), 'waitUntil'];
		const own = fields.filter(([field]) => !repeated.includes(field)).map(shown);
		return [
			words,
			`${own.join(', ')}, and either the event's fields or, if the time limit was reached, the fields of Send for Signature and \`waitUntil\``,
		];
	});
	return tableOf(['Operation', 'Fields of each item'], rows);
}

test('docs/operations.md lists the output fields of every operation', async () => {
	const part = new DocumentedPart('docs/operations.md', 'outputs');
	await part.expectToBe(tableOfOutputs(), 'outputs');
});

test('docs/operations.md explains what each operation does', () => {
	const { prose } = readPage('docs/operations.md');
	const [beginning = ''] = prose.split('\n## ');
	const described = [...beginning.matchAll(/^\| (\w+: [^|]+?) +\|/gm)].map(([, name]) => name);
	const names = operations.map(({ resource, name }) => `${resources[resource].name}: ${name}`);
	expect(described.sort()).toEqual(names.sort());
});

test('README.md lists the operations of each resource', () => {
	for (const [resource, { name }] of Object.entries(resources)) {
		const names = operations.filter((each) => each.resource === resource).map((each) => each.name);
		expectToSay('README.md', `**${name}:** ${names.join(', ')}`);
	}
});

/** All names in backticks. */
const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

test('docs/trigger.md lists the fields of events and their signatories', () => {
	const { prose } = readPage('docs/trigger.md');
	const [, table = ''] = /\| Field .*\n\|.*\n((?:\|.*\n)+)/.exec(prose) ?? [];
	const rows = table
		.trim()
		.split('\n')
		.map((line) => line.split('|').map((cell) => cell.trim()));
	const { properties = {} } = schemaOf('');
	const ofEvent = Object.keys(properties).filter((name) => !notAlways.includes(name));
	expect(rows.flatMap(([, names = '']) => namesIn(names)).sort()).toEqual(ofEvent.sort());
	const [, , ofEach = ''] = rows.find(([, name]) => name === '`signatories`') ?? [];
	const inEach = fieldsOf(properties.signatories?.items ?? {});
	expect(namesIn(ofEach).sort()).toEqual(
		inEach.filter((name) => !notAlwaysOfEach.includes(name)).sort(),
	);
});

test('docs/trigger.md shows the item of a sample event', () => {
	const [sample] = JSON.parse(textOfFile('examples/data/events/everyone-has-signed.json')) as [
		object,
	];
	const [shown] = blocksOf([readPage('docs/trigger.md')], 'json');
	expect(JSON.parse(shown?.text ?? '')).toEqual(sample);
});
