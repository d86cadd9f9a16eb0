import type { INodeProperties } from 'n8n-workflow';

import { maxShownNameLength } from '../../api/templates';
import { fieldOf } from '../../form/field';
import { readOptional } from '../../form/savedForm';
import { isBlank, onlyText, readText } from '../../form/values';
import type { ItemContext } from '../../item/item';
import { isTool, runKindOf } from '../../n8nInternals';
import { InputError } from '../../text/inputError';
import type { InputRows } from '../../text/problems';
import { settleSync } from '../../util/async';
import { readYearFirst } from '../../util/calendarDay';
import { quoted } from '../../util/redact';
import { cutText } from '../../util/values';

/** Languages, by region, that write dates in our calendar and with our digits. Any other language can be an expression. */
export const dateLanguages = [
	...['en-US', 'en-GB', 'en-AU', 'en-CA', 'en-IN', 'es-ES', 'es-MX', 'es-AR', 'es-CO', 'es-CL'],
	...['es-PE', 'es-GT', 'pt-BR', 'pt-PT', 'fr-FR', 'fr-CA', 'fr-CH', 'de-DE', 'de-AT', 'de-CH'],
	...['it-IT', 'it-CH', 'nl-NL', 'nl-BE', 'ca-ES', 'pl-PL', 'cs-CZ', 'sk-SK', 'sl-SI', 'hr-HR'],
	...['hu-HU', 'ro-RO', 'bg-BG', 'el-GR', 'tr-TR', 'uk-UA', 'sv-SE', 'da-DK', 'nb-NO', 'fi-FI'],
	...['et-EE', 'lv-LV', 'lt-LT', 'id-ID', 'vi-VN', 'ja-JP', 'ko-KR', 'zh-CN', 'zh-TW', 'he-IL'],
];

/** n8n searches only the names of choices, so a name is in English and in the language itself. */
function nameOfLanguage(tag: string): string {
	const names = ['en', tag].map((language) =>
		new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard' }).of(tag),
	);
	return [...new Set(names)].join(', ');
}

/** Writes in UTC, because a day must not become another one in another time zone. */
function dateFormat(tag: string) {
	const format = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
	return (day: string) => format.format(Date.parse(day));
}

const exampleDay = '2027-02-01';

export const writeDatesOption: INodeProperties = {
	displayName: 'Write Dates In',
	name: 'writeDatesIn',
	type: 'options',
	options: [
		{
			name: 'Select a Language',
			value: '',
			description: 'Until you select one, dates stay as they are',
		},
		...dateLanguages
			.map((value) => ({
				name: nameOfLanguage(value),
				value,
				description: dateFormat(value)(exampleDay),
			}))
			.sort((one, other) => one.name.localeCompare(other.name, 'en')),
	],
	default: '',
	description: `Writes ${exampleDay} as ${dateFormat('en-US')(exampleDay)}, in the language that you select. This changes every text field that contains nothing but a day, even a contract number that is a date. The preview under a field stays as it is, but the output of a test shows the written date.`,
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
 * @returns A function that writes out a field's text that is an existing day, year-month-day, from 1900 to 2199, and
 * returns any other text as it is. Without a language, the function only hints at the option.
 * @throws InputError for a language that n8n's Node doesn't know.
 */
export function readDateWriter(item: ItemContext): (text: string, fieldName: string) => string {
	const value = readOptional(item, option);
	const { label } = option;
	if (isBlank(value)) {
		return (text, fieldName) => {
			if (isDay(text)) item.remember(label, () => hintAtOption(item, text, fieldName));
			return text;
		};
	}
	const tag = readText(onlyText(value), label, dateLanguageProblems.unknown('').remedy);
	return item.remember(`${label}: ${tag}`, () => {
		// An unknown language would be written as English without a word.
		const known = settleSync(() => Intl.DateTimeFormat.supportedLocalesOf(tag));
		if (!known.ok || known.value.length === 0) {
			throw new InputError(label, dateLanguageProblems.unknown(tag));
		}
		const written = dateFormat(tag);
		return (text) => (isDay(text) ? written(text) : text);
	});
}

/** In a test run, shows how to have days written out. In an agent's tool, the model chooses how to write them. */
function hintAtOption(item: ItemContext, day: string, fieldName: string): void {
	if (isTool(item.context) || runKindOf(item.context) !== 'test') return;
	item.hint(
		`The contract shows ${cutText(fieldName, maxShownNameLength)} as ${day}. To write out dates, add ${option.label} under Options and select a language.`,
		'info',
	);
}

function isDay(text: string): boolean {
	const year = text.slice(0, 4);
	return readYearFirst(text) === text && year >= firstYear && year <= lastYear;
}
