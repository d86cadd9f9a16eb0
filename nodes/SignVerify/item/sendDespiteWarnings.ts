import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { fieldOf } from '../form/field';
import { readSwitch, type SavedForm } from '../form/savedForm';
import type { Finding } from '../text/finding';

/** The option that sends, with a warning, what an operation that sends otherwise refuses. */
export const sendDespiteWarningsOption: INodeProperties = {
	displayName: 'Send Despite Warnings',
	name: 'sendDespiteWarnings',
	type: 'boolean',
	default: true,
	description:
		"Whether to send an item even if a value looks wrong, such as a date that doesn't exist. The output then contains a warning.",
};

export function sendsDespiteWarnings(form: SavedForm): boolean {
	return readSwitch(form, fieldOf(sendDespiteWarningsOption, 'options'));
}

/** @throws InputError for what is wrong and, if the operation sends, for what looks wrong, unless the option is on. */
export function refuseMistake(
	form: SavedForm,
	label: string,
	finding: Finding,
	sends: boolean,
): void {
	const { severity } = finding;
	if (severity === 'wrong') throw new InputError(label, finding);
	if (severity === 'looksWrong' && sends && !sendsDespiteWarnings(form))
		throw new InputError(label, {
			...finding,
			optionIfRight: sendDespiteWarningsOption.displayName,
		});
}

/** Returns the form for reading a value that isn't sent, so it may look wrong, but not be wrong. */
export function withoutWarnings<Form extends SavedForm>(form: Form): Form {
	return {
		...form,
		judge: (label, finding) => {
			if (finding?.severity === 'wrong') form.judge(label, finding);
		},
	};
}
