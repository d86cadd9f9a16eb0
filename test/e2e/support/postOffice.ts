import nodemailer from 'nodemailer';
import { SMTPServer } from 'smtp-server';

/** A mail server on this machine that delivers to the sandbox's mailbox, and can fail as real ones do. */
export interface PostOffice {
	port: number;
	/** Receivers that it knows nothing of: their mails are refused. */
	unknown: Set<string>;
	/** While true, no mail is taken. */
	down: boolean;
	/** While true, whoever sends a mail gets no answer. */
	silent: boolean;
	/** How many mails were offered, refused ones included. */
	offered: number;
	close(): Promise<void>;
}

/** @param mailbox The SMTP server that mails are passed on to. */
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
			transport
				.sendMail({ envelope: { from, to }, raw: stream })
				.then(() => done())
				.catch((error: Error) => done(error));
		},
	});
	// A sender that breaks off is what some tests are about.
	server.on('error', () => undefined);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.server.address();
	office.port = typeof address === 'object' && address ? address.port : 0;
	return office;
}
