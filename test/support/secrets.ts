import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** A value that must not occur in outputs, logs or execution data. */
export interface Secret {
	kind: 'an API key' | 'an access token' | 'a webhook secret';
	value: string;
}

/**
 * This environment variable names the file in which scripts/jest.ts collects the secrets of all test files.
 */
export const secretsVariable = 'SIGNVERIFY_TEST_SECRETS';

/** A shorter value may occur by chance. */
const shortest = 12;

const known = new Map<string, Secret>();

/** Remembers that a value is secret. Short values are ignored, because only tests use them. */
export function noteSecret(kind: Secret['kind'], value: string): void {
	if (value.length < shortest || known.has(value)) return;
	const secret = { kind, value };
	known.set(value, secret);
	const file = process.env[secretsVariable];
	if (file) appendFileSync(file, `${JSON.stringify(secret)}\n`);
}

/** Returns the secrets that this test file has noted so far. */
export function knownSecrets(): Secret[] {
	return [...known.values()];
}

/** Reads the secrets that test files have written to a file. */
export function readSecrets(file: string): Secret[] {
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
	return lines.map((line) => JSON.parse(line) as Secret);
}

/**
 * Searches text for secrets.
 * @param place The text's name in the report.
 * @returns The kind and the place of each secret that was found, without the secret itself.
 */
export function leaksIn(place: string, text: string, secrets: Secret[]): string[] {
	return secrets.flatMap(({ kind, value }) => {
		const at = [value, encodeURIComponent(value)].map((form) => text.indexOf(form));
		const first = at.find((index) => index >= 0);
		if (first === undefined) return [];
		return [`${place}, line ${text.slice(0, first).split('\n').length}: ${kind}`];
	});
}
