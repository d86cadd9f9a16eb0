import { randomInt } from 'node:crypto';
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

/** Checks that a port is free by briefly listening on it, and returns the port. */
function tryPort(port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({ port, host: loopback, exclusive: true }, () => {
			server.close(() => resolve(port));
		});
	});
}

/** Below the ports that systems give to outgoing connections: from 32768 on Linux, from 49152 elsewhere. */
const [firstPort, lastPort] = [20_000, 32_767] as const;

/**
 * Finds free ports for servers that start later, or that restart on the same port. No outgoing connection of
 * another program can take one of them meanwhile.
 */
export async function freePorts(count: number): Promise<number[]> {
	const found = new Set<number>();
	while (found.size < count) {
		const port = randomInt(firstPort, lastPort + 1);
		try {
			found.add(await tryPort(port));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		}
	}
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
