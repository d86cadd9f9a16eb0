import type { INodeProperties } from 'n8n-workflow';

import { fieldOf } from '../../form/field';
import { readOptional } from '../../form/savedForm';
import { isBlank, onlyText, readText } from '../../form/values';
import type { ItemContext } from '../../item/item';
import { InputError } from '../../text/inputError';
import type { InputRows } from '../../text/problems';
import { settleSync } from '../../util/async';
import { readYearFirst } from '../../util/calendarDay';
import { quoted } from '../../util/redact';

/** Languages, by region, that write dates in our calendar and with our digits. Any other language can be an expression. */
export const dateLanguages = [
	...['en-US', 'en-GB', 'en-AU', 'en-CA', 'en-IN', 'es-ES', 'es-MX', 'es-AR', 'es-CO', 'es-CL'],
	...['es-PE', 'es-GT', 'pt-BR', 'pt-PT', 'fr-FR', 'fr-CA', 'fr-CH', 'de-DE', 'de-AT', 'de-CH'],
	...['it-IT', 'it-CH', 'nl-NL', 'nl-BE', 'ca-ES', 'pl-PL', 'cs-CZ', 'sk-SK', 'sl-SI', 'hr-HR'],
	...['hu-HU', 'ro-RO', 'bg-BG', 'el-GR', 'tr-TR', 'uk-UA', 'sv-SE', 'da-DK', 'nb-NO', 'fi-FI'],
	...['et-EE', 'lv-LV', 'lt-LT', 'id-ID', 'vi-VN', 'ja-JP', 'ko-KR', 'zh-CN', 'zh-TW', 'he-IL'],
];

const languageNames = new Intl.DisplayNames('en', {
	type: 'language',
	languageDisplay: 'standard',
});

export const writeDatesOption: INodeProperties = {
	displayName: 'Write Dates In',
	name: 'writeDatesIn',
	type: 'options',
	options: [
		{ name: 'Leave as They Are', value: '' },
		...dateLanguages
			.map((value) => ({ name: languageNames.of(value) ?? value, value }))
			.sort((one, other) => one.name.localeCompare(other.name, 'en')),
	],
	default: '',
	description:
		'The language in which to write out dates such as 2027-02-01. This changes every text field that contains nothing but a day, even a contract number that is a date.',
};

export const dateLanguageProblems = {
	unknown: (tag: string) => ({
		problem: `${quoted(tag)} isn't a language that n8n can write dates in`,
		remedy: 'Select a language, or enter a language tag, such as en-US or es-MX.',
	}),
} satisfies InputRows;

const option = fieldOf(writeDatesOption, 'options');

/** The years in which a day is a date of a contract. Other years are more likely numbers, or in another calendar. */
const [firstYear, lastYear] = ['1900', '2199'];

/**
 * Reads the option.
 * @returns A function that writes out a text that is an existing day, year-month-day, from 1900 to 2199, and returns any
 * other text as it is.
 * @throws InputError for a language that n8n's Node doesn't know.
 */
export function readDateWriter(item: ItemContext): (text: string) => string {
	const value = readOptional(item, option);
	if (isBlank(value)) return (text) => text;
	const { label } = option;
	const tag = readText(onlyText(value), label, dateLanguageProblems.unknown('').remedy);
	return item.remember(`${label}: ${tag}`, () => {
		// An unknown language would be written as English without a word.
		const known = settleSync(() => Intl.DateTimeFormat.supportedLocalesOf(tag));
		if (!known.ok || known.value.length === 0) {
			throw new InputError(label, dateLanguageProblems.unknown(tag));
		}
		// The text is a day, so the formatter must not move it to another time zone's.
		const written = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
		return (text) => (isDay(text) ? written.format(Date.parse(text)) : text);
	});
}

function isDay(text: string): boolean {
	const year = text.slice(0, 4);
	return readYearFirst(text) === text && year >= firstYear && year <= lastYear;
}
