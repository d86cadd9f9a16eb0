import type { FastifyReply } from 'fastify';

/** Only files of this server, no inline scripts or styles, no framing by others. */
const PAGE_POLICY = [
	"default-src 'self'",
	"script-src 'self'",
	"style-src 'self'",
	// Drawings are data URLs; pdf.js hands images over as blobs.
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
 * For the HTML of a mail, which can come from anybody: it may show itself, with its own styles and
 * embedded images, and open links in new tabs. It runs nothing, loads nothing and sends nothing.
 */
export const MAIL_POLICY = [
	"default-src 'none'",
	"style-src 'unsafe-inline'",
	'img-src data:',
	"form-action 'none'",
	"base-uri 'none'",
	"frame-ancestors 'self'",
	'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

/** Sets what every answer of the pages carries. A route may replace the policy. */
export function setStrictHeaders(reply: FastifyReply): void {
	void reply.headers({
		'content-security-policy': PAGE_POLICY,
		'x-content-type-options': 'nosniff',
		// With "no-referrer" a browser would send the pages' own forms with `Origin: null`.
		'referrer-policy': 'same-origin',
		'cache-control': 'no-store',
	});
}
