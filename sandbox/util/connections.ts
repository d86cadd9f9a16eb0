import { Agent } from 'node:http';

/**
 * Opens a new connection for each call. After n8n has been busy for several seconds, it closes idle connections,
 * possibly just as a client starts to reuse one. The call doesn't announce that its connection closes, because a
 * server that responds before it has read a large request would then close it before the response is read.
 */
class SingleUseAgent extends Agent {
	override keepSocketAlive(): boolean {
		return false;
	}
}

export const newConnections = new SingleUseAgent({ keepAlive: true });
