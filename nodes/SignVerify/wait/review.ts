import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../input/inputError';
import { isVariant, prepareReview } from '../n8nInternals';

/** @throws InputError if the node must review an AI agent's tool, and cannot, or not with this form. */
export function checkReview(execute: IExecuteFunctions): void {
	if (!isVariant(execute, 'HitlTool')) return;
	if (!prepareReview(execute)) throw refusal('its tool is not called by an AI agent with one item');
	const { parameters } = execute.getNode();
	if (parameters.resource === 'identity') throw refusal('only a document can be signed');
	// Nobody gets the message, which n8n adds.
	const form = { ...parameters, fields: '', options: '', message: '' };
	const isOfModel = /\$fromAI|\$tool|toolParameters/i.test(JSON.stringify(form));
	if (isOfModel) throw refusal('the AI agent must not decide who signs what');
}

function refusal(problem: string): InputError {
	const remedy =
		'Nothing was sent. Give the AI Agent one item, and run it. Use $fromAI and $tool only in the fields of the document and in Options.';
	return new InputError('Human review', problem, remedy, 'waiting');
}

/** What n8n reads from the output of a review. If not all have signed, the model gets the text as a person's. */
export function verdictOf(item: object = {}, isSigned = false): IDataObject {
	const reasons = ['status', 'timedOut', 'checkOnly', 'skipped', 'reason', 'error', 'message'];
	const happened = JSON.stringify(item, reasons);
	const chatInput = `The tool was not run, because not everybody has signed. What happened: ${happened}. Tell this to the user, and do not call the tool again unless the user asks you to.`;
	return isSigned ? { approved: true } : { approved: false, chatInput };
}
