import { createServer } from 'node:net';

/** The interface that everything of the host listens on. */
export const LOOPBACK = '127.0.0.1';

/** A port that another program listens on already. */
export class PortTakenError extends Error {
	/**
	 * @param port the taken port
	 * @param variable the environment variable that chooses another
	 */
	constructor(
		readonly port: number,
		readonly variable: string,
	) {
		super(
			`Another program is using port ${port}. Stop that program, or choose another port with ` +
				`${variable}, for example ${variable}=${port + 1}.`,
		);
		this.name = 'PortTakenError';
	}
}

/** Listens on `port` for a moment; gives the port that it was (0 takes a free one). */
function tryPort(port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
			const address = server.address();
			const found = typeof address === 'object' && address ? address.port : port;
			server.close(() => resolve(found));
		});
	});
}

/**
 * Free ports on loopback, all different.
 *
 * @param count how many
 */
export async function freePorts(count: number): Promise<number[]> {
	const found = new Set<number>();
	while (found.size < count) found.add(await tryPort(0));
	return [...found];
}

/**
 * Makes sure that a port can be listened on.
 *
 * @param port the port, 1 to 65535
 * @param variable the environment variable that chooses it, for the message
 * @throws PortTakenError when another program listens there; Error when it cannot be used
 */
export async function checkPort(port: number, variable: string): Promise<void> {
	if (!Number.isInteger(port) || port < 1 || port > 65535) {
		throw new Error(`${variable} must be a port number from 1 to 65535, not "${port}".`);
	}
	try {
		await tryPort(port);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'EADDRINUSE') throw new PortTakenError(port, variable);
		if (code === 'EACCES') {
			throw new Error(
				`This user can't use port ${port}. Set ${variable} to a port above 1023.`,
			);
		}
		throw error;
	}
}
