import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toNodeError } from '../http/errors';
import { InputError } from '../input/inputError';
import { passedOn, prepareReview, stopOnError } from '../n8nInternals';
import { objectOf, textOf } from '../util/values';
import { denial } from '../wait/review';
import { runOperation } from './run';

/**
 * Runs the variant of the node that reviews the tools of AI agents: sends a document, and waits until
 * everybody has signed. The tool runs only if the output says `approved: true`.
 * @throws NodeOperationError, which ends the execution, if this review cannot be relied on.
 */
export async function runReview(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const passed = passedOn(context);
	if (passed) return [passed];
	const refused = refusalOf(context);
	if (refused) {
		stopOnError(context);
		throw toNodeError(context.getNode(), refused);
	}
	const outputs = await runOperation(context);
	return outputs.map((items) => items.map(reviewed));
}

function reviewed({ json, ...item }: INodeExecutionData): INodeExecutionData {
	return { ...item, json: { ...json, ...denial(reasonOf(json)) } };
}

/** Why the tool does not run, if nothing has arrived yet that lets it run. */
function reasonOf({ error, checkOnly, skipped, reason }: IDataObject): string {
	if (error) return `there was an error: ${textOf(objectOf(error).message)}`;
	if (checkOnly) return 'Check Only is on, and no document was sent';
	if (skipped) return `no document was sent: ${textOf(reason)}`;
	return 'not everybody has signed yet';
}

/** What the model decides. */
const ofModel = /\$fromAI|\$tool|toolParameters/i;

/** Why this node must not review the call; undefined if it may. Nothing was sent. */
function refusalOf(context: IExecuteFunctions): InputError | undefined {
	const { resource, message, fields, options, ...others } = context.getNode().parameters;
	if (resource !== undefined && resource !== 'document') {
		return refusal('only a document can be signed before a tool runs', 'Choose Document.');
	}
	if (ofModel.test(JSON.stringify(others))) {
		return refusal(
			'the AI agent must not decide who signs what',
			'Use $fromAI and $tool only in the fields of the document and in Options.',
		);
	}
	const count = prepareReview(context);
	if (count === 1) return undefined;
	return refusal(
		count
			? `the AI agent has ${count} items, and one can be reviewed`
			: 'no AI agent calls its tool',
		'Run the whole workflow, and give the AI Agent one item, for example with Loop Over Items.',
	);
}

function refusal(problem: string, remedy: string): InputError {
	return new InputError('Human review', `${problem}. Nothing was sent`, remedy, 'waiting');
}
