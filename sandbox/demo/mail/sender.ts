import nodemailer, { type Transporter } from 'nodemailer';
import { ACCOUNT_NAME } from '../../service/account';
import type { Invitation, Mailer } from '../../service/documents';
import type { Activity } from '../../util/async';
import { writtenTime } from '../../util/time';

const FROM = { name: 'Signing sandbox', address: 'no-reply@sandbox.example' };

/** Sends emails by SMTP, several at once over connections that stay open. */
export class Sender implements Mailer {
	private readonly transport: Transporter;
	private closed = false;

	/** @param server The sandbox's own server, which uses no TLS. */
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
			// An email must never include a file, or the content of a URL.
			disableFileAccess: true,
			disableUrlAccess: true,
		});
	}

	async invite(invitation: Invitation): Promise<string | undefined> {
		const { name, email: address } = invitation;
		this.activity.begin();
		try {
			await this.transport.sendMail({
				from: FROM,
				to: [{ name, address }],
				...signingMail(invitation),
			});
			return undefined;
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		} finally {
			this.activity.end();
		}
	}

	get stopped(): boolean {
		return this.closed;
	}

	close(): void {
		this.closed = true;
		this.transport.close();
	}
}

/**
 * Writes the email with a signing link (docs/dev/service.md#effects). All values come from a client, so they
 * are escaped in the HTML.
 */
function signingMail({ title, name, url, expiresAt }: Invitation) {
	const until = writtenTime(expiresAt, false);
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

/** Escapes a text for HTML or XML, in content and in quoted attributes. */
function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
