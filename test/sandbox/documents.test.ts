import { inflateSync } from 'node:zlib';
import { renderCertificate } from '../../sandbox/documents/certificate';
import { readPdf } from '../../sandbox/documents/read';
import { renderDocument } from '../../sandbox/documents/render';
import { placeSignatures } from '../../sandbox/documents/signatures';
import { seedTemplates } from '../../sandbox/documents/templates';
import type {
	CertificateToRender,
	DocumentToRender,
	RenderedSignatory,
	SandboxTemplate,
} from '../../sandbox/documents/types';
import type { StaticSignPosition } from '../../sandbox/schemas/requests';
import { png } from './documents.png';

/** A fixed moment, epoch-ms. */
const AT = Date.UTC(2025, 0, 15, 9, 30);
/** What somebody up to no good would put into a name or an input. */
const HOSTILE = `"><img src=x onerror=alert(1)><script>alert('x')</script>`;

/** The seed template with this key. */
function template(key: string): SandboxTemplate {
	const found = seedTemplates().find((one) => one.key === key);
	if (!found) throw new Error(`no template ${key}`);
	return found;
}

const A4 = { width: 595.28, height: 841.89 };

function signatory(changes: Partial<RenderedSignatory> = {}): RenderedSignatory {
	return { name: 'Ana Pereira', email: 'ana@example.com', answers: {}, ...changes };
}

function contract(changes: Partial<DocumentToRender> = {}): DocumentToRender {
	return {
		documentID: '65f1c0de0000000000000900',
		template: template('employment_contract'),
		inputs: { employee_name: 'Łukasz Żółć', role: 'Engineer', start_date: '1 March 2025' },
		country: 'México',
		createdAt: AT,
		signatories: [signatory()],
		positions: [],
		...changes,
	};
}

function lease(positions: StaticSignPosition[], signatories = [signatory()]): DocumentToRender {
	const found = seedTemplates().find(({ generation }) => generation === 'v1');
	if (!found) throw new Error('no v1 template');
	return contract({ template: found, positions, signatories });
}

function position(changes: Partial<StaticSignPosition> = {}): StaticSignPosition {
	return {
		user: { email: 'ana@example.com' },
		coordinates: { x: 100, y: 200 },
		page: 1,
		pageY: 200,
		pageYv2: 200,
		color: '#cc3300',
		imageSize: { width: 120, height: 40 },
		parentImageSize: { width: 120, height: 40 },
		viewport: { ...A4 },
		...changes,
	};
}

/** The page's drawing commands, as text. */
function commands(pdf: Buffer): string[] {
	const streams: string[] = [];
	for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 1)) {
		const end = pdf.indexOf('endstream', at);
		try {
			streams.push(inflateSync(pdf.subarray(at + 7, end)).toString('latin1'));
		} catch {
			// Not every stream is compressed; the pages' are.
		}
	}
	return streams;
}

/** Where images are drawn: x and y of their top left corner, width, height; in points. */
function imagesOn(stream: string) {
	const matrix = /([\d.-]+) 0 0 ([\d.-]+) ([\d.-]+) ([\d.-]+) cm\s+\/I\d+ Do/g;
	return [...stream.matchAll(matrix)].map((found) => {
		const [width = 0, height = 0, x = 0, bottom = 0] = found.slice(1).map(Number);
		return { width, height: -height, x, y: bottom + height };
	});
}

describe('document', () => {
	test('shows title, id, parties, inputs and pages, in many scripts', async () => {
		const name = 'Ñandú Ωμέγα Юлия';
		const { text, pages } = await readPdf(
			await renderDocument(contract({ signatories: [signatory({ name })] })),
		);
		for (const part of ['Employment contract', '65f1c0de0000000000000900', 'México', name]) {
			expect(text).toContain(part);
		}
		for (const part of ['Łukasz Żółć', 'Engineer', '1 March 2025', '(not stated)', 'Not signed']) {
			expect(text).toContain(part);
		}
		expect(pages).toBeGreaterThan(1);
		expect(text).toContain(`Page 1 of ${pages}`);
		expect(text).toContain(`Page ${pages} of ${pages}`);
	});

	test('equal documents give equal bytes, signed ones too', async () => {
		const signed = () =>
			contract({
				signatories: [
					signatory({ signedAt: AT, signature: { kind: 'drawn', png: png(120, 40) } }),
					signatory({ email: 'b@example.com', signature: { kind: 'typed', text: 'B' } }),
				],
			});
		const first = await renderDocument(signed());
		await new Promise((resolve) => setTimeout(resolve, 1100));
		expect((await renderDocument(signed())).equals(first)).toBe(true);
		expect((await renderDocument(contract())).equals(first)).toBe(false);
	});

	test('a process’s first print equals the later ones', async () => {
		jest.resetModules();
		const fresh = jest.requireActual<{ renderDocument: typeof renderDocument }>(
			'../../sandbox/documents/render',
		);
		expect(fresh.renderDocument).not.toBe(renderDocument);
		const first = await fresh.renderDocument(contract());
		expect((await fresh.renderDocument(contract())).equals(first)).toBe(true);
	});

	test('a typed signature shows text, name, e-mail and time', async () => {
		const signature = { kind: 'typed', text: 'A. Pereira' } as const;
		const pdf = await renderDocument(
			contract({ signatories: [signatory({ signedAt: AT, signature })] }),
		);
		const { text } = await readPdf(pdf);
		for (const part of ['A. Pereira', 'Signed by: Ana Pereira', 'ana@example.com']) {
			expect(text).toContain(part);
		}
		expect(text).toContain('Signed at: 15 January 2025, 03:30:00 (UTC−6)');
		expect(pdf.includes('/Subtype /Image')).toBe(false);
	});

	test.each([0, 2, 4, 6])('a drawn signature is an image (PNG colour type %d)', async (type) => {
		const signature = { kind: 'drawn', png: png(80, 30, type) } as const;
		const pdf = await renderDocument(contract({ signatories: [signatory({ signature })] }));
		expect(pdf.includes('/Subtype /Image')).toBe(true);
	});

	test('a damaged drawing is refused instead of ending the process', async () => {
		const broken = png(80, 30);
		broken.fill(0xff, 50, 60);
		const signature = { kind: 'drawn', png: broken } as const;
		await expect(
			renderDocument(contract({ signatories: [signatory({ signature })] })),
		).rejects.toThrow('The drawing is damaged.');
	});

	test('answers to questions are listed; slots name the blocks', async () => {
		const answers = { registration_number: `HRB 4711 ${HOSTILE}` };
		const { text } = await readPdf(
			await renderDocument(
				contract({
					template: template('mutual_nda'),
					signatories: [signatory({ answers }), signatory({ email: 'b@example.com' })],
				}),
			),
		);
		expect(text.replace(/\s+/g, '')).toContain(`HRB4711${HOSTILE}`.replace(/\s+/g, ''));
		expect(text).toContain('First party');
		expect(text).toContain('Second party');
	});

	test('very long inputs and many signatories neither fail nor vanish', async () => {
		const signatories = Array.from({ length: 60 }, (_, index) =>
			signatory({ name: `Person ${index} ${'x'.repeat(80)}`, email: `p${index}@example.com` }),
		);
		const inputs = { employee_name: 'word '.repeat(3000), role: 'y'.repeat(3000) };
		const { text } = await readPdf(await renderDocument(contract({ signatories, inputs })));
		for (const index of [0, 29, 59]) expect(text).toContain(`p${index}@example.com`);
	});
});

describe('signature positions (v1)', () => {
	const drawn = signatory({ signature: { kind: 'drawn', png: png(120, 40) }, signedAt: AT });

	test('the drawing lies in the box, counted from the top left', async () => {
		const streams = commands(await renderDocument(lease([position()], [drawn])));
		const [image] = streams.flatMap(imagesOn);
		expect(image).toBeDefined();
		expect(image!.x).toBeGreaterThanOrEqual(100);
		expect(image!.x + image!.width).toBeLessThanOrEqual(220);
		expect(image!.y).toBeGreaterThanOrEqual(200);
		expect(image!.y + image!.height).toBeLessThanOrEqual(240);
		expect(image!.width).toBeGreaterThan(90);
	});

	test('positions are scaled from the viewport that they were taken on', () => {
		const viewport = { width: A4.width * 2, height: A4.height * 2 };
		const [placed] = placeSignatures([position({ viewport })], [drawn], A4);
		expect(placed!.box).toEqual({ x: 50, y: 100, width: 60, height: 20 });
	});

	test('boxes stay on the page', () => {
		const coordinates = { x: 5000, y: -20 };
		const [placed] = placeSignatures([position({ coordinates })], [drawn], A4);
		expect(placed!.box.x + placed!.box.width).toBeCloseTo(A4.width);
		expect(placed!.box.y).toBe(0);
	});

	test('a page beyond the text is added', async () => {
		const { pages, text } = await readPdf(await renderDocument(lease([position({ page: 5 })])));
		expect(pages).toBe(5);
		expect(text).toContain('To be signed by: Ana Pereira');
		expect(text).not.toContain('Signatures');
	});

	test.each([
		['no position', []],
		['somebody else’s', [position({ user: { email: 'other@example.com' } })]],
		['page 0', [position({ page: 0 })]],
		['a page far away', [position({ page: 1e9 })]],
		['no number', [position({ coordinates: { x: NaN, y: 1 } })]],
		['nothing in it', [{} as StaticSignPosition]],
	])('the signature goes below the text with %s', async (_case, positions) => {
		const { text, pages } = await readPdf(await renderDocument(lease(positions)));
		expect(text).toContain('Signatures');
		expect(text).toContain('Signatory 1');
		expect(pages).toBeLessThan(4);
	});
});

describe('certificate', () => {
	const hash = 'c0ffee'.padEnd(64, '0');
	const entry = {
		operationType: 'SIGNED',
		name: 'Łukasz Żółć',
		emailID: 'lukasz@example.com',
		sourceIP: '127.0.0.1',
		addedOn: AT + 1000,
	};
	const certificate = (kind: CertificateToRender['kind'], entries = 1): CertificateToRender => ({
		kind,
		document: contract({ signatories: [signatory({ signedAt: AT })] }),
		documentHash: hash,
		log: Array.from({ length: entries }, () => entry),
	});

	test('shows hash, signatories and log', async () => {
		const { text } = await readPdf(await renderCertificate(certificate('certificate')));
		for (const part of ['Signature certificate', hash, 'Signed', 'Łukasz Żółć', '127.0.0.1']) {
			expect(text).toContain(part);
		}
		expect(text).toMatch(/15 January 2025, 03:30:01\s\(UTC−6\)/);
		expect(text).toContain('America/Mexico City');
	});

	test('the provider’s one says that it is a sandbox without legal value', async () => {
		const { text } = await readPdf(await renderCertificate(certificate('psc')));
		expect(text).toContain('Conservation and timestamp certificate');
		expect(text).toContain('Sandbox provider');
		expect(text).toContain('no legal value');
	});

	test('a long log runs over pages under repeated titles; equal ones give equal bytes', async () => {
		const first = await renderCertificate(certificate('certificate', 90));
		const { pages, text } = await readPdf(first);
		expect(pages).toBeGreaterThan(2);
		expect(text.match(/Time\s+Event\s+By/g)).toHaveLength(pages);
		expect((await renderCertificate(certificate('certificate', 90))).equals(first)).toBe(true);
	});
});
