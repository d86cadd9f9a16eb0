import type { MarkRecord, SignatoryRecord, SandboxTemplate } from '../state/records';
import type { SignatureInput } from '../types';
import { PngRefusal, pngFromDataUrl } from '../util/png';
import { PageRefusal } from './refusal';

/** Longest typed signature and longest answer, in characters. */
export const MAX_TYPED = 100;
export const MAX_ANSWER = 500;

/** What is wrong with what somebody sent to sign. */
export class SignatureRefusal extends PageRefusal {
	/** @param problems By the field of the page: `signature`, or `answer.<key>` for a question. */
	constructor(readonly problems: Record<string, string>) {
		super(Object.values(problems).join(' '));
	}
}

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
 * Takes a signature, and the answers to the template's questions; what was not asked is dropped.
 * @returns Both as they are kept.
 * @throws SignatureRefusal naming everything that is missing or too long.
 */
export function readSignature(
	{ signature, answers: given }: SignatureInput,
	{ questions }: SandboxTemplate,
): { mark: MarkRecord; answers: Record<string, string> } {
	const problems: Record<string, string> = {};
	const answers: Record<string, string> = {};
	for (const { key, label, isRequired } of questions) {
		const answer = Object.hasOwn(given, key) ? String(given[key] ?? '').trim() : '';
		if (isRequired && !answer) problems[`answer.${key}`] = `Answer this first: ${label}.`;
		if (answer.length > MAX_ANSWER) {
			problems[`answer.${key}`] = `Use at most ${MAX_ANSWER} characters.`;
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

/** @returns The signature as it is kept, or what is wrong with it. */
function readMark(signature: SignatureInput['signature']): MarkRecord | string {
	if (signature.kind === 'typed') {
		const text = signature.text.trim();
		if (!text) return 'Type your name to sign.';
		if (text.length > MAX_TYPED) return `Use at most ${MAX_TYPED} characters.`;
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
