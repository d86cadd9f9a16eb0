import type { IExecuteFunctions } from 'n8n-workflow';

import { docsOf, packageVersion } from '../errors/docs';
import { addDescriptionToMessage, toNodeError } from '../errors/nodeError';
import { endExecutionOnError, keepsOnlyMessages } from '../n8nInternals';
import { InputError } from '../errors/inputError';
import { cannotWaitProblems } from './canWait';

/**
 * The notice shown in the node's "Human review" variant, which n8n offers for approving an AI agent's tool
 * calls.
 */
export const humanReviewNotice = `SignVerify can't approve tool calls. With this node, the execution ends with an error, nothing is sent, and the tool doesn't run. Delete this node, and have the tool itself get the signature (<a href="${docsOf(packageVersion)}/ai-agents.md" target="_blank">see how</a>).`;

/**
 * Refuses to run as the human review for an AI agent's tool. n8n offers every node that has a `sendAndWait`
 * operation for human review. But n8n uses different code to read the values for the document and the values
 * for the tool call, so the tool could do something other than what people signed (docs/dev/decisions.md,
 * "Human review isn't supported").
 * @throws NodeOperationError, which ends the execution even with On Error: Continue.
 * @n8n
 */
export function refuseHumanReview(context: IExecuteFunctions): never {
	endExecutionOnError(context);
	const shown = toNodeError(
		context.getNode(),
		new InputError('Human review', cannotWaitProblems.humanReview),
	);
	if (keepsOnlyMessages(context)) addDescriptionToMessage(shown);
	throw shown;
}
