import { inflateSync } from 'node:zlib';

/** Thrown if a drawing is refused. The message is for the person who drew it. */
export class PngRefusal extends Error {}

/** The maximum size of a drawing in bytes. A drawing from a signature pad is much smaller. */
export const maxPngBytes = 500_000;

const maxSide = 4000;
const maxPixels = 4_000_000;
const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The number of samples per pixel, by PNG color type. Type 3 (palette) is not supported. */
const samplesByColorType: Record<number, number> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/**
 * Checks that a file is a PNG that can be printed. The printing library doesn't validate its input, so a
 * broken PNG would crash the process, and a huge one would exhaust the memory.
 * @param png The file. It must have 8 bits per sample and must not be interlaced, which is what every
 * browser's canvas produces.
 * @returns The size in pixels.
 * @throws PngRefusal for any other file.
 */
export function checkPng(png: Buffer): { width: number; height: number } {
	if (png.length > maxPngBytes) throw new PngRefusal('The drawing is too large.');
	if (!png.subarray(0, 8).equals(magic)) throw new PngRefusal('The drawing isn’t a PNG image.');
	const { header, data } = readChunks(png);
	const width = header.readUInt32BE(0);
	const height = header.readUInt32BE(4);
	const samples = samplesByColorType[header[9] ?? -1];
	if (header[8] !== 8 || !samples || header[12] !== 0) {
		throw new PngRefusal('The drawing uses a PNG format that isn’t supported.');
	}
	if (!width || !height || width > maxSide || height > maxSide || width * height > maxPixels) {
		throw new PngRefusal('The drawing is empty or has too many pixels.');
	}
	const expected = (width * samples + 1) * height;
	let pixels: Buffer;
	try {
		pixels = inflateSync(data, { maxOutputLength: expected + 1 });
	} catch {
		throw new PngRefusal('The drawing is damaged.');
	}
	if (pixels.length !== expected) throw new PngRefusal('The drawing is damaged.');
	for (let row = 0; row < expected; row += width * samples + 1) {
		if ((pixels[row] ?? 5) > 4) throw new PngRefusal('The drawing is damaged.');
	}
	return { width, height };
}

function readChunks(png: Buffer): { header: Buffer; data: Buffer } {
	const data: Buffer[] = [];
	let header: Buffer | undefined;
	let ended = false;
	for (let at = 8; !ended;) {
		const length = at + 12 <= png.length ? png.readUInt32BE(at) : Infinity;
		if (at + 12 + length > png.length) throw new PngRefusal('The drawing is damaged.');
		const type = png.toString('latin1', at + 4, at + 8);
		const content = png.subarray(at + 8, at + 8 + length);
		if (type === 'IHDR' && length === 13) header ??= content;
		else if (type === 'IDAT') data.push(content);
		else if (type === 'IEND') ended = true;
		at += 12 + length;
	}
	if (!header) throw new PngRefusal('The drawing is damaged.');
	return { header, data: Buffer.concat(data) };
}

/**
 * Decodes and checks a drawing that a browser sent.
 * @param dataUrl The drawing as `data:image/png;base64,…`.
 * @returns The PNG file.
 * @throws PngRefusal if the drawing is not a PNG that can be printed (see `checkPng`).
 */
export function pngFromDataUrl(dataUrl: string): Buffer {
	const match = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/.exec(dataUrl);
	if (!match?.[1]) throw new PngRefusal('The drawing isn’t a PNG image.');
	const png = Buffer.from(match[1], 'base64');
	checkPng(png);
	return png;
}
