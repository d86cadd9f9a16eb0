import { remember } from '../util/values';
import {
	answerTimeout,
	type DeliveryResponse,
	isAcceptance,
	isAccepted,
	isClosed,
} from './answered';
import type { Answer } from './respond';

/** An event that n8n has not answered yet. */
interface Underway {
	answer: DeliveryResponse;
	since: number;
	closed: Promise<void>;
}

/** How many accepted events are remembered; each needs about 150 bytes of memory. */
const remembered = 10_000;

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
export async function claim(
	key: string,
	answer: DeliveryResponse,
): Promise<'new' | 'repeat' | 'underway'> {
	for (;;) {
		const known = events.get(key);
		const state = stateOf(known);
		if (state === 'accepted') return 'repeat';
		if (known === undefined || known === 'accepted' || state === 'lost') break;
		if (known.answer.closed) return 'underway';
		await known.closed;
	}
	const underway = { answer, since: Date.now(), closed: isClosed(answer) };
	remember(events, key, underway, remembered);
	void follow(key, answer);
	return 'new';
}

/** Claims an event for this delivery. Returns the answer to the sender, or undefined to process it. */
export async function claimEvent(
	key: string,
	response: DeliveryResponse,
): Promise<Answer | undefined> {
	const claimed = await claim(key, response);
	if (claimed === 'repeat') return { status: 200, message: 'This event was already processed.' };
	if (claimed === 'new') return undefined;
	return { status: 503, message: 'This event is being processed. Send it again later.' };
}

/** Notes how the delivery ended, and lets its response go, which holds the request with its body. */
async function follow(key: string, answer: DeliveryResponse): Promise<void> {
	const accepted = await isAccepted(answer);
	const own = events.get(key);
	if (typeof own !== 'object' || own.answer !== answer) return;
	if (accepted) events.set(key, 'accepted');
	else events.delete(key);
}

function stateOf(known: 'accepted' | Underway | undefined): 'accepted' | 'lost' | 'underway' {
	if (known === 'accepted') return 'accepted';
	if (known === undefined) return 'lost';
	const { answer, since } = known;
	if (answer.writableEnded) return isAcceptance(answer) ? 'accepted' : 'lost';
	return Date.now() - since > answerTimeout ? 'lost' : 'underway';
}
