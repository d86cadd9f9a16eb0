import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { events } from '../../nodes/SignVerify/api/events';
import { operations } from '../../nodes/SignVerify/operations';
import type { EventType } from '../../sandbox';
import { root } from '../../scripts/tools';
import { action, trigger } from '../support/contexts';
import {
	bodiesOfEvents,
	documentedEvents,
	realOutputs,
	schemaOf,
	type Outputs,
	type OutputSchema,
} from '../support/outputs';
import { activeTrigger } from '../support/triggerNode';

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

test.each(files)('%s is real output (if not: npm run generate -- schemas)', (file) => {
	expect(written(file)).toEqual(expected(file));
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

// What a person pins on the trigger to build a workflow before anybody signs.
// `npm run generate -- samples` runs this, too, and then the files are written first.
const sampleFolder = path.join(root, 'examples/data/events');

/**
 * What the trigger puts out for each of its events, as the sandbox sends them: to be pinned in the
 * editor. Form fields have their defaults, but the event that a document was sent has its signing
 * links, because nobody needs that event without them.
 *
 * @returns The items by the name of their file in `examples/data/events`: the same at each call.
 */
async function eventSamples(): Promise<Record<string, IDataObject[]>> {
	const bodies = await bodiesOfEvents();
	const samples: Record<string, IDataObject[]> = {};
	for (const { name, value } of events) {
		const options = value === 'sendDocument' ? { include: ['signingLinks'] } : {};
		// Another n8n than that of the schemas, which had these events already.
		const { call } = activeTrigger({ options }, { instance: 'samples' });
		const { items } = await call({ body: bodies[value], event: value });
		const file = `${name.toLowerCase().replaceAll(' ', '-')}.json`;
		samples[file] = items.map(({ json }) => json);
	}
	return samples;
}

let samples: Record<string, IDataObject[]>;

beforeAll(async () => {
	samples = await eventSamples();
	if (process.env.SIGNVERIFY_SAMPLES !== 'write') return;
	await rm(sampleFolder, { recursive: true, force: true });
	await mkdir(sampleFolder, { recursive: true });
	for (const [file, items] of Object.entries(samples)) {
		await writeFile(path.join(sampleFolder, file), JSON.stringify(items));
	}
});

test('every event has a sample, and nothing else is there', () => {
	expect(readdirSync(sampleFolder).sort()).toEqual(Object.keys(samples).sort());
	const types = Object.values(samples).map(([item]) => item?.event);
	expect(types.sort()).toEqual(events.map(({ value }) => value).sort());
});

test('each is what the trigger puts out (if not: npm run generate -- samples)', () => {
	for (const [file, items] of Object.entries(samples)) {
		const written = JSON.parse(readFileSync(path.join(sampleFolder, file), 'utf8')) as unknown;
		expect([file, written]).toEqual([file, items]);
	}
});
