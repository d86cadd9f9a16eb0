import type { FastifyReply } from 'fastify';
import type { Form } from './forms';

/** What a page says after a form was acted on; the address carries the name only. */
const NOTICES = {
	resent: 'The delivery is on its way again.',
	sent: 'The event is on its way: its delivery is in the list below.',
	nobody: 'No webhook is registered for this event, so nothing was sent.',
	presetSet: 'It goes wrong from now on.',
	faultRemoved: 'The fault is gone.',
	faultsCleared: 'All faults are gone.',
	clockForward: 'The sandbox’s clock was put forward.',
	clockReset: 'The sandbox’s clock shows this machine’s time again.',
} as const;

export type NoticeName = keyof typeof NOTICES;

/** The text of the notice that an address names; '' for anything else. */
export function noticeOf(query: { done?: unknown }): string {
	const { done } = query;
	return typeof done === 'string' && Object.hasOwn(NOTICES, done)
		? NOTICES[done as NoticeName]
		: '';
}

/**
 * Sends the browser back to the page that a form came from, which then shows a notice.
 *
 * @param form Its field `back` names the page; anything but the console's own pages gives `/`.
 */
export function sendBack(reply: FastifyReply, form: Form, notice: NoticeName): FastifyReply {
	const back = form.back ?? '';
	const path = /^\/(?:events|lists\/[a-zA-Z]+)?(?:\?[^\\]*)?$/.test(back) ? back : '/';
	const url = new URL(path, 'http://sandbox.invalid');
	url.searchParams.set('done', notice);
	return reply.redirect(url.pathname + url.search, 303);
}
