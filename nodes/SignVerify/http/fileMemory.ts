import { delay, errorWith } from '../util/async';
import { maxResponseBytes } from './request';

/** The error code for a download that was stopped to free memory for other files. */
export const memoryGivenUp = 'MEMORY_GIVEN_UP';

/** Creates the error for a download that was stopped to free memory for other files. */
export function givenUpMemory(): Error {
	return errorWith(memoryGivenUp, 'Other files need the memory');
}

/**
 * Limits the memory that files use, from the first byte of a download until n8n has stored the file. A
 * compressed response can expand to a thousand times its size, so all downloads in the process share one
 * limit. When the limit is reached, the largest download is stopped to free its memory, and restarted once
 * there is room. This way, a large or stalled download never holds up a small one.
 */
class FileMemory {
	private readonly files = new Set<HeldFile>();

	/** The files waiting for room, starting with the one that has waited longest. */
	private waiting: WaitingFile[] = [];

	/** @param max The limit in bytes. It must be large enough for the largest single file. */
	constructor(readonly max: number) {}

	/** Starts tracking a file's memory. The caller must release the file, no matter how the download ends. */
	hold(): HeldFile {
		const file = new HeldFile(this);
		this.files.add(file);
		return file;
	}

	/**
	 * Waits until there is room for the given number of bytes. The room isn't reserved, so another file can
	 * take it first.
	 * @param timeoutMs The maximum wait, in milliseconds.
	 * @returns false if the wait was canceled or timed out.
	 */
	async waitForRoom(bytes: number, timeoutMs: number, cancel?: AbortSignal): Promise<boolean> {
		const room = new AbortController();
		const waiting = { bytes, room };
		this.waiting.push(waiting);
		this.wake();
		const signals = cancel ? [room.signal, cancel] : [room.signal];
		await delay(timeoutMs, AbortSignal.any(signals));
		this.waiting = this.waiting.filter((other) => other !== waiting);
		return room.signal.aborted;
	}

	/**
	 * Makes room for more bytes of a file. If necessary, stops the largest unfinished downloads, possibly
	 * including this one.
	 */
	makeRoom(file: HeldFile, more: number): void {
		while (this.held + more > this.max && !file.givesUp.aborted) {
			const others = [...this.files].filter((other) => other !== file && other.isDownloading);
			const largest = others.reduce((one, other) => (other.bytes > one.bytes ? other : one), file);
			largest.giveUp();
		}
	}

	/** Frees a file's memory for waiting files. */
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

/** A file that gave up its memory. `room` is aborted once there is room for the file again. */
interface WaitingFile {
	bytes: number;
	room: AbortController;
}

/** The memory used by one file. */
class HeldFile {
	bytes = 0;

	/**
	 * Whether the file can still give up its memory. This is no longer possible once n8n is storing the file.
	 */
	isDownloading = true;

	private readonly ending = new AbortController();

	constructor(private readonly memory: FileMemory) {}

	/** Aborted when the file has to give up its memory. */
	get givesUp(): AbortSignal {
		return this.ending.signal;
	}

	/**
	 * Reserves memory for more bytes.
	 * @throws Error with the code {@link memoryGivenUp} if the file has to give up its memory.
	 */
	take(more: number): void {
		this.memory.makeRoom(this, more);
		if (this.givesUp.aborted) throw givenUpMemory();
		this.bytes += more;
	}

	/** Stops the download and frees its memory for another file. */
	giveUp(): void {
		this.ending.abort();
		this.memory.release(this);
	}

	/** Frees the memory. Call this no matter how the download ends. */
	release(): void {
		this.memory.release(this);
	}
}

/** The memory shared by all downloads in this process. */
export const fileMemory = new FileMemory(maxResponseBytes.file);
