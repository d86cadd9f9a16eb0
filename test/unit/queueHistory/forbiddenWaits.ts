import type { Entry } from '../../queue/support/history/entries';
import {
	afterLimit,
	begun,
	crashed,
	limited,
	limitMs,
	loop,
	sentAgain,
	signed,
} from './allowedWaits';
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

const asked = wait(1, 'w#1', 'k');
const askedLimited = wait(1, 'w#1', 'k', { limitMs });
const without = (history: Entry[], ...types: Array<Entry['type']>): Entry[] =>
	history.filter(({ type }) => !types.includes(type));

const sentOnce =
	'a wait sends its document once, and again only if somebody retries an execution that did not wait yet';
const isOwn = 'a wait continues with its own document';
const isTold =
	'a wait continues as completed only after everybody has signed and it received the event';
const isOver = 'a wait times out only when its limit has passed, or by "Retry"';
const isOnce = 'a wait continues once, and again only by "Retry" after a crash';
const notLost =
	'an accepted event (2xx) of a wait continues it, by itself or by "Retry" after a crash, unless a process of n8n was starting';
const inTime = 'a limit ends its wait within a minute, or when what failed is back';
const isWhole = 'an execution that succeeds has continued with each of its items';
const isThere = 'an execution that waits has its registration';
const isKept = 'no registration is removed while its wait lasts';
const isRemoved =
	'a wait that an event continues removes its registration, unless something fails meanwhile';

/** What breaks each rule of waits, and the entries that are named. */
export const forbiddenWaits: Array<[rule: string, history: Entry[], named: Entry[]]> = [
	[
		sentOnce,
		[...begun, document(8, 'e', 'k')],
		[asked, document(6, 'd', 'k'), waiting(7, 'x'), document(8, 'e', 'k')],
	],
	[
		sentOnce,
		[
			...[...crashed, removed(85, 'r'), retry(91, 'x'), started(92, 'y', 'w#1', 'x')],
			document(93, 'e', 'k'),
		],
		[asked, document(6, 'd', 'k'), waiting(7, 'x'), document(93, 'e', 'k')],
	],
	[
		isOwn,
		[...begun, completed(20, 'e'), delivery(21, 'r', 'e'), continued(23, 'x', 'k', 'e')],
		[asked, document(6, 'd', 'k'), continued(23, 'x', 'k', 'e')],
	],
	// The first document, which nobody waits for any more.
	[
		isOwn,
		[
			...[...sentAgain, completed(100, 'd'), delivery(101, 's', 'd')],
			continued(103, 'y', 'k', 'd'),
		],
		[asked, document(94, 'e', 'k'), continued(103, 'y', 'k', 'd')],
	],
	[isOwn, [...signed, continued(26, 'x', 'nobody', 'd')], [continued(26, 'x', 'nobody', 'd')]],
	[
		isTold,
		[...begun, continued(23, 'x', 'k', 'd')],
		[asked, document(6, 'd', 'k'), continued(23, 'x', 'k', 'd')],
	],
	[
		isTold,
		[...begun, completed(20, 'd'), delivery(24, 'r', 'd'), continued(23, 'x', 'k', 'd')],
		[asked, document(6, 'd', 'k'), completed(20, 'd'), continued(23, 'x', 'k', 'd')],
	],
	// The event came to the registration of the wait before, in a loop.
	[
		isTold,
		[
			...[...loop, waiting(28, 'x'), completed(40, 'e'), delivery(41, 'r', 'e')],
			continued(43, 'x', 'l', 'e'),
		],
		[
			...[wait(1, 'w#1', 'l'), document(27, 'e', 'l'), completed(40, 'e')],
			continued(43, 'x', 'l', 'e'),
		],
	],
	[
		isOver,
		[...limited, timedOut(limitMs / 2, 'x', 'k', 'd')],
		[askedLimited, document(6, 'd', 'k'), timedOut(limitMs / 2, 'x', 'k', 'd')],
	],
	[
		isOver,
		[...begun, timedOut(afterLimit, 'x', 'k', 'd')],
		[asked, document(6, 'd', 'k'), timedOut(afterLimit, 'x', 'k', 'd')],
	],
	[
		isOnce,
		[...signed, continued(24, 'x', 'k', 'd')],
		[asked, continued(23, 'x', 'k', 'd'), continued(24, 'x', 'k', 'd')],
	],
	[
		isOnce,
		[
			...[...signed, retry(91, 'x'), started(92, 'y', 'w#1', 'x'), continued(93, 'y', 'k', 'd')],
			finished(94, 'y'),
		],
		[asked, continued(23, 'x', 'k', 'd'), continued(93, 'y', 'k', 'd')],
	],
	[
		notLost,
		[...begun, completed(20, 'd'), delivery(21, 'r', 'd')],
		[asked, document(6, 'd', 'k'), delivery(21, 'r', 'd'), started(3, 'x', 'w#1')],
	],
	// "Retry" waits again, though the event had been taken.
	[
		notLost,
		[
			...[...crashed, removed(85, 'r'), retry(91, 'x'), started(92, 'y', 'w#1', 'x')],
			...[registered(93, 's', 'y'), waiting(94, 'y')],
		],
		[asked, document(6, 'd', 'k'), delivery(21, 'r', 'd'), started(92, 'y', 'w#1', 'x')],
	],
	[
		notLost,
		[
			...[...limited, completed(20, 'd'), delivery(21, 'r', 'd'), removed(afterLimit, 'r')],
			...[timedOut(afterLimit, 'x', 'k', 'd'), finished(afterLimit + 2, 'x')],
		],
		[
			...[askedLimited, document(6, 'd', 'k'), delivery(21, 'r', 'd'), started(3, 'x', 'w#1')],
			...[timedOut(afterLimit, 'x', 'k', 'd'), finished(afterLimit + 2, 'x')],
		],
	],
	[
		inTime,
		[...limited, call(3 * limitMs, 'z#1')],
		[askedLimited, document(6, 'd', 'k'), started(3, 'x', 'w#1')],
	],
	[
		inTime,
		[
			...[down(-9 * limitMs, 'main'), up(-8 * limitMs, 'main'), ...limited],
			...[removed(3 * limitMs, 'r'), timedOut(3 * limitMs, 'x', 'k', 'd')],
			finished(3 * limitMs + 1, 'x'),
		],
		[
			...[askedLimited, document(6, 'd', 'k'), timedOut(3 * limitMs, 'x', 'k', 'd')],
			...[started(3, 'x', 'w#1'), finished(3 * limitMs + 1, 'x')],
		],
	],
	[
		isWhole,
		[...begun, finished(25, 'x'), removed(26, 'r')],
		[asked, started(3, 'x', 'w#1'), finished(25, 'x')],
	],
	[
		isWhole,
		[...loop, waiting(28, 'x'), finished(45, 'x')],
		[wait(1, 'w#1', 'l'), started(3, 'x', 'w#1'), finished(45, 'x')],
	],
	[isThere, without(begun, 'registered'), [started(3, 'x', 'w#1'), waiting(7, 'x')]],
	// A "Retry" that waits with the registration of the execution that had crashed.
	[
		isThere,
		[
			...[...begun, down(23, 'worker-1'), up(24, 'worker-1')],
			...[finished(80, 'x', 'error'), retry(91, 'x'), started(92, 'y', 'w#1', 'x')],
			waiting(94, 'y'),
		],
		[started(92, 'y', 'w#1', 'x'), waiting(94, 'y')],
	],
	[
		isKept,
		[...begun, removed(9, 'r')],
		[registered(5, 'r', 'x'), removed(9, 'r'), started(3, 'x', 'w#1')],
	],
	[
		isKept,
		[...limited, removed(limitMs / 2, 'r')],
		[registered(5, 'r', 'x'), removed(limitMs / 2, 'r'), started(3, 'x', 'w#1')],
	],
	[
		isRemoved,
		[
			...without(signed, 'removed'),
			down(-9 * limitMs, 'webhook'),
			up(-8 * limitMs, 'webhook'),
		].concat([call(limitMs, 'z#1'), answer(limitMs, 'z#1', 503)]),
		[registered(5, 'r', 'x'), continued(23, 'x', 'k', 'd')],
	],
];
