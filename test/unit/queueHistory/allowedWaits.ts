import type { Entry } from '../../queue/support/history/entries';
import {
	answer,
	call,
	completed,
	continued,
	delivery,
	document,
	down,
	finished,
	registered,
	removed,
	retry,
	started,
	timedOut,
	up,
	wait,
	waiting,
} from './short';

/** A limit that all of these use, and when it ends a wait that began at 6. */
export const limitMs = 60_000;
export const afterLimit = limitMs + 30_000;

/** A document is sent, and its execution waits. */
export const begun = [
	...[call(1, 'w#1'), wait(1, 'w#1', 'k'), started(3, 'x', 'w#1'), answer(4, 'w#1')],
	...[registered(5, 'r', 'x'), document(6, 'd', 'k'), waiting(7, 'x')],
];
/** It is signed, and the execution continues. */
export const signed = [
	...[...begun, completed(20, 'd'), delivery(21, 'r', 'd'), continued(23, 'x', 'k', 'd')],
	...[removed(24, 'r'), finished(25, 'x')],
];
/** The same with a limit, before anything happens. */
export const limited = [
	...[call(1, 'w#1'), wait(1, 'w#1', 'k', { limitMs }), started(3, 'x', 'w#1')],
	...[answer(4, 'w#1'), registered(5, 'r', 'x'), document(6, 'd', 'k'), waiting(7, 'x')],
];
/** Nobody signs it. */
export const late = [
	...[...limited, timedOut(afterLimit + 1, 'x', 'k', 'd')],
	finished(afterLimit + 2, 'x'),
];
/** Two items in a loop; the first one continues, and the second document is sent. */
export const loop = [
	...[call(1, 'w#1'), wait(1, 'w#1', 'k'), wait(1, 'w#1', 'l')],
	...[started(3, 'x', 'w#1'), answer(4, 'w#1'), registered(5, 'r', 'x'), document(6, 'd', 'k')],
	...[waiting(7, 'x'), completed(20, 'd'), delivery(21, 'r', 'd'), continued(23, 'x', 'k', 'd')],
	...[registered(25, 's', 'x'), removed(26, 'r'), document(27, 'e', 'l')],
];
/** The worker dies when the execution has taken its event. */
export const crashed = [
	...[...begun, completed(20, 'd'), delivery(21, 'r', 'd'), down(23, 'worker-1')],
	...[up(30, 'worker-1'), finished(80, 'x', 'error')],
];
/** The worker dies before the execution waits; "Retry" sends another document. */
export const sentAgain = [
	...[...begun.slice(0, -1), down(7, 'worker-1'), up(9, 'worker-1'), finished(80, 'x', 'error')],
	...[retry(91, 'x'), started(92, 'y', 'w#1', 'x'), registered(93, 's', 'y')],
	...[document(94, 'e', 'k'), waiting(95, 'y')],
];

/** Histories of waits that are allowed, by what happens in them. */
export const allowedWaits: Record<string, Entry[]> = {
	'an execution that waits': begun,
	'a document that is signed': signed,
	'an event that is sent again until it is taken': [
		...[...begun, completed(20, 'd'), delivery(21, 'r', 'd', 502), delivery(25, 'r', 'd')],
		...[continued(29, 'x', 'k', 'd'), removed(30, 'r'), finished(31, 'x')],
	],
	'an event that comes again when the execution has ended': [...signed, delivery(40, 'r', 'd')],
	'the event of another document': [...begun, completed(20, 'e'), delivery(21, 'r', 'e')],
	'an event that nobody takes: the wait goes on': [
		...[...begun, completed(20, 'd'), delivery(21, 'r', 'd', 502)],
	],
	'a limit that passes': late,
	'a limit that passes while main is away': [
		...[...limited, down(limitMs, 'main'), up(3 * limitMs, 'main')],
		...[timedOut(3 * limitMs + 2, 'x', 'k', 'd'), finished(3 * limitMs + 3, 'x')],
	],
	'a document that is signed when its limit has passed, but n8n has not looked yet': [
		...[...limited, completed(limitMs + 20, 'd'), delivery(limitMs + 21, 'r', 'd')],
		...[continued(limitMs + 23, 'x', 'k', 'd'), removed(limitMs + 24, 'r')],
		finished(limitMs + 25, 'x'),
	],
	'a loop whose second item waits': [...loop, waiting(28, 'x')],
	'a loop whose second event comes to the first registration only': [
		...[...loop.filter(({ type }) => type !== 'removed'), down(24, 'webhook'), up(25, 'webhook')],
		...[waiting(28, 'x'), completed(40, 'e'), delivery(41, 'r', 'e'), delivery(41, 's', 'e', 502)],
	],
	'a loop that is done': [
		...[...loop, waiting(28, 'x'), completed(40, 'e'), delivery(41, 's', 'e')],
		...[continued(43, 'x', 'l', 'e'), removed(44, 's'), finished(45, 'x')],
	],
	'a loop whose worker dies in its second turn: "Retry" sends the second document again': [
		...[...loop, down(28, 'worker-1'), up(30, 'worker-1'), finished(80, 'x', 'error')],
		...[retry(91, 'x'), started(92, 'y', 'w#1', 'x'), continued(93, 'y', 'k', 'd')],
		...[registered(94, 't', 'y'), document(95, 'f', 'l'), waiting(96, 'y')],
	],
	'a worker dies with an event that was taken': crashed,
	'the same, and "Retry" continues': [
		...[...crashed, removed(85, 'r'), retry(91, 'x'), started(92, 'y', 'w#1', 'x')],
		...[continued(95, 'y', 'k', 'd'), finished(99, 'y')],
	],
	'a worker dies behind the wait, and "Retry" continues once more': [
		...[...crashed, continued(22, 'x', 'k', 'd'), retry(91, 'x'), started(92, 'y', 'w#1', 'x')],
		...[continued(95, 'y', 'k', 'd'), finished(99, 'y')],
	],
	'a worker that starts again writes the wait back as it was before its event': [
		...[...begun, down(19, 'worker-1'), completed(20, 'd'), delivery(21, 'r', 'd')],
		...[removed(22, 'r'), up(30, 'worker-1')],
	],
	'a worker dies before the wait, and "Retry" sends again': sentAgain,
	'a worker dies at the limit, and "Retry" times out': [
		...[...limited, down(afterLimit, 'worker-1'), up(afterLimit + 9, 'worker-1')],
		...[finished(2 * afterLimit, 'x', 'error'), retry(3 * afterLimit, 'x')],
		started(3 * afterLimit + 1, 'y', 'w#1', 'x'),
		...[timedOut(3 * afterLimit + 3, 'y', 'k', 'd'), finished(3 * afterLimit + 4, 'y')],
	],
	'a worker dies before its event, and "Retry" passes on what was sent': [
		...[...begun, down(23, 'worker-1'), up(30, 'worker-1'), finished(80, 'x', 'error')],
		...[retry(91, 'x'), started(92, 'y', 'w#1', 'x'), timedOut(95, 'y', 'k', 'd')],
		finished(99, 'y'),
	],
	'a registration that stays, since the webhook processor died': [
		...signed.filter(({ type }) => type !== 'removed'),
		...[down(24, 'webhook'), up(30, 'webhook'), call(limitMs, 'z#1'), answer(limitMs, 'z#1', 503)],
	],
};
