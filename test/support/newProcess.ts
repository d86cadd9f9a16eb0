import type * as templates from '../../nodes/SignVerify/api/templates';
import type * as account from '../../nodes/SignVerify/http/rateLimit';
import type * as lifecycle from '../../nodes/SignVerify/trigger/lifecycle';
import type * as async from '../../nodes/SignVerify/util/async';
import type * as request from '../../nodes/SignVerify/events/request';
import type * as sync from '../../nodes/SignVerify/registrations/sync';

/** Clears the memory that the executions of a process share, as a restart of n8n does. */
export function newProcess(): void {
	// The modules are loaded only now, because the test file may have replaced some of their imports before.
	const nodes = '../../nodes/SignVerify';
	const { accounts } = jest.requireActual<typeof account>(`${nodes}/http/rateLimit`);
	const { lookUps } = jest.requireActual<typeof async>(`${nodes}/util/async`);
	const { deletedIds } = jest.requireActual<typeof sync>(`${nodes}/registrations/sync`);
	const { removals, slowUntil } = jest.requireActual<typeof lifecycle>(
		`${nodes}/trigger/lifecycle`,
	);
	const { lastLogged, refusals } = jest.requireActual<typeof request>(`${nodes}/events/request`);
	const { listsRead } = jest.requireActual<typeof templates>(`${nodes}/api/templates`);
	const shared = [
		...[accounts, lookUps, deletedIds, removals, slowUntil],
		...[lastLogged, refusals, listsRead],
	];
	for (const memory of shared) memory.clear();
}

beforeEach(newProcess);
