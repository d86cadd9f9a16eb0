import type * as processMemory from '../../nodes/SignVerify/util/processMemory';

/** Clears the memory that a process's executions share, as a restart of n8n would. */
export function newProcess(): void {
	// Load the module here instead of importing it, so that a test file can mock the module's imports first.
	const { clearAll } = jest.requireActual<typeof processMemory>(
		'../../nodes/SignVerify/util/processMemory',
	);
	clearAll();
}

beforeEach(newProcess);
