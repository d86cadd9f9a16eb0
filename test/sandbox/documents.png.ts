import { deflateSync } from 'node:zlib';

/** A PNG with a slanted line: RGB with alpha, 8 bits a sample. */
export function png(width: number, height: number): Buffer {
	const samples = 4;
	const row = width * samples + 1;
	const pixels = Buffer.alloc(row * height);
	for (let x = 0; x < width; x++) {
		const y = Math.floor((x * height) / width);
		pixels[y * row + 1 + x * samples + samples - 1] = 255;
	}
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header[8] = 8;
	header[9] = 6;
	const magic = Buffer.from('89504e470d0a1a0a', 'hex');
	return Buffer.concat([
		magic,
		chunk('IHDR', header),
		chunk('IDAT', deflateSync(pixels)),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function chunk(type: string, content: Buffer): Buffer {
	const length = Buffer.alloc(4);
	length.writeUInt32BE(content.length);
	const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
	const checksum = Buffer.alloc(4);
	checksum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, checksum]);
}

function crc32(bytes: Buffer): number {
	let crc = 0xffffffff;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
	}
	return (crc ^ 0xffffffff) >>> 0;
}
