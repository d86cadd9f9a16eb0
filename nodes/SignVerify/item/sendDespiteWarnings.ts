import type { INodeProperties } from 'n8n-workflow';

import { fieldOf } from '../form/field';
import { readSwitch, type SavedForm } from '../form/savedForm';

/** The option that sends, with a warning, what an operation that sends otherwise refuses. */
export const sendDespiteWarningsOption: INodeProperties = {
	displayName: 'Send Despite Warnings',
	name: 'sendDespiteWarnings',
	type: 'boolean',
	default: true,
	description: "Whether to send an item with a likely mistake, such as a date that doesn't exist",
};

export function sendsDespiteWarnings(form: SavedForm): boolean {
	return readSwitch(form, fieldOf(sendDespiteWarningsOption, 'options'));
}

/** Returns the form for reading a value that isn't sent, so likely mistakes don't matter, and certain ones still do. */
export function withoutWarnings<Form extends SavedForm>(form: Form): Form {
	return {
		...form,
		judge: (label, finding) => {
			if (finding?.severity === 'certain') form.judge(label, finding);
		},
	};
}
