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

/** The age from which a person is of age unless the workflow says otherwise, in years. */
const defaultMinimumAge = 18;

export const minimumAgeOption: INodeProperties = {
	displayName: 'Minimum Age (Years)',
	name: 'minimumAge',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: defaultMinimumAge,
	description: `The age from which isOfAge is yes in the output. It doesn't change passed. Without this option, it's ${defaultMinimumAge}.`,
};

/** Without the missing part, the name on the ID would be compared with the rest alone. */
const expectedName: TextKind = { ...optional(textKinds.name()), missingPart: 'certain' };

/**
 * Reads the expected person's name, which is '' if the field is empty, and the minimum age.
 * @param readText Reads and judges the name.
 * @throws InputError if `readText` refuses the name, or for an age that isn't a whole number from 1 to 150.
 */
export function readExpectedPerson<Form extends SavedForm>(
	form: Form,
	readText: (form: Form, entered: EnteredText, kind: TextKind) => string,
): { name: string; minimumAge: number } {
	return readAll({
		name: () => readText(form, enteredIn(form, fieldOf(expectedNameField)), expectedName),
		minimumAge: () => {
			const { name, label } = fieldOf(minimumAgeOption, 'resultOptions');
			if (form.rawParameter(name) === undefined) return defaultMinimumAge;
			return readNumber(form.parameter(name), label, { min: 1, max: 150, isWhole: true });
		},
	});
}
