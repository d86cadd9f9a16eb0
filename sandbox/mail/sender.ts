import nodemailer, { type Transporter } from 'nodemailer';
import type { Activity } from '../util/async';
import { ACCOUNT_NAME } from '../service/account';
import { writtenTime } from '../util/time';

const FROM = { name: 'Signing sandbox', address: 'no-reply@sandbox.example' };

/** Sends mails by SMTP, a few at the same time over connections that stay open. */
export class Sender {
	private readonly transport: Transporter;
	private closed = false;

	/** @param server The sandbox's own, without TLS. */
	constructor(
		server: { host: string; port: number },
		private readonly activity: Activity,
	) {
		this.transport = nodemailer.createTransport({
			...server,
			pool: true,
			maxConnections: 4,
			maxMessages: Infinity,
			secure: false,
			ignoreTLS: true,
			// Nothing in a mail is ever read from a file or fetched from an address.
			disableFileAccess: true,
			disableUrlAccess: true,
		});
	}

	/**
	 * Sends a mail.
	 * @returns undefined once it was taken, else what went wrong. Never throws.
	 */
	async send(
		to: { name: string; address: string },
		mail: MailContent,
	): Promise<string | undefined> {
		this.activity.begin();
		try {
			await this.transport.sendMail({ from: FROM, to: [to], ...mail });
			return undefined;
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		} finally {
			this.activity.end();
		}
	}

	/** Says whether it was stopped: a mail that failed since then did not fail by itself. */
	get stopped(): boolean {
		return this.closed;
	}

	/** Stops at once. */
	close(): void {
		this.closed = true;
		this.transport.close();
	}
}

/** A mail's content, ready to be sent. */
export interface MailContent {
	subject: string;
	text: string;
	html: string;
}

/**
 * The mail that carries a signing link (docs/dev/service.md#effects).
 * @param about `expiresAt` in epoch-ms. All values come from a client: they are escaped in the HTML.
 */
export function signingMail(about: {
	title: string;
	name: string;
	url: string;
	expiresAt: number;
}): MailContent {
	const { title, name, url } = about;
	const until = writtenTime(about.expiresAt, false);
	const text = [
		`Hello ${name},`,
		`${ACCOUNT_NAME} asks you to sign the document "${title}".`,
		`Read and sign it here:\n${url}`,
		`The link works until ${until}. It is yours alone: do not pass it on.`,
		'This mail was made by a sandbox. Nothing that is signed there is legally binding.',
	].join('\n\n');
	const [safeName, safeTitle, safeUrl] = [name, title, url].map(escapeHtml);
	const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Please sign</title></head>
<body style="font-family:system-ui,sans-serif;line-height:1.5;color:#1f2933;margin:24px">
<p>Hello ${safeName},</p>
<p>${ACCOUNT_NAME} asks you to sign the document <strong>${safeTitle}</strong>.</p>
<p><a href="${safeUrl}" style="display:inline-block;padding:10px 18px;background:#1d4ed8;color:#ffffff;border-radius:6px;text-decoration:none">Read and sign</a></p>
<p>Or open this link: <a href="${safeUrl}">${safeUrl}</a></p>
<p>The link works until ${until}. It is yours alone: do not pass it on.</p>
<p style="color:#52606d">This mail was made by a sandbox. Nothing that is signed there is legally binding.</p>
</body>
</html>
`;
	return { subject: `Please sign: ${title.replace(/\s+/g, ' ')}`, text, html };
}

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Makes any text safe inside HTML or XML, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
