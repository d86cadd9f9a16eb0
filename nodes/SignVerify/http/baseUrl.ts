import { parseUrl } from '../util/values';
import { wrongBaseUrl } from './messages';

/**
 * Checks a credential's Base URL, to which paths are appended.
 * @returns The URL without a trailing slash.
 * @throws ServiceError if it is empty, not http(s), or has a query, which would swallow the path of
 * every call.
 */
export function normalizeBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const parsed = parseUrl(text);
	if (!text) throw wrongBaseUrl('it is empty. Enter the URL that your provider gave you');
	if (!parsed || !/^https?:$/.test(parsed.protocol)) {
		throw wrongBaseUrl('this is not a URL. It must begin with https:// or http://');
	}
	if (parsed.search || parsed.hash) throw wrongBaseUrl('it must end before any "?" or "#"');
	return withoutSlashes(`${parsed.origin}${parsed.pathname}`);
}

/** A URL without the slashes at its end. A pattern would take long for a text of many slashes. */
export function withoutSlashes(url: string): string {
	let end = url.length;
	while (url[end - 1] === '/') end--;
	return url.slice(0, end);
}

/** The part of a URL that an error may show: no path, no login. */
export function originOf(url: string): string {
	return parseUrl(url)?.origin ?? 'the Base URL';
}

/** Whether a text is a whole URL, which says how and where: `https://host/…`. */
export function isWebAddress(text: string): boolean {
	return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/**
 * The path of a call below the Base URL.
 * @returns The path with its first slash; undefined if the call goes somewhere else.
 */
export function pathBelow(baseUrl: string, url: string): string | undefined {
	const base = parseUrl(baseUrl);
	const target = parseUrl(url);
	if (!base || !target || base.origin !== target.origin) return undefined;
	const root = withoutSlashes(base.pathname);
	if (target.pathname !== root && !target.pathname.startsWith(`${root}/`)) return undefined;
	return target.pathname.slice(root.length) || '/';
}
