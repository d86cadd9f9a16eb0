import type * as processMemory from '../../nodes/SignVerify/util/processMemory';

/** Forgets what the executions of a process share, as a restart of n8n does. */
export function newProcess(): void {
	// Not before the test file has put doubles in the place of what it imports.
	const { clearAll } = jest.requireActual<typeof processMemory>(
		'../../nodes/SignVerify/util/processMemory',
	);
	clearAll();
}

beforeEach(newProcess);
