import type { FastifyRequest } from 'fastify';
import type { RecordedRequest } from '../types';
import type { Clock } from '../util/clock';

const keptRequests = 20_000;
/**
 * Old records are dropped in batches, because dropping one at a time would shift the entire list on every
 * call.
 */
const droppedAtOnce = 1000;

declare module 'fastify' {
	interface FastifyRequest {
		/** The record of this call. Set only for calls to the service. */
		recorded?: RecordedRequest;
		/** The body as received; '' if the call has no body. */
		bodyText: string;
	}
}

/** Records the calls to the service in the order in which they arrive. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];

	/** @param prefix The base URL's path, without a trailing slash. */
	constructor(
		private readonly prefix: string,
		private readonly clock: Clock,
	) {}

	/** Starts the record of a call. The body and the status are added later. */
	begin(request: FastifyRequest): RecordedRequest {
		const recorded: RecordedRequest = {
			at: this.clock.now(),
			method: request.method,
			path: this.pathOf(request.url),
			query: { ...(request.query as RecordedRequest['query']) },
			headers: flatten(request.headers),
			body: undefined,
			status: 0,
		};
		this.requests.push(recorded);
		if (this.requests.length > keptRequests) this.requests.splice(0, droppedAtOnce);
		return recorded;
	}

	/**
	 * Completes the record of a call.
	 * @param status The HTTP status of the response; 0 if a fault broke the connection.
	 */
	end({ recorded }: FastifyRequest, status: number): void {
		if (recorded) recorded.status = status;
	}

	/** Empties the list in place, because other code holds references to it. */
	forget(): void {
		this.requests.length = 0;
	}

	private pathOf(url: string): string {
		const path = (url.split('?', 1)[0] ?? '').slice(this.prefix.length) || '/';
		try {
			return decodeURIComponent(path);
		} catch {
			return path;
		}
	}
}

function flatten(headers: FastifyRequest['headers']): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [
			name,
			Array.isArray(value) ? value.join(', ') : (value ?? ''),
		]),
	);
}
