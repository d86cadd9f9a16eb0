import type { Entry } from '../../queue/support/history/entries';
import {
	answer,
	call,
	document,
	down,
	finished,
	forged,
	output,
	retry,
	send,
	started,
	up,
} from './short';

/** An event that is delivered once, accepted, and executed. */
export const event = [
	...[call(1, 'a#1', 'a'), started(3, 'x', 'a#1'), answer(5, 'a#1'), finished(9, 'x')],
];
/** A list of one key that is sent. */
export const sent = [
	...[call(1, 's#1'), send(1, 's#1', 'k'), started(3, 'x', 's#1'), answer(4, 's#1')],
	...[document(6, 'd', 'k'), output(9, 'x', 'k', 'created', 'd'), finished(9, 'x')],
];
/** The same list once more: it skips the key. */
export const again = [
	...[call(11, 's#2'), send(11, 's#2', 'k'), started(13, 'y', 's#2'), answer(14, 's#2')],
	...[output(19, 'y', 'k', 'skipped'), finished(19, 'y')],
];
/** A list whose worker dies half way, and that is run again. */
export const interrupted = [
	...[call(1, 's#1'), send(1, 's#1', 'k'), started(3, 'x', 's#1'), answer(4, 's#1')],
	...[down(6, 'worker-1'), finished(90, 'x', 'crashed'), up(50, 'worker-1')],
	...[call(111, 's#2'), send(111, 's#2', 'k'), started(113, 'y', 's#2'), answer(114, 's#2')],
	...[output(119, 'y', 'k', 'mayHaveBeenCreated'), finished(119, 'y')],
];

/** Histories that are allowed, by what happens in them. */
export const allowed: Record<string, Entry[]> = {
	'nothing at all': [],
	'an event': event,
	'an event that is accepted at the second call': [
		...[call(1, 'a#1', 'a'), answer(2, 'a#1', 502)],
		...[call(11, 'a#2', 'a'), started(13, 'x', 'a#2'), answer(15, 'a#2'), finished(19, 'x')],
	],
	'an event that is repeated, and executed once': [
		...event,
		...[call(11, 'a#2', 'a'), answer(12, 'a#2')],
	],
	'an event that comes twice since its process died before it answered': [
		...[call(1, 'a#1', 'a'), started(3, 'x', 'a#1'), down(4, 'webhook')],
		...[answer(4, 'a#1', 'ECONNRESET'), finished(9, 'x'), up(20, 'webhook')],
		...[call(21, 'a#2', 'a'), started(23, 'y', 'a#2'), answer(25, 'a#2'), finished(29, 'y')],
	],
	'an event that comes twice since its process died after it answered': [
		...[...event, down(10, 'webhook'), up(11, 'webhook')],
		...[call(21, 'a#2', 'a'), started(23, 'y', 'a#2'), answer(25, 'a#2'), finished(29, 'y')],
	],
	'an event that comes twice since it was stored, but Redis was away': [
		...[down(0, 'Redis'), call(1, 'a#1', 'a'), started(3, 'x', 'a#1'), answer(5, 'a#1', 500)],
		...[up(6, 'Redis'), finished(7, 'x', 'error')],
		...[call(21, 'a#2', 'a'), started(23, 'y', 'a#2'), answer(25, 'a#2'), finished(29, 'y')],
	],
	'an event whose worker dies, done by "Retry"': [
		...[call(1, 'a#1', 'a'), started(3, 'x', 'a#1'), answer(5, 'a#1'), down(7, 'worker-1')],
		...[up(20, 'worker-1'), finished(70, 'x', 'error')],
		...[retry(81, 'x'), started(82, 'y', 'a#1', 'x'), finished(89, 'y')],
	],
	'a forged event that is refused': [forged(1, 'f#1'), answer(2, 'f#1', 401)],
	'a key that is sent': sent,
	'a key that is asked for twice': [...sent, ...again],
	'a key whose worker died before it was sent': interrupted,
	'a key whose worker died after it was sent': [...interrupted, document(5, 'd', 'k')],
	'a key that two executions take up at the same moment': [
		...sent,
		...[call(2, 's#2'), send(2, 's#2', 'k'), started(4, 'y', 's#2'), answer(5, 's#2')],
		...[output(8, 'y', 'k', 'mayHaveBeenCreated'), finished(8, 'y')],
	],
	'an item that fails while a store is away': [
		...[call(1, 's#1'), send(1, 's#1', 'k'), started(3, 'x', 's#1'), answer(4, 's#1')],
		...[down(5, 'Redis'), up(8, 'Redis'), output(9, 'x', 'k', 'failed'), finished(9, 'x')],
	],
};
