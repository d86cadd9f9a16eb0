import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../../input/inputError';
import { type ItemContext, readChosen } from '../../input/item';
import { quoted } from '../../util/redact';
import { isCountryName, suggestedCountry } from './countryNames';

/** The field for the country whose law applies to the document. */
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
		},
		{
			displayName: 'As Written',
			name: 'text',
			type: 'string',
			placeholder: 'e.g. Republic of Korea',
			hint: 'Sent exactly as you type it. Use this if your provider expects a different spelling.',
		},
	],
};

/**
 * Reads the country.
 * @returns The country exactly as written, because a service may expect a particular spelling.
 * @throws InputError if no country is chosen, or if the country is unknown. The "As Written" mode allows
 * unknown countries.
 */
export function readCountry(item: ItemContext): string {
	const remedy = 'Select one from the list, or enter its name, such as Mexico.';
	const country = readChosen(item, 'country', 'Country', remedy);
	if (!/\p{L}/u.test(country))
		throw new InputError('Country', 'nothing is selected', remedy, 'none-is-chosen');
	const mode = item.rawParameter('country.mode');
	// Skip the check for a country from the list, because a different version of Node may spell its name
	// differently.
	const isFromList = mode === 'list' && item.rawParameter('country.value') === country;
	if (isFromList || mode === 'text' || isCountryName(country)) return country;
	const suggestion = suggestedCountry(country);
	const advice =
		'Select one from the list. If your provider expects a different spelling, use As Written.';
	throw new InputError(
		'Country',
		`${quoted(country)} isn't a known country`,
		suggestion === undefined ? advice : `Did you mean "${suggestion}"? ${advice}`,
		'there-is-no-country',
	);
}
