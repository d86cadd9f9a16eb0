import { EventEmitter } from 'node:events';

/** The response to one request, as far as nodes see it. */
export class Response extends EventEmitter {
	statusCode = 200;

	headersSent = false;

	writableEnded = false;

	closed = false;

	body: unknown;

	private readonly done: Promise<void>;

	private finish: () => void = () => undefined;

	constructor() {
		super();
		this.done = new Promise((resolve) => (this.finish = resolve));
	}

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		return this.end(body);
	}

	end(body?: unknown): this {
		if (this.writableEnded) return this;
		this.body = body;
		this.headersSent = true;
		this.writableEnded = true;
		this.close();
		return this;
	}

	/** The answer is sent, or the sender has left. */
	close(): void {
		if (this.closed) return;
		this.closed = true;
		this.finish();
		// As Node does it: after the code that ended the response.
		queueMicrotask(() => this.emit('close'));
	}

	/** When the sender has its answer, or has left. */
	async closing(): Promise<void> {
		await this.done;
	}
}
