import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { eventRow, events } from '../../nodes/SignVerify/api/events';
import { operations } from '../../nodes/SignVerify/operations/nodeForm';
import { root } from '../../scripts/tools';
import { action, trigger } from '../support/contexts';
import { filesIn, textOfFile } from '../support/files';
import { newProcess } from '../support/newProcess';
import {
	bodiesOfEvents,
	realOutputs,
	schemaOf,
	type OutputSchema,
	withTrigger,
} from '../support/outputs';

/** The contents of the files in a folder, by path. */
type Files = Record<string, object>;

const ofTrigger = 'v1.1.0.json';

/**
 * The schemas that let the editor show each output before the first execution, keyed by the file name that
 * n8n expects.
 */
async function schemas(): Promise<Files> {
	const outputs = Object.entries(await realOutputs());
	return Object.fromEntries(
		outputs.map(([file, items]) => [file, { ...schemaOf(items), version: 1 }]),
	);
}

/**
 * Sample events that users pin on the trigger to build a workflow before anyone has signed. Each one is the
 * trigger's output for an event from the sandbox. All fields of the trigger's form have their default values,
 * with one exception: the event "document sent" includes the signing links, because workflows use that event
 * to get the links.
 */
async function samples(): Promise<Record<string, IDataObject[]>> {
	const bodies = await bodiesOfEvents();
	const made: Record<string, IDataObject[]> = {};
	for (const { name, type } of events) {
		const options = type === 'sendDocument' ? { include: ['signingLinks'] } : {};
		// Each trigger has its own account and secret. A process looks up unknown secrets at most once a
		// second, so each trigger needs a new process.
		newProcess();
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

/** The command that regenerates the files. */
const remedy = '(otherwise, run "npm run generate -- schemas")';

// Compares the files with real output. `npm run generate -- schemas` also runs this test, but writes the
// files first.
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

	test(`has exactly one file for each output ${remedy}`, () => {
		expect(filesIn(place).sort()).toEqual(Object.keys(made).sort());
	});

	test(`matches what the nodes return ${remedy}`, () => {
		for (const [file, content] of Object.entries(made)) {
			const written = JSON.parse(textOfFile(`${folder}/${file}`)) as unknown;
			expect([file, written]).toEqual([file, content]);
		}
	});
});

/** The paths where n8n looks for schemas. They contain the version, resource and operation. */
const schemaFiles = [
	...operations.map(({ resource, value }) => `v1.1.0/${resource}/${value}.json`),
	ofTrigger,
];

/**
 * Former names of fields in simplified output. `addedOn` is not listed, because the service itself uses that
 * name.
 */
const oldNames = ['fileNames', 'pendingSignatories', 'linksExpire'];
const ofEvent = /\$json\.addedOn|json\.addedOn|, addedOn [,}]|^\t\t"addedOn"|`addedOn`/m;
const shown = ['examples', 'docs', 'bench', 'test/e2e', 'nodes/SignVerify/__schema__'].flatMap(
	(folder) =>
		filesIn(path.join(root, folder))
			.filter((file) => /\.(json|md|ts)$/.test(file))
			.map((file) => `${folder}/${file}`),
);

test.each(['README.md', 'llms.txt', ...shown])(
	'%s contains no outdated output field names',
	(file) => {
		const text = textOfFile(file);
		// The output of an event without a documented body is the body itself.
		const [, event] = /^\t\t"event": "(\w+)"/m.exec(text) ?? [];
		const isBody = event !== undefined && eventRow(event)?.body === undefined;
		const isRaw = isBody || file.startsWith('docs/dev/service');
		const found = oldNames.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
		expect(found).toEqual([]);
		if (!isRaw) expect(text).not.toMatch(ofEvent);
	},
);

// Download outputs its input's fields, no matter how many there are. AI agents can't use waiting operations.
const ownFieldsForAgents = operations.filter(
	(operation) => operation.value !== 'download' && !('waits' in operation && operation.waits),
);

test.each(ownFieldsForAgents)(
	'an AI agent gets at most ten fields from $resource / $value (see docs/dev/verification.md)',
	({ resource, value }) => {
		const text = textOfFile(`nodes/SignVerify/__schema__/v1.1.0/${resource}/${value}.json`);
		const { properties = {} } = JSON.parse(text) as OutputSchema;
		expect(Object.keys(properties).length).toBeLessThanOrEqual(10);
	},
);

/** The service's field names that are replaced with the nodes' own names in simplified output. */
const ofService = [
	'_id',
	'documentID',
	'templateID',
	'webHookID',
	'webHookUrl',
	'sessionId',
	'signatoryID',
	'emailID',
	'emailId',
	'userId',
	'identitySessionId',
	'logsStatus',
	'formAnswer',
	'signing',
	'birthDateIso',
	'isSigned',
	'raw',
	'missing',
	'waitsUntil',
];

test.each(schemaFiles)("the schema %s uses the nodes' field names, not the service's", (file) => {
	expect([action, trigger].map(({ description }) => description.version)).toEqual([1.1, 1.1]);
	const names = (schema: OutputSchema): string[] => [
		...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [name, ...names(inner)]),
		...(schema.items ? names(schema.items) : []),
	];
	const text = textOfFile(`nodes/SignVerify/__schema__/${file}`);
	const found = names(JSON.parse(text) as OutputSchema);
	expect(found.filter((name) => ofService.includes(name))).toEqual([]);
});
