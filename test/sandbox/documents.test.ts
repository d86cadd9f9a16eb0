import { readPdf } from '../../sandbox/demo/papers/read';
import { renderDocument } from '../../sandbox/demo/papers/render';
import { placeSignatures } from '../../sandbox/demo/papers/signatures';
import { seedTemplates } from '../../sandbox/demo/papers/templates';
import { cleanText, fillIn } from '../../sandbox/demo/papers/text';
import type { DocumentToRender, RenderedSignatory } from '../../sandbox/demo/papers/types';
import type { StaticSignPosition } from '../../sandbox/schemas/requests';
import { POSITION } from './serviceKit';

/** A fixed moment, epoch-ms. */
const AT = Date.UTC(2025, 0, 15, 9, 30);

function signatory(changes: Partial<RenderedSignatory> = {}): RenderedSignatory {
	return { name: 'Ana Pereira', email: 'ana@example.com', answers: {}, ...changes };
}

function contract(changes: Partial<DocumentToRender> = {}): DocumentToRender {
	const template = seedTemplates().find(({ key }) => key === 'employment_contract');
	if (!template) throw new Error('no such template');
	return {
		documentID: '65f1c0de0000000000000900',
		template,
		inputs: { employee_name: 'Łukasz Żółć', role: 'Engineer', start_date: '1 March 2025' },
		country: 'México',
		createdAt: AT,
		signatories: [signatory()],
		positions: [],
		...changes,
	};
}

/** A document of a template of version 1. */
function lease(positions: StaticSignPosition[]): DocumentToRender {
	const template = seedTemplates().find(({ generation }) => generation === 'v1');
	return contract({ template, positions });
}

const position = (changes: Partial<StaticSignPosition> = {}) => ({ ...POSITION, ...changes });

test('a document shows title, ID, people, inputs and signatures, in many scripts', async () => {
	const name = 'Ñandú Ωμέγα Юлия';
	const signature = { kind: 'typed', text: 'A. Pereira' } as const;
	const signatories = [signatory({ name }), signatory({ signedAt: AT, signature })];
	const { text, pages } = await readPdf(await renderDocument(contract({ signatories })));
	for (const part of [
		...['Employment contract', '65f1c0de0000000000000900', 'México', name, 'Łukasz Żółć'],
		...['Engineer', '1 March 2025', 'Not signed', 'A. Pereira'],
		...['Signed by: Ana Pereira', 'Signed at: 15 January 2025, 09:30:00 UTC'],
		`Page ${pages} of ${pages}`,
	]) {
		expect(text).toContain(part);
	}
});

test('equal documents give equal bytes, so that a hash means something', async () => {
	const signature = { kind: 'typed', text: 'A. Pereira' } as const;
	const signed = () => contract({ signatories: [signatory({ signedAt: AT, signature })] });
	const first = await renderDocument(signed());
	// What one rendering leaves behind must not change the next one.
	jest.resetModules();
	const { renderDocument: renderAnew } = jest.requireActual<{
		renderDocument: typeof renderDocument;
	}>('../../sandbox/demo/papers/render');
	expect((await renderAnew(signed())).equals(first)).toBe(true);
	expect((await renderDocument(contract())).equals(first)).toBe(false);
});

test('very long inputs and many signatories neither fail nor vanish', async () => {
	const signatories = Array.from({ length: 60 }, (_, index) =>
		signatory({ name: `Person ${index} ${'x'.repeat(80)}`, email: `p${index}@example.com` }),
	);
	const inputs = { employee_name: 'word '.repeat(3000), role: 'y'.repeat(3000) };
	const { text } = await readPdf(await renderDocument(contract({ signatories, inputs })));
	for (const index of [0, 29, 59]) expect(text).toContain(`p${index}@example.com`);
});

test('positions of version 1 are scaled from their viewport, stay on the page, and may add pages', async () => {
	const page = { width: 595, height: 842 };
	const half = { width: 1190, height: 1684 };
	const [placed] = placeSignatures([position({ viewport: half })], [signatory()], page);
	expect(placed?.box).toEqual({ x: 50.25, y: 320, width: 75, height: 25 });
	const far = position({ coordinates: { x: 5000, y: -20 } });
	const [moved] = placeSignatures([far], [signatory()], page);
	expect((moved?.box.x ?? 0) + (moved?.box.width ?? 0)).toBeCloseTo(page.width);
	expect(moved?.box.y).toBe(0);
	const { pages, text } = await readPdf(await renderDocument(lease([position({ page: 5 })])));
	expect(pages).toBe(5);
	expect(text).toContain('To be signed by: Ana Pereira');
});

test.each([
	['somebody else’s', position({ user: { email: 'other@example.com' } })],
	['a page far away', position({ page: 1e9 })],
	['no number', position({ coordinates: { x: NaN, y: 1 } })],
	['nothing in it', {} as StaticSignPosition],
])(
	'a position that cannot be followed (%s): the signature goes below the text',
	async (_case, one) => {
		const { text, pages } = await readPdf(await renderDocument(lease([one])));
		expect(text).toContain('Signatory 1');
		expect(pages).toBeLessThan(4);
	},
);

test('an input is text: no line break, no reversed direction, no variable', () => {
	expect(cleanText(' a\n\nb\u0000\u202Ec\ud800 ')).toBe('a bc');
	expect(fillIn('{{a}}', { a: '{{b}}', b: 'x' })).toEqual([{ text: '{{b}}', kind: 'stamped' }]);
	expect(fillIn('{{constructor}}', {})).toEqual([{ text: '(not stated)', kind: 'missing' }]);
});
