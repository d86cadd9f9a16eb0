import { type INodeProperties, isExpression } from 'n8n-workflow';

import { mistakeInAddress } from '../text/addresses';
import { mistakeInAddressText, mistakeInField, mistakeInName } from '../text/contentMistakes';
import { type Finding, mostSevere, type Severity } from '../text/finding';
import { MissingValue } from '../errors/inputError';
import { valueProblems } from '../text/textProblems';
import type { EnteredText, Field } from './field';
import { checkReturned, type SavedForm } from './savedForm';
import {
	isBlank,
	readEmail,
	readId,
	readName,
	readNamedEmail,
	readText,
	readUrl,
	type trimUnseen,
} from './valueReaders';

export function textField(
	field: Omit<INodeProperties, 'type' | 'default'> & { default?: string },
): INodeProperties {
	return { type: 'string', default: '', required: true, ...field };
}

export interface TextRules {
	/** @throws InputError for a value that can't be this text; a {@link MissingValue} if there is none. */
	read(entered: EnteredText): string;
	mistakeIn(text: string, value: unknown): Finding | undefined;
	/** The severity if a part of an expression has no column. By default, the text looks wrong. */
	missingPart?: Severity;
	isOptional?: boolean;
	/** Whether what reads the text also judges an expression whose parts are all empty. */
	judgesEmptyParts?: true;
}

const inAnyText = (text: string) => mistakeInField(text);

/** The rules for each kind of text. `remedy` is what to do if the text is missing, and `source` where to find an ID. */
export const textRules = {
	plain: (remedy: string): TextRules => ({
		read: ({ value, label }) => readText(value, label, remedy),
		mistakeIn: inAnyText,
	}),
	id: (source: string): TextRules => ({
		read: ({ value, label }) => readId(value, label, source),
		mistakeIn: inAnyText,
	}),
	/** The name, or with `trim` the ID, chosen or entered in a resource locator. */
	chosen: (remedy: string, trim?: typeof trimUnseen): TextRules => ({
		read({ label, value, saved }) {
			if (!isBlank(value)) return readText(value, label, remedy, trim);
			const row = isExpression(saved) ? 'noValue' : 'notSelected';
			throw new MissingValue(label, { ...valueProblems[row], remedy });
		},
		mistakeIn: inAnyText,
	}),
	name: (): TextRules => ({
		read: ({ value, label }) => readName(value, label),
		mistakeIn: mistakeInName,
	}),
	/** An address, from which a name is left out: `Ana Gil <ana@example.com>`. */
	email: (): TextRules => ({
		read: ({ value, label }) => readNamedEmail(value, label).email,
		mistakeIn: (text) => mostSevere([mistakeInAddressText(text), mistakeInAddress(text)]),
	}),
	/** An address that must be the same as another one, so unusual dots are no reason for a warning. */
	knownEmail: (): TextRules => ({
		read: ({ value, label }) => readEmail(value, label),
		mistakeIn: mistakeInAddressText,
	}),
	// The words of a URL aren't judged, because a message would show the URL, which may contain a secret.
	webAddress: (remedy: string): TextRules => ({
		// Braces indicate an expression typed as plain text.
		read: ({ value, label }) => readUrl(value, label, remedy, /[\s\p{Cc}\p{Cf}\p{Cs}{}]/u),
		mistakeIn: () => undefined,
	}),
	/** A link to a file from the service. Spaces and braces are allowed. */
	fileLink: (remedy: string): TextRules => ({
		read: ({ value, label }) => readUrl(value, label, remedy, /[\p{Cc}\p{Cs}]/u),
		mistakeIn: () => undefined,
	}),
};

/** Returns the rules for a field that may be empty. An empty field is read as ''. */
export function optional(rules: TextRules): TextRules {
	return {
		...rules,
		isOptional: true,
		read(entered) {
			checkReturned(entered);
			return isBlank(entered.value) ? '' : rules.read(entered);
		},
	};
}

/** The rules for a text that only narrows down a search. */
export const searchTextRules = optional(textRules.plain('The expression must return text.'));

export function enteredIn(form: SavedForm, { name, label }: Field): EnteredText {
	return { label, value: form.parameter(name), saved: form.rawParameter(name) };
}

/**
 * Reads a text, and judges it by its rules. The texts of the action node pass through
 * `readItemText` (columns/itemText.ts), which also knows the item's columns.
 * @throws InputError for an expression typed as plain text, for a text that certainly is a mistake, or for the
 * same reasons as the rules' `read`.
 */
export function readEntered(
	form: Pick<SavedForm, 'checkTyped' | 'judge'>,
	entered: EnteredText,
	rules: TextRules,
): string {
	const { label, value } = entered;
	form.checkTyped(value, label);
	const text = rules.read(entered);
	form.judge(label, rules.mistakeIn(text, value));
	return text;
}
