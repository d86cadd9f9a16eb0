import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import axios from 'axios';
import type { Document } from '../../sandbox/schemas';
import {
	create,
	PEOPLE,
	POSITION,
	receiver,
	register,
	signedIn,
	start,
	stopAll,
} from './serviceKit';
import { png } from './documents.png';

afterEach(stopAll);

/** An element of a PDF's structure, or a piece of the page that belongs to one. */
interface Element {
	role?: string;
	alt?: string;
	type?: string;
	id?: string;
	children?: Element[];
}

interface Structure {
	language: string;
	title: string;
	isMarked: boolean;
	preferences: { DisplayDocTitle?: boolean };
	metadata: string;
	pages: Array<{
		structure: Element;
		items: Array<{ type?: string; id?: string | null; tag?: string; str?: string }>;
	}>;
}

async function structureOf(pdf: Buffer): Promise<Structure> {
	const worker = new Worker(join(__dirname, 'pdfStructure.cjs'), {
		workerData: new Uint8Array(pdf),
	});
	try {
		return await new Promise<Structure>((resolve, reject) => {
			worker.once('message', (answer: { result?: Structure; failure?: string }) => {
				if (answer.result) resolve(answer.result);
				else reject(new Error(answer.failure));
			});
			worker.once('error', reject);
		});
	} finally {
		await worker.terminate();
	}
}

function all(element: Element): Element[] {
	return [element, ...(element.children ?? []).flatMap(all)];
}

/** Text by what a screen reader makes of it. */
function textOf({ structure, items }: Structure['pages'][number]) {
	const owner = new Map<string, string>();
	for (const { role = '', children = [] } of all(structure)) {
		for (const { type, id } of children) if (type === 'content' && id) owner.set(id, role);
	}
	const open: Array<{ tag: string; id: string }> = [];
	const read: Array<[role: string, text: string]> = [];
	for (const { type, id, tag = '', str = '' } of items) {
		if (type?.startsWith('beginMarkedContent')) open.push({ tag, id: id ?? '' });
		else if (type === 'endMarkedContent') open.pop();
		else if (str.trim()) {
			const inner = open.at(-1);
			read.push([owner.get(inner?.id ?? '') ?? inner?.tag ?? 'nothing', str]);
		}
	}
	return read;
}

/** A document of two people, of whom one drew and one typed, with what is said about it. */
async function signed(generation: 'v1' | 'v2') {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hook = await receiver();
	await register(http, hook.url, 'sendDocument', 'signDocument', 'completedDocument');
	const positions = generation === 'v1' ? { staticSignPositions: [POSITION] } : {};
	const signatories = PEOPLE.slice(0, 2);
	const { data } = await create(sandbox, http, generation, { signatories, ...positions });
	const { documentID, signatory } = data.responseData;
	await sandbox.idle();
	const dataUrl = `data:image/png;base64,${png(120, 40).toString('base64')}`;
	sandbox.clock.set({ advance: '3h' });
	await fetch(signatory[0]?.signing.url ?? '');
	sandbox.clock.set({ advance: '1h' });
	await sandbox.sign(documentID, 'ana@example.com', { kind: 'drawn', dataUrl });
	sandbox.clock.set({ advance: '1h' });
	await sandbox.sign(documentID, 'ben@example.com');
	await sandbox.idle();
	const { Document } = hook.got.at(-1)?.body ?? {};
	const file = async (url = '') => {
		const { data: content } = await axios.get<Buffer>(url, { responseType: 'arraybuffer' });
		return structureOf(content);
	};
	return { sandbox, hook, Document, file };
}

test.each(['v1', 'v2'] as const)(
	'all of a %s document can be read by a screen reader',
	async (generation) => {
		const { Document, file } = await signed(generation);
		const files = [Document?.documentURL, Document?.certificateURL, Document?.pscCertificateURL];
		for (const pdf of await Promise.all(files.map(file))) {
			expect(pdf).toMatchObject({ language: 'en', isMarked: true });
			expect(pdf.preferences.DisplayDocTitle).toBe(true);
			expect(pdf.metadata).toContain('<pdfuaid:part>1</pdfuaid:part>');
			expect(pdf.metadata).toContain(`>${pdf.title}<`);
			const read = pdf.pages.flatMap(textOf);
			// Nothing is untagged, and only footers and repeated titles are not read out.
			expect(read.filter(([role]) => ['nothing', 'Span'].includes(role))).toEqual([]);
			const silent = read.filter(([role]) => role === 'Artifact').map(([, text]) => text);
			expect(silent.filter((text) => !/^(?:.* · .*|·|Page \d+ of \d+)$/.test(text.trim()))).toEqual(
				[],
			);
			const roles = new Set(
				pdf.pages.flatMap(({ structure }) => all(structure)).map((one) => one.role),
			);
			expect([...roles]).toEqual(
				expect.arrayContaining(['Document', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD']),
			);
			expect(
				read
					.filter(([role]) => role === 'H1')
					.map(([, text]) => text)
					.join(' '),
			).toBe(pdf.title);
		}
	},
);

test('a drawn signature says whose it is; rows of people have a heading', async () => {
	const { Document, file } = await signed('v2');
	const { pages } = await file(Document?.documentURL);
	const elements = pages.flatMap(({ structure }) => all(structure));
	expect(elements.filter(({ role }) => role === 'Figure').map(({ alt }) => alt)).toEqual([
		'Signature of Ana Torres, drawn by hand',
	]);
	const rows = elements.filter(({ role }) => role === 'TR');
	expect(rows.map(({ children = [] }) => children.map(({ role }) => role))).toEqual([
		['TH', 'TD', 'TD'],
		['TH', 'TD', 'TD'],
	]);
});

test('one event has one time: in the log, the resource, the notification, and on both papers', async () => {
	const { Document, hook, sandbox, file } = await signed('v2');
	const of = (type: string) => hook.got.filter(({ body }) => body.type === type);
	const log = (type: string) =>
		(Document?.logsStatus ?? []).filter(({ operationType }) => operationType === type);
	const times = (type: string) => log(type).map(({ addedOn }) => addedOn);
	expect(of('signDocument').map(({ body }) => body.addedOn)).toEqual(times('SIGNED'));
	expect(of('sendDocument').map(({ body }) => body.addedOn)).toEqual(times('SENT_FOR_SIGNATURE'));
	const [completed] = of('completedDocument');
	expect(completed?.body.addedOn).toBe(times('SIGNED')[1]);
	expect(Document?.modifiedOn).toBe(completed?.body.addedOn);
	expect(times('STORED_BLOCKCHAIN')).toEqual([completed?.body.addedOn]);

	// Mexico's time, which has had no summer time since 2022.
	const written = (epochMs: number) => {
		const [day = '', time = ''] = new Date(epochMs - 6 * 3_600_000).toISOString().split(/[T.]/);
		const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });
		const [year, , date] = day.split('-').map(Number);
		return `${date} ${month.format(new Date(day))} ${year}, ${time} (UTC−6)`;
	};
	const [first = 0, second = 0] = times('SIGNED');
	const words = async (url?: string) =>
		(await file(url)).pages
			.flatMap(textOf)
			.map(([, text]) => text)
			.join(' ')
			.replace(/\s+/g, ' ');
	const paper = await words(Document?.documentURL);
	const certificate = await words(Document?.certificateURL);
	for (const time of [first, second]) {
		expect(paper).toContain(`Signed at: ${written(time)}`);
		expect(certificate).toContain(written(time));
	}
	const { viewedAt = 0 } = Object.values(sandbox.states.save().documents)[0]?.signatories[0] ?? {};
	expect(first - viewedAt).toBeGreaterThanOrEqual(3_600_000);
	expect(certificate).toContain(`${written(viewedAt)} ${written(first)}`);
	expect(certificate).toContain(`${written(viewedAt)} Viewed Ana Torres`);
});

test('the log is in the order of what happened, also while the clock stands', async () => {
	const { sandbox, file } = await signed('v2');
	sandbox.clock.set({ frozen: true });
	const http = await signedIn(sandbox);
	const { documentID, signatory } = (
		await create(sandbox, http, 'v2', { signatories: PEOPLE.slice(0, 1) })
	).data.responseData;
	await sandbox.idle();
	await fetch(signatory[0]?.signing.url ?? '');
	await sandbox.sign(documentID, 'ana@example.com');
	await sandbox.idle();
	const { body } = sandbox.deliveries().at(-1) as { body: { Document: Document } };
	const { pages } = await file(body.Document.certificateURL);
	const words = ['Created', 'Sent for signature', 'Viewed', 'Signed'];
	const events = pages
		.flatMap(textOf)
		.filter(([role, text]) => role === 'TD' && words.includes(text));
	expect(events.map(([, text]) => text)).toEqual(words);
});
