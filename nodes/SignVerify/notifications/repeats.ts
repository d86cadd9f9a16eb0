/** What of a response shows how a delivery was answered. */
export interface Answer {
	readonly statusCode: number;
	/** Whether the answer is written. */
	readonly writableEnded: boolean;
	/** Whether the connection is done with: the answer is sent, or the sender has left. */
	readonly closed: boolean;
	once(event: 'close', listener: () => void): unknown;
}

/** An event that came in and that n8n has not answered for yet. */
interface Underway {
	answer: Answer;
	since: number;
	closed: Promise<void>;
}

/** How many taken events are remembered; one takes some 150 bytes. */
const remembered = 10_000;

/** After this time (ms) an event that nobody has answered for counts as not taken. */
const patience = 60_000;

const events = new Map<string, 'taken' | Underway>();

/**
 * Decides whether a delivery brings an event for the first time to this process.
 *
 * An event counts as taken once n8n has answered 2xx for it, which it does after it has stored the
 * execution. A repeat of an event that is under way waits for that: were it dropped at once and the
 * first one then failed, the event would be lost.
 * @param key Names the event and the registration that it came to.
 * @param answer The response to this delivery.
 * @returns `new`: take it. `repeat`: it is taken already. `underway`: it may yet be taken, and the
 * sender should ask again.
 */
export async function claim(key: string, answer: Answer): Promise<'new' | 'repeat' | 'underway'> {
	for (;;) {
		const known = events.get(key);
		const state = stateOf(known);
		if (state === 'taken') return 'repeat';
		if (known === undefined || known === 'taken' || state === 'lost') break;
		if (known.answer.closed) return 'underway';
		await known.closed;
	}
	events.delete(key);
	events.set(key, { answer, since: Date.now(), closed: closing(key, answer) });
	const oldest = events.keys().next();
	if (events.size > remembered && !oldest.done) events.delete(oldest.value);
	return 'new';
}

/** Keeps in mind how the delivery ended, and lets go of its response. */
async function closing(key: string, answer: Answer): Promise<void> {
	if (!answer.closed) await new Promise<void>((resolve) => answer.once('close', resolve));
	const own = events.get(key);
	if (typeof own !== 'object' || own.answer !== answer) return;
	const state = stateOf(own);
	// A sender that left before the answer does not keep n8n from taking the event: wait and see.
	if (state === 'taken') events.set(key, 'taken');
	else if (state === 'lost') events.delete(key);
}

function stateOf(known: 'taken' | Underway | undefined): 'taken' | 'lost' | 'underway' {
	if (known === 'taken') return 'taken';
	if (known === undefined) return 'lost';
	const { answer, since } = known;
	if (answer.writableEnded) {
		return answer.statusCode >= 200 && answer.statusCode < 300 ? 'taken' : 'lost';
	}
	return Date.now() - since > patience ? 'lost' : 'underway';
}
