import type { INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../input/inputError';
import { type ItemContext, readChosen } from '../../input/item';

/** The form for the country. */
export const countryField: INodeProperties = {
	displayName: 'Country',
	name: 'country',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The country whose law the document is signed under, written out',
	builderHint: { propertyHint: 'Mode name, written out in English: "United States".' },
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
			hint: 'Another spelling that your service expects. It is not checked.',
		},
	],
};

/**
 * Reads the country.
 * @returns What is written: a service may expect its own spelling.
 * @throws InputError if none is chosen, and for a name of no country, unless the form says "As Written".
 */
export function readCountry(item: ItemContext): string {
	const remedy = 'Choose one from the list, or enter its name, such as Mexico.';
	const country = readChosen(item, 'country', 'Country', remedy);
	if (!/\p{L}/u.test(country))
		throw new InputError('Country', 'none is chosen', remedy, 'none-is-chosen');
	const mode = item.rawParameter('country.mode');
	// Another version of Node may write what was chosen from its list in another way.
	const isChosen = mode === 'list' && item.rawParameter('country.value') === country;
	if (isChosen || mode === 'text' || isKnown(country)) return country;
	throw new InputError(
		'Country',
		`there is no country "${country.slice(0, 80)}"`,
		'Choose one from the list. For another spelling that your service expects, choose "As Written".',
		'there-is-no-country',
	);
}

/** All countries and territories of ISO 3166-1, and Kosovo (XK). */
const codes = `
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV
BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES
ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE
IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY
MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU
NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM
SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE
VG VI VN VU WF WS XK YE YT ZA ZM ZW`
	.trim()
	.split(/\s+/);

/** The names of all countries in a language, as Node has them, in the order of the codes. */
function namesIn(language: string): string[] {
	const names = new Intl.DisplayNames(language, { type: 'region' });
	return codes.map((code) => names.of(code) ?? code);
}

/** Common names that differ from those of Node's list. */
const otherNames = ['Czech Republic', 'Hong Kong', 'Ivory Coast', 'Macau', 'Palestine', 'Turkey'];

/** All names that are understood, in languages of many contracts, once they are needed. */
let known: Set<string> | undefined;

function isKnown(country: string): boolean {
	const all = () => [...otherNames, ...['en', 'es', 'pt', 'fr', 'de', 'it'].flatMap(namesIn)];
	known ??= new Set(all().map(plainName));
	return known.has(plainName(country));
}

/** Codes that people write in place of the real ones. */
const asWritten = new Map([
	['uk', 'GB'],
	['usa', 'US'],
]);

/**
 * Finds countries by their English names, which are Node's own.
 * @param filter A part of the name, with or without accents, or the code; "UK" and "USA", too.
 */
export function searchCountryNames(filter = ''): INodeListSearchItems[] {
	const wanted = plainName(filter);
	const wantedCode = asWritten.get(wanted) ?? wanted.toUpperCase();
	return namesIn('en')
		.filter((name, index) => codes[index] === wantedCode || plainName(name).includes(wanted))
		.sort((left, right) => left.localeCompare(right))
		.map((name) => ({ name, value: name }));
}

function plainName(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').replace(/ & /g, ' and ').trim().toLowerCase();
}
