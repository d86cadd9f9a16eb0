import { Value } from '@sinclair/typebox/value';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ENDPOINTS } from '../contract/endpoints';
import { FaultSchema, SettingsSchema } from '../schemas/control';
import type { Fault, SettingsChange } from '../types';
import type { PagesBackend } from '../service/pagesBackend';
import { PageRefusal } from '../views';
import { emptyForm, readForm, type Form } from './forms';
import { sendPage } from './message';
import { noticeOf, type NoticeName } from './notices';

/** What a fault does, as the form offers it. */
const EFFECTS = ['answer', 'before', 'after', 'delay'] as const;

/** Adds the page that sets and clears the faults, and the settings. */
export function registerFaults(app: FastifyInstance, backend: PagesBackend): void {
	const sendFaults = (
		reply: FastifyReply,
		more: { notice?: string; refusal?: string; form?: Form } = {},
		status = 200,
	) => {
		const { notice = '', refusal = '', form = emptyForm() } = more;
		const common = { area: 'faults', endpoints: ['*', ...ENDPOINTS], faults: backend.faults() };
		const presets = backend.presets();
		const data = { ...common, presets, settings: backend.settings(), notice, refusal, form };
		return sendPage(reply, 'faults', data, status);
	};
	const done = (reply: FastifyReply, notice: NoticeName) =>
		reply.redirect(`/faults?done=${notice}`, 303);

	app.get<{ Querystring: { done?: unknown } }>('/faults', async ({ query }, reply) =>
		sendFaults(reply, { notice: noticeOf(query) }),
	);
	app.get('/fragments/faults', async (_request, reply) =>
		sendPage(reply, 'faults-live', { faults: backend.faults() }),
	);
	app.post('/faults', async (request, reply) => {
		const form = readForm(request.body);
		const fault = readFault(form);
		if (typeof fault === 'string') return sendFaults(reply, { refusal: fault, form }, 422);
		backend.setFault(fault);
		return done(reply, 'faultSet');
	});
	app.post<{ Params: { id: string } }>('/faults/:id/remove', async ({ params }, reply) => {
		backend.removeFault(params.id);
		return done(reply, 'faultRemoved');
	});
	app.post('/faults/presets', async (request, reply) => {
		try {
			backend.setPreset(readForm(request.body).name ?? '');
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			return sendFaults(reply, { refusal: `${error.message}.` }, 422);
		}
		return done(reply, 'presetSet');
	});
	app.post('/faults/clear', async (_request, reply) => {
		backend.removeFault();
		return done(reply, 'faultsCleared');
	});
	app.post('/settings', async (request, reply) => {
		const form = readForm(request.body);
		if (form.reset !== undefined) {
			backend.setSettings({});
			return done(reply, 'settingsReset');
		}
		const change = readSettings(form);
		if (!Value.Check(SettingsSchema, change)) {
			const refusal = 'The settings need whole numbers above 0 (seconds may be broken).';
			return sendFaults(reply, { refusal }, 422);
		}
		// What this form does not have stays as it is.
		backend.setSettings({ ...change, delivery: backend.settings().delivery });
		return done(reply, 'settingsSaved');
	});
}

/** @returns The fault, or what is wrong with the form. */
function readFault(form: Form): Fault | string {
	const effect = EFFECTS.find((one) => one === form.effect);
	if (!effect) return 'Choose what the fault does.';
	const headers = readHeaders(form.headers ?? '');
	if (!headers) return 'Write each header on a line of its own, as in Retry-After: 2.';
	const delayMs = readNumber(form.delayMs);
	if (effect === 'delay' && !delayMs) return 'Say how long to wait, in milliseconds.';
	const fault = withoutAbsent({
		endpoint: form.endpoint ?? '',
		times: readNumber(form.times),
		skip: readNumber(form.skip),
		delayMs,
		reset: effect === 'before' || effect === 'after' ? effect : undefined,
		answer:
			effect === 'answer'
				? withoutAbsent({
						status: readNumber(form.status),
						headers: Object.keys(headers).length > 0 ? headers : undefined,
						body: readBody(form.body ?? ''),
					})
				: undefined,
	});
	if (Value.Check(FaultSchema, fault)) return fault;
	return 'Check the numbers: a status from 200 to 599, times of 1 or more, a delay of up to 600000.';
}

function readSettings(form: Form): SettingsChange | object {
	const perSecond = readNumber(form.perSecond);
	const retryAfter = readNumber(form.retryAfter);
	const quirk = (name: string) => form[`quirks.${name}`] !== undefined;
	return {
		rateLimit: perSecond === undefined ? null : withoutAbsent({ perSecond, retryAfter }),
		tokenLifetimeSeconds: readNumber(form.tokenLifetimeSeconds),
		invalidateOnRenew: form.invalidateOnRenew !== undefined,
		expiryStyle: form.expiryStyle,
		quirks: {
			trailingCreatedBy: quirk('trailingCreatedBy'),
			createAnswersOnlySuccess: quirk('createAnswersOnlySuccess'),
			signingExpiryNull: quirk('signingExpiryNull'),
			isSignedAsString: quirk('isSignedAsString'),
			canceled: quirk('canceled'),
		},
	};
}

/** @returns undefined for an empty field, NaN for what is no number. */
function readNumber(text: string | undefined): number | undefined {
	return text?.trim() ? Number(text) : undefined;
}

/** A body as it is answered: JSON where it is JSON, else the text as it stands. */
function readBody(text: string): unknown {
	if (!text.trim()) return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

function readHeaders(text: string): Record<string, string> | undefined {
	const headers: Record<string, string> = {};
	for (const line of text.split(/\r?\n/).filter((one) => one.trim())) {
		const [name = '', ...value] = line.split(':');
		if (value.length === 0) return undefined;
		headers[name.trim()] = value.join(':').trim();
	}
	return headers;
}

/** Without the fields that are undefined: the schemas take absent ones only. */
function withoutAbsent(fields: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
