import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What no output, log or execution data may hold. */
export interface Secret {
	kind: 'an API key' | 'an access token' | 'a callback secret';
	value: string;
}

/** Names the file in which scripts/jest.ts collects the secrets of all test files. */
export const secretsVariable = 'SIGNVERIFY_TEST_SECRETS';

/** Below this many characters a value may stand in a text by chance. */
const shortest = 12;

const known = new Map<string, Secret>();

/** Keeps in mind that a value is secret from now on; short ones, which only tests make up, are not. */
export function noteSecret(kind: Secret['kind'], value: string): void {
	if (value.length < shortest || known.has(value)) return;
	const secret = { kind, value };
	known.set(value, secret);
	const file = process.env[secretsVariable];
	if (file) appendFileSync(file, `${JSON.stringify(secret)}\n`);
}

/** The secrets of this test file so far. */
export function knownSecrets(): Secret[] {
	return [...known.values()];
}

/** The secrets that test files have noted in a file. */
export function readSecrets(file: string): Secret[] {
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
	return lines.map((line) => JSON.parse(line) as Secret);
}

/**
 * Looks for secrets in a text.
 * @param place What the text is, for the report.
 * @returns What was found and where, without the secret itself.
 */
export function leaksIn(place: string, text: string, secrets: Secret[]): string[] {
	return secrets.flatMap(({ kind, value }) => {
		const at = [value, encodeURIComponent(value)].map((form) => text.indexOf(form));
		const first = at.find((index) => index >= 0);
		if (first === undefined) return [];
		return [`${place}, line ${text.slice(0, first).split('\n').length}: ${kind}`];
	});
}
