import type { ItemContext } from '../item/item';
import { isToolOfAgents } from '../n8nInternals';
import { InputError } from '../errors/inputError';
import { runProblems } from './sendingProblems';

/**
 * Checks an option that needs a workflow around the node: n8n stores its data with the workflow, or says how
 * the workflow was started.
 * @throws InputError if there is no workflow.
 */
export function checkHasWorkflow({ context }: ItemContext, label: string): void {
	if (!isToolOfAgents(context)) return;
	throw new InputError(label, runProblems.noWorkflow);
}
