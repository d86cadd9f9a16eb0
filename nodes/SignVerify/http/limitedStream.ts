import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt, delay } from '../util/async';
import { notDownloaded } from './downloadRefusal';
import type { ServiceError } from './errors';

/** A stream of Node, as n8n accepts it. What ships must not import Node's module for it. */
export type ByteStream = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

interface Bounds {
	/** What the stream is, with its article, for errors: "the document". */
	noun: string;
	/** The most bytes that are accepted. */
	limit: number;
	/** Bytes that the sender announced; 0 if it announced none. */
	announced: number;
	/** Milliseconds without a further piece after which it fails. */
	timeout: number;
	/** Milliseconds that the file may take, for the error. */
	total: number;
	/** When that time is over (epoch-ms). */
	deadline: number;
	/** What to say when the stream breaks. */
	broken(error: unknown): ServiceError;
}

/**
 * Reads a stream, and fails if it has too many bytes, stops, or takes too long. Its beginning can be
 * read before the rest. Only the beginning and one piece are in memory.
 */
export class BoundedStream {
	/** Why it failed, whatever its reader made of that. */
	failure: ServiceError | undefined;

	private received = 0;

	/** When the next piece was asked for (epoch-ms). Infinity while a piece is stored. */
	private asked = Infinity;

	/** Read, but not yet given to the reader. */
	private readonly ahead: Buffer[] = [];

	/** Whether the sender has sent everything. */
	private complete = false;

	private readonly closed = new AbortController();

	private readonly iterator: AsyncIterator<Buffer | string>;

	constructor(
		private readonly source: ByteStream,
		private readonly bounds: Bounds,
	) {
		// Reading reports the error. Without a listener, Node would end the process.
		source.on('error', () => undefined);
		this.iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
		void this.watch();
	}

	/**
	 * The first bytes; `stream` still has them.
	 * @param bytes How many at most. There are fewer if the stream ended or failed.
	 * @returns Also whether they are the whole stream.
	 */
	async beginning(bytes: number): Promise<{ bytes: Buffer; whole: boolean }> {
		const size = () => this.ahead.reduce((sum, piece) => sum + piece.length, 0);
		while (size() < bytes) {
			const piece = await attempt(this.next());
			if (!piece.ok || piece.value === undefined) break;
			this.ahead.push(piece.value);
		}
		const read = Buffer.concat(this.ahead);
		return { bytes: read.subarray(0, bytes), whole: this.complete && read.length <= bytes };
	}

	/** All bytes, for one reader. */
	stream(): ByteStream {
		// Every class of streams inherits the static method `from`.
		const streams = this.source.constructor as unknown as { from(pieces: unknown): ByteStream };
		return streams.from(this.pieces());
	}

	/** Closes the connection. */
	close(): void {
		this.closed.abort();
		this.source.destroy();
	}

	private async *pieces(): AsyncGenerator<Buffer> {
		yield* this.ahead.splice(0);
		for (;;) {
			const piece = await this.next();
			if (piece === undefined) return;
			yield piece;
		}
	}

	private async next(): Promise<Buffer | undefined> {
		const { announced, limit } = this.bounds;
		if (announced > limit) throw this.fail(tooLarge(this.bounds));
		this.checkTime();
		this.throwFailure();
		if (this.complete) return undefined;
		this.asked = Date.now();
		const next = await attempt(this.iterator.next());
		// The HTTP client also has a time-out, and breaks the connection.
		if (!next.ok) this.checkTime();
		this.asked = Infinity;
		if (!next.ok) throw this.fail(this.bounds.broken(next.error));
		// A stream that was closed here may end as if it were complete.
		this.throwFailure();
		if (next.value.done) {
			this.complete = true;
			return undefined;
		}
		const { value } = next.value;
		const piece = typeof value === 'string' ? Buffer.from(value) : value;
		this.received += piece.length;
		if (this.received > limit) throw this.fail(tooLarge(this.bounds));
		return piece;
	}

	private async watch(): Promise<void> {
		const { timeout, deadline } = this.bounds;
		const untilNext = () => Math.max(Math.min(timeout / 4, deadline - Date.now()), 1);
		while (await delay(Math.ceil(untilNext()), this.closed.signal)) this.checkTime();
	}

	private checkTime(): void {
		const { timeout, deadline } = this.bounds;
		if (Date.now() >= deadline) this.fail(overdue(this.bounds));
		else if (Date.now() - this.asked > timeout * 0.9) this.fail(stalled(this.bounds));
	}

	private throwFailure(): void {
		if (this.failure) throw this.failure;
	}

	private fail(reason: ServiceError): ServiceError {
		this.failure ??= reason;
		this.close();
		return this.failure;
	}
}

function tooLarge({ noun, limit, announced }: Bounds): ServiceError {
	const size = announced > limit ? `it has ${megabytes(announced)} MB, ` : '';
	return notDownloaded(
		`${noun}: ${size}more than the limit of ${megabytes(limit)} MB`,
		'Raise "Max File Size (MB)" in the options if the file is to be that large.',
	);
}

function stalled({ noun, timeout }: Bounds): ServiceError {
	return notDownloaded(
		`${noun}: nothing more of it came for ${timeout / 1000} s`,
		'Try again in a moment, or raise "Timeout" in the options.',
		{ repeat: 'ifIdempotent' },
	);
}

function overdue({ noun, total }: Bounds): ServiceError {
	return notDownloaded(
		`${noun}: it was not complete after ${total / 1000} s`,
		'The sender is too slow. Try again later, or raise "Timeout" in the options: a file may take twenty times as long.',
	);
}

function megabytes(bytes: number): number {
	return Number((bytes / 1_000_000).toPrecision(3));
}
