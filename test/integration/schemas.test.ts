import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { events } from '../../nodes/SignVerify/api/events';
import { operations } from '../../nodes/SignVerify/operations';
import type { EventType } from '../../sandbox';
import { root } from '../../scripts/tools';
import { action, trigger } from '../support/contexts';
import { filesIn, textOfFile } from '../support/files';
import {
	bodiesOfEvents,
	documentedEvents,
	realOutputs,
	schemaOf,
	type OutputSchema,
	withTrigger,
} from '../support/outputs';

/** By the names of their files, below a folder. */
type Files = Record<string, object>;

const ofTrigger = 'v1.1.0.json';

/** What the editor shows of a node's output before its first run: named as n8n looks for it. */
async function schemas(): Promise<Files> {
	const outputs = Object.entries(await realOutputs());
	return Object.fromEntries(
		outputs.map(([file, items]) => [
			file,
			{ ...schemaOf(file === ofTrigger ? knownOf(items) : items), version: 1 },
		]),
	);
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

/**
 * What a person pins on the trigger to build a workflow before anybody signs: its output for each event, as
 * the sandbox sends them. Form fields have their defaults, but the event that a document was sent has its
 * signing links, because nobody needs that event without them.
 */
async function samples(): Promise<Record<string, IDataObject[]>> {
	const bodies = await bodiesOfEvents();
	const made: Record<string, IDataObject[]> = {};
	for (const { name, type } of events) {
		const options = type === 'sendDocument' ? { include: ['signingLinks'] } : {};
		// Another n8n than that of the schemas, which had these events already.
		const { items } = await withTrigger(
			{ options },
			'samples',
			async (call) => await call({ body: bodies[type], event: type }),
		);
		expect(items.map(({ json }) => json.event)).toEqual([type]);
		made[
			`${name
				.replace(/^When (an? )?/, '')
				.toLowerCase()
				.replaceAll(' ', '-')}.json`
		] = items.map(({ json }) => json);
	}
	return made;
}

/** How to write what is not as it should be. */
const remedy = '(if not: npm run generate -- schemas)';

// Held against real output. `npm run generate -- schemas` runs this, too, and then the files are written first.
describe.each([
	{ folder: 'nodes/SignVerify/__schema__', make: schemas },
	{ folder: 'examples/data/events', make: samples },
])('$folder', ({ folder, make }) => {
	const place = path.join(root, folder);
	let made: Files;

	beforeAll(async () => {
		made = await make();
		if (process.env.SIGNVERIFY_SCHEMAS !== 'write') return;
		await rm(place, { recursive: true, force: true });
		for (const [file, content] of Object.entries(made)) {
			const target = path.join(place, file);
			await mkdir(path.dirname(target), { recursive: true });
			await writeFile(target, JSON.stringify(content));
		}
	});

	test(`has a file for everything, and no other ${remedy}`, () => {
		expect(filesIn(place).sort()).toEqual(Object.keys(made).sort());
	});

	test(`has what the nodes put out ${remedy}`, () => {
		for (const [file, content] of Object.entries(made)) {
			const written = JSON.parse(textOfFile(`${folder}/${file}`)) as unknown;
			expect([file, written]).toEqual([file, content]);
		}
	});
});

/** The names of the schemas, as n8n looks for them: by version, resource and operation. */
const schemaFiles = [
	...operations.map(({ resource, value }) => `v1.1.0/${resource}/${value}.json`),
	ofTrigger,
];

/** What fields of simplified output were once called. The service itself has `addedOn`. */
const oldNames = ['fileNames', 'pendingSignatories', 'linksExpire'];
const ofEvent = /\$json\.addedOn|json\.addedOn|, addedOn [,}]|^\t\t"addedOn"|`addedOn`/m;
const shown = ['examples', 'docs', 'bench', 'test/e2e', 'nodes/SignVerify/__schema__'].flatMap(
	(folder) =>
		filesIn(path.join(root, folder))
			.filter((file) => /\.(json|md|ts)$/.test(file))
			.map((file) => `${folder}/${file}`),
);

test.each(['README.md', 'llms.txt', ...shown])('%s has no name from before', (file) => {
	const text = textOfFile(file);
	const isRaw = file.includes('identity-') || file.startsWith('docs/dev/service');
	const found = oldNames.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
	expect([found, !isRaw && ofEvent.exec(text)?.[0]]).toEqual([[], isRaw ? false : undefined]);
});

test.each(operations.filter((operation) => !('waits' in operation && operation.waits)))(
	'an AI agent gets at most ten fields from $resource / $value (docs/dev/verification.md)',
	({ resource, value }) => {
		// It passes on what comes in.
		if (value === 'download') return;
		const text = textOfFile(`nodes/SignVerify/__schema__/v1.1.0/${resource}/${value}.json`);
		const { properties = {} } = JSON.parse(text) as OutputSchema;
		expect(Object.keys(properties).length).toBeLessThanOrEqual(10);
	},
);

/** Names of the service for what the nodes call by one name of their own. */
const ofService = [
	...['_id', 'documentID', 'templateID', 'webHookID', 'webHookUrl', 'sessionId', 'signatoryID'],
	...['emailID', 'emailId', 'userId', 'birthDateIso', 'isSigned', 'raw', 'missing', 'waitsUntil'],
];

test.each(schemaFiles)('the schema %s is there, and has one spelling for one thing', (file) => {
	expect([action, trigger].map(({ description }) => description.version)).toEqual([1.1, 1.1]);
	const names = (schema: OutputSchema): string[] => [
		// History is as the service gives it.
		...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
			name === 'logsStatus' ? [name] : [name, ...names(inner)],
		),
		...(schema.items ? names(schema.items) : []),
	];
	const text = textOfFile(`nodes/SignVerify/__schema__/${file}`);
	const found = names(JSON.parse(text) as OutputSchema);
	expect(found.filter((name) => ofService.includes(name))).toEqual([]);
});
