import type { ValueProblemTable } from '../errors/problem';
import { quoted } from '../util/redact';
import { maxTextLength } from '../util/text';

/*
 * What can be wrong with a value in a form, apart from its words (contentMistakes.ts). Other folders have tables of
 * their own, in this form. Tests name the rows instead of repeating the words.
 */
const checkExpression = 'or check what the expression returns';

export const valueProblems = {
	empty: { problem: 'required, but empty' },
	nothingToSelect: (label: string) => ({ problem: `your account has no ${label.toLowerCase()}s` }),
	notSelected: { problem: 'nothing is selected' },
	noValue: {
		problem: 'the expression returns no value',
		remedy:
			"Correct the expression. To leave the field empty, return empty text: {{ $json.text ?? '' }}.",
	},
	noValues: {
		problem: 'the expression returns no values',
		remedy: 'Have the expression return an object with one property per field.',
	},
	/** @param shown What the expression returns. */
	notValues: (shown: string) => ({
		problem: `the expression must return an object with the values, not ${shown}`,
		remedy: 'Have the expression return an object with one property per field.',
	}),
	/** For a collection of fields. @param shown What it is instead of an object. */
	notFields: (shown: string) => ({
		problem: `can't be ${shown}`,
		remedy:
			'Enter each value in a field of its own, which can contain an expression. In JSON, this is an object with a property for each field.',
	}),
	/** A list of nothing but separators. */
	noEntry: { problem: 'contains no value', remedy: 'Enter a value, or leave the field empty.' },
	typedExpression: {
		problem: 'this expression was entered as plain text',
		remedy:
			'The node would use this text as it is, including the curly braces. Click Expression above the field, or drag the value onto the empty field.',
	},
	tooManyDigits: {
		problem: 'the number has too many digits to be exact',
		remedy:
			'Pass it as text, such as "12345678901234567890", from the moment it enters the workflow.',
	},
	tooLong: {
		problem: `longer than ${maxTextLength.toLocaleString('en')} characters`,
		remedy: `Shorten the text, ${checkExpression}.`,
	},
	tooManyEntries: (count: number, max: number) => ({
		problem: `${count} entries, but a list can have at most ${max}`,
		remedy: `Shorten the list, ${checkExpression}.`,
	}),
	notText: (shown: string) => ({
		problem: `must be text, not ${shown}`,
		docsAnchor: 'not-text',
	}),
	invisibleCharacter: {
		problem: 'contains an invisible character',
		remedy: 'Type it instead of pasting it, or remove the character in the expression.',
	},
	notId: (id: string) => ({ problem: `${quoted(id)} isn't an ID` }),
	notEmail: (address: string) => ({
		problem: `${quoted(address)} isn't an email address`,
		remedy: 'Enter one address, such as name@email.com.',
	}),
	addressTooLong: (address: string) => ({
		problem: `${quoted(address)} isn't an email address: it's too long`,
		remedy: 'Enter one address, such as name@email.com.',
	}),
	nameInAddress: (address: string) => ({
		problem: `${quoted(address)} contains a name as well as an address`,
		remedy: 'Enter only the address, without the name or the brackets.',
	}),
	noDotAfterAt: (address: string) => ({
		problem: `${quoted(address)} has no dot after the @`,
		remedy: 'Check the address, or ask the person for it.',
	}),
	unusualDot: (address: string) => ({
		problem: `${quoted(address)} has a dot in an unusual place`,
		remedy: 'Check the address, or ask the person for it.',
	}),
	mixedAlphabets: (address: string) => ({
		problem: `${quoted(address)} contains letters of two alphabets that look alike`,
		remedy: 'It may only look like the right address. Type it instead of pasting it.',
	}),
	uncertainDay: {
		problem: "it isn't certain which day this is, so birthDateMatches will be unknown",
		remedy: 'Enter the year first, such as 1990-02-28.',
	},
	/** The URL isn't shown, because it may contain secrets. */
	notUrl: {
		problem: 'not a URL',
		remedy: 'Enter a complete URL that begins with https://.',
	},
	notAChoice: (values: string) => ({
		problem: 'not a valid choice',
		remedy: `Select one of these: ${values}.`,
	}),
	/** @param range What the number must be, such as "a number above 0". */
	notInRange: (range: string) => ({
		problem: `must be ${range}`,
		remedy: `Change the value, ${checkExpression}.`,
	}),
	notTrueOrFalse: {
		problem: 'must be true or false',
		remedy: 'Check what the expression returns for this item.',
		docsAnchor: 'not-true-or-false',
	},
	notJson: {
		problem: "isn't a JSON object",
		remedy:
			'Enter an object with one property per field, such as { "rent": "500" }, or an expression that returns one.',
	},
	notFilledInWithEditor: {
		problem: "not filled in with n8n's editor, so the node can't read the values",
		remedy:
			'Open the node and fill in the fields one by one. If an AI assistant fills in the fields, have it use this format: { "mappingMode": "defineBelow", "value": { … } }.',
		docsAnchor: 'not-filled-in-with-the-editor',
	},
	unsplitColumn: (problem: string, column: string) => ({
		problem: `${problem} (the item's only column is ${quoted(column)})`,
	}),
	tooManyEarlierInputs: (max: number) => ({
		problem: `the item contains more than ${max} earlier inputs`,
		remedy:
			'If this node is in a loop, remove the "input" field before the item reaches the node, for example with an Edit Fields node.',
	}),
} satisfies ValueProblemTable;
