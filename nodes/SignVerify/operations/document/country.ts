import type { INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import { InputError } from '../inputError';
import type { ItemContext } from '../types';

/** The form for the country. */
export const countryField: INodeProperties = {
	displayName: 'Country',
	name: 'country',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The country whose law the document is signed under, written out',
	builderHint: {
		propertyHint: 'Mode name, value in English and written out: "United States", not "US".',
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
			hint: 'Written as your service expects it',
		},
	],
};

/** @throws InputError if none is chosen. */
export function readCountry(item: ItemContext): string {
	const country = item.locator('country');
	if (/\p{L}/u.test(country)) return country;
	throw new InputError(
		'Country',
		'none is chosen',
		'Choose one from the list, or enter its name, such as Mexico.',
	);
}

/**
 * The English names of all countries and territories, from Node's own data. A two-letter code counts if
 * it has a name, is in use today and has a time zone. This excludes former states, the European Union,
 * "unknown region" and the like.
 * @param filter A part of the name, with or without accents, or the code.
 */
export function searchCountryNames(filter = ''): INodeListSearchItems[] {
	const wanted = plain(filter);
	return countries()
		.filter(
			({ code, name }) => plain(name).includes(wanted) || code === filter.trim().toUpperCase(),
		)
		.map(({ name }) => ({ name, value: name }));
}

interface Country {
	code: string;
	name: string;
}

let known: Country[] | undefined;

function countries(): Country[] {
	const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
	known ??= letters
		.flatMap((first) => letters.map((second) => first + second))
		.filter(isInUse)
		.map((code) => ({ code, name: names.of(code) ?? code }))
		.filter(({ code, name }) => name !== code)
		.sort((left, right) => left.name.localeCompare(right.name));
	return known;
}

const names = new Intl.DisplayNames('en', { type: 'region' });

/** Newer versions of Node have a method instead of the property. TypeScript knows neither. */
type LocaleWithTimeZones = Intl.Locale & { timeZones?: string[]; getTimeZones?(): string[] };

function isInUse(code: string): boolean {
	const tag = `und-${code}`;
	const locale = new Intl.Locale(tag) as LocaleWithTimeZones;
	const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
	return locale.toString() === tag && zones.length > 0;
}

function plain(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
}
