import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { realNow } from './clock';

const processPart = randomBytes(5).toString('hex');
let counter = randomBytes(2).readUInt16BE(0);

/**
 * Generates a 24-digit hex ID from the time in seconds, the process and a counter. IDs sort by creation time,
 * so the records in a data folder are read in creation order. The time comes from the machine's clock,
 * because the sandbox's clock can be set back. IDs are not secret.
 */
export function newId(): string {
	const seconds = Math.floor(realNow() / 1000);
	counter = (counter + 1) % 0x1000000;
	return (
		seconds.toString(16).padStart(8, '0') + processPart + counter.toString(16).padStart(6, '0')
	);
}

/** Generates a URL-safe secret with 192 random bits. */
export function newSecret(): string {
	return randomBytes(24).toString('base64url');
}

/** Derives a 24-digit hex ID from the parts. The same parts always result in the same ID. */
export function derivedId(...parts: string[]): string {
	return sha256(parts.join('\u0000')).slice(0, 24);
}

/** Returns the SHA-256 hash in lowercase hex. */
export function sha256(data: string | Buffer): string {
	return createHash('sha256').update(data).digest('hex');
}

/** Compares two secrets in constant time, so the duration does not reveal where they differ. */
export function sameSecret(one: string, other: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(one), digest(other));
}
