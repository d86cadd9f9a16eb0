/**
 * Takes secrets out of words that came from outside: a service may quote a token, a key or a
 * callback address in its message.
 * @param secrets Values that must not be shown; ones under 4 characters are left alone, since
 * taking them out would say what they are.
 */
export function redact(text: string, secrets: unknown[]): string {
	let clean = text;
	for (const secret of secrets) {
		if (typeof secret !== 'string' || secret.length < 4) continue;
		for (const form of new Set([secret, encodeURIComponent(secret)])) {
			clean = clean.split(form).join('…');
		}
	}
	return clean;
}
