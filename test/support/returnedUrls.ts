import { createHmac } from 'node:crypto';

/** Changes the URL of a webhook. The URL's host is `n8n.example`. */
export type UrlChange = (url: string) => unknown;

/** Ways to return the URL of a webhook that a service has stored as it was registered. */
export const harmlessChanges: Record<string, UrlChange> = {
	'as it is': (url) => url,
	'with capital letters in its host': (url) => url.replace('https://n8n', 'HTTPS://N8N'),
	'with its default port': (url) => url.replace('n8n.example', 'n8n.example:443'),
	'with http instead of https': (url) => url.replace('https:', 'http:'),
	'between spaces': (url) => ` ${url}\n`,
	'with an encoded letter': (url) =>
		url.replace(/(?<=secret=.)./, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
	'with an empty parameter': (url) => `${url}&`,
	'with another host': (url) => url.replace('n8n.example', 'hooks.example'),
	'with an IP address': (url) => url.replace('n8n.example', '192.0.2.1'),
	'with another port': (url) => url.replace('n8n.example', 'n8n.example:8443'),
	'as an address of its own': () => 'https://n8n.example/hooks/17',
	'as an address of its own with an ID': () => 'https://n8n.example/hooks?id=17',
	'with a login': (url) => url.replace('https://', 'https://user:hidden@'),
	'with a login, and cut off': (url) =>
		url.replace('https://', 'https://hidden@').replace(/&.*/, ''),
	'with a fragment': (url) => `${url}#1`,
	'not at all': () => undefined,
	'as null': () => null,
	'as an object': (url) => ({ url }),
	'as stars': () => '***',
	'as its path': (url) => url.replace('https://n8n.example', ''),
	'as its host': () => 'https://n8n.example',
	'encoded as a whole': (url) => encodeURIComponent(url),
	'written for HTML': (url) => url.replaceAll('&', '&amp;'),
	'written for XML': (url) => url.replaceAll('&', '&#38;'),
	'with an encoded query': (url) => url.replace(/(?<=\?).*/, encodeURIComponent),
	'with stars instead of its query': (url) => url.replace(/(?<=\?).*/, '***'),
	'with a word in brackets instead of its query': (url) => url.replace(/(?<=\?).*/, '[hidden]'),
	'with stars instead of its values': (url) => url.replace(/(?<==)[^&]*/g, '***'),
	'with "…" instead of its secret': secretAs(() => '…'),
	'with an empty secret': secretAs(() => ''),
	'with as many stars as its secret has characters': secretAs((secret) =>
		secret.replace(/./g, '*'),
	),
	'with as many letters as its secret has characters': secretAs((secret) =>
		secret.replace(/./g, 'x'),
	),
	'with both ends of its secret': secretAs(
		(secret) => `${secret.slice(0, 4)}${'x'.repeat(35)}${secret.slice(-4)}`,
	),
	'with the beginning of its secret': secretAs((secret) => secret.slice(0, 6)),
	'cut off in its secret': (url) => url.replace(/(?<=secret=.{9}).*/, ''),
	'cut off in its secret, with dots': (url) => url.replace(/(?<=secret=.{9}).*/, '...'),
	'cut off after its secret, with "…"': (url) => url.replace(/(?<=secret=.{43}).*/, '&un…'),
	'cut off in its signature': (url) => url.replace(/(?<=signature=.{9}).*/, ''),
};

/** Changes after which n8n rejects every call to the URL of a wait. */
export const wrongForWait: Record<string, UrlChange> = {
	'cut off after its first parameter': (url) => url.replace(/&.*/, ''),
	'without its secret': (url) => url.replace(/secret=.{43}&/, ''),
	'without its end': (url) => url.replace(/&until=\d+/, ''),
	"without n8n's signature": (url) => url.replace(/&signature=.{64}/, ''),
	'with another secret': secretAs(reversed),
	'with a secret in small letters': secretAs((secret) => secret.toLowerCase()),
	'with another signature': (url) => url.replace(/(?<=signature=).{64}/, reversed),
	'with another path': (url) => url.replace('/webhook-waiting/', '/webhook/'),
	'with a path in small letters': (url) => url.replace(/\/node\b/, '/NODE'),
	'with a slash at the end of its path': (url) => url.replace('?', '/?'),
	'with its parameters in another order': (url) =>
		url.replace(/(secret=.{43})&(until=\d+)/, '$2&$1'),
	'with one more parameter': (url) => url.replace('?', '?tenant=1&'),
};

/** Changes of a trigger's URL to which n8n still accepts calls, although some are wrong for a wait. */
export const harmlessForTrigger: Record<string, UrlChange> = {
	'with a slash at the end of its path': (url) => url.replace('?', '/?'),
	'with one more parameter': (url) => url.replace('?', '?tenant=1&'),
	'with one more parameter at its end': (url) => `${url}&tenant=1`,
};

/** Changes after which a trigger rejects every event. */
export const wrongForTrigger: Record<string, UrlChange> = {
	'with another secret': secretAs(reversed),
	'with a secret in small letters': secretAs((secret) => secret.toLowerCase()),
	'with another secret and more': (url) => `${String(secretAs(reversed)(url))}&tenant=1`,
};

export const withoutQuery: UrlChange = (url) => url.replace(/\?.*/, '');

function secretAs(change: (secret: string) => string): UrlChange {
	return (url) => url.replace(/(?<=secret=)[\w-]{43}/, change);
}

function reversed(text: string): string {
	return [...text].reverse().join('');
}

const sign = (text: string) => createHmac('sha256', 'secret').update(text).digest('hex');

/** Signs the URL of a wait like n8n 2.41.1. */
export function signed(address: string): string {
	const url = new URL(address);
	url.searchParams.set('signature', sign(url.pathname + url.search));
	return url.href;
}

/** Whether n8n 2.41.1 accepts a call to the URL. */
export function isSigned(address: string): boolean {
	const url = new URL(address);
	const signature = url.searchParams.get('signature');
	url.searchParams.delete('signature');
	return signature === sign(url.pathname + url.search);
}
