import { withoutEnd } from './text';

/** Matches a URL whose host, with its login and port, has at most 1,000 characters. */
const urlWithShortHost = /^\s*[a-z][a-z\d+.-]{0,30}:\/\/[^/?#\\]{1,1000}(?![^/?#\\])/i;

/**
 * Parses an absolute URL with a host.
 * @returns undefined for any other string, and for a host that is too long: parsing normalizes a host, which
 * can take minutes.
 */
export function parseUrl(text: string): URL | undefined {
	return urlWithShortHost.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

export function withoutSlashes(url: string): string {
	return withoutEnd(url, '/');
}

/** Returns the part of a URL that errors may show: scheme, host and port, without login and path. */
export function originOf(url: string): string {
	return parseUrl(url)?.origin ?? 'the Base URL';
}

const privateHost = new RegExp(
	[
		// Names without a dot and names with these endings exist only on private networks.
		'[^.:]+|.+\\.(?:local|localhost|internal|lan)',
		'(?:0|10|127)(?:\\.\\d+){3}',
		'(?:192\\.168|169\\.254|172\\.(?:1[6-9]|2\\d|3[01]))(?:\\.\\d+){2}',
		// VPNs such as Tailscale use the addresses that providers share among their customers (RFC 6598).
		'100\\.(?:6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])(?:\\.\\d+){2}',
		'\\[(?:::1?|f[cd].*|fe[89ab].*)\\]',
	]
		// A fully qualified name may end in a dot.
		.map((host) => `^(?:${host})\\.?$`)
		.join('|'),
);

/**
 * Whether a URL is reachable only from this machine or its local network. Returns true for a string that
 * isn't a URL.
 */
export function isPrivateUrl(url: string): boolean {
	const host = parseUrl(url)?.hostname;
	return host === undefined || privateHost.test(host);
}

/**
 * Returns false for a string that isn't a URL, and true for the unspecified addresses `0.0.0.0` and `[::]`, because a
 * machine that calls them is calling itself.
 */
export function isLoopbackUrl(url: string): boolean {
	const host = parseUrl(url)?.hostname ?? '';
	return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])\.?$/.test(host);
}

/** Matches a path that parsing doesn't change. */
const plainPath = /^(?:\/[\w-]+)+$/;

/**
 * @param baseUrl The Base URL, as it was parsed.
 * @returns The path below the Base URL, with its leading slash and without the query; undefined if the URL is not
 * below the Base URL.
 */
export function pathBelow(baseUrl: string, url: string): string | undefined {
	const rest = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : '';
	// Parsing a URL takes a good part of the time that a call takes.
	if (plainPath.test(rest)) return rest;
	const base = parseUrl(baseUrl);
	const target = parseUrl(url);
	if (!base || !target || base.origin !== target.origin) return undefined;
	const root = withoutSlashes(base.pathname);
	if (target.pathname !== root && !target.pathname.startsWith(`${root}/`)) return undefined;
	return target.pathname.slice(root.length) || '/';
}

/** Returns the part unchanged if it can't be decoded. */
export function decodeUrlPart(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
