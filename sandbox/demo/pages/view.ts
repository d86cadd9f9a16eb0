import { join } from 'node:path';
import { Eta } from 'eta';
import { eventNamed, isIdentityEvent } from '../../schemas/events';
import { writtenTime, durationText } from '../../util/time';
import { parseUrl } from '../../util/url';
import { versionName } from './consoleView';

// `<%= %>` always escapes. `<%~ %>` does not, so it is used only for the layout's body and for fragments.
const eta = new Eta({ views: join(__dirname, 'views'), autoEscape: true, cache: true });

/** The section of the site that a page belongs to. The navigation highlights this section. */
export type Area =
	'console' | 'events' | 'faults' | 'time' | 'mailbox' | 'sign' | 'identity' | 'none';

/**
 * Renders a view as a full page, or as a fragment if the view has no layout.
 *
 * @param view The name of a file in views/, without its extension.
 * @param data The data that the view can access through `it`, in addition to the formatting helpers.
 * @returns HTML in which everything from `data` is escaped.
 */
export function renderView(view: string, data: object): string {
	return eta.render(`./${view}`, { ...helpers, ...data });
}

/**
 * Times are shown in UTC and in 24-hour format so that users can compare them with the times on documents and
 * in n8n's notifications.
 */
const dateTime = new Intl.DateTimeFormat('en-US', {
	dateStyle: 'medium',
	timeStyle: 'medium',
	hourCycle: 'h23',
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

/** Formatting functions for views, which call them as `it.when(…)` and so on. */
export const helpers = {
	/** Formats epoch-ms as a date and time in UTC. Returns a dash if the value is not a time. */
	when(epochMs: number | undefined): string {
		return epochMs !== undefined && isTime(epochMs) ? `${dateTime.format(epochMs)} UTC` : '–';
	},
	/** Formats epoch-ms as a date and time in the format that documents use. */
	written: writtenTime,
	/** Formats epoch-ms as ISO 8601 for `datetime` attributes. Returns '' if the value is not a time. */
	iso(epochMs: number | undefined): string {
		return epochMs !== undefined && isTime(epochMs) ? new Date(epochMs).toISOString() : '';
	},
	/** Formats a number of bytes in a readable unit. */
	size(bytes: number): string {
		if (bytes < 1000) return `${bytes} B`;
		return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
	},
	/** Formats a count with its noun: '1 attempt', '2 attempts'. */
	count(number: number, noun: string): string {
		return `${number} ${noun}${number === 1 ? '' : 's'}`;
	},
	/** Returns an event's name in n8n. The type '*' means all events. */
	event(type: string): string {
		return type === '*' ? 'All events' : (eventNamed(type)?.name ?? type);
	},
	isIdentity: isIdentityEvent,
	version: versionName,
	/** Converts a code to readable text: 'FACE' becomes 'Face', and 'failed' becomes 'Failed'. */
	sentenceCase: (code: string) =>
		code.charAt(0).toUpperCase() + code.slice(1).toLowerCase().replaceAll('_', ' '),
	/** Returns the CSS class that sets the color of a state's label. */
	tone(state: string): string {
		return Object.hasOwn(tones, state) ? (tones[state] ?? '') : '';
	},
	/** Formats a duration: '1 day 2 hours'. */
	duration: durationText,
	href: safeHref,
	segments: linkSegments,
	segment: encodeURIComponent,
};

function isTime(epochMs: number): boolean {
	return Number.isFinite(epochMs) && Math.abs(epochMs) <= 8.64e15;
}

/**
 * Makes a URL safe to use in a link. Only http(s) URLs and paths on this server are allowed, so a
 * `javascript:` or `data:` URL never becomes a link.
 *
 * @param address The URL as received. A path without a leading slash is resolved from the root.
 * @returns The URL, or '' if it must not become a link.
 */
function safeHref(address: string): string {
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
 * Splits plain text into pieces so that the URLs in it can be shown as links. Only URLs have an `href`.
 *
 * @param text The text as received. Line breaks are preserved.
 */
function linkSegments(text: string): Array<{ text: string; href?: string }> {
	const pieces: Array<{ text: string; href?: string }> = [];
	let end = 0;
	for (const match of text.matchAll(/https?:\/\/[^\s<>"']+/g)) {
		// A period or bracket right after a URL is part of the sentence, so it is left out of the link. The
		// limit of eight characters keeps the search from taking quadratic time.
		const address = match[0].replace(/[.,;:!?)\]}]{1,8}$/, '');
		const href = parseUrl(address)?.href;
		if (!href) continue;
		if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
		pieces.push({ text: address, href });
		end = match.index + address.length;
	}
	if (end < text.length) pieces.push({ text: text.slice(end) });
	return pieces;
}
