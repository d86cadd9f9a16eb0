import { remember } from '../util/values';
import type { Answer } from './respond';

/** The part of a response that says how a delivery was answered. */
interface Response {
	readonly statusCode: number;
	/** Whether the answer is written. */
	readonly writableEnded: boolean;
	/** Whether the answer was sent, or the sender has left. */
	readonly closed: boolean;
	once(event: 'close', listener: () => void): unknown;
}

/** An event that n8n has not answered yet. */
interface Underway {
	answer: Response;
	since: number;
	closed: Promise<void>;
}

/** How many accepted events are remembered; each needs about 150 bytes of memory. */
const remembered = 10_000;

/** After this time (ms), an event without an answer counts as not accepted. */
const answerTimeout = 60_000;

const events = new Map<string, 'accepted' | Underway>();

/**
 * Decides whether a delivery has an event that is new to this process.
 *
 * An event is accepted when n8n has answered 2xx, which it does after it has stored the execution. A
 * repeated event waits for the answer to the first one. If it were dropped at once and the first one
 * then failed, the event would be lost.
 * @param key Names the event and its registration.
 * @param answer The response to this delivery.
 * @returns `new`: accept it. `repeat`: it was accepted before. `underway`: it may still be accepted, and
 * the sender should send it again.
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
	const underway = { answer, since: Date.now(), closed: closing(key, answer) };
	remember(events, key, underway, remembered);
	return 'new';
}

/** Claims an event for this delivery. Returns the answer to the sender, or undefined to process it. */
export async function claimEvent(key: string, response: Response): Promise<Answer | undefined> {
	const claimed = await claim(key, response);
	if (claimed === 'repeat') return { status: 200, message: 'This event was already processed.' };
	if (claimed === 'new') return undefined;
	return { status: 503, message: 'This event is being processed. Send it again later.' };
}

/** Notes how the delivery ended, and forgets its response. */
async function closing(key: string, answer: Response): Promise<void> {
	if (!answer.closed) await new Promise<void>((resolve) => answer.once('close', resolve));
	const own = events.get(key);
	if (typeof own !== 'object' || own.answer !== answer) return;
	const state = stateOf(own);
	// If the sender left before the answer, n8n may still accept the event.
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
