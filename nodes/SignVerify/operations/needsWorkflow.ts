import { InputError } from '../input/inputError';
import type { ItemContext } from '../input/item';
import { isToolOfAgents } from '../n8nInternals';

/**
 * Checks an option that needs a workflow around the node: n8n stores its data with the workflow, or says how
 * the workflow was started.
 * @throws InputError if there is no workflow.
 */
export function checkHasWorkflow({ context }: ItemContext, label: string): void {
	if (!isToolOfAgents(context)) return;
	throw new InputError(
		label,
		"this option doesn't work if one of n8n's Agents uses the node as a tool",
		'Use a workflow as the tool instead: build a workflow that contains this node, and add that workflow to the agent.',
		'agent-uses-the-node-as-a-tool',
	);
}
