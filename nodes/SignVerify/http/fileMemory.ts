import { delay, errorWith } from '../util/async';
import { maxAnswer } from './request';

/** The code of the error for a file that has given up its memory to others. */
export const memoryGivenUp = 'MEMORY_GIVEN_UP';

/**
 * The memory of files between their first byte and the moment when n8n has stored them. A file of 100 kB can have a
 * thousand times as many bytes once it is unpacked, so all downloads of the process share a bound. If there is not
 * enough, the file that has taken the most gives up, and begins again when there is room for it: so a large file, or
 * one that does not go on, never holds up a small one.
 */
export class FileMemory {
	private readonly files = new Set<HeldFile>();

	/** In the order in which they gave up. */
	private waiting: WaitingFile[] = [];

	/** @param max In bytes. It must be enough for the largest file alone. */
	constructor(readonly max: number) {}

	/** Begins with a file. It must be released, however its download ends. */
	hold(): HeldFile {
		const file = new HeldFile(this);
		this.files.add(file);
		return file;
	}

	/**
	 * Waits until there is room for so many bytes. Nothing is reserved: others can be faster.
	 * @param timeout Milliseconds.
	 * @returns false if it was cancelled, or too late.
	 */
	async waitForRoom(bytes: number, timeout: number, cancel?: AbortSignal): Promise<boolean> {
		const room = new AbortController();
		const waiting = { bytes, room };
		this.waiting.push(waiting);
		this.wake();
		const signals = cancel ? [room.signal, cancel] : [room.signal];
		await delay(timeout, AbortSignal.any(signals));
		this.waiting = this.waiting.filter((other) => other !== waiting);
		return room.signal.aborted;
	}

	/** Makes room for more bytes of a file, if need be at the cost of the largest one that is still downloaded. */
	makeRoom(file: HeldFile, more: number): void {
		while (this.held + more > this.max && !file.givesUp.aborted) {
			const others = [...this.files].filter((other) => other !== file && other.isDownloading);
			const largest = others.reduce((one, other) => (other.bytes > one.bytes ? other : one), file);
			largest.giveUp();
		}
	}

	/** Forgets a file. Those that wait may have room then. */
	release(file: HeldFile): void {
		this.files.delete(file);
		this.wake();
	}

	private get held(): number {
		return [...this.files].reduce((sum, { bytes }) => sum + bytes, 0);
	}

	private wake(): void {
		let free = this.max - this.held;
		for (const { bytes, room } of this.waiting) {
			free -= bytes;
			if (free >= 0) room.abort();
		}
	}
}

/** A file that has given up, and the signal that is aborted when there is room for it. */
interface WaitingFile {
	bytes: number;
	room: AbortController;
}

/** The memory of one file. */
class HeldFile {
	bytes = 0;

	/** Whether it can still give up: what n8n stores cannot. */
	isDownloading = true;

	private readonly ending = new AbortController();

	constructor(private readonly memory: FileMemory) {}

	/** Aborted when the file has to give up its memory. */
	get givesUp(): AbortSignal {
		return this.ending.signal;
	}

	/** Takes memory for more bytes. @throws Error with the code {@link memoryGivenUp} if the file has to give up. */
	take(more: number): void {
		this.memory.makeRoom(this, more);
		if (this.givesUp.aborted) throw errorWith(memoryGivenUp, 'Other files need the memory');
		this.bytes += more;
	}

	giveUp(): void {
		this.ending.abort();
		this.memory.release(this);
	}

	release(): void {
		this.memory.release(this);
	}
}

/** That of this process. */
export const fileMemory = new FileMemory(maxAnswer.file);
