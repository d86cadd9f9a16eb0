import type { INodeProperties } from 'n8n-workflow';

import { enteredIn, optional, type TextKind, textKinds } from './enteredText';
import { type EnteredText, fieldOf } from './field';
import { readAll } from './inputError';
import { readNumber } from './parameters';
import type { SavedForm } from './savedForm';

export const expectedNameField: INodeProperties = {
	displayName: 'Expected Name',
	name: 'expectedName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Ada Lovelace',
	description:
		"The full name to compare with the name on the ID. Check nameMatches as well as passed, which can be true with anyone's ID.",
};

const ageLimitField: INodeProperties = {
	displayName: 'Age Limit (Years)',
	name: 'ageLimit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 18,
	description: "The age from which isOfAge is yes in the output. It doesn't change passed.",
};

/** The form fields for the person whose ID is expected. Nothing in them is sent. */
export const expectedPersonFields: INodeProperties[] = [expectedNameField, ageLimitField];

/** Without the missing part, the name on the ID would be compared with the rest alone. */
const expectedName: TextKind = { ...optional(textKinds.name()), missingPart: 'certain' };

/**
 * Reads the expected person's name, which is '' if the field is empty, and the age limit.
 * @param readText Reads and judges the name.
 * @throws InputError if `readText` refuses the name, or for a limit that isn't a whole number from 1 to 150.
 */
export function readExpectedPerson<Form extends SavedForm>(
	form: Form,
	readText: (form: Form, entered: EnteredText, kind: TextKind) => string,
): { name: string; ageLimit: number } {
	return readAll({
		name: () => readText(form, enteredIn(form, fieldOf(expectedNameField)), expectedName),
		ageLimit: () =>
			readNumber(form.parameter(ageLimitField.name), ageLimitField.displayName, {
				min: 1,
				max: 150,
				isWhole: true,
			}),
	});
}
