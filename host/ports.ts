import { createServer } from 'node:net';

/** All of the host's servers listen only on loopback. */
export const loopback = '127.0.0.1';

export class PortTakenError extends Error {
	/** @param variable The environment variable that the user can set to choose a different port. */
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

/**
 * Checks that a port is free by briefly listening on it, and returns the port's number. If the given number
 * is 0, the system chooses a free port.
 */
function tryPort(port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({ port, host: loopback, exclusive: true }, () => {
			const address = server.address();
			const found = typeof address === 'object' && address ? address.port : port;
			server.close(() => resolve(found));
		});
	});
}

export async function freePorts(count: number): Promise<number[]> {
	const found = new Set<number>();
	while (found.size < count) found.add(await tryPort(0));
	return [...found];
}

/** Creates the error for an environment variable whose value is not a port number. */
export function notAPort(variable: string, value: string): Error {
	return new Error(`${variable} must be a port number from 1 to 65535, not "${value}".`);
}

/**
 * Checks that a port is free.
 * @param port A number from 1 to 65535.
 * @param variable The name of the environment variable that sets the port, for the error message.
 * @throws PortTakenError if another program is listening on the port, or Error if the port cannot be used.
 */
export async function checkPort(port: number, variable: string): Promise<void> {
	if (!Number.isInteger(port) || port < 1 || port > 65_535) throw notAPort(variable, String(port));
	try {
		await tryPort(port);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'EADDRINUSE') throw new PortTakenError(port, variable);
		if (code === 'EACCES') {
			throw new Error(
				`You don't have permission to use port ${port}. Set ${variable} to a port above 1023.`,
			);
		}
		throw error;
	}
}
