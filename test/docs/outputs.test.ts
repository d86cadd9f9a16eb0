import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { operations, resources } from '../../nodes/SignVerify/operations/nodeForm';
import { isObject } from '../../nodes/SignVerify/util/values';
import { root } from '../../scripts/tools';
import { textOfFile } from '../support/files';
import type { OutputSchema } from '../support/outputs';
import { blocksOf, readPage } from './markdown';

// The pages must name the fields in the schemas. `npm run generate -- schemas` generates the schemas from
// real output.
function schemaOf(name: string): OutputSchema {
	const file = path.join(root, 'nodes/SignVerify/__schema__', `v1.1.0${name}.json`);
	if (!existsSync(file)) {
		throw new Error(`${name} has no schema: npm run generate -- schemas`);
	}
	return JSON.parse(readFileSync(file, 'utf8')) as OutputSchema;
}
const fieldsOf = ({ properties = {} }: OutputSchema) => Object.keys(properties);

/** Fields that an event contains only if an option requests them, or if the event is about an identity. */
const ofOptions = ['history', 'historyLeftOut'];
const ofIdentity = ['passed', 'validationId', 'email', 'customerId'];
/** Fields that only the items of One Item per Person contain, apart from those of an identity. */
const ofPerson = [
	'rowId',
	'name',
	'people',
	'signed',
	'signedAt',
	'completedAt',
	'ip',
	'signingLink',
];
const notAlways = [...ofOptions, ...ofIdentity, ...ofPerson];
const notAlwaysOfEach = ['signingLink', 'expiresAt', 'ip'];

/** The names of an item's fields, and of the fields of its objects and lists, as in `signatories.email`. */
function namesOf(value: unknown, before = ''): string[] {
	if (Array.isArray(value)) return [...new Set(value.flatMap((entry) => namesOf(entry, before)))];
	if (!isObject(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		before + name,
		...namesOf(inner, `${before}${name}.`),
	]);
}

/** The same names, from a schema. */
function namesInSchema({ properties = {}, items }: OutputSchema, before = ''): string[] {
	if (items) return namesInSchema(items, before);
	return Object.entries(properties).flatMap(([name, inner]) => [
		before + name,
		...namesInSchema(inner, `${before}${name}.`),
	]);
}

const ofEachOperation = operations.map((operation) => ({
	...operation,
	heading: `${resources[operation.resource].name}: ${operation.name}`,
}));

const operationSections = textOfFile('docs/operations.md').split(/\n(?=##+ )/);
const sectionOf = (heading: string) =>
	operationSections.find((section) => section.startsWith(`### ${heading}\n`)) ?? '';
const jsonIn = (text: string) => /```json\n(.*?)```/s.exec(text)?.[1];

/** The section that shows the output of an operation, if that's another one: the first that its own section links to. */
function linkedFrom(section: string): string {
	const [, file = '', anchor = ''] = /\]\(([\w-]+\.md)?#([\w-]+)\)/.exec(section) ?? [];
	if (file) return textOfFile(`docs/${file}`);
	const linked = ofEachOperation.find(
		({ heading }) => heading.toLowerCase().replace(':', '').replaceAll(' ', '-') === anchor,
	);
	return sectionOf(linked?.heading ?? '');
}

// The outputs on the page were taken from a run with the sandbox. The schemas are generated from such runs.
test.each(ofEachOperation)(
	'docs/operations.md shows an output of $heading, or links to one, with the fields of its schema',
	({ resource, value, heading, about }) => {
		const section = sectionOf(heading);
		const own = jsonIn(section);
		const shownOutput = own ?? jsonIn(linkedFrom(section));
		if (shownOutput === undefined)
			throw new Error(
				`docs/operations.md shows no output of this operation: add the section "### ${heading}" with the output as a json block, or with a link to the section of an operation that has the same output`,
			);
		const names = namesOf(JSON.parse(shownOutput));
		const possible = namesInSchema(schemaOf(`/${resource}/${value}`));
		// A section that links to another operation's output names the fields that this operation leaves out.
		const leftOut = own ? [] : namesIn(section);
		expect(names.filter((name) => !possible.includes(name) && !leftOut.includes(name))).toEqual([]);
		if (own && about) expect(names).toEqual(possible.filter((name) => names.includes(name)));
		// Download outputs its input, and a wait the fields of an event as well, which docs/trigger.md explains.
		if (value === 'download') return;
		const explained = namesIn(
			['operations', 'trigger', 'waiting'].map((page) => textOfFile(`docs/${page}.md`)).join('\n'),
		);
		const shown = new Set(names);
		expect(
			possible.filter(
				(name) => !shown.has(name) && !explained.includes(name.split('.').at(-1) ?? ''),
			),
		).toEqual([]);
	},
);

test('docs/operations.md explains what each operation does, and names its action', () => {
	const { prose } = readPage('docs/operations.md');
	const [beginning = ''] = prose.split('\n## ');
	const rows = [...beginning.matchAll(/^\| (\w+: [^|]+?) +\| ([^|]+?) +\|/gm)];
	const described = rows.map(([, name, action]) => `${name} (${action})`);
	const names = ofEachOperation.map(({ heading, action }) => `${heading} (${action})`);
	expect(described.sort()).toEqual(names.sort());
});

/** All names in backticks. */
const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

test('docs/trigger.md lists the fields of events and their signatories', () => {
	const { prose } = readPage('docs/trigger.md');
	const [ofDocument = [], ofSignatory = []] = [
		...prose.matchAll(/\| Field .*\n\|.*\n((?:\|.*\n)+)/g),
	].map(([, table = '']) => namesIn(table.replaceAll(/^(\| [^|]*\|).*/gm, '$1')));
	const { properties = {} } = schemaOf('');
	const inEvent = Object.keys(properties).filter((name) => !notAlways.includes(name));
	expect(ofDocument.sort()).toEqual(inEvent.sort());
	const inEach = fieldsOf(properties.signatories?.items ?? {});
	expect(ofSignatory.sort()).toEqual(
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
