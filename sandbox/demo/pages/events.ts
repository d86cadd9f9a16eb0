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
import type { ListName, ListPage } from './consoleView';
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
		list: backend.list('deliveries'),
		back: '/events',
	});
	const listening = () => ({ listening: listeningFor(backend) });
	/** @param subject The ID of the document or request that is preselected; '' for the newest one. */
	const forms = (subject: string, type?: unknown) => ({
		documentEvents: documentEvents,
		identityEvents: identityEvents,
		documents: choices(backend, 'documents', subject),
		identityRequests: choices(backend, 'identityRequests', subject),
		subject,
		// If a trigger in n8n is listening, its event is preselected to save the user a click.
		type: type ?? backend.listeningFor()[0],
	});
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
			...forms(subject, about.type),
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
	app.get('/fragments/events-forms', async (_request, reply) =>
		sendPage(reply, 'events-forms', forms('')),
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
		subject: choices(backend, isIdentityEvent(type) ? 'identityRequests' : 'documents', '')[0],
	}));
}

/**
 * Returns links to the pages where a user can trigger an event for the newest documents or identity requests.
 */
function linksFor(backend: PagesBackend, type: EventType): Array<{ label: string; url: string }> {
	if (isIdentityEvent(type)) {
		return backend
			.list('identityRequests')
			.rows.filter(({ status }) => status !== 'COMPLETED')
			.map(({ email, url }) => ({ label: `Identity verification for ${email}`, url }));
	}
	if (type !== 'signDocument' && type !== 'completedDocument') return [];
	return backend
		.list('documents')
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
	const [rows, chosen] =
		name === 'documents'
			? [backend.list(name).rows.map(ofDocument), backend.document(subject)]
			: [backend.list(name).rows.map(ofIdentityRequest), backend.identityRequest(subject)];
	if (!chosen || rows.some(({ id }) => id === subject)) return rows;
	return ['documentID' in chosen ? ofDocument(chosen) : ofIdentityRequest(chosen), ...rows];
}

type Row<N extends ListName> = ListPage<N>['rows'][number];

const ofDocument = ({ documentID, title, status, signatories, addedOn }: Row<'documents'>) => ({
	id: documentID,
	label: `${title} for ${signatories.map(({ name }) => name).join(' and ')} (${helpers.sentenceCase(status)}, ${helpers.when(addedOn)})`,
});

const ofIdentityRequest = ({ validationId, email, status, addedOn }: Row<'identityRequests'>) => ({
	id: validationId,
	label: `${email} (${helpers.sentenceCase(status)}, ${helpers.when(addedOn)})`,
});
