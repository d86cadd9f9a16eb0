import { attempt, delay } from '../util/async';
import { notDownloaded } from './downloadRefusal';
export class BoundedStream {
    source;
    bounds;
    failure;
    received = 0;
    asked = Infinity;
    ahead = [];
    complete = false;
    closed = new AbortController();
    iterator;
    constructor(source, bounds) {
        this.source = source;
        this.bounds = bounds;
        source.on('error', () => undefined);
        this.iterator = source[Symbol.asyncIterator]();
        void this.watch();
    }
    async beginning(bytes) {
        const size = () => this.ahead.reduce((sum, piece) => sum + piece.length, 0);
        while (size() < bytes) {
            const piece = await attempt(this.next());
            if (!piece.ok || piece.value === undefined)
                break;
            this.ahead.push(piece.value);
        }
        const read = Buffer.concat(this.ahead);
        return { bytes: read.subarray(0, bytes), whole: this.complete && read.length <= bytes };
    }
    stream() {
        const streams = this.source.constructor;
        return streams.from(this.pieces());
    }
    close() {
        this.closed.abort();
        this.source.destroy();
    }
    async *pieces() {
        yield* this.ahead.splice(0);
        for (;;) {
            const piece = await this.next();
            if (piece === undefined)
                return;
            yield piece;
        }
    }
    async next() {
        const { announced, limit } = this.bounds;
        if (announced > limit)
            throw this.fail(tooLarge(this.bounds));
        this.checkTime();
        this.throwFailure();
        if (this.complete)
            return undefined;
        this.asked = Date.now();
        const next = await attempt(this.iterator.next());
        if (!next.ok)
            this.checkTime();
        this.asked = Infinity;
        if (!next.ok)
            throw this.fail(this.bounds.broken(next.error));
        this.throwFailure();
        if (next.value.done) {
            this.complete = true;
            return undefined;
        }
        const { value } = next.value;
        const piece = typeof value === 'string' ? Buffer.from(value) : value;
        this.received += piece.length;
        if (this.received > limit)
            throw this.fail(tooLarge(this.bounds));
        return piece;
    }
    async watch() {
        const { timeout, deadline } = this.bounds;
        const untilNext = () => Math.max(Math.min(timeout / 4, deadline - Date.now()), 1);
        while (await delay(Math.ceil(untilNext()), this.closed.signal))
            this.checkTime();
    }
    checkTime() {
        const { timeout, deadline } = this.bounds;
        if (Date.now() >= deadline)
            this.fail(overdue(this.bounds));
        else if (Date.now() - this.asked > timeout * 0.9)
            this.fail(stalled(this.bounds));
    }
    throwFailure() {
        if (this.failure)
            throw this.failure;
    }
    fail(reason) {
        this.failure ??= reason;
        this.close();
        return this.failure;
    }
}
function tooLarge({ noun, limit, announced }) {
    const size = announced > limit ? `it has ${megabytes(announced)} MB, ` : '';
    return notDownloaded(`${noun}: ${size}more than the limit of ${megabytes(limit)} MB`, 'Raise "Max File Size (MB)" in the options if the file is to be that large.');
}
function stalled({ noun, timeout }) {
    return notDownloaded(`${noun}: nothing more of it came for ${timeout / 1000} s`, 'Try again in a moment, or raise "Timeout" in the options.', { repeat: 'ifIdempotent' });
}
function overdue({ noun, total }) {
    return notDownloaded(`${noun}: it was not complete after ${total / 1000} s`, 'The sender is too slow. Try again later, or raise "Timeout" in the options: a file may take twenty times as long.');
}
function megabytes(bytes) {
    return Number((bytes / 1_000_000).toPrecision(3));
}
