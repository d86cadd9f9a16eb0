import { PngRefusal, pngFromDataUrl } from '../documents/png';
import type { SandboxTemplate } from '../documents/types';
import { PageRefusal } from '../views';
import type { MarkRecord, SignatoryRecord } from '../state/records';
import type { SignatureInput } from '../types';

const MAX_TYPED = 100;
const MAX_ANSWER = 1000;
const MAX_DRAWING_BYTES = 500_000;

/**
 * Says whether somebody can sign with their link now.
 * @throws PageRefusal when they signed before, or the link expired.
 */
export function checkLink({ signedAt, linkExpiresAt }: SignatoryRecord, now: number): void {
	if (signedAt !== undefined) throw new PageRefusal('You have already signed this document.');
	if (linkExpiresAt <= now) {
		throw new PageRefusal('This link has expired. Ask the sender for a new document.');
	}
}

/**
 * Takes a signature from the page.
 * @returns The signature as it is kept.
 * @throws PageRefusal when it is empty, too long, too large, or not a PNG that can be printed.
 */
export function readMark(signature: SignatureInput['signature']): MarkRecord {
	if (signature.kind === 'typed') {
		const text = signature.text.trim();
		if (!text) throw new PageRefusal('Type your name, or draw your signature.');
		if ([...text].length > MAX_TYPED) {
			throw new PageRefusal(`The name is too long: at most ${MAX_TYPED} characters.`);
		}
		return { kind: 'typed', text };
	}
	// Base64 is four characters for three bytes: what is too long need not be decoded.
	if (signature.dataUrl.length > MAX_DRAWING_BYTES * 1.4) {
		throw new PageRefusal('The drawing is too large: at most 500 kB.');
	}
	try {
		const png = pngFromDataUrl(signature.dataUrl);
		if (png.length > MAX_DRAWING_BYTES) throw new PngRefusal('The drawing is too large.');
		return { kind: 'drawn', png: png.toString('base64') };
	} catch (error) {
		if (error instanceof PngRefusal) throw new PageRefusal(error.message);
		throw error;
	}
}

/**
 * Takes the answers to the template's questions; what was not asked is dropped.
 * @throws PageRefusal when a required one is missing, or one is too long.
 */
export function readAnswers(
	given: Record<string, string>,
	{ questions }: SandboxTemplate,
): Record<string, string> {
	const answers: Record<string, string> = {};
	for (const { key, label, isRequired } of questions) {
		const answer = Object.hasOwn(given, key) ? String(given[key] ?? '').trim() : '';
		if (isRequired && !answer) throw new PageRefusal(`Answer the question first: ${label}`);
		if (answer.length > MAX_ANSWER) {
			throw new PageRefusal(`An answer is too long (at most ${MAX_ANSWER} characters): ${label}`);
		}
		if (answer) answers[key] = answer;
	}
	return answers;
}
