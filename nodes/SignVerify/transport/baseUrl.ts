import { ServiceError } from './errors';

/** A parsed absolute address; what of Node's URL is needed here. */
interface ParsedAddress {
	origin: string;
	pathname: string;
	protocol: string;
	search: string;
	hash: string;
}

/**
 * Checks a credential's Base URL and brings it to the one form that paths are appended to.
 * @returns The address without a trailing slash.
 * @throws ServiceError naming the Base URL when it is empty, no http(s) address, or carries a
 * query, which would swallow the path of every call.
 */
export function normalizeBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const parsed = parse(text);
	if (!parsed || !/^https?:$/.test(parsed.protocol)) {
		throw new ServiceError({
			message: text
				? 'Base URL: this is not a URL. It must begin with https:// or http://'
				: 'Base URL: it is empty. Enter the URL that your provider gave you',
			description: 'Correct it in the credential. An example is https://sign.example.com/api.',
			topic: 'the-credential',
		});
	}
	if (parsed.search || parsed.hash) {
		throw new ServiceError({
			message: 'Base URL: it must end before any "?" or "#"',
			description: 'Correct it in the credential. An example is https://sign.example.com/api.',
			topic: 'the-credential',
		});
	}
	return withoutSlashes(`${parsed.origin}${parsed.pathname}`);
}

/** An address without the slashes behind it. */
export function withoutSlashes(address: string): string {
	let end = address.length;
	while (address[end - 1] === '/') end--;
	return address.slice(0, end);
}

/** The part of a base address that may be shown in an error: no path, no login. */
export function originOf(baseUrl: string): string {
	return parse(baseUrl)?.origin ?? 'the Base URL';
}

/** Whether a text is a whole web address, which says how and where: `https://host/…`. */
export function isWebAddress(text: string): boolean {
	return /^https?:\/\/\S+$/i.test(text) && parse(text) !== undefined;
}

/**
 * The path of a call below the base address.
 * @returns The path, beginning with a slash, or undefined when the call goes somewhere else.
 */
export function pathBelow(baseUrl: string, address: string): string | undefined {
	const base = parse(baseUrl);
	const target = parse(address);
	if (!base || !target || base.origin !== target.origin) return undefined;
	const root = withoutSlashes(base.pathname);
	if (target.pathname !== root && !target.pathname.startsWith(`${root}/`)) return undefined;
	return target.pathname.slice(root.length) || '/';
}

function parse(text: string): ParsedAddress | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}
