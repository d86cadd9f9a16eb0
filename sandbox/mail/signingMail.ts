import { ACCOUNT_NAME } from '../service/account';
import { writtenTime } from '../documents/time';
import { escapeHtml } from '../util/html';

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
