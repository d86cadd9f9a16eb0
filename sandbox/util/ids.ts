import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { realNow } from './clock';

const processPart = randomBytes(5).toString('hex');
let counter = randomBytes(2).readUInt16BE(0);

/**
 * Makes a new identifier of 24 hex digits from the time in seconds, the process and a counter. IDs sort in
 * the order of their creation, so records are read from a data folder in that order. IDs are based on the
 * machine's clock, because the sandbox's clock can be set back. An ID is not a secret.
 */
export function newId(): string {
	const seconds = Math.floor(realNow() / 1000);
	counter = (counter + 1) % 0x1000000;
	return (
		seconds.toString(16).padStart(8, '0') + processPart + counter.toString(16).padStart(6, '0')
	);
}

/** Makes a new secret of 192 random bits that can be used in a URL. */
export function newSecret(): string {
	return randomBytes(24).toString('base64url');
}

/** Makes an identifier of 24 hex digits that is always the same for the same parts. */
export function derivedId(...parts: string[]): string {
	return sha256(parts.join('\u0000')).slice(0, 24);
}

/** Returns the SHA-256 hash in lowercase hex. */
export function sha256(data: string | Buffer): string {
	return createHash('sha256').update(data).digest('hex');
}

/** Compares two secrets. The comparison takes the same time no matter where they differ. */
export function sameSecret(one: string, other: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(one), digest(other));
}
