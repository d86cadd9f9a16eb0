import { Value } from '@sinclair/typebox/value';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DOCUMENT_EVENTS, IDENTITY_EVENTS } from '../schemas';
import { SettingsSchema } from '../schemas/control';
import type { DeliverySettings } from '../types';
import type { PagesBackend } from '../service/pagesBackend';
import { readForm, type Form } from './forms';
import { sendPage } from './message';
import { noticeOf } from './notices';

/** The kinds of trouble, in words. */
const KINDS = [
	['twice', 'come twice'],
	['late', 'come late'],
	['outOfOrder', 'come out of order'],
	['never', 'never come'],
] as const;

/** The retry schedules, in words. */
const SCHEDULES = [
	['default', 'for 82 seconds, 6 attempts'],
	['hours', 'for 46 hours, 8 attempts'],
	['none', 'never again'],
] as const;

/** Adds the page that says how notifications are delivered, and what goes wrong with them. */
export function registerDelivery(app: FastifyInstance, backend: PagesBackend): void {
	const sendDelivery = (reply: FastifyReply, more: object, status = 200) => {
		const { delivery } = backend.settings();
		const events = ['*', ...DOCUMENT_EVENTS, ...IDENTITY_EVENTS];
		const words = { kinds: KINDS, schedules: SCHEDULES, events };
		const data = { area: 'faults', delivery, ...words, notice: '', refusal: '', ...more };
		return sendPage(reply, 'delivery', data, status);
	};
	app.get<{ Querystring: { done?: unknown } }>('/delivery', async ({ query }, reply) =>
		sendDelivery(reply, { notice: noticeOf(query) }),
	);
	app.post('/delivery', async (request, reply) => {
		const settings = backend.settings();
		const delivery = changed(settings.delivery, readForm(request.body));
		if (!Value.Check(SettingsSchema, { delivery })) {
			const refusal =
				'A chance goes from 0 to 100 percent, a delay up to a year, the seed is a whole number.';
			return sendDelivery(reply, { refusal }, 422);
		}
		backend.setSettings({ ...settings, delivery });
		return reply.redirect('/delivery?done=deliverySaved', 303);
	});
}

/** Each form of the page names what it does in the field `do`. */
function changed(now: DeliverySettings, form: Form): object {
	if (form.do === 'add') {
		const { event, kind } = form;
		const chance = Number(form.chance || '100') / 100;
		const delayMs = Math.round(Number(form.delay || '10') * 1000);
		const waits = kind === 'late' || kind === 'outOfOrder';
		const trouble = { event, kind, chance, ...(waits ? { delayMs } : {}) };
		return { ...now, trouble: [...now.trouble, trouble] };
	}
	if (form.do === 'remove') {
		return { ...now, trouble: now.trouble.filter((_, index) => String(index) !== form.index) };
	}
	return {
		...now,
		// A list of delays has no place in the form: it stays.
		retries: form.retries === 'as-is' ? now.retries : form.retries,
		newAddedOn: form.newAddedOn !== undefined,
		seed: Number(form.seed || 'NaN'),
	};
}
