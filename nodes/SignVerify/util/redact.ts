import { decodings } from './decodings';

/** A part of a secret of so many characters is taken out, too. */
const shortestPart = 8;

/** Shorter ones are left alone: to take them out would say what they are. */
const shortestSecret = 4;

/** Parts of an address that are as long as this may be what authenticates it. */
const shortestInAddress = 12;

/**
 * Takes secrets out of words that came from outside: a service may quote a token, a key or a
 * callback address in its message, whole or in part, as it is or encoded (for URLs, HTML, JSON,
 * as base64). Give it a few thousand characters: each is looked at several times.
 * @param secrets Values that must not be shown; what is no text or has under 4 characters is
 * ignored. Of an address, the whole is taken out and the long parts behind its host.
 */
export function redact(text: string, secrets: unknown[]): string {
	const { whole, parts } = needlesOf(secrets);
	if (whole.size === 0) return text;
	const hidden = new Uint8Array(text.length);
	for (const { characters, starts } of decodings(text)) {
		const hide = (from: number, length: number): void => {
			hidden.fill(1, starts[from], starts[from + length]);
		};
		const folded = fold(characters);
		for (const needle of whole) {
			let at = folded.indexOf(needle);
			for (; at >= 0; at = folded.indexOf(needle, at + 1)) hide(at, needle.length);
		}
		for (let at = 0; at + shortestPart <= folded.length; at++) {
			if (parts.has(folded.slice(at, at + shortestPart))) hide(at, shortestPart);
		}
	}
	return blank(text, hidden);
}

function blank(text: string, hidden: Uint8Array): string {
	let shown = '';
	for (let at = 0; at < text.length; at++) {
		if (!hidden[at]) shown += text[at];
		else if (!hidden[at - 1]) shown += '…';
	}
	return shown;
}

/** What to look for: whole secrets, and every part of the length that is not shown any more. */
function needlesOf(secrets: unknown[]): { whole: Set<string>; parts: Set<string> } {
	const whole = new Set<string>();
	const parts = new Set<string>();
	for (const secret of secrets) {
		if (typeof secret !== 'string' || secret.length < shortestSecret) continue;
		for (const form of [secret, ...inBase64(secret)]) whole.add(fold(form));
		for (const value of valuesOf(secret)) {
			for (const form of [value, ...inBase64(value)].map(fold)) {
				for (let at = 0; at + shortestPart <= form.length; at++) {
					parts.add(form.slice(at, at + shortestPart));
				}
			}
		}
	}
	return { whole, parts };
}

/** Host and path of an address are words that a service may need to say; its long parts are not. */
function valuesOf(secret: string): string[] {
	const behindHost = /^https?:\/\/[^/?#]*/i.exec(secret)?.[0].length;
	if (behindHost === undefined) return [secret];
	const parts = secret.slice(behindHost).split(/[/?&#=]/);
	return parts.filter((part) => part.length >= shortestInAddress);
}

/** How a value looks inside something longer that was encoded as base64: it may begin at any bit. */
function inBase64(value: string): string[] {
	if (value.length < shortestPart) return [];
	return [0, 1, 2].flatMap((skipped) => {
		const bytes = Buffer.from(value).subarray(skipped);
		const whole = bytes.subarray(0, bytes.length - (bytes.length % 3));
		return [whole.toString('base64'), whole.toString('base64url')];
	});
}

/** Upper and lower case, and a space and the "+" that stands for it in a query, count as the same. */
function fold(text: string): string {
	return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[\s+]/g, ' ');
}
