import nodemailer from 'nodemailer';
import { SMTPServer } from 'smtp-server';

/** A local mail server that delivers to the sandbox's mailbox and can fail like a real one. */
export interface PostOffice {
	port: number;
	/** Unknown recipients. The server rejects emails to them. */
	unknown: Set<string>;
	/** While true, the server rejects every email. */
	down: boolean;
	/** While true, senders get no response. */
	silent: boolean;
	/** What happens while an email to these recipients is on its way. */
	onItsWay?: ((to: string[]) => Promise<void>) | undefined;
	/** The number of recipients that senders have specified, including rejected ones. */
	offered: number;
	/** The recipients that the server has accepted, oldest first. */
	recipients: string[];
	close(): Promise<void>;
}

/** @param mailbox The SMTP server that receives accepted emails. */
export async function startPostOffice(mailbox: {
	host: string;
	port: number;
}): Promise<PostOffice> {
	const transport = nodemailer.createTransport({ ...mailbox, secure: false, ignoreTLS: true });
	const office: PostOffice = {
		port: 0,
		unknown: new Set(),
		down: false,
		silent: false,
		offered: 0,
		recipients: [],
		close: async () => await new Promise((resolve) => server.close(() => resolve())),
	};
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		disableReverseLookup: true,
		closeTimeout: 20,
		onRcptTo({ address }, _session, done) {
			office.offered++;
			if (office.silent) return;
			const refusal = Object.assign(new Error('No such user here'), { responseCode: 550 });
			done(office.down || office.unknown.has(address) ? refusal : undefined);
		},
		onData(stream, { envelope }, done) {
			const from = envelope.mailFrom ? envelope.mailFrom.address : '';
			const to = envelope.rcptTo.map(({ address }) => address);
			office.recipients.push(...to);
			Promise.resolve(office.onItsWay?.(to))
				.then(async () => await transport.sendMail({ envelope: { from, to }, raw: stream }))
				.then(() => done())
				.catch((error: Error) => done(error));
		},
	});
	// Some tests kill the sender, so a broken connection is not treated as an error.
	server.on('error', () => undefined);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.server.address();
	office.port = typeof address === 'object' && address ? address.port : 0;
	return office;
}
