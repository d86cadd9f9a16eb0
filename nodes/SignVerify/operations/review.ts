import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toNodeError } from '../http/errors';
import { InputError } from '../input/inputError';
import { passedOn, prepareReview, stopOnError } from '../n8nInternals';
import { settle } from '../util/async';
import { objectOf, textOf } from '../util/values';
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
	const problem = problemOf(context);
	if (problem) {
		stopOnError(context);
		const refusal = new InputError('Human review', problem, remedy, 'waiting');
		throw toNodeError(context.getNode(), refusal);
	}
	const ended = await settle(runOperation(context));
	const outputs = ended.ok ? ended.value.flat() : [errorItem(ended.error, 0)];
	// At the limit, n8n passes on the input.
	const items = [...outputs, ...context.getInputData()];
	for (const { json } of items) Object.assign(json, denial(reasonOf(json)));
	return [outputs];
}

/** Why the tool does not run, unless an event says more. */
function reasonOf({ error, checkOnly, skipped, reason, timedOut }: IDataObject): string {
	if (error) return `there was an error: ${textOf(objectOf(error).message)}`;
	if (checkOnly) return 'Check Only is on, and no document was sent';
	if (skipped) return `no document was sent: ${textOf(reason)}`;
	return `not everybody signed${timedOut ? ' before the time limit' : ' yet'}`;
}

/** What the model decides, and the parameters in which it may. n8n adds the message, which nobody gets. */
const ofModel = /\$fromAI|\$tool|toolParameters/i;
const mayBeOfModel = ['fields', 'options', 'message'];

/** Why this node must not review the call. */
function problemOf(context: IExecuteFunctions): string | undefined {
	const { parameters } = context.getNode();
	if (parameters.resource === 'identity') return 'only a document can be signed';
	const others = Object.entries(parameters).filter(([name]) => !mayBeOfModel.includes(name));
	if (ofModel.test(JSON.stringify(others))) return 'the AI agent must not decide who signs what';
	return prepareReview(context) === 1
		? undefined
		: 'its tool is not called by an AI agent with one item';
}
