import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { IMAGE_KINDS, PageRefusal, type ImageKind, type UploadedImage } from '../views';
import { emptyForm, type Form } from './forms';

/** Bytes of the largest image taken. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** The sample images that the page offers, by name: PNG files in assets/samples/. */
export const SAMPLES: Record<ImageKind, Array<{ name: string; label: string }>> = {
	id: [
		{ name: 'id-1', label: 'Sample ID of Ana' },
		{ name: 'id-2', label: 'Sample ID of Kofi' },
	],
	selfie: [
		{ name: 'selfie-1', label: 'Sample selfie of Ana' },
		{ name: 'selfie-2', label: 'Sample selfie of Kofi' },
	],
};

const NAMES: Record<ImageKind, string> = { id: 'The official ID', selfie: 'The selfie' };
const MAX_NAME = 120;

/** What the identity page's form sent. */
export interface IdentityForm {
	fields: Form;
	images: Partial<Record<ImageKind, UploadedImage>>;
}

/**
 * Reads the identity page's form. For each image, a file wins over the chosen sample.
 *
 * @param request A multipart request. It is always read to its end, so that the answer reaches the
 *   browser.
 * @throws PageRefusal when a file is too large, or neither a PNG nor a JPEG.
 */
export async function readIdentityForm(request: FastifyRequest): Promise<IdentityForm> {
	const fields = emptyForm();
	const images: IdentityForm['images'] = {};
	let refusal: PageRefusal | undefined;
	for await (const part of request.parts()) {
		if (part.type === 'field') {
			if (typeof part.value === 'string') fields[part.fieldname] = part.value;
			continue;
		}
		const content = await readPart(part);
		const kind = IMAGE_KINDS.find((one) => one === part.fieldname);
		// A file field that was left empty arrives as a file without a name.
		if (!kind || (content?.length === 0 && !part.filename)) continue;
		const image = content && asImage(content, part.filename ?? '');
		if (image) images[kind] = image;
		else refusal ??= new PageRefusal(whyNot(kind, content));
	}
	if (refusal) throw refusal;
	for (const kind of IMAGE_KINDS) {
		images[kind] ??= await sample(kind, fields[`${kind}Sample`]);
		if (!images[kind]) delete images[kind];
	}
	return { fields, images };
}

/** @returns The whole file; undefined when it is too large. */
async function readPart(part: MultipartFile): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	for await (const chunk of part.file as AsyncIterable<Buffer>) chunks.push(chunk);
	return part.file.truncated ? undefined : Buffer.concat(chunks);
}

function whyNot(kind: ImageKind, content: Buffer | undefined): string {
	return content === undefined
		? `${NAMES[kind]} is too large: at most ${MAX_IMAGE_BYTES / 1024 / 1024} MB.`
		: `${NAMES[kind]} must be a PNG or a JPEG image.`;
}

/** Knows an image by its first bytes; nothing of it is read beyond them. */
function asImage(content: Buffer, name: string): UploadedImage | undefined {
	const mimeType = content.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))
		? 'image/png'
		: content.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))
			? 'image/jpeg'
			: undefined;
	const clean = name.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
	const fileName = [...clean].slice(0, MAX_NAME).join('') || 'image';
	return mimeType && { mimeType, fileName, content };
}

async function sample(
	kind: ImageKind,
	name: string | undefined,
): Promise<UploadedImage | undefined> {
	const known = SAMPLES[kind].find((one) => one.name === name);
	if (!known) return undefined;
	const fileName = `${known.name}.png`;
	return asImage(await readFile(join(__dirname, 'assets', 'samples', fileName)), fileName);
}
