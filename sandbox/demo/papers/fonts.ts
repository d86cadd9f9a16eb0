import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import { ttfOf } from './woff';

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
	body: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
	bold: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
	italic: 'dejavu-fonts-ttf/ttf/DejaVuSans-Oblique.ttf',
	script: 'dejavu-fonts-ttf/ttf/DejaVuSerif-Italic.ttf',
	mono: 'dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf',
};

/**
 * The fonts for characters that the fonts above lack, in the order in which they are tried. Unifont has almost
 * every character of every script, but it can't join the letters of Hindi and Thai, so these have fonts of
 * their own.
 */
const otherFiles: Record<string, string> = {
	devanagari:
		'@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff',
	thai: '@fontsource/noto-sans-thai/files/noto-sans-thai-thai-400-normal.woff',
	unifont: '@fontsource/unifontex/files/unifontex-latin-400-normal.woff',
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
	hasGlyphForCodePoint(codePoint: number): boolean;
}

type FontSource = Parameters<PDFKit.PDFDocument['registerFont']>[1];

/** The parts of pdfkit's documents that its types do not declare. */
interface PdfInternals {
	/** The current font. `ascender` is in thousandths of the font size. */
	_font: { ascender: number; font: ShapedFont };
	_fontSize: number;
	_fragment(text: string, x: number, y: number, options: object): void;
}

const internals = PDFDocument.prototype as unknown as PdfInternals;

const opened = new Map<string, FontSource>();

/**
 * A PDF that can print every script, although a font in a PDF has only some of them. pdfkit measures and
 * prints all text with the two methods below, and they use another font for the characters that the current
 * one lacks.
 */
export class PdfOfAllScripts extends PDFDocument {
	/** Whether a character was printed that none of the fonts has. Unifont prints it as � in a box. */
	lacksCharacters = false;

	override widthOfString(text: string, options?: PDFKit.Mixins.TextOptions): number {
		const widths = this.pieces(text).map((piece) =>
			this.with(piece.font, () => super.widthOfString(piece.text, options)),
		);
		return widths.reduce((sum, width) => sum + width, 0);
	}

	/** Prints text that fits on one line. Text in more than one font is aligned to the left. */
	_fragment(text: string, x: number, y: number, options: object): void {
		const pieces = this.pieces(text);
		const [first] = pieces;
		if (pieces.length === 1 && !first?.font) {
			internals._fragment.call(this, text, x, y, options);
			return;
		}
		const { _font, _fontSize } = this as unknown as PdfInternals;
		// All pieces stand on the current font's baseline.
		const sameLine = { ...options, baseline: (-_font.ascender / 1000) * _fontSize };
		let at = x;
		for (const piece of pieces) {
			this.with(piece.font, () => {
				internals._fragment.call(this, piece.text, at, y, sameLine);
				at += super.widthOfString(piece.text, options);
			});
		}
	}

	/** Runs a function with another font. Without a name, the current font stays. */
	private with<T>(name: string | undefined, run: () => T): T {
		if (name === undefined) return run();
		const document = this as unknown as PdfInternals;
		const current = document._font;
		this.font(name);
		const result = run();
		document._font = current;
		return result;
	}

	/** Splits text into the pieces for which one font has all characters. */
	private pieces(text: string): Array<{ text: string; font?: string }> {
		const { font } = (this as unknown as PdfInternals)._font;
		if (hasAll(font, text)) return [{ text }];
		const pieces: Array<{ text: string; font?: string }> = [];
		// A mark, such as a vowel of Hindi, is printed in the font of the letter that it belongs to.
		for (const [letter] of text.matchAll(/\P{M}?\p{M}*/gu)) {
			if (letter === '') continue;
			const name = hasAll(font, letter) ? undefined : this.otherFont(letter);
			const last = pieces.at(-1);
			if (last && last.font === name) last.text += letter;
			else pieces.push({ text: letter, ...(name === undefined ? {} : { font: name }) });
		}
		return pieces;
	}

	private otherFont(letter: string): string {
		const names = Object.keys(otherFiles);
		const name = names.find((one) => hasAll(openedFont(one) as FontSource & ShapedFont, letter));
		this.lacksCharacters ||= name === undefined;
		const used = name ?? 'unifont';
		this.registerFont(used, openedFont(used));
		return used;
	}
}

function hasAll(font: ShapedFont, text: string): boolean {
	for (const character of text) {
		if (!font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)) return false;
	}
	return true;
}

/** Makes the fonts available to a document under the names in `font`. */
export function registerFonts(pdf: PDFKit.PDFDocument): void {
	for (const name of Object.keys(files)) pdf.registerFont(name, openedFont(name));
}

/**
 * Returns one of the fonts.
 *
 * Opening a font takes longer than printing a page with it, so each font is opened only once per process.
 * Each document embeds only the glyphs that it needs, so sharing a font between documents does not affect
 * their contents.
 */
function openedFont(name: string): FontSource {
	let font = opened.get(name);
	if (!font) {
		const file = require.resolve({ ...files, ...otherFiles }[name] ?? '');
		const bytes = readFileSync(file);
		font = openFont(file.endsWith('.woff') ? ttfOf(bytes) : bytes);
		opened.set(name, font);
	}
	return font;
}

/**
 * Opens a font in a temporary document. Opening it in a real document would leave traces in the file. Because
 * each font is opened only once, the first document that a process prints would then differ from later
 * copies.
 *
 * @returns The opened font, which pdfkit accepts instead of a file.
 */
function openFont(file: Buffer): FontSource {
	const pdf = new PDFDocument({ font: file as unknown as string });
	const { font } = (pdf as unknown as PdfInternals)._font;
	rememberWords(font);
	return font as unknown as FontSource;
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
