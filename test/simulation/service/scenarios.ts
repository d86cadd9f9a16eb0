import type { SandboxOptions } from '../../../sandbox';
import type { Step } from './pair';
import type { Caller } from './requests';
import { variantValues, type ServiceVariants } from './variants';

/** Exchanges the key for a token. */
export const exchange: Step = { do: 'exchange', how: 'right' };
/** A call, by its name. */
export const call = (what: string, pick = 0, caller: Caller = 'newest'): Step => {
	return { do: 'call', what, pick, caller };
};

/** Registrations for all events, documents of both versions, two requests. */
export const everything: Step[] = [
	exchange,
	...[0, 1, 2, 3, 4, 5].map((pick) => call('register', pick)),
	call('registerIdentity'),
	call('createV1'),
	call('createV2', 1),
	call('requestIdentity'),
	call('requestIdentity'),
];

/** What people do, and what can be asked meanwhile. */
export const lives: Step[] = [
	{ do: 'sign', pick: 1, who: 0 },
	{ do: 'report', pick: 0, event: 'pendingBiometric' },
	{ do: 'report', pick: 0, event: 'failedBiometricRequest' },
	{ do: 'sign', pick: 1, who: 1 },
	{ do: 'sign', pick: 1, who: 1 },
	{ do: 'report', pick: 0, event: 'failedBiometric' },
	call('getIdentity', 0),
	call('getResults', 0),
	{ do: 'open', pick: 0 },
	call('getIdentity', 0),
	{ do: 'finish', pick: 0, score: 'pass' },
	{ do: 'finish', pick: 0, score: 'fail' },
	{ do: 'finish', pick: 1, score: 'fail' },
	...[0, 1].flatMap((pick) => [call('getIdentity', pick), call('getResults', pick)]),
	call('list'),
	call('register', 0),
	call('registerIdentity'),
	...[0, 0, 6, 6].map((pick) => call('delete', pick)),
	call('list'),
];

/** The events that follow from both, in any order. */
export const eventsOfLives = [
	...['sendDocument', 'sendDocument', 'sendDocument'],
	...['signDocument', 'pendingBiometric', 'failedBiometricRequest'],
	...['completedDocument', 'signDocument', 'failedBiometric'],
	...['VERIFICATION_REQUEST_FINISHED', 'VERIFICATION_REQUEST_FINISHED'],
];

/** Something that can be set in the same way on both sides. */
export type Setting = [Partial<ServiceVariants>, SandboxOptions];

/** Shapes and rules that the sandbox can be set to. */
export const settings: Array<[string, Setting]> = [
	['plain', [{}, {}]],
	['a new token ends the old', [{ newTokenEndsOld: true }, { invalidateOnRenew: true }]],
	[
		'an expired token gives 403',
		[
			{ newTokenEndsOld: true, expiredToken: '403' },
			{ invalidateOnRenew: true, expiryStyle: '403' },
		],
	],
	[
		'an expired token gives 401 in 200',
		[
			{ newTokenEndsOld: true, expiredToken: '401 in 200' },
			{ invalidateOnRenew: true, expiryStyle: '200' },
		],
	],
	['only success', [{ created: 'onlySuccess' }, { quirks: { createAnswersOnlySuccess: true } }]],
	['isSigned as a text', [{ isSigned: 'text' }, { quirks: { isSignedAsString: true } }]],
	['a trailing creator', [{ trailingCreator: true }, { quirks: { trailingCreatedBy: true } }]],
	['no expiry', [{ signingExpiry: 'null' }, { quirks: { signingExpiryNull: true } }]],
	['identity is not listed', [{ listsIdentity: false }, { listIdentityWebhooks: false }]],
	['identity is not deleted', [{ deletesIdentity: '404' }, { deleteIdentityWebhooks: false }]],
];

/** Several settings at once. */
export function merged(chosen: Setting[]): Setting {
	const options = chosen.map(([, each]) => each);
	const quirks = Object.assign({}, ...options.map((each) => each.quirks ?? {})) as object;
	const variants = Object.assign({}, ...chosen.map(([each]) => each)) as Partial<ServiceVariants>;
	return [variants, { ...(Object.assign({}, ...options) as SandboxOptions), quirks }];
}

/** Of these, time decides; they have tests of their own. */
const timed: Array<[keyof ServiceVariants, unknown]> = [
	['tokenLife', 30],
	['fileSeconds', 60],
	['fileSeconds', 5],
];

/** Every variant but the plain ones, each with its name. */
export const peculiarities = Object.entries(variantValues).flatMap(([name, values]) =>
	values
		.slice(1)
		.filter((value) => !timed.some((each) => each[0] === name && each[1] === value))
		.map((value): [string, unknown] => [name, value]),
);
