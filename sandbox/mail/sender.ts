import nodemailer, { type Transporter } from 'nodemailer';
import type { Activity } from '../util/activity';
import type { MailContent } from './signingMail';

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
