import type { FastifyInstance, FastifyReply } from 'fastify';
import { PageRefusal } from '../../service/refusal';
import { maxImportBytes } from '../../service/templateImport';
import type { TemplateImport } from '../../types';
import type { PagesBackend } from './backend';
import { sendPage } from './reply';

/** The maximum overhead of the form around the uploaded file, in bytes. */
const formBytes = 10_000;

/**
 * Adds the page that imports templates from a real account, as a file or as pasted text. The page has its own
 * scope, because no other page accepts files.
 */
export function templateImportRoutes(backend: PagesBackend) {
	return async (app: FastifyInstance): Promise<void> => {
		app.addContentTypeParser(
			'multipart/form-data',
			{ parseAs: 'buffer', bodyLimit: maxImportBytes + formBytes },
			async ({ headers }: { headers: { 'content-type'?: string | undefined } }, body: Buffer) => {
				const type = { 'content-type': headers['content-type'] ?? '' };
				return await new Response(new Uint8Array(body), { headers: type }).formData();
			},
		);
		app.get('/templates/import', async (_request, reply) => sendImport(reply, {}));
		app.post('/templates/import', async ({ body }, reply) => {
			try {
				const outcome = backend.importTemplates(await listIn(body));
				return sendImport(reply, { outcome }, outcome.taken.length > 0 ? 200 : 422);
			} catch (error) {
				if (!(error instanceof PageRefusal)) throw error;
				return sendImport(reply, { refusal: error.message }, 422);
			}
		});
	};
}

/**
 * Returns the list that was submitted: the file's content if a file was chosen, otherwise the pasted text.
 */
async function listIn(body: unknown): Promise<string> {
	const form = body instanceof FormData ? body : new FormData();
	const [file, text] = [form.get('file'), form.get('text')];
	if (file instanceof File && file.size > 0) return await file.text();
	if (typeof text === 'string' && text.trim()) return text;
	throw new PageRefusal('Select a file, or paste the output of the Get many templates action.');
}

function sendImport(
	reply: FastifyReply,
	shown: { outcome?: TemplateImport; refusal?: string },
	status = 200,
): FastifyReply {
	const data = { area: 'console', outcome: undefined, refusal: '', ...shown };
	return sendPage(reply, 'templates-import', data, status);
}
