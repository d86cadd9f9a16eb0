import type { FastifyInstance, FastifyReply } from 'fastify';
import { PageRefusal } from '../../service/refusal';
import type { PagesBackend } from './backend';
import type { ListName } from './consoleView';
import { maxSearch, queryOf, readForm, sendMessage, sendPage, noticeOf, sendBack } from './reply';

/** The lists that have separate pages, with their titles and search hints. */
const lists: Record<ListName, { title: string; hint: string }> = {
	documents: { title: 'Documents', hint: 'Title, ID, status, name, or email' },
	identityRequests: { title: 'Identity requests', hint: 'Email, ID, or status' },
	deliveries: { title: 'Deliveries', hint: 'Event, state, URL, title, or document ID' },
	registrations: { title: 'Webhooks', hint: 'Event, URL, or ID' },
	requests: { title: 'API calls', hint: 'Method, path, status, or problem' },
	templates: { title: 'Templates', hint: 'Name, ID, status, or version' },
};

interface ListRoute {
	Params: { name: string };
	Querystring: { q?: unknown; page?: unknown; done?: unknown };
}

interface ListAddress {
	params: ListRoute['Params'];
	query: ListRoute['Querystring'];
}

/**
 * Adds the console (`/`), its lists (`/lists/<name>?q=…&page=…`), the parts that refresh automatically, and
 * the button that resends a delivery.
 */
export function registerConsole(app: FastifyInstance, backend: PagesBackend): void {
	const overview = () => ({ console: backend.console(), back: '/' });
	app.get<{ Querystring: { done?: unknown } }>('/', async ({ query }, reply) =>
		sendPage(reply, 'console', {
			area: 'console',
			...overview(),
			connection: backend.connection(),
			notice: noticeOf(query),
		}),
	);
	app.get('/fragments/console', async (_request, reply) =>
		sendPage(reply, 'console-live', overview()),
	);

	const list = ({ params, query }: ListAddress): object | undefined => {
		if (!isList(params.name)) return undefined;
		const { q = '', page = '1' } = query;
		const search = typeof q === 'string' ? q.slice(0, maxSearch) : '';
		const shown = backend.list(params.name, { search, page: Number(page) });
		const back = addressOf(params.name, shown.search, shown.page);
		return {
			list: shown,
			back,
			...lists[params.name],
			links: {
				fragment: `/fragments${back}`,
				newer: shown.page > 1 ? addressOf(params.name, shown.search, shown.page - 1) : '',
				older: shown.page < shown.pages ? addressOf(params.name, shown.search, shown.page + 1) : '',
			},
		};
	};
	app.get<ListRoute>('/lists/:name', async (request, reply) => {
		const data = list(request);
		if (!data) return sendNoList(reply);
		return sendPage(reply, 'list', { area: 'console', ...data, notice: noticeOf(request.query) });
	});
	app.get<ListRoute>('/fragments/lists/:name', async (request, reply) => {
		const data = list(request);
		return data ? sendPage(reply, 'list-live', data) : sendNoList(reply);
	});

	app.post<{ Params: { id: string } }>('/deliveries/:id/resend', async (request, reply) => {
		try {
			backend.resend(request.params.id);
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			return sendMessage(reply, 404, {
				area: 'console',
				title: 'This delivery is no longer available',
				text: 'The sandbox keeps only the newest 2,000 completed deliveries.',
			});
		}
		return sendBack(reply, readForm(request.body), 'resent');
	});
}

function isList(name: string): name is ListName {
	return Object.hasOwn(lists, name);
}

function addressOf(name: ListName, search: string, page: number): string {
	return `/lists/${name}${queryOf(search, page)}`;
}

function sendNoList(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 404, {
		area: 'console',
		title: 'This list doesn’t exist',
		text: 'You can open every list from the console.',
	});
}
