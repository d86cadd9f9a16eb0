import type { INodeProperties } from 'n8n-workflow';

import { readItemText } from '../../columns/itemText';
import { fieldOf } from '../../form/field';
import { chosenText } from '../../form/locator';
import { textRules } from '../../form/texts';
import type { ItemContext } from '../../item/item';
import { isInCountryList } from '../../text/countryNames';
import { MissingValue } from '../../errors/inputError';
import { valueProblems } from '../../text/textProblems';
import { peopleProblems } from '../sendingProblems';

export const countryField: INodeProperties = {
	displayName: 'Country',
	name: 'country',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'Country whose law applies to the document',
	builderHint: {
		propertyHint: 'Use the mode "name", with the full name in English, such as "United States".',
	},
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a country…',
			typeOptions: { searchListMethod: 'searchCountries', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. Mexico',
			hint: 'Sent exactly as you type it',
		},
	],
};

/**
 * The service takes any text, so a name that isn't in the list only causes a warning.
 * @returns The country exactly as written, because a service may expect a particular spelling.
 */
export function readCountry(item: ItemContext): string {
	const remedy = 'Select one from the list, or enter its name, such as Mexico.';
	const { name, label } = fieldOf(countryField);
	const chosen = textRules.chosen(remedy);
	const country = readItemText(item, chosenText(item, { name, label }), {
		...chosen,
		read(entered) {
			const text = chosen.read(entered);
			if (/\p{L}/u.test(text)) return text;
			throw new MissingValue(label, { ...valueProblems.notSelected, remedy });
		},
	});
	// A different version of Node may spell the name of a country from the list differently.
	const isFromList =
		item.rawParameter(`${name}.mode`) === 'list' && item.rawParameter(`${name}.value`) === country;
	if (!isFromList && !isInCountryList(country)) {
		item.judge(label, { severity: 'warning', ...peopleProblems.unknownCountry(country) });
	}
	return country;
}
