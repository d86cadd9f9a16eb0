import type { IExecuteFunctions, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { toNodeError } from '../http/errors';
import { InputError } from '../input/inputError';
import { passedOn, prepareReview } from '../n8nInternals';
import { settle } from '../util/async';
import { denial } from '../wait/outcome';
import { errorItem } from './failures';
import { runOperation } from './run';

const remedy =
	'Nothing was sent. Give the AI Agent one item, and run it. Use $fromAI and $tool only in the fields of the document and in Options.';

/**
 * Runs the variant of the node that reviews the tools of AI agents: sends a document, and waits until
 * everybody has signed. The tool runs only if the output says `approved: true`.
 * @throws NodeOperationError, which ends the execution, if this review cannot be relied on.
 */
export async function runReview(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const passed = passedOn(context);
	if (passed) return [passed];
	const node = context.getNode();
	const problem = prepareReview(context)
		? problemOf(node.parameters)
		: 'its tool is not called by an AI agent with one item';
	if (problem) throw toNodeError(node, new InputError('Human review', problem, remedy, 'waiting'));
	const ended = await settle(runOperation(context));
	const outputs = ended.ok ? ended.value.flat() : [errorItem(ended.error, 0)];
	// At the limit, n8n passes on the input.
	const items = [...outputs, ...context.getInputData()];
	for (const { json } of items) Object.assign(json, denial(json));
	return [outputs];
}

/** Why a call cannot be reviewed with this form, if it is so. */
function problemOf(parameters: INodeParameters): string | undefined {
	if (parameters.resource === 'identity') return 'only a document can be signed';
	// Nobody gets the message, which n8n adds.
	const others = { ...parameters, fields: '', options: '', message: '' };
	const isOfModel = /\$fromAI|\$tool|toolParameters/i.test(JSON.stringify(others));
	return isOfModel ? 'the AI agent must not decide who signs what' : undefined;
}
