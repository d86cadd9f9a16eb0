import { EventEmitter } from 'node:events';

/** A response as Express gives it to a node, as far as the trigger looks at it. */
export class FakeResponse extends EventEmitter {
	statusCode = 200;
	writableEnded = false;
	closed = false;
	headersSent = false;
	body: unknown;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		this.body = body;
		return this.end();
	}

	end(): this {
		this.headersSent = true;
		this.writableEnded = true;
		return this;
	}

	/** The connection ends: after the answer, or because the sender leaves. */
	close(): void {
		this.closed = true;
		this.emit('close');
	}
}
