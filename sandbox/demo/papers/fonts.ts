import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';

/** The names of the fonts that are embedded in documents. */
export const font = {
	body: 'body',
	bold: 'bold',
	italic: 'italic',
	script: 'script',
	mono: 'mono',
} as const;

// Fonts are embedded, because PDF's standard fonts lack Greek, Cyrillic and most of Latin Extended.
const files: Record<keyof typeof font, string> = {
	body: 'DejaVuSans.ttf',
	bold: 'DejaVuSans-Bold.ttf',
	italic: 'DejaVuSans-Oblique.ttf',
	script: 'DejaVuSerif-Italic.ttf',
	mono: 'DejaVuSansMono.ttf',
};

/**
 * The maximum number of words whose shapes are cached for each font. The built-in templates need a few
 * hundred.
 */
const keptWords = 4000;

/** The shape of a word, as returned by fontkit. pdfkit scales the positions in place, so it gets a copy. */
interface GlyphRun {
	positions: object[];
}

interface ShapedFont {
	layout(text: string, features?: unknown): GlyphRun;
}

type FontSource = Parameters<PDFKit.PDFDocument['registerFont']>[1];

const opened = new Map<string, FontSource>();

/**
 * Makes the fonts available to a document under the names in `font`.
 *
 * Opening a font takes longer than printing a page with it, so each font is opened only once per process.
 * Each document embeds only the glyphs that it needs, so sharing a font between documents does not affect
 * their contents.
 */
export function registerFonts(pdf: PDFKit.PDFDocument): void {
	for (const [name, file] of Object.entries(files)) {
		let font = opened.get(name);
		if (!font) {
			font = openFont(readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${file}`)));
			opened.set(name, font);
		}
		pdf.registerFont(name, font);
	}
}

/**
 * Opens a font in a temporary document. Opening it in a real document would leave traces in the file. Because
 * each font is opened only once, the first document that a process prints would then differ from later
 * copies.
 *
 * @returns The opened font, which pdfkit accepts instead of a file. The font is read from a field that
 * pdfkit's types do not declare. If a version of pdfkit lacks this field, the file itself is returned, which
 * works but is slower.
 */
function openFont(file: Buffer): FontSource {
	const pdf = new PDFDocument({ font: file as unknown as string });
	const font = (pdf as unknown as { _font?: { font?: FontSource & ShapedFont } })._font?.font;
	if (font) rememberWords(font);
	return font ?? file;
}

/**
 * Replaces a font's `layout` function with one that caches the shapes of words. Shaping accounts for a third
 * of the printing time, and most words in a document come from its template.
 */
function rememberWords(font: ShapedFont): void {
	const known = new Map<string, GlyphRun>();
	const layout = font.layout.bind(font);
	font.layout = (text, features) => {
		if (features !== undefined) return layout(text, features);
		let run = known.get(text);
		if (!run) {
			if (known.size >= keptWords) known.clear();
			run = layout(text);
			known.set(text, run);
		}
		return copyOf(run, { positions: run.positions.map((one) => copyOf(one, {})) });
	};
}

function copyOf<T extends object>(one: T, changes: Partial<T>): T {
	return Object.assign(Object.create(Object.getPrototypeOf(one) as object) as T, one, changes);
}
