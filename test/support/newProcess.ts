import type * as processMemory from '../../nodes/SignVerify/util/processMemory';

/** Clears the memory that the executions of a process share, as a restart of n8n does. */
export function newProcess(): void {
	// The module is loaded only now, because the test file may have replaced some of its imports before.
	const { clearAll } = jest.requireActual<typeof processMemory>(
		'../../nodes/SignVerify/util/processMemory',
	);
	clearAll();
}

beforeEach(newProcess);
