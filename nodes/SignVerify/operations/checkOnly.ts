import type { INodeProperties, WorkflowExecuteMode } from 'n8n-workflow';

import { rootModeOf } from '../n8nInternals';
import { InputError } from './inputError';
import { readSwitch } from './parameters';
import type { ItemContext } from './types';

/** How executions begin in which "In Test Runs" checks, and in which it sends. */
const testModes: WorkflowExecuteMode[] = ['manual', 'chat', 'evaluation'];
const liveModes: WorkflowExecuteMode[] = ['trigger', 'webhook', 'error', 'cli', 'agent'];
const inTestRuns = 'inTestRuns';

/** An option of the operations that mail people. */
export const checkOnlyOption: INodeProperties = {
	displayName: 'Check Only',
	name: 'checkOnly',
	type: 'options',
	options: [
		{ name: 'Off', value: 'off' },
		{ name: 'On', value: 'on' },
		{ name: 'In Test Runs', value: inTestRuns },
	],
	default: 'off',
	description:
		'When to check everything and send nothing. The output says what would be sent. A test run is one from the editor, a chat or an evaluation.',
	builderHint: { propertyHint: 'Set it to "on" to try a workflow: nobody gets an e-mail.' },
};

/**
 * Whether the item is only checked.
 * @throws InputError for a value that is none of the three, and if nobody knows whether it is a test run.
 */
export function readCheckOnly(item: ItemContext): boolean {
	const { name, displayName } = checkOnlyOption;
	const path = `options.${name}`;
	if (item.parameter(path) !== inTestRuns) return readSwitch(item, path, displayName);
	const mode = rootModeOf(item.execute);
	if (testModes.includes(mode)) return true;
	if (liveModes.includes(mode)) return false;
	throw new InputError(
		displayName,
		'n8n does not say whether this is a test run',
		'It says so neither for a retried execution nor after a wait in a sub-workflow. Choose Off or On.',
	);
}
