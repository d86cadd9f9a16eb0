import type { INodeProperties } from 'n8n-workflow';

import { maxShownNameLength } from '../../api/templates';
import type { TemplateVariable } from '../../api/types';
import { fieldOf } from '../../form/field';
import { readOptional } from '../../form/savedForm';
import { isBlank, onlyText, readText } from '../../form/valueReaders';
import type { ItemContext } from '../../item/item';
import { isTool, runPurposeOf } from '../../n8nInternals';
import { isForDate } from '../../text/contentMistakes';
import { dateProblems, dayBeginningAt, momentIn } from '../../text/dates';
import type { Finding } from '../../text/finding';
import { docsOf, packageVersion } from '../../errors/docs';
import { InputError } from '../../errors/inputError';
import type { ValueProblemTable } from '../../errors/problem';
import { settleSync } from '../../util/async';
import { daysIn } from '../../util/calendarDay';
import { normalText } from '../../util/names';
import { quoted } from '../../util/redact';
import { cutText, seenText } from '../../util/text';
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

/** n8n shows a description's links. */
const linkToAmounts = `<a href="${docsOf(packageVersion)}/values.md#amounts">use an expression</a>`;

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
	description: `Writes dates such as ${exampleDay} as ${dateFormat('en-US')(exampleDay)}, in this language. Fields with any other text stay as they are. For amounts, ${linkToAmounts}.`,
};

export const dateLanguageProblems = {
	unknown: (tag: string) => ({
		problem: `${quoted(tag)} isn't a language that n8n can write dates in`,
		remedy: 'Select a language, or enter a language tag, such as en-US or es-MX.',
	}),
} satisfies ValueProblemTable;

const option = fieldOf(writeDatesOption, 'options');

/** The years in which a day is a date of a contract. Other years are more likely numbers, or in another calendar. */
const [firstYear, lastYear] = ['1900', '2199'];

export interface DateWriter {
	/**
	 * Returns the day, year-month-day, that the option writes out instead of a field's text; undefined for any other
	 * text. The checks judge the day.
	 */
	dayIn(text: string, variable: TemplateVariable): string | undefined;
	/** Informs about a day that stays as it is, so that one contract of a list doesn't look different in silence. */
	mistakeIn(text: string, variable: TemplateVariable): Finding | undefined;
	/** Writes out a text that is a day, and returns any other text as it is. */
	write(text: string, variable: TemplateVariable, fieldName: string): string;
}

/**
 * Reads the option.
 * @returns Without a language, a writer that only hints at the option.
 * @throws InputError for a language that n8n's Node doesn't know.
 */
export function readDateWriter(item: ItemContext): DateWriter {
	const value = readOptional(item, option);
	const { label } = option;
	const dayIn = (text: string, variable: TemplateVariable) => dayOf(item, text, variable);
	if (isBlank(value)) {
		return {
			dayIn: () => undefined,
			mistakeIn: () => undefined,
			write(text, variable, fieldName) {
				if (dayIn(text, variable) !== undefined)
					item.remember(label, () => hintAtOption(item, seenText(text), fieldName));
				return text;
			},
		};
	}
	const tag = readText(onlyText(value), label, dateLanguageProblems.unknown('').remedy);
	const written = item.remember(`${label}: ${tag}`, () => {
		// An unknown language would be written as English without a word.
		const known = settleSync(() => Intl.DateTimeFormat.supportedLocalesOf(tag));
		if (!known.ok || known.value.length === 0) {
			throw new InputError(label, dateLanguageProblems.unknown(tag));
		}
		return dateFormat(tag);
	});
	return {
		dayIn,
		mistakeIn(text, variable) {
			if (variable.type !== 'text' || !isForDate(variable)) return undefined;
			if (dayIn(text, variable) !== undefined || contractDaysIn(text).length === 0)
				return undefined;
			return { severity: 'warning', ...dateProblems.notWrittenOut(seenText(text)) };
		},
		write(text, variable) {
			const day = dayIn(text, variable);
			return day === undefined ? text : written(day);
		},
	};
}

/** In a test run, shows how to have days written out. In an agent's tool, the model chooses how to write them. */
function hintAtOption(item: ItemContext, day: string, fieldName: string): void {
	if (isTool(item.context) || runPurposeOf(item.context) !== 'test') return;
	item.hint(
		`The contract shows ${cutText(fieldName, maxShownNameLength)} as ${day}. To write out dates, add ${option.label} under Options and select a language.`,
		'info',
	);
}

/** Returns the days in the years of a contract that a text can mean, if it's nothing but a day in digits. */
function contractDaysIn(text: string): string[] {
	return daysIn(text).filter(isOfContract);
}

function isOfContract(day: string): boolean {
	const year = day.slice(0, 4);
	return year >= firstYear && year <= lastYear;
}

/** A day as few file numbers are written: with its year first, and hyphens or slashes. */
const clearDay = /^\d{4}[\p{Pd}/]\d/u;

/**
 * Returns the day, year-month-day, that a text field's text is. In a field for a date, it may also be written in
 * another way in which the year comes first, or be the moment at which a day begins in the workflow's time zone.
 */
function dayOf(item: ItemContext, text: string, variable: TemplateVariable): string | undefined {
	if (variable.type !== 'text') return undefined;
	const seen = seenText(text);
	const [day] = contractDaysIn(seen);
	if (day === seen) return day;
	if (!isForDate(variable)) return undefined;
	if (day !== undefined) return clearDay.test(normalText(seen)) ? day : undefined;
	const momentMs = momentIn(seen);
	const beginning =
		momentMs === undefined ? undefined : dayBeginningAt(momentMs, item.context.getTimezone());
	return beginning !== undefined && isOfContract(beginning) ? beginning : undefined;
}
