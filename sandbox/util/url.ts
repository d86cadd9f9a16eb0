import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { repository } = JSON.parse(
	readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'),
) as { repository: { url: string } };

/** The URL of docs/dev/service.md, which describes the API. */
export const servicePage = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/docs/dev/service.md`;

/** Matches a URL whose host, with its login and port, has at most 1,000 characters. */
const urlWithShortHost = /^\s*[a-z][a-z\d+.-]{0,30}:\/\/[^/?#\\]{1,1000}(?![^/?#\\])/i;

/**
 * Parses an absolute URL with a host. Returns undefined for any other string, and for a host that is too
 * long: parsing a URL normalizes its host, which takes quadratic time.
 */
export function parseUrl(text: string): URL | undefined {
	return urlWithShortHost.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}
