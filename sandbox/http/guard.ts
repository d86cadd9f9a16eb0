import type { FastifyInstance } from 'fastify';

/**
 * Keeps other web sites out. The sandbox listens on loopback, but the browser that shows its pages
 * also runs other people's: those could reach it under a name of their own that leads to loopback,
 * or send it forms. Programs send none of the headers that tell. Not every browser sends
 * Sec-Fetch-Site, and the page of a forwarded port has another Origin than the sandbox's own.
 */
export function guardAgainstSites(app: FastifyInstance): void {
	app.addHook('onRequest', async (request, reply) => {
		const { host, origin, 'sec-fetch-site': site } = request.headers;
		const forwarded = request.headers['x-forwarded-host'];
		const isOwn = !origin || [host, forwarded].includes(origin.replace(/^https?:\/\//, ''));
		const foreign = site === 'cross-site' || site === 'same-site' || !isOwn;
		const reads = request.method === 'GET' || request.method === 'HEAD';
		if (!isLocal(host) || (foreign && !reads)) {
			await reply.code(403).send({ error: 'The sandbox answers only to this machine.' });
		}
	});
}

function isLocal(host: string | undefined): boolean {
	// HTTP/1.0 clients send none.
	if (!host) return true;
	const name = host.toLowerCase().replace(/:\d+$/, '');
	return name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1';
}
