import type { FastifyReply } from 'fastify';

/**
 * The Content Security Policy for the pages. Pages can load files only from this server, cannot use inline
 * scripts or styles, and cannot be framed by other sites.
 */
const pagePolicy = [
	"default-src 'self'",
	"script-src 'self'",
	"style-src 'self'",
	// Drawn signatures are data URLs, and pdf.js displays images from blob URLs.
	"img-src 'self' data: blob:",
	"connect-src 'self'",
	"worker-src 'self'",
	"frame-src 'self'",
	"object-src 'none'",
	"base-uri 'none'",
	"form-action 'self'",
	"frame-ancestors 'none'",
].join('; ');

/**
 * The policy for an email's HTML, which is untrusted. It allows the email's own styles, embedded images, and
 * links in new tabs. It blocks scripts, remote content and forms.
 */
export const mailPolicy = [
	"default-src 'none'",
	"style-src 'unsafe-inline'",
	'img-src data:',
	"form-action 'none'",
	"base-uri 'none'",
	"frame-ancestors 'self'",
	'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

/** Sets the headers that all pages have in common. A route can override the policy. */
export function setStrictHeaders(reply: FastifyReply): void {
	void reply.headers({
		'content-security-policy': pagePolicy,
		'x-content-type-options': 'nosniff',
		// With "no-referrer", a browser would send the pages' own forms with `Origin: null`.
		'referrer-policy': 'same-origin',
		'cache-control': 'no-store',
	});
}
