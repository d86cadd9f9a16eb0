import { inflateSync } from 'node:zlib';

const headerBytes = { woff: 44, ttf: 12 };
const entryBytes = { woff: 20, ttf: 16 };

/**
 * Unpacks a WOFF file to the TrueType file that it contains. pdfkit reads WOFF files as well, but it would
 * unpack the whole file again for each letter.
 */
export function ttfOf(woff: Buffer): Buffer {
	const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, index) => {
		const at = headerBytes.woff + index * entryBytes.woff;
		const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field)) as [
			number,
			number,
			number,
		];
		const data = woff.subarray(offset, offset + packed);
		return {
			tag: woff.subarray(at, at + 4),
			checksum: woff.subarray(at + 16, at + 20),
			data: packed < length ? inflateSync(data) : data,
		};
	});
	const head = Buffer.alloc(headerBytes.ttf + tables.length * entryBytes.ttf);
	woff.copy(head, 0, 4, 8);
	head.writeUInt16BE(tables.length, 4);
	const parts: Uint8Array[] = [head];
	let end = head.length;
	tables.forEach(({ tag, checksum, data }, index) => {
		const at = headerBytes.ttf + index * entryBytes.ttf;
		tag.copy(head, at);
		checksum.copy(head, at + 4);
		head.writeUInt32BE(end, at + 8);
		head.writeUInt32BE(data.length, at + 12);
		// Each table begins at a multiple of four bytes.
		const padding = Buffer.alloc(-data.length & 3);
		parts.push(data, padding);
		end += data.length + padding.length;
	});
	return Buffer.concat(parts);
}
