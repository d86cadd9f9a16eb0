import nodemailer, { type Transporter } from 'nodemailer';
import { accountName } from '../../service/account';
import type { Invitation, Mailer } from '../../service/documents';
import type { Activity } from '../../util/async';
import { writtenTime } from '../../util/time';

const from = { name: 'Signing sandbox', address: 'no-reply@sandbox.example' };

/** Sends emails over SMTP, using a pool of persistent connections. */
export class Sender implements Mailer {
	private readonly transport: Transporter;
	private closed = false;

	/** @param server The sandbox's own SMTP server, which does not use TLS. */
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
			// Keep nodemailer from reading files or fetching URLs to include their contents in an email.
			disableFileAccess: true,
			disableUrlAccess: true,
		});
	}

	async invite(invitation: Invitation): Promise<string | undefined> {
		const { name, email: address } = invitation;
		this.activity.begin();
		try {
			await this.transport.sendMail({
				from: from,
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
 * Composes the email that contains a signing link (docs/dev/service.md#effects). The values come from a
 * client, so they are escaped in the HTML.
 */
function signingMail({ title, name, url, expiresAt }: Invitation) {
	const until = writtenTime(expiresAt, false);
	const warning = `This link is just for you and works until ${until}. Anyone who has it can sign as you, so please don't forward this email.`;
	const sandbox = 'This email was sent by a sandbox. Nothing you sign there is legally binding.';
	const text = [
		`Hi ${name},`,
		`${accountName} sent you "${title}" to review and sign.`,
		`Review and sign: ${url}`,
		warning,
		accountName,
		sandbox,
	].join('\n\n');
	const [safeName, safeTitle, safeUrl] = [name, title, url].map(escapeHtml);
	// In the inbox, email apps show the first words of an email as a preview. The hidden text is placed
	// before the greeting because it makes a more useful preview.
	const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Please sign</title></head>
<body style="margin:24px;color:#1f2937">
<div style="display:none;max-height:0;overflow:hidden">${accountName} is waiting for your signature.</div>
<div style="max-width:520px;margin:0 auto;font:16px/1.5 system-ui,'Segoe UI',Arial,sans-serif">
<p>Hi ${safeName},</p>
<p>${accountName} sent you <strong>${safeTitle}</strong> to review and sign.</p>
<p><a href="${safeUrl}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:600">Review and sign</a></p>
<p style="font-size:14px;color:#4b5563">${warning}</p>
<p>${accountName}</p>
<p style="font-size:14px;color:#4b5563">${sandbox}</p>
</div>
</body>
</html>
`;
	return { subject: `Please sign: ${title.replace(/\s+/g, ' ')}`, text, html };
}

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Escapes text for HTML or XML, in content and in quoted attributes. */
function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
