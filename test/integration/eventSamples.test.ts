import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { events, identityEvent } from '../../nodes/SignVerify/api/events';
import { startSandbox, type EventType, type Sandbox } from '../../sandbox';
import { root } from '../../scripts/tools';
import { clientOf } from '../support/credentials';
import { activeTrigger } from '../support/triggerNode';

// What a person pins on the trigger to build a workflow before anybody signs.
// `npm run generate -- samples` runs this, too, and then the files are written first.
const folder = path.join(root, 'examples/data/events');

const zoe = { name: 'Zoë Åkerström', email: 'zoe@example.com' };
const mateo = { name: 'Mateo Ibarra', email: 'mateo@example.com' };

/** One person signs it. */
const contract = {
	templateID: '65f1c0de0000000000000201',
	country: 'United States',
	inputs: {
		employee_name: zoe.name,
		role: 'Data Analyst',
		start_date: '2027-02-01',
		employer: 'Example Company Ltd',
		workplace: 'Main office, 1 Example Street, Springfield',
	},
	signatories: [zoe],
};

/** Two people sign it, so that one of them can be missing. */
const agreement = {
	templateID: '65f1c0de0000000000000202',
	country: 'United States',
	inputs: {
		first_party: 'Example Company Ltd',
		second_party: 'Another Example Inc',
		purpose: 'A joint offer',
		effective_date: '2027-02-01',
	},
	signatories: [zoe, mateo],
};

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

/** The body of each event, by its type. */
async function bodiesOfEvents(): Promise<IDataObject> {
	const sandbox = await startSandbox();
	try {
		const client = clientOf(sandbox);
		for (const { value } of events) await client.registerWebhook(value, `${sandbox.url}/nobody`);
		const bodies: Partial<Record<EventType, unknown>> = {};
		const note = async (type: EventType, id: string): Promise<void> => {
			bodies[type] = (await sandbox.fire(type, id))[0]?.body;
		};
		sandbox.clock.set({ at: '2027-01-11T09:00Z', frozen: true });
		const contractId = await client.createDocument(contract);
		const agreementId = await client.createDocument(agreement);
		await note('sendDocument', contractId);
		await note('pendingBiometric', contractId);
		await note('failedBiometric', contractId);
		await note('failedBiometricRequest', contractId);
		sandbox.clock.set({ at: '2027-01-11T10:30Z' });
		await sandbox.sign(contractId, zoe.email);
		await note('completedDocument', contractId);
		await sandbox.sign(agreementId, mateo.email);
		await note('signDocument', agreementId);
		await client.requestIdentity(zoe.email);
		const validationId = sandbox.identityRequests()[0]?.validationId ?? '';
		await sandbox.completeIdentity(validationId, 'pass');
		await note(identityEvent, validationId);
		return withFixedValues(bodies, sandbox);
	} finally {
		await sandbox.close();
	}
}

/** Puts values of one length in the place of those that the sandbox makes up anew each time. */
function withFixedValues(bodies: object, { url }: Sandbox): IDataObject {
	const ids = new Map<string, string>();
	const fixedId = (id: string): string => {
		const fixed = ids.get(id) ?? `65f1c0de0000000000001${String(ids.size + 1).padStart(3, '0')}`;
		ids.set(id, fixed);
		return fixed;
	};
	const text = JSON.stringify(bodies)
		.replaceAll(url, 'https://sign.example.com')
		.replace(/(?<=\/sign\/)[\w-]+/g, 'a-secret-that-this-sample-has-not')
		.replace(/(?<=signature=)\w+/g, 'none')
		// Those of the templates are always the same.
		.replace(/\b(?!65f1c0de)[\da-f]{24}\b/g, fixedId);
	return JSON.parse(text) as IDataObject;
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
