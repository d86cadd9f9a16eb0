import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import Ajv from 'ajv';
import type { IDataObject } from 'n8n-workflow';

import { operations } from '../../nodes/SignVerify/operations';
import type { EventType } from '../../sandbox';
import { root } from '../../scripts/tools';
import { action, trigger } from '../support/contexts';
import {
	documentedEvents,
	realOutputs,
	schemaOf,
	type Outputs,
	type OutputSchema,
} from '../support/outputs';

// What the editor shows of a node's output before its first run, held against real output.
// `npm run generate -- schemas` runs this, too, and then the files are written first.
const folder = path.join(root, 'nodes/SignVerify/__schema__');
const writes = process.env.SIGNVERIFY_SCHEMAS === 'write';

/** The names of the files, as n8n looks for them: by version, resource and operation. */
const ofOperations = operations.map(({ resource, value }) => `v1.1.0/${resource}/${value}.json`);
const ofTrigger = 'v1.1.0.json';
const files = [...ofOperations, ofTrigger].sort();

let outputs: Outputs;

/** A schema by what was really put out. */
function expected(file: string): OutputSchema & { version: number } {
	const items = outputs[file] ?? [];
	return { ...schemaOf(file === ofTrigger ? knownOf(items) : items), version: 1 };
}

/**
 * Nobody has shown the bodies of some events, and the trigger passes them on: of those the schema
 * has only what documented events have, too.
 */
function knownOf(items: IDataObject[]): IDataObject[] {
	const isDocumented = ({ event }: IDataObject) => documentedEvents.includes(event as EventType);
	const names = new Set(items.filter(isDocumented).flatMap((item) => Object.keys(item)));
	// The node's own words for an identity event.
	names.add('validationId').add('passed');
	return items.map((item) =>
		Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name))),
	);
}

function written(file: string): OutputSchema {
	return JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as OutputSchema;
}

async function write(): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	for (const file of Object.keys(outputs)) {
		const target = path.join(folder, file);
		await mkdir(path.dirname(target), { recursive: true });
		await writeFile(target, JSON.stringify(expected(file)));
	}
}

beforeAll(async () => {
	outputs = await realOutputs();
	if (writes) await write();
}, 60_000);

test('every operation, and the trigger, has one', () => {
	expect([action, trigger].map(({ description }) => description.version)).toEqual([1.1, 1.1]);
	const present = existsSync(folder)
		? readdirSync(folder, { recursive: true })
				.map((file) => String(file).replaceAll(path.sep, '/'))
				.filter((file) => file.endsWith('.json'))
		: [];
	const folderWords = 'nodes/SignVerify/__schema__';
	const wrong = [
		...files.filter((file) => !present.includes(file)).map((file) => `${file} is missing`),
		...present.filter((file) => !files.includes(file)).map((file) => `${file} is of no operation`),
	].map((words) => `${folderWords}/${words}: run npm run generate -- schemas`);
	expect(wrong).toEqual([]);
	expect(Object.keys(outputs).sort()).toEqual(files);
});

describe.each(files)('%s', (file) => {
	test('is what real output looks like (if not: npm run generate -- schemas)', () => {
		expect(written(file)).toEqual(expected(file));
	});

	test('real output is valid by it, and output of other types is not', () => {
		const isValid = new Ajv({ strict: false }).compile(written(file));
		const items = outputs[file] ?? [];
		expect(items.length).toBeGreaterThan(0);
		for (const item of items) {
			expect([item, isValid(item), isValid.errors]).toEqual([item, true, null]);
		}
		const [name = ''] = Object.keys(written(file).properties ?? {});
		expect(isValid({ ...items[0], [name]: { not: 'this' } })).toBe(false);
	});

	test('holds names and types, no value', () => {
		const names = new Set<string>();
		const visit = ({ properties = {}, items, ...rest }: OutputSchema): void => {
			Object.keys(rest).forEach((name) => names.add(name));
			for (const type of [rest.type].flat()) {
				expect(['object', 'array', 'string', 'number', 'boolean', 'null']).toContain(type);
			}
			Object.values(properties).forEach(visit);
			if (items) visit(items);
		};
		visit(written(file));
		for (const name of names) expect(['type', 'version', 'nullable']).toContain(name);
	});
});

/** Names of the service for what the nodes call by one name of their own. */
const ofService = [
	...['_id', 'documentID', 'templateID', 'webHookID', 'webHookUrl', 'sessionId', 'signatoryID'],
	...['emailID', 'emailId', 'userId', 'birthDateIso', 'isSigned', 'raw', 'missing', 'waitsUntil'],
];

test.each(files)('%s has one spelling for one thing', (file) => {
	const names = (schema: OutputSchema): string[] => [
		// History is as the service gives it.
		...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
			name === 'logsStatus' ? [name] : [name, ...names(inner)],
		),
		...(schema.items ? names(schema.items) : []),
	];
	expect(names(written(file)).filter((name) => ofService.includes(name))).toEqual([]);
});

test('the editor can show at least the most wanted fields', () => {
	const shown = (file: string) => Object.keys(written(file).properties ?? {});
	const completed = ['documentId', 'status', 'signatories', 'documentUrl', 'certificateUrl'];
	for (const file of [ofTrigger, 'v1.1.0/document/sendAndWait.json']) {
		expect(shown(file)).toEqual(expect.arrayContaining(completed));
	}
	const included = ['formAnswer', 'documentHash', 'logsStatus', 'validationId', 'passed'];
	expect(shown(ofTrigger)).toEqual(expect.arrayContaining(included));
	const ofEach = ['signedAt', 'signing', 'fieldArray', 'isInvalidSignature'];
	const { items } = written(ofTrigger).properties?.signatories ?? {};
	expect(Object.keys(items?.properties ?? {})).toEqual(
		expect.arrayContaining([...ofEach, 'invalidSignatureReason']),
	);
	// What was read from a person's ID is put out only when asked for.
	expect(shown('v1.1.0/identity/getResults.json')).not.toContain('ocr');
});
