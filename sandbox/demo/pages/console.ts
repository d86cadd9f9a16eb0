import type { FastifyInstance, FastifyReply } from 'fastify';
import { PageRefusal } from '../../service/refusal';
import type { PagesBackend } from './backend';
import type { ListName } from './consoleView';
import { queryOf, readForm, sendMessage, sendPage, noticeOf, sendBack } from './reply';

/** The titles of the lists that have separate pages. */
const lists: Record<ListName, string> = {
	documents: 'Documents',
	identityRequests: 'Identity requests',
	deliveries: 'Deliveries',
	registrations: 'Webhooks',
	requests: 'API calls',
	templates: 'Templates',
};

interface ListRoute {
	Params: { name: string };
	Querystring: { page?: unknown; done?: unknown };
}

interface ListAddress {
	params: ListRoute['Params'];
	query: ListRoute['Querystring'];
}

/**
 * Adds the console (`/`), its lists (`/lists/<name>?page=…`), the parts that refresh automatically, and
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
		const shown = backend.list(params.name, Number(query.page ?? 1));
		const { page, pages } = shown;
		const back = addressOf(params.name, page);
		return {
			list: shown,
			back,
			title: lists[params.name],
			links: {
				fragment: `/fragments${back}`,
				newer: page > 1 ? addressOf(params.name, page - 1) : '',
				older: page < pages ? addressOf(params.name, page + 1) : '',
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

function addressOf(name: ListName, page: number): string {
	return `/lists/${name}${queryOf(page)}`;
}

function sendNoList(reply: FastifyReply): FastifyReply {
	return sendMessage(reply, 404, {
		area: 'console',
		title: 'This list doesn’t exist',
		text: 'You can open every list from the console.',
	});
}
