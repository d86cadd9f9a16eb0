import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { mistakeInField, mistakeInKey } from '../text/contentMistakes';
import { textOfDate } from '../text/dates';
import type { Finding } from '../text/finding';
import { readAll } from '../errors/inputError';
import { valueProblems } from '../text/textProblems';
import { settleSync } from '../util/async';
import { readDay } from '../util/calendarDay';
import { isObject, textOf } from '../util/values';
import { type EnteredText, fieldOf } from './field';
import type { SavedForm } from './savedForm';
import { enteredIn, optional, type TextRules, textRules, textField } from './texts';
import { onlyText, readNumber, readText } from './valueReaders';

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
	description: `From this age on, isOfAge is yes (${defaultMinimumAge} without this option)`,
};

export const expectedBirthDateOption = textField({
	displayName: 'Expected Birth Date',
	name: 'expectedBirthDate',
	required: false,
	placeholder: 'e.g. 1990-02-28',
	description:
		'The date of birth to compare with the one on the ID. birthDateMatches shows the answer.',
});

export const expectedDocumentNumberOption = textField({
	displayName: 'Expected Document Number',
	name: 'expectedDocumentNumber',
	required: false,
	placeholder: 'e.g. X1234567',
	description:
		'A whole number from the ID, such as its document number or CURP, to compare with the ID. documentNumberMatches shows the answer.',
});

/** Without the missing part, what is on the ID would be compared with the rest alone. */
const whole = (rules: TextRules): TextRules => ({ ...optional(rules), missingPart: 'wrong' });

const expectedTexts = {
	name: whole(textRules.name()),
	birthDate: whole({
		read({ value, label }) {
			const only = onlyText(value);
			const remedy = 'Enter the date as text, such as 1990-02-28.';
			return textOfDate(only)?.text ?? readText(only, label, remedy);
		},
		mistakeIn: (text) => mistakeInNumber(text) ?? uncertainDate(text),
	}),
	documentNumber: whole({
		read({ value, label }) {
			return readText(onlyText(value), label, 'Enter the number as text, such as X1234567.');
		},
		mistakeIn: mistakeInNumber,
	}),
};

/** A part of a number or a date can't be compared, so a value that is missing in it is certainly a mistake, as in a key. */
function mistakeInNumber(text: string): Finding | undefined {
	return mistakeInKey(text) ?? mistakeInField(text);
}

function uncertainDate(text: string): Finding | undefined {
	if (text === '' || readDay(text) !== undefined) return undefined;
	return { severity: 'warning', ...valueProblems.uncertainDay };
}

const expectedFields = {
	name: fieldOf(expectedNameField),
	minimumAge: fieldOf(minimumAgeOption, 'options'),
	birthDate: fieldOf(expectedBirthDateOption, 'options'),
	documentNumber: fieldOf(expectedDocumentNumberOption, 'options'),
};

interface ExpectedValues {
	name: string;
	minimumAge: number | undefined;
	birthDate: string | undefined;
	documentNumber: string | undefined;
}

/**
 * The name is '' if its field is empty. Other values that nothing is expected of are undefined.
 * @throws InputError if `readBy` refuses a text, or for an age that isn't a whole number from 1 to 150.
 */
export function readExpectedPerson<Form extends SavedForm>(
	form: Form,
	readBy: (form: Form, entered: EnteredText, rules: TextRules) => string,
): ExpectedValues {
	const text = (name: keyof typeof expectedTexts) =>
		readBy(form, enteredIn(form, expectedFields[name]), expectedTexts[name]);
	return readAll({
		name: () => text('name'),
		minimumAge: () => {
			const { name } = expectedFields.minimumAge;
			if (form.rawParameter(name) === undefined) return defaultMinimumAge;
			return readAge(form.parameter(name));
		},
		birthDate: () => text('birthDate') || undefined,
		documentNumber: () => text('documentNumber') || undefined,
	});
}

/** What a wait expects if its state doesn't contain the person: '' stands for a text that isn't known. */
const unknownPerson: IDataObject = { birthDate: '', documentNumber: '' };

/**
 * Reads the expected person that a wait has stored. Whatever is missing or damaged is unknown.
 * @param stored The value from n8n's database; undefined if an earlier version stored the wait.
 */
export function storedPerson(stored: unknown): ExpectedValues {
	const person = isObject(stored) ? stored : unknownPerson;
	const { name, minimumAge, birthDate, documentNumber } = person;
	const textIn = (value: unknown) => (value === undefined ? undefined : textOf(value));
	const age = settleSync(() => readAge(minimumAge));
	return {
		name: textOf(name),
		minimumAge: age.ok ? age.value : undefined,
		birthDate: textIn(birthDate),
		documentNumber: textIn(documentNumber),
	};
}

function readAge(value: unknown): number {
	return readNumber(value, expectedFields.minimumAge.label, { min: 1, max: 150, isWhole: true });
}
