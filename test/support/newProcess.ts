import type * as processMemory from '../../nodes/SignVerify/util/processMemory';

/** Clears the memory that the executions of a process share, as a restart of n8n does. */
export function newProcess(): void {
	// Load the module only now, because the test file may replace some of its imports first.
	const { clearAll } = jest.requireActual<typeof processMemory>(
		'../../nodes/SignVerify/util/processMemory',
	);
	clearAll();
}

beforeEach(newProcess);
