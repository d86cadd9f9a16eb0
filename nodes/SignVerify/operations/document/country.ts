import type { INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../input/inputError';
import { type ItemContext, readChosen } from '../../input/item';
import { searchName } from '../../util/values';

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
	const meant = suggestionFor(country);
	const choose =
		'Choose one from the list. For another spelling that your service expects, choose "As Written".';
	throw new InputError(
		'Country',
		`there is no country "${country.slice(0, 80)}"`,
		meant === undefined ? choose : `Do you mean "${meant}"? ${choose}`,
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

/** Common names that Node's lists do not have, with the codes of their countries. */
const commonNames = new Map(
	Object.entries({
		AE: ['UAE', 'Emirates'],
		BN: ['Brunei Darussalam'],
		BO: ['Plurinational State of Bolivia'],
		CD: ['DR Congo', 'Democratic Republic of the Congo'],
		CG: ['Congo', 'Republic of the Congo'],
		CI: ['Ivory Coast'],
		CN: ["People's Republic of China"],
		CV: ['Cabo Verde'],
		CZ: ['Czech Republic'],
		DO: ['Rep. Dominicana'],
		GB: ['UK', 'Great Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
		HK: ['Hong Kong'],
		IR: ['Islamic Republic of Iran'],
		KR: ['Republic of Korea'],
		LA: ['Lao PDR'],
		MK: ['Macedonia'],
		MM: ['Burma', 'Myanmar'],
		MO: ['Macau', 'Macao'],
		MX: ['Estados Unidos Mexicanos', 'Mejico'],
		NL: ['Holland', 'The Netherlands'],
		PH: ['The Philippines'],
		PS: ['Palestine'],
		RU: ['Russian Federation'],
		SK: ['Slovak Republic'],
		SZ: ['Swaziland'],
		TL: ['East Timor'],
		TR: ['Turkey', 'Turkiye'],
		TW: ['Republic of China'],
		TZ: ['United Republic of Tanzania'],
		US: [
			'USA',
			'United States of America',
			'EE. UU.',
			'EEUU',
			'Estados Unidos de América',
			'America',
		],
		VA: ['Vatican', 'Holy See'],
		VE: ['Bolivarian Republic of Venezuela'],
	}).flatMap(([code, names]) => names.map((name) => [plainName(name), code] as const)),
);

/** The codes by all names that are understood, in languages of many contracts, once they are needed. */
let known: Map<string, string> | undefined;

function codesByName(): Map<string, string> {
	known ??= new Map([
		...['it', 'de', 'fr', 'pt', 'es', 'en'].flatMap((language) =>
			namesIn(language).map((name, index) => [plainName(name), codes[index] ?? ''] as const),
		),
		...commonNames,
	]);
	return known;
}

function isKnown(country: string): boolean {
	return codesByName().has(plainName(country));
}

/** The English name of the country that a code, or a name with a typing error, is most likely for. */
function suggestionFor(country: string): string | undefined {
	const wanted = plainName(country.slice(0, 80));
	const code = codes.find((known) => known === wanted.toUpperCase()) ?? codeOfNearest(wanted);
	return code && namesIn('en')[codes.indexOf(code)];
}

/** The code of the name that takes the fewest changes, at most one in four letters. */
function codeOfNearest(wanted: string): string | undefined {
	let fewest = Math.floor(wanted.length / 4) + 1;
	let nearest: string | undefined;
	for (const [name, code] of codesByName()) {
		if (Math.abs(name.length - wanted.length) >= fewest) continue;
		const changes = changesBetween(name, wanted);
		if (changes < fewest) [fewest, nearest] = [changes, code];
	}
	return nearest;
}

/** How many letters must be put in, left out or replaced to make one text of another (Levenshtein). */
function changesBetween(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [line, letter] of [...one].entries()) {
		const above = row;
		row = [line + 1];
		for (const [at, wanted] of [...other].entries()) {
			const replaced = (above[at] ?? 0) + Number(letter !== wanted);
			row.push(Math.min(replaced, (above[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1));
		}
	}
	return row.at(-1) ?? 0;
}

/**
 * Finds countries by their English names, which are Node's own.
 * @param filter A part of the name, with or without accents; the code; or a common name, in any language of
 * the list.
 */
export function searchCountryNames(filter = ''): INodeListSearchItems[] {
	const wanted = plainName(filter);
	const code = codesByName().get(wanted) ?? wanted.toUpperCase();
	return namesIn('en')
		.filter((name, index) => codes[index] === code || plainName(name).includes(wanted))
		.sort((left, right) => left.localeCompare(right))
		.map((name) => ({ name, value: name }));
}

function plainName(text: string): string {
	return searchName(text.replaceAll('&', ' and '))
		.replaceAll('.', '')
		.replace(/[\s-]+/g, ' ')
		.trim();
}
