import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { NotifiedDocument } from '../api/notification';

/** In n8n's variant of the node that reviews the tools of AI agents. */
export const reviewNotice: INodeProperties = {
	displayName:
		'The tool runs only after everybody has signed. They sign the document below, and nobody gets the message above.',
	name: 'reviewNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { '@tool': [true] } },
};

/** What n8n reads from the output of a review: whether the agent's tool runs. */
export function verdictOf(document: NotifiedDocument | undefined): IDataObject {
	if (document?.state === 'completed') return { approved: true };
	return denial(`the document was not signed. Its status is ${document?.summary.status}`);
}

/**
 * What keeps the agent's tool from running. n8n gives the sentence to the model, as if a person had written it.
 * @param reason What happened, as the rest of a sentence.
 */
export function denial(reason: string): IDataObject {
	const next = 'Tell this to the user, and do not call the tool again unless the user asks you to.';
	return { approved: false, chatInput: `The tool was not run, because ${reason}. ${next}` };
}
