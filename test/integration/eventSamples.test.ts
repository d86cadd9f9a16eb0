import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { events } from '../../nodes/SignVerify/api/events';
import { root } from '../../scripts/tools';
import { bodiesOfEvents } from '../support/outputs';
import { activeTrigger } from '../support/triggerNode';

// What a person pins on the trigger to build a workflow before anybody signs.
// `npm run generate -- samples` runs this, too, and then the files are written first.
const folder = path.join(root, 'examples/data/events');

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
		const { items } = await activeTrigger({ options }).call({ body: bodies[value], event: value });
		const file = `${name.toLowerCase().replaceAll(' ', '-')}.json`;
		samples[file] = items.map(({ json }) => json);
	}
	return samples;
}

let samples: Record<string, IDataObject[]>;

beforeAll(async () => {
	samples = await eventSamples();
	if (process.env.SIGNVERIFY_SAMPLES !== 'write') return;
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	for (const [file, items] of Object.entries(samples)) {
		await writeFile(path.join(folder, file), JSON.stringify(items));
	}
});

test('every event has a sample, and nothing else is there', () => {
	expect(readdirSync(folder).sort()).toEqual(Object.keys(samples).sort());
	const types = Object.values(samples).map(([item]) => item?.event);
	expect(types.sort()).toEqual(events.map(({ value }) => value).sort());
});

test('each is what the trigger puts out (if not: npm run generate -- samples)', () => {
	for (const [file, items] of Object.entries(samples)) {
		const written = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as unknown;
		expect([file, written]).toEqual([file, items]);
	}
});

test('what a workflow is built on is in them: an open link, one who is missing, signed files', () => {
	const of = (file: string) => samples[`${file}.json`]?.[0];
	expect(of('document-sent')).toMatchObject({
		signatories: [{ signing: { url: expect.stringContaining('https://') as string } }],
	});
	expect(of('document-signed-by-one')).toMatchObject({
		pendingSignatories: 1,
		signatory: { email: 'mateo@example.com' },
		notSignedEmails: 'zoe@example.com',
	});
	expect(of('document-completed')).toMatchObject({ status: 'COMPLETED', pendingSignatories: 0 });
	expect(of('document-completed')?.documentUrl).toMatch(/^https:/);
	// Nothing of the machine on which they were made.
	expect(JSON.stringify(samples)).not.toMatch(/127\.0\.0\.1|localhost/);
});
