import type * as account from '../../nodes/SignVerify/http/account';

/** Forgets what the executions of a process share, as a restart of n8n does. */
export function newProcess(): void {
	// Not before the test file has put doubles in the place of what it imports.
	const { accounts, lookUps } = jest.requireActual<typeof account>(
		'../../nodes/SignVerify/http/account',
	);
	accounts.clear();
	lookUps.clear();
}

beforeEach(newProcess);
