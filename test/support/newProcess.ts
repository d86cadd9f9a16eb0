import type * as processMemory from '../../nodes/SignVerify/util/processMemory';

/** Clears the memory that a process's executions share, as restarting n8n does. */
export function newProcess(): void {
	// Load the module only now, because the test file may first replace some of the module's imports.
	const { clearAll } = jest.requireActual<typeof processMemory>(
		'../../nodes/SignVerify/util/processMemory',
	);
	clearAll();
}

beforeEach(newProcess);
