import type { Fault } from '../../../sandbox';
import type { CallName } from '../../operations';

/** Something that goes wrong. */
export interface FaultKind {
	/** As the documentation calls it. */
	words: string;
	/** The call that it hits, and what happens to it. */
	at?: CallName;
	fault?: Omit<Fault, 'endpoint'>;
	/** What is wrong with the third of four items. */
	item?: 'malformed' | 'absent';
}

const refusal = (status: number) => ({
	answer: { status, body: { success: false, message: 'provoked', responseCode: status } },
});
const once = { times: 1 };

/** All that can go wrong in the composition matrix. */
export const faults = {
	none: { words: 'Nothing' },
	tokenRefused: { words: 'The service refuses the API key', at: 'token', fault: refusal(401) },
	tokenFails: {
		words: 'The service gives no access token once (502)',
		at: 'token',
		fault: { ...once, ...refusal(502) },
	},
	malformed: { words: 'One item of four has a wrong value', item: 'malformed' },
	absent: {
		words: 'One item of four names something that the service does not have',
		item: 'absent',
	},
	listRefused: {
		words: 'The service refuses a list once (400)',
		at: 'list',
		fault: { ...once, ...refusal(400) },
	},
	listFails: { words: 'A list fails each time (502)', at: 'list', fault: refusal(502) },
	registrationFails: {
		words: 'Registering the webhook of the wait fails once (502)',
		at: 'registration',
		fault: { ...once, ...refusal(502) },
	},
	registrationRefused: {
		words: 'The service refuses the webhook of the wait once (400)',
		at: 'registration',
		fault: { ...once, ...refusal(400) },
	},
	registrationForbidden: {
		words: 'The service forbids the webhook of the wait each time (403)',
		at: 'registration',
		fault: refusal(403),
	},
	answerLost: {
		words: 'The answer for one item is lost after the service acted',
		at: 'call',
		fault: { ...once, reset: 'after' },
	},
	callFailsOnce: {
		words: 'The service fails for one item (502)',
		at: 'call',
		fault: { ...once, ...refusal(502) },
	},
	callRefused: {
		words: 'The service refuses one call (400)',
		at: 'call',
		fault: { ...once, ...refusal(400) },
	},
	callBroken: {
		words: 'The connection breaks once',
		at: 'call',
		fault: { ...once, reset: 'before' },
	},
	callFails: { words: 'The service fails each time (502)', at: 'call', fault: refusal(502) },
} satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof faults;

/** The faults by their name, as what they all are. */
export function faultOf(name: FaultName): FaultKind {
	return faults[name];
}
