import { Agent } from 'node:http';

/**
 * Opens a new connection for each call. After n8n has been busy for several seconds, it closes idle connections,
 * possibly just as a client starts to reuse one.
 */
export const newConnections = new Agent({ keepAlive: false });
