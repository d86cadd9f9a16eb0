import { join } from 'node:path';
import { Eta } from 'eta';
import { eventNamed, isIdentityEvent } from '../../schemas/events';
import { writtenTime, durationText } from '../../util/time';

// Escaping is on for every <%= %>; <%~ %> is used for the layout's body and fragments only.
const eta = new Eta({ views: join(__dirname, 'views'), autoEscape: true, cache: true });

/** The area of the site that a page belongs to; the navigation marks it. */
export type Area =
	'console' | 'events' | 'faults' | 'time' | 'mailbox' | 'sign' | 'identity' | 'none';

/**
 * Renders a view as a whole page, or as a fragment when the view has no layout.
 *
 * @param view Name of a file in views/, without its ending.
 * @param data What the view reads as `it`; the formatting helpers are added.
 * @returns HTML in which everything from `data` is escaped.
 */
export function renderView(view: string, data: object): string {
	return eta.render(`./${view}`, { ...helpers, ...data });
}

/** As on documents and in n8n's notifications: one time zone for all that a person compares. */
const dateTime = new Intl.DateTimeFormat('en-GB', {
	dateStyle: 'medium',
	timeStyle: 'medium',
	timeZone: 'UTC',
});

const tones: Record<string, string> = {
	COMPLETED: 'good',
	PENDING: 'wait',
	CREATED: 'wait',
	IN_PROGRESS: 'wait',
	delivered: 'good',
	pending: 'wait',
	failed: 'bad',
};

/** Formatting for views, reached there as `it.when(…)` and so on. */
export const helpers = {
	/** epoch-ms as date and time, in UTC; a dash when it is not a time. */
	when(epochMs: number | undefined): string {
		return epochMs !== undefined && isTime(epochMs) ? `${dateTime.format(epochMs)} UTC` : '–';
	},
	/** epoch-ms as date and time as on a document. */
	written: writtenTime,
	/** epoch-ms as ISO 8601 for `datetime` attributes; '' when it is not a time. */
	iso(epochMs: number | undefined): string {
		return epochMs !== undefined && isTime(epochMs) ? new Date(epochMs).toISOString() : '';
	},
	/** A number of bytes, for people. */
	size(bytes: number): string {
		if (bytes < 1000) return `${bytes} B`;
		return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
	},
	/** '1 attempt', '2 attempts'. */
	count(number: number, noun: string): string {
		return `${number} ${noun}${number === 1 ? '' : 's'}`;
	},
	/** What n8n calls an event; '*' is all of them. */
	event(type: string): string {
		return type === '*' ? 'All events' : (eventNamed(type)?.name ?? type);
	},
	/** Whether an event is about an identity request, not about a document. */
	isIdentity: isIdentityEvent,
	/** 'FACE' as 'Face'. */
	sentenceCase: (code: string) => code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' '),
	/** The colour of a state's label. */
	tone(state: string): string {
		return Object.hasOwn(tones, state) ? (tones[state] ?? '') : '';
	},
	/** A length of time: '1 day 2 hours'. */
	duration: durationText,
	href: safeHref,
	segments: linkSegments,
	segment: encodeURIComponent,
};

function isTime(epochMs: number): boolean {
	return Number.isFinite(epochMs) && Math.abs(epochMs) <= 8.64e15;
}

/**
 * Makes an address fit for a link: only http(s) addresses and paths of this server, so that no
 * `javascript:` or `data:` address becomes clickable.
 *
 * @param address As received. A path without a leading slash is taken from the root.
 * @returns The address, or '' when it must not be a link.
 */
export function safeHref(address: string): string {
	try {
		const root = 'http://sandbox.invalid/';
		const url = new URL(address, root);
		if (url.origin === new URL(root).origin) return url.pathname + url.search + url.hash;
		return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : '';
	} catch {
		return '';
	}
}

/**
 * Splits plain text into pieces, those with `href` being the web addresses in it.
 *
 * @param text As received; line breaks are kept.
 */
export function linkSegments(text: string): Array<{ text: string; href?: string }> {
	const pieces: Array<{ text: string; href?: string }> = [];
	let end = 0;
	for (const match of text.matchAll(/https?:\/\/[^\s<>"']+/g)) {
		// A full stop or bracket right after an address belongs to the sentence. Bounded, because the
		// time would grow with the square of the length.
		const address = match[0].replace(/[.,;:!?)\]}]{1,8}$/, '');
		const href = safeHref(address);
		if (!href) continue;
		if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
		pieces.push({ text: address, href });
		end = match.index + address.length;
	}
	if (end < text.length) pieces.push({ text: text.slice(end) });
	return pieces;
}
