import type { Answer } from './respond';

/** What of a response shows how a delivery was answered. */
interface Response {
	readonly statusCode: number;
	/** Whether the answer is written. */
	readonly writableEnded: boolean;
	/** Whether the connection is done with: the answer is sent, or the sender has left. */
	readonly closed: boolean;
	once(event: 'close', listener: () => void): unknown;
}

/** An event that came in and that n8n has not answered for yet. */
interface Underway {
	answer: Response;
	since: number;
	closed: Promise<void>;
}

/** How many accepted events are remembered; one takes some 150 bytes of memory. */
const remembered = 10_000;

/** After this time (ms) an event that nobody has answered for counts as not accepted. */
const answerTimeout = 60_000;

const events = new Map<string, 'accepted' | Underway>();

/**
 * Decides whether a delivery brings an event for the first time to this process.
 *
 * An event counts as accepted once n8n has answered 2xx for it, which it does after it has stored the
 * execution. A repeat of an event that is under way waits for that: were it dropped at once and the
 * first one then failed, the event would be lost.
 * @param key Names the event and the registration that it came to.
 * @param answer The response to this delivery.
 * @returns `new`: accept it. `repeat`: it was accepted before. `underway`: it may yet be accepted, and the
 * sender should ask again.
 */
export async function claim(key: string, answer: Response): Promise<'new' | 'repeat' | 'underway'> {
	for (;;) {
		const known = events.get(key);
		const state = stateOf(known);
		if (state === 'accepted') return 'repeat';
		if (known === undefined || known === 'accepted' || state === 'lost') break;
		if (known.answer.closed) return 'underway';
		await known.closed;
	}
	events.delete(key);
	events.set(key, { answer, since: Date.now(), closed: closing(key, answer) });
	const oldest = events.keys().next();
	if (events.size > remembered && !oldest.done) events.delete(oldest.value);
	return 'new';
}

/**
 * Claims an event for this delivery.
 * @returns What to tell the sender where it is not to be processed now; undefined where it is.
 */
export async function claimEvent(key: string, response: Response): Promise<Answer | undefined> {
	const claimed = await claim(key, response);
	if (claimed === 'repeat') return { status: 200, message: 'This event was already processed.' };
	if (claimed === 'new') return undefined;
	return { status: 503, message: 'This event is being processed. Send it again later.' };
}

/** Keeps in mind how the delivery ended, and lets go of its response. */
async function closing(key: string, answer: Response): Promise<void> {
	if (!answer.closed) await new Promise<void>((resolve) => answer.once('close', resolve));
	const own = events.get(key);
	if (typeof own !== 'object' || own.answer !== answer) return;
	const state = stateOf(own);
	// A sender that left before the answer does not keep n8n from accepting the event: wait and see.
	if (state === 'accepted') events.set(key, 'accepted');
	else if (state === 'lost') events.delete(key);
}

function stateOf(known: 'accepted' | Underway | undefined): 'accepted' | 'lost' | 'underway' {
	if (known === 'accepted') return 'accepted';
	if (known === undefined) return 'lost';
	const { answer, since } = known;
	if (answer.writableEnded) {
		return answer.statusCode >= 200 && answer.statusCode < 300 ? 'accepted' : 'lost';
	}
	return Date.now() - since > answerTimeout ? 'lost' : 'underway';
}
