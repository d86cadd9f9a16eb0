import type { FastifyInstance, FastifyReply } from 'fastify';
import {
	documentEvents,
	eventNamed,
	type EventType,
	identityEvents,
	isDocumentEvent,
	isIdentityEvent,
} from '../../schemas';
import { PageRefusal } from '../../service/refusal';
import type { PagesBackend } from './backend';
import { readForm, sendPage, noticeOf, sendBack } from './reply';
import { helpers } from './view';

/** Describes how a user can trigger an event. */
function causeOf(type: EventType): string {
	const { cause } = eventNamed(type) ?? {};
	return cause
		? `${cause}, or send the event.`
		: 'Send the event. Nothing else in the sandbox triggers it.';
}

/** For each event that a trigger is listening for, the page shows at most this many links. */
const offered = 3;

/** Adds the page where users can send any event on demand and see the deliveries. */
export function registerEvents(app: FastifyInstance, backend: PagesBackend): void {
	const deliveries = () => ({
		list: backend.list('deliveries', { search: '', page: 1 }),
		back: '/events',
	});
	const listening = () => ({ listening: listeningFor(backend) });
	const sendEvents = (
		reply: FastifyReply,
		about: { subject?: unknown; type?: unknown; notice?: string; refusal?: string },
		status = 200,
	) => {
		const subject = typeof about.subject === 'string' ? about.subject : '';
		const data = {
			area: 'events',
			...deliveries(),
			...listening(),
			documentEvents: documentEvents,
			identityEvents: identityEvents,
			documents: choices(backend, 'documents', subject),
			identityRequests: choices(backend, 'identityRequests', subject),
			subject,
			// If a trigger in n8n is listening, its event is preselected to save the user a click.
			type: about.type ?? backend.listeningFor()[0],
			notice: about.notice ?? '',
			refusal: about.refusal ?? '',
		};
		return sendPage(reply, 'events', data, status);
	};

	app.get<{ Querystring: { subject?: unknown; done?: unknown } }>(
		'/events',
		async ({ query }, reply) =>
			sendEvents(reply, { subject: query.subject, notice: noticeOf(query) }),
	);
	app.get('/fragments/events', async (_request, reply) =>
		sendPage(reply, 'events-live', deliveries()),
	);
	app.get('/fragments/listening', async (_request, reply) =>
		sendPage(reply, 'listening', listening()),
	);
	app.post('/events', async (request, reply) => {
		const form = readForm(request.body);
		const { type = '', subject = '' } = form;
		if (!isDocumentEvent(type) && !isIdentityEvent(type)) {
			return sendEvents(reply, { subject, refusal: 'Choose one of the events.' }, 422);
		}
		try {
			const count = await backend.fire(type, subject);
			return sendBack(reply, { back: '/events' }, count > 0 ? 'sent' : 'nobody');
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			return sendEvents(reply, { subject, type, refusal: `${error.message}.` }, 422);
		}
	});
}

/**
 * Returns the events that triggers in n8n's editor are listening for, each with instructions and links for
 * triggering it.
 */
function listeningFor(backend: PagesBackend) {
	return backend.listeningFor().map((type) => ({
		type,
		cause: causeOf(type),
		links: linksFor(backend, type).slice(0, offered),
		subject: choicesOf(backend, isIdentityEvent(type) ? 'identityRequests' : 'documents', '')[0],
	}));
}

/**
 * Returns links to the pages where a user can trigger an event for the newest documents or identity requests.
 */
function linksFor(backend: PagesBackend, type: EventType): Array<{ label: string; url: string }> {
	const newest = { search: '', page: 1 };
	if (isIdentityEvent(type)) {
		return backend
			.list('identityRequests', newest)
			.rows.filter(({ status }) => status !== 'COMPLETED')
			.map(({ email, url }) => ({ label: `Identity verification for ${email}`, url }));
	}
	if (type !== 'signDocument' && type !== 'completedDocument') return [];
	return backend
		.list('documents', newest)
		.rows.flatMap(({ title, signatories }) =>
			signatories
				.filter(({ signed }) => !signed)
				.map(({ name, signingUrl }) => ({ label: `Sign ${title} as ${name}`, url: signingUrl })),
		);
}

/**
 * Returns the newest documents or identity requests to choose from. The document or request whose ID is
 * `subject` is included even if it is not among the newest.
 */
function choices(
	backend: PagesBackend,
	name: 'documents' | 'identityRequests',
	subject: string,
): Array<{ id: string; label: string }> {
	const newest = choicesOf(backend, name, '');
	if (!subject || newest.some(({ id }) => id === subject)) return newest;
	return [...choicesOf(backend, name, subject).filter(({ id }) => id === subject), ...newest];
}

function choicesOf(
	backend: PagesBackend,
	name: 'documents' | 'identityRequests',
	search: string,
): Array<{ id: string; label: string }> {
	if (name === 'documents') {
		const { rows } = backend.list('documents', { search, page: 1 });
		return rows.map(({ documentID, title, status, addedOn }) => ({
			id: documentID,
			label: `${title} (${helpers.sentenceCase(status)}, ${helpers.when(addedOn)})`,
		}));
	}
	const { rows } = backend.list('identityRequests', { search, page: 1 });
	return rows.map(({ validationId, email, status, addedOn }) => ({
		id: validationId,
		label: `${email} (${helpers.sentenceCase(status)}, ${helpers.when(addedOn)})`,
	}));
}
