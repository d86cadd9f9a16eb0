import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAX_STATE_BYTES } from '../http/routesState';
import type { PagesBackend } from '../service/pagesBackend';
import { PageRefusal } from '../views';
import { readForm } from './forms';
import { sendPage } from './message';
import { noticeOf } from './notices';

/** Adds the page that saves the whole state, and puts a scenario or a saved state in its place. */
export function registerScenarios(app: FastifyInstance, backend: PagesBackend): void {
	const sendScenarios = (
		reply: FastifyReply,
		more: { notice?: string; refusal?: string } = {},
		status = 200,
	) => {
		const { notice = '', refusal = '' } = more;
		const data = { area: 'scenarios', scenarios: backend.scenarios(), notice, refusal };
		return sendPage(reply, 'scenarios', data, status);
	};
	const answer = async (reply: FastifyReply, act: () => Promise<void>) => {
		try {
			await act();
		} catch (error) {
			if (!(error instanceof PageRefusal)) throw error;
			return sendScenarios(reply, { refusal: `${error.message}.` }, 422);
		}
		return reply.redirect('/scenarios?done=stateLoaded', 303);
	};
	app.get<{ Querystring: { done?: unknown } }>('/scenarios', async ({ query }, reply) =>
		sendScenarios(reply, { notice: noticeOf(query) }),
	);
	app.post('/scenarios', async (request, reply) =>
		answer(reply, () => backend.loadScenario(readForm(request.body).name ?? '')),
	);
	app.post('/scenarios/file', { bodyLimit: MAX_STATE_BYTES }, async (request, reply) =>
		answer(reply, async () => backend.loadState(await readFile(request))),
	);
}

/**
 * Reads the saved state that a form brings.
 * @throws PageRefusal when it brings no file, or one that is not JSON.
 */
async function readFile(request: FastifyRequest): Promise<unknown> {
	if (!request.isMultipart()) throw new PageRefusal('Choose a file');
	const file = await request.file({ limits: { fileSize: MAX_STATE_BYTES } });
	const content = await file?.toBuffer();
	if (!content?.length) throw new PageRefusal('Choose a file');
	try {
		return JSON.parse(content.toString()) as unknown;
	} catch {
		throw new PageRefusal('This file is not JSON');
	}
}
