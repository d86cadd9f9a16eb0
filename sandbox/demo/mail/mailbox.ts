import PostalMime, { type Address } from 'postal-mime';
import type { MailRecord } from '../../state/records';
import type { Store } from '../../state/store';
import type { MailView } from '../../types';
import type { Clock } from '../../util/clock';
import { newId } from '../../util/ids';

/**
 * A single execution for 500 people, with two signatories per document, can send 2,000 emails. The mailbox
 * has room for several executions of that size.
 */
const keptMails = 10_000;
const keptBytes = 256 * 1024 * 1024;

/** Stores the newest 10,000 emails that the sandbox has received, up to a total of 256 MB. */
export class Mailbox {
	private bytes = 0;

	constructor(
		private readonly store: Store,
		private readonly clock: Clock,
	) {
		this.bytes = this.store.mails.all().reduce((sum, mail) => sum + bytesOf(mail), 0);
	}

	/** Parses and stores an email. An email that cannot be parsed is stored as plain text. */
	async take(raw: Buffer, recipients: string[]): Promise<void> {
		const mail = await read(raw, recipients, this.clock.now());
		this.store.mails.put(mail.id, mail);
		this.bytes += bytesOf(mail);
		for (const old of this.store.mails.all()) {
			if (this.store.mails.size <= keptMails && this.bytes <= keptBytes) break;
			this.store.mails.remove(old.id);
			this.bytes -= bytesOf(old);
		}
	}

	/**
	 * Returns the stored emails, oldest first. These are the stored objects themselves, so callers must not
	 * change them.
	 */
	records(): MailRecord[] {
		return this.store.mails.all();
	}

	/** Returns all emails as the mailbox shows them, newest first. */
	all(): MailView[] {
		return this.store.mails.all().reverse().map(toView);
	}

	get(id: string): MailView | undefined {
		const mail = this.store.mails.get(id);
		return mail && toView(mail);
	}

	/** @param index The zero-based index in the email's `attachments`. */
	attachment(
		id: string,
		index: number,
	): { fileName: string; mimeType: string; content: Buffer } | undefined {
		const mail = this.store.mails.get(id);
		const about = mail?.attachments[index];
		if (!mail || !about) return undefined;
		const { fileName, mimeType } = about;
		return { fileName, mimeType, content: Buffer.from(mail.contents[index] ?? '', 'base64') };
	}
}

async function read(raw: Buffer, recipients: string[], receivedAt: number): Promise<MailRecord> {
	const id = newId();
	try {
		const mail = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
		const files = mail.attachments.map(({ filename, mimeType, content }) => ({
			fileName: filename ?? 'unnamed',
			mimeType,
			content: typeof content === 'string' ? Buffer.from(content) : bufferOf(content),
		}));
		return {
			id,
			from: mail.from ? addressText(mail.from) : '',
			to: recipients,
			subject: mail.subject ?? '',
			receivedAt,
			text: mail.text ?? '',
			html: mail.html ?? '',
			attachments: files.map(({ fileName, mimeType, content }) => ({
				fileName,
				mimeType,
				size: content.length,
			})),
			contents: files.map(({ content }) => content.toString('base64')),
		};
	} catch {
		const text = raw.toString('utf8');
		const rest = { from: '', subject: '', html: '', attachments: [], contents: [] };
		return { id, to: recipients, receivedAt, text, ...rest };
	}
}

function bufferOf(content: ArrayBuffer | Uint8Array): Buffer {
	return content instanceof ArrayBuffer ? Buffer.from(content) : Buffer.from(content);
}

function addressText({ name, address }: Address): string {
	if (!address) return name;
	return name ? `${name} <${address}>` : address;
}

function bytesOf({ text, html, contents }: MailRecord): number {
	return contents.reduce((sum, content) => sum + content.length, text.length + html.length);
}

function toView(mail: MailRecord): MailView {
	const { id, from, to, subject, receivedAt, text, html, attachments } = mail;
	return structuredClone({ id, from, to, subject, receivedAt, text, html, attachments });
}
