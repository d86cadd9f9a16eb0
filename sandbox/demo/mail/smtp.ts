import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

const maxMailBytes = 25 * 1024 * 1024;

export interface Smtp {
	host: string;
	port: number;
	/** Stops immediately, even if clients are connected. */
	close(): Promise<void>;
}

/**
 * Starts an SMTP server on loopback that accepts every email. The server does not offer TLS and accepts any
 * login, so any program can use it. This is safe, because nothing leaves this machine.
 * @param port The port, or 0 to use any free port.
 * @param take A function that is called with the raw content and the recipients of each email.
 * @throws Error with the code EADDRINUSE if the port is taken.
 */
export async function startSmtp(
	port: number,
	take: (raw: Buffer, recipients: string[]) => Promise<void>,
): Promise<Smtp> {
	const host = '127.0.0.1';
	const server = new SMTPServer({
		name: 'sandbox',
		authOptional: true,
		allowInsecureAuth: true,
		disabledCommands: ['STARTTLS'],
		disableReverseLookup: true,
		size: maxMailBytes,
		logger: false,
		closeTimeout: 20,
		onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
		onData: (stream, session, done) => {
			receive(stream, session, take).then(
				() => done(),
				(error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
			);
		},
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, resolve);
	});
	// Ignore any later errors. Otherwise, a client that drops its connection would crash the process.
	server.on('error', () => {});
	const address = server.server.address();
	return {
		host,
		port: typeof address === 'object' && address ? address.port : port,
		close: () => new Promise((resolve) => server.close(() => resolve())),
	};
}

async function receive(
	stream: SMTPServerDataStream,
	session: SMTPServerSession,
	take: (raw: Buffer, recipients: string[]) => Promise<void>,
): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream as AsyncIterable<Buffer>) {
		// SMTP requires the server to read an oversized email to the end, so the rest is read but discarded.
		if (!stream.sizeExceeded) chunks.push(chunk);
	}
	if (stream.sizeExceeded) {
		throw Object.assign(new Error('The email is too large'), { responseCode: 552 });
	}
	await take(
		Buffer.concat(chunks),
		session.envelope.rcptTo.map(({ address }) => address),
	);
}
