import type { INodeListSearchItems } from 'n8n-workflow';
import { searchName } from '../util/names';

/** Languages whose names of countries can be searched for. The list shows the first one's names. */
const languages = ['en', 'es', 'pt', 'fr', 'de', 'it'];

/** English names in daily use that Node doesn't list, by country code. */
const usualNames = new Map([
	['US', ['USA', 'United States of America']],
	['GB', ['Great Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland']],
	['CI', ['Ivory Coast']],
	['CZ', ['Czech Republic']],
	['TR', ['Turkey']],
]);

/** Codes that Node names although they are no country's own: unions, islands of another country, and tests. */
const otherRegions = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

interface Country {
	name: string;
	/** Its code and its names in all languages, folded for comparisons. */
	searched: string[];
}

/** All countries, sorted by name. Loaded on first use. */
let countries: Country[] | undefined;

function allCountries(): Country[] {
	if (countries) return countries;
	const names = languages.flatMap((language) =>
		(['long', 'short'] as const).map(
			(style) => new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' }),
		),
	);
	const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
	const codes = letters
		.flatMap((first) => letters.map((second) => first + second))
		.filter((code) => !otherRegions.has(code) && names[0]?.of(code) !== undefined)
		// Codes of former countries lead to their successors.
		.filter((code) => new Intl.Locale(`und-${code}`).region === code);
	countries = codes
		.map((code) => {
			const all = names.map((inOneStyle) => inOneStyle.of(code) ?? code);
			const searched = [code, ...all, ...(usualNames.get(code) ?? [])].map(plainName);
			return { name: all[0] ?? code, searched };
		})
		.sort((left, right) => left.name.localeCompare(right.name));
	return countries;
}

/** All names of all countries, folded for comparisons. */
let allNames: Set<string> | undefined;

export function isInCountryList(text: string): boolean {
	allNames ??= new Set(allCountries().flatMap(({ searched }) => searched));
	return allNames.has(plainName(text));
}

/**
 * Searches the countries in the list, which shows Node's English names.
 * @param filter Part of the English name, with or without accents, the beginning of a name in another
 * language, or a code. A country whose code or name matches the filter exactly is listed first.
 */
export function searchCountryNames(filter = ''): INodeListSearchItems[] {
	const wanted = plainName(filter);
	const isExact = ({ searched }: Country) => searched.includes(wanted);
	const found = allCountries().filter(
		({ name, searched }) =>
			plainName(name).includes(wanted) || searched.some((text) => text.startsWith(wanted)),
	);
	return found
		.sort((left, right) => Number(isExact(right)) - Number(isExact(left)))
		.map(({ name }) => ({ name, value: name }));
}

/** Folds a name for comparisons: "Trinidad & Tobago" equals "Trinidad and Tobago". */
function plainName(text: string): string {
	return searchName(text.replaceAll('&', ' and '))
		.replaceAll('.', '')
		.replace(/[\s-]+/g, ' ')
		.trim();
}
