import type { Entry } from '../../queue/support/history/entries';
import { event, again, interrupted, sent } from './allowed';
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

const late = 100_000;

/** What breaks each rule, and the entries that are named. */
export const forbidden: Array<[rule: string, history: Entry[], named: Entry[]]> = [
	[
		'a key is never sent twice',
		[...sent, document(7, 'e', 'k')],
		[send(1, 's#1', 'k'), document(6, 'd', 'k'), document(7, 'e', 'k')],
	],
	[
		'a document belongs to a key that was requested before',
		[...sent, document(7, 'e', 'another')],
		[document(7, 'e', 'another')],
	],
	[
		'a document that an output calls sent is at the service',
		sent.filter(({ type }) => type !== 'document'),
		[send(1, 's#1', 'k'), output(9, 'x', 'k', 'created', 'd')],
	],
	[
		'a document that an output calls sent is at the service',
		[...interrupted.slice(0, -2), output(119, 'y', 'k', 'skipped'), finished(119, 'y')],
		[send(1, 's#1', 'k'), send(111, 's#2', 'k'), output(119, 'y', 'k', 'skipped')],
	],
	[
		'for each key, at most one output says that its document was created',
		[...sent, ...again.slice(0, -2), output(19, 'y', 'k', 'created', 'd'), finished(19, 'y')],
		[output(9, 'x', 'k', 'created', 'd'), output(19, 'y', 'k', 'created', 'd')],
	],
	[
		'a creation is output or reported as "may have been created", unless its execution crashed',
		[...sent.slice(0, -2), output(9, 'x', 'k', 'skipped'), finished(9, 'x')],
		[
			send(1, 's#1', 'k'),
			started(3, 'x', 's#1'),
			document(6, 'd', 'k'),
			...[finished(9, 'x'), output(9, 'x', 'k', 'skipped')],
		],
	],
	[
		'"may have been created" is reported only if something was interrupted or ran at the same time',
		[
			...sent,
			...again.slice(0, -2),
			...[output(19, 'y', 'k', 'mayHaveBeenCreated'), finished(19, 'y')],
		],
		[
			...[started(3, 'x', 's#1'), finished(9, 'x'), started(13, 'y', 's#2')],
			...[finished(19, 'y'), output(19, 'y', 'k', 'mayHaveBeenCreated')],
		],
	],
	[
		'an item fails only while a store is away',
		[
			...[down(-late, 'Redis'), up(-late + 9, 'Redis')],
			...[call(1, 's#1'), send(1, 's#1', 'k'), started(3, 'x', 's#1'), answer(4, 's#1')],
			...[output(9, 'x', 'k', 'failed'), finished(9, 'x')],
		],
		[output(9, 'x', 'k', 'failed')],
	],
	[
		'an execution that succeeds says once for each key what happened to it',
		[...sent, ...again.filter(({ type }) => type !== 'output')],
		[send(11, 's#2', 'k'), started(13, 'y', 's#2'), finished(19, 'y')],
	],
	[
		'an execution that succeeds says once for each key what happened to it',
		[...sent, ...again, output(19, 'y', 'k', 'skipped')],
		[
			...[send(11, 's#2', 'k'), started(13, 'y', 's#2'), finished(19, 'y')],
			...[output(19, 'y', 'k', 'skipped'), output(19, 'y', 'k', 'skipped')],
		],
	],
	[
		'a forged event is refused',
		[forged(1, 'f#1'), answer(2, 'f#1')],
		[forged(1, 'f#1'), answer(2, 'f#1')],
	],
	[
		'a forged event is refused',
		[forged(1, 'f#1'), started(2, 'x', 'f#1'), answer(3, 'f#1', 401), finished(4, 'x')],
		[forged(1, 'f#1'), started(2, 'x', 'f#1'), answer(3, 'f#1', 401), finished(4, 'x')],
	],
	[
		'an accepted event (2xx) is executed at least once',
		[call(1, 'a#1', 'a'), answer(5, 'a#1'), down(6, 'worker-1'), started(3, 'x', '')],
		[call(1, 'a#1', 'a'), answer(5, 'a#1')],
	],
	[
		'an event is executed once, unless a crash lies between its acceptance and its repetition',
		[
			...[down(-9, 'webhook'), up(-8, 'webhook'), ...event, down(12, 'Redis'), up(13, 'Redis')],
			...[call(21, 'a#2', 'a'), started(23, 'y', 'a#2'), answer(25, 'a#2'), finished(29, 'y')],
			down(30, 'webhook'),
		],
		[
			...event,
			...[call(21, 'a#2', 'a'), started(23, 'y', 'a#2'), answer(25, 'a#2'), finished(29, 'y')],
		],
	],
	[
		'an accepted event is done at the end, by itself or by "Retry"',
		[
			...[call(1, 'a#1', 'a'), started(3, 'x', 'a#1'), answer(5, 'a#1'), down(7, 'worker-1')],
			...[finished(70, 'x', 'error'), retry(81, 'x'), started(82, 'y', 'a#1', 'x')],
			finished(89, 'y', 'error'),
		],
		[
			...[
				call(1, 'a#1', 'a'),
				started(3, 'x', 'a#1'),
				answer(5, 'a#1'),
				finished(70, 'x', 'error'),
			],
			...[started(82, 'y', 'a#1', 'x'), finished(89, 'y', 'error')],
		],
	],
	[
		'an execution comes from a call that was made before',
		[...event, started(11, 'y', 'b#1'), finished(12, 'y')],
		[started(11, 'y', 'b#1')],
	],
	[
		'an execution comes from a call that was made before',
		[started(0, 'x', 'a#1'), ...event.filter(({ type }) => type !== 'started')],
		[started(0, 'x', 'a#1'), call(1, 'a#1', 'a'), answer(5, 'a#1')],
	],
	[
		'a call starts one execution at most',
		[...sent.slice(0, 4), ...sent.slice(4), started(5, 'y', 's#1'), down(6, 'worker-1')],
		[
			...[call(1, 's#1'), started(3, 'x', 's#1'), answer(4, 's#1'), started(5, 'y', 's#1')],
			finished(9, 'x'),
		],
	],
	[
		'a call that was answered 4xx starts nothing',
		[call(1, 'a#1', 'a'), started(3, 'x', 'a#1'), answer(5, 'a#1', 422), finished(9, 'x')],
		[call(1, 'a#1', 'a'), started(3, 'x', 'a#1'), answer(5, 'a#1', 422), finished(9, 'x')],
	],
	[
		'an accepted call (2xx) is executed at least once',
		[call(1, 's#1'), send(1, 's#1', 'k'), answer(4, 's#1')],
		[call(1, 's#1'), answer(4, 's#1')],
	],
	[
		'an execution is interrupted only by a worker that ends or a store that is away',
		[
			...[down(0, 'worker-1'), up(2, 'worker-1'), ...event.slice(0, 3), down(6, 'main')],
			...[finished(9, 'x', 'error'), down(10, 'worker-1')],
		],
		[started(3, 'x', 'a#1'), down(6, 'main'), finished(9, 'x', 'error')],
	],
	[
		'"Retry" runs an execution, and only once',
		[...interrupted, retry(121, 'x')],
		[retry(121, 'x')],
	],
	[
		'"Retry" runs an execution, and only once',
		[
			...[...interrupted, retry(121, 'x'), down(124, 'worker-1')],
			...[started(122, 'z', 's#1', 'x'), started(123, 'zz', 's#1', 'x')],
		],
		[retry(121, 'x'), started(122, 'z', 's#1', 'x'), started(123, 'zz', 's#1', 'x')],
	],
];
