import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';

/** The embedded fonts have these names in a document. */
export const font = {
	body: 'body',
	bold: 'bold',
	italic: 'italic',
	script: 'script',
	mono: 'mono',
} as const;

// Fonts are embedded, because the standard fonts of PDF lack Greek, Cyrillic and most of Latin Extended.
const files: Record<keyof typeof font, string> = {
	body: 'DejaVuSans.ttf',
	bold: 'DejaVuSans-Bold.ttf',
	italic: 'DejaVuSans-Oblique.ttf',
	script: 'DejaVuSerif-Italic.ttf',
	mono: 'DejaVuSansMono.ttf',
};

/** The shapes of this many words of a font are kept. The templates' own texts need some hundreds. */
const keptWords = 4000;

/** What fontkit makes of a word. pdfkit scales the positions in place. */
interface GlyphRun {
	positions: object[];
}

interface ShapedFont {
	layout(text: string, features?: unknown): GlyphRun;
}

type FontSource = Parameters<PDFKit.PDFDocument['registerFont']>[1];

const opened = new Map<string, FontSource>();

/**
 * Makes the fonts available to a document under the names in `FONT`.
 *
 * Opening a font costs more than printing a page with it, so each is opened once in the life of
 * the process. What a document embeds is chosen from it anew, so sharing shows in no document.
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
 * Opens a font in a document that is thrown away: in the one to be printed it would leave traces,
 * and the first document of a process would differ from its later prints.
 *
 * @returns The opened font, which pdfkit takes wherever it takes a file. It is kept in a field that
 *   pdfkit's types leave out; should it move, the file itself serves, only slower.
 */
function openFont(file: Buffer): FontSource {
	const pdf = new PDFDocument({ font: file as unknown as string });
	const font = (pdf as unknown as { _font?: { font?: FontSource & ShapedFont } })._font?.font;
	if (font) rememberWords(font);
	return font ?? file;
}

/**
 * Lets a font remember the shapes of words: shaping takes a third of a print's time, and most
 * words of a document are those of its template.
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
