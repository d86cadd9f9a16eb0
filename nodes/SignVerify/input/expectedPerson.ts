import type { INodeProperties } from 'n8n-workflow';

import { mistakeInName } from './content';
import { fieldOf } from './field';
import { readAll } from './inputError';
import type { ItemContext } from './item';
import { readName, readNumber } from './parameters';
import { readOptional, type SavedForm } from './savedForm';

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

/**
 * Reads the expected person's name, which is '' if the field is empty, and the age limit.
 * @param form When the wait ends, it has no `judge`, because the name was judged when the wait began.
 * @throws InputError if {@link readName} refuses the name, if it is certainly a mistake, or for a limit that
 * isn't a whole number from 1 to 150.
 */
export function readExpectedPerson(form: SavedForm & Partial<Pick<ItemContext, 'judge'>>): {
	name: string;
	ageLimit: number;
} {
	return readAll({
		name: () => {
			const entered = readOptional(form, fieldOf(expectedNameField));
			if (entered === undefined) return '';
			const name = readName(entered, expectedNameField.displayName);
			form.judge?.(expectedNameField.displayName, mistakeInName(name));
			return name;
		},
		ageLimit: () =>
			readNumber(form.parameter(ageLimitField.name), ageLimitField.displayName, {
				min: 1,
				max: 150,
				isWhole: true,
			}),
	});
}
