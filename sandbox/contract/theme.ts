import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui';

const ASSETS = join(__dirname, '..', 'pages', 'assets');

const asset = (filename: string) => ({
	filename,
	content: readFileSync(join(ASSETS, filename), 'utf8'),
});

/** What the page has beside Swagger UI itself: a title, the way back, colours that can be read. */
export const theme: FastifySwaggerUiOptions['theme'] = {
	title: 'API · Signing sandbox',
	js: [asset('api.js')],
	css: [asset('api.css')],
};
