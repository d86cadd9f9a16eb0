import type { INodeProperties } from 'n8n-workflow';
import type { LookedUpObject } from '../../api/lookUpProblems';
import { readItemText } from '../../columns/itemText';
import {
	expectedBirthDateOption,
	expectedDocumentNumberOption,
	expectedNameField,
	minimumAgeOption,
	readExpectedPerson,
} from '../../form/expectedPerson';
import { fieldOf } from '../../form/field';
import { readSwitch } from '../../form/savedForm';
import { enteredIn, textField, textRules } from '../../form/texts';
import type { ItemContext } from '../../item/item';

/* What the operations for a request that exists share. */

export const validationIdField = textField({
	displayName: 'Verification ID',
	name: 'validationId',
	placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
	description: 'The validationId returned by the Request identity verification action',
});

export const requestId: LookedUpObject = {
	label: validationIdField.displayName,
	noun: 'identity request',
	source: 'Use the validationId returned by the Request identity verification action',
};

/** @throws InputError if the parameter's value is not an ID. */
export function readValidationId(item: ItemContext): string {
	const rules = textRules.id(`${requestId.source}.`);
	return readItemText(item, enteredIn(item, fieldOf(validationIdField)), rules);
}

const personalDataOption: INodeProperties = {
	displayName: 'Include Personal Data (OCR)',
	name: 'includePersonalData',
	type: 'boolean',
	default: true,
	description:
		'Whether to add what was read from the ID, such as the address, to either kind of output. Anyone who can open the execution sees it.',
};

/** What the operations that output a verification's result ask about the person whose ID is expected. */
export const idCheckFields: INodeProperties[] = [expectedNameField];
export const idCheckOptions: INodeProperties[] = [
	minimumAgeOption,
	expectedBirthDateOption,
	expectedDocumentNumberOption,
	personalDataOption,
];

/** Returns the readers of the fields and options above, for `readAll`. */
export const idCheckReaders = (item: ItemContext) => ({
	validationId: () => readValidationId(item),
	expected: () => readExpectedPerson(item, readItemText),
	personal: () => readSwitch(item, fieldOf(personalDataOption, 'options')),
});
