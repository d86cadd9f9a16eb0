import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt } from './attempt';
import { ServiceFailure } from './failure';
import { pause } from './pause';

/** A stream of Node, as n8n takes it. What ships may not import Node's own module for it. */
export type ByteStream = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

interface Bounds {
	/** What the stream is, with its article, for errors. */
	noun: string;
	/** Bytes that are taken at the most. */
	limit: number;
	/** Bytes that the sender announced; 0 where it did not. */
	announced: number;
	/** Milliseconds without a further piece after which it is given up. */
	timeout: number;
	/** What to say when the stream breaks. */
	broken(error: unknown): ServiceFailure;
}

/**
 * A stream of the same bytes that ends in a failure when they are too many or stop coming. No more
 * than a piece of it is held in memory.
 * @returns The stream, and what made it fail, whatever its reader made of that.
 */
export function boundedStream(
	source: ByteStream,
	bounds: Bounds,
): { stream: ByteStream; failure(): ServiceFailure | undefined } {
	// Should it break before anybody reads, reading tells; Node would end the process.
	source.on('error', () => undefined);
	let failure: ServiceFailure | undefined;
	const fail = (reason: ServiceFailure): ServiceFailure => {
		failure ??= reason;
		source.destroy();
		return failure;
	};

	let bytes = 0;
	let asked = Date.now();
	const ended = new AbortController();
	const isLate = (): boolean => Date.now() - asked > bounds.timeout * 0.9;

	async function watch(): Promise<void> {
		while (await pause(Math.ceil(bounds.timeout / 4), ended.signal)) {
			if (isLate()) fail(stalled(bounds));
		}
	}

	async function* pieces(): AsyncGenerator<Buffer> {
		if (bounds.announced > bounds.limit) throw fail(tooLarge(bounds));
		const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
		void watch();
		try {
			for (;;) {
				asked = Date.now();
				const next = await attempt(iterator.next());
				// The HTTP client may watch the time, too, and break the connection off.
				if (!next.ok) throw fail(isLate() ? stalled(bounds) : bounds.broken(next.error));
				if (next.value.done) return;
				bytes += next.value.value.length;
				if (bytes > bounds.limit) throw fail(tooLarge(bounds));
				// While the piece is being stored nobody waits for the next one.
				asked = Infinity;
				yield next.value.value;
			}
		} finally {
			ended.abort();
		}
	}

	// Every class of streams inherits the static method `from`.
	const streams = source.constructor as unknown as { from(pieces: unknown): ByteStream };
	return { stream: streams.from(pieces()), failure: () => failure };
}

function tooLarge({ noun, limit, announced }: Bounds): ServiceFailure {
	const size = announced > limit ? `it has ${megabytes(announced)} MB, ` : '';
	return new ServiceFailure({
		message: `Could not download ${noun}: ${size}more than the limit of ${megabytes(limit)} MB`,
		description: 'Raise "Max File Size (MB)" in the options if the file is to be that large.',
	});
}

function stalled({ noun, timeout }: Bounds): ServiceFailure {
	return new ServiceFailure({
		message: `Could not download ${noun}: nothing more of it came for ${timeout / 1000} s`,
		description: 'Try again in a moment, or raise "Timeout" in the options.',
	});
}

function megabytes(bytes: number): number {
	return Number((bytes / 1_000_000).toPrecision(3));
}
