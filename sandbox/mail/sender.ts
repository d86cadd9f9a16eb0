import nodemailer, { type Transporter } from 'nodemailer';
import type { Activity } from '../util/activity';
import { Waits } from '../util/waits';
import { newId } from '../util/ids';
import type { MailContent } from './signingMail';

const FROM = { name: 'Signing sandbox', address: 'no-reply@sandbox.example' };
/** Delays (ms) before the 2nd, 3rd… try of a mail. */
const RETRY_MS = [200, 1000, 5000];

/** Sends mails by SMTP, a few at the same time over connections that stay open. */
export class Sender {
	private readonly transport: Transporter;
	private readonly waits = new Waits();
	private closed = false;

	/** @param server Spoken to without TLS: it is the sandbox's own, or a mail catcher nearby. */
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
	 * Sends a mail; tries again a few times where the server does not take it.
	 * @returns undefined once it was taken, else what went wrong at last. Never throws.
	 */
	async send(
		to: { name: string; address: string },
		mail: MailContent,
	): Promise<string | undefined> {
		this.activity.begin();
		try {
			for (let tries = 0; ; tries += 1) {
				try {
					await this.transport.sendMail({ from: FROM, to: [to], ...mail });
					return undefined;
				} catch (error) {
					const delay = RETRY_MS[tries];
					if (delay === undefined || this.closed) {
						return error instanceof Error ? error.message : String(error);
					}
					await this.waits.pause(newId(), delay);
				}
			}
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
		this.waits.stop();
		this.transport.close();
	}
}
