import { decodeUrlPart, parseUrl, withoutSlashes } from '../util/urls';
import { canBeSecret, secretParameter } from './webhookSecret';

/*
 * The response to a registration contains the URL that the service will call (docs/dev/service.md#webhook-registration).
 * If this isn't the registered URL, n8n may reject every event. But a service may also show a URL differently from how it
 * stores it, for instance without secrets, so a difference counts only if it can't be a way of showing the URL.
 */

/** How the URL that a service returned differs from the one that was registered. */
export interface UrlDifference {
	/**
	 * `noEvents` if n8n will reject every event, `noEventsIfListed` if that depends on whether the list of webhooks shows the
	 * same, and `unclear` if the service may only show the URL differently.
	 */
	effect: 'noEvents' | 'noEventsIfListed' | 'unclear';
	/** As in "the URL without everything after the question mark". Contains no value of either URL. */
	words: string;
}

/** n8n's signature in the URL of a wait. @n8n */
const signatureParameter = 'signature';

/** The formats that show that a value isn't a placeholder for the registered one. */
const formats = new Map<string, (value: string) => boolean>([
	[secretParameter, canBeSecret],
	[signatureParameter, (value) => /^[\da-f]{64}$/i.test(value)],
]);

/**
 * Finds out whether the service has stored another URL than it was given. If n8n has signed the URL, the signature is
 * valid only for its path, and for the order of its other parameters. n8n ignores the scheme and the host.
 * @returns undefined if events can arrive at the returned URL, or if there's none.
 * @n8n
 */
export function differenceOf(registered: string, returned: string): UrlDifference | undefined {
	const ours = parseUrl(registered);
	if (!ours || returned === '') return undefined;
	const theirs = parseUrl(returned);
	if (!theirs) return notCertain('in another format');
	if (theirs.href === ours.href) return undefined;
	if (theirs.host !== ours.host) return notCertain('with another host or port');
	const names = [...ours.searchParams.keys()];
	const returnedNames = [...theirs.searchParams.keys()];
	const isSigned = names.includes(signatureParameter);
	const kept = names.filter((name) => returnedNames.includes(name));
	const isOther = (name: string) => theirs.searchParams.get(name) !== ours.searchParams.get(name);
	const changed = kept.filter(isOther);
	// A service may show `&amp;` for `&`, or "…" for the rest, but it doesn't store them.
	const isAltered = (name: string) => !names.includes(name) && !/^[\w-]+$/.test(name);
	if (theirs.username || theirs.password || theirs.hash || returnedNames.some(isAltered)) {
		return notCertain('in another format');
	}
	if (changed.some((name) => isPlaceholder(name, theirs.searchParams.get(name) ?? ''))) {
		return notCertain('with other values');
	}
	if (pathOf(theirs, isSigned) !== pathOf(ours, isSigned)) {
		// Without the parameters, this may be an address of the service's own.
		const isStored = isSigned && kept.length > 0;
		return isStored ? certainly('with another path') : notCertain('with another path');
	}
	if (kept.length === 0 && names.length > 0) {
		return { effect: 'noEventsIfListed', words: 'without everything after the question mark' };
	}
	const lostCount = names.length - kept.length;
	if (lostCount > 0) return certainly(`without ${lostCount} of its ${names.length} parameters`);
	if (changed.length > 0) return certainly(`with another ${changed.join(' and another ')}`);
	const signed = (all: string[]) => all.filter((name) => name !== signatureParameter).join('&');
	if (isSigned && signed(returnedNames) !== signed(names)) {
		return certainly('with more parameters, or with the same ones in another order');
	}
	return undefined;
}

/** Eight equal characters in a row are a placeholder as well, because a random value doesn't contain them. */
function isPlaceholder(name: string, value: string): boolean {
	return !formats.get(name)?.(value) || /(.)\1{7}/.test(value);
}

function pathOf({ pathname }: URL, isSigned: boolean): string {
	const path = decodeUrlPart(pathname);
	return isSigned ? path : withoutSlashes(path);
}

function certainly(words: string): UrlDifference {
	return { effect: 'noEvents', words };
}

function notCertain(words: string): UrlDifference {
	return { effect: 'unclear', words };
}
