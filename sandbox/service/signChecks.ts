import type { MarkRecord, SignatoryRecord, SandboxTemplate } from '../state/records';
import type { SignatureInput } from '../types';
import { PngRefusal, pngFromDataUrl } from '../util/png';
import { PageRefusal } from './refusal';

/** The maximum lengths, in characters, of a typed signature and of the answer to a question. */
export const maxTyped = 100;
export const maxAnswer = 500;

/** Thrown if the input on a signing page is incomplete or invalid. */
export class SignatureRefusal extends PageRefusal {
	/** @param problems The error messages by field: `signature`, or `answer.<key>` for a question. */
	constructor(readonly problems: Record<string, string>) {
		super(Object.values(problems).join(' '));
	}
}

/**
 * Checks that a signatory can still sign with their link.
 * @throws PageRefusal if they have already signed, or if the link has expired.
 */
export function checkLink({ signedAt, linkExpiresAt }: SignatoryRecord, now: number): void {
	if (signedAt !== undefined) throw new PageRefusal('You’ve already signed this document.');
	if (linkExpiresAt <= now) {
		throw new PageRefusal('This link has expired. Ask the sender for a new document.');
	}
}

/**
 * Reads a signature and the answers to the template's questions. Any other answers are ignored.
 * @returns The signature and the answers in their stored format.
 * @throws SignatureRefusal that names every missing or overlong value.
 */
export function readSignature(
	{ signature, answers: given }: SignatureInput,
	{ questions }: SandboxTemplate,
): { mark: MarkRecord; answers: Record<string, string> } {
	const problems: Record<string, string> = {};
	const answers: Record<string, string> = {};
	for (const { key, label, isRequired } of questions) {
		const answer = Object.hasOwn(given, key) ? String(given[key] ?? '').trim() : '';
		if (isRequired && !answer) problems[`answer.${key}`] = `Please fill in this field: ${label}.`;
		if (answer.length > maxAnswer) {
			problems[`answer.${key}`] = `Use ${maxAnswer} characters or fewer.`;
		}
		if (answer) answers[key] = answer;
	}
	const mark = readMark(signature);
	if (typeof mark === 'string') problems.signature = mark;
	if (typeof mark === 'string' || Object.keys(problems).length > 0) {
		throw new SignatureRefusal(problems);
	}
	return { mark, answers };
}

/** @returns The signature in its stored format, or a message about what is wrong with it. */
function readMark(signature: SignatureInput['signature']): MarkRecord | string {
	if (signature.kind === 'typed') {
		const text = signature.text.trim();
		if (!text) return 'Type your name to sign.';
		if (text.length > maxTyped) return `Use ${maxTyped} characters or fewer.`;
		return { kind: 'typed', text };
	}
	if (!signature.dataUrl) return 'Draw your signature in the box.';
	try {
		return { kind: 'drawn', png: pngFromDataUrl(signature.dataUrl).toString('base64') };
	} catch (error) {
		if (error instanceof PngRefusal) return `${error.message} Clear it and draw again.`;
		throw error;
	}
}
