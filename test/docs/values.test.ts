import { mistakeInAddress } from '../../nodes/SignVerify/text/addresses';
import {
	mistakeInAddressText,
	mistakeInField,
	mistakeInName,
} from '../../nodes/SignVerify/text/contentMistakes';
import { mostSevere, type Finding, type Severity } from '../../nodes/SignVerify/text/finding';
import { readPage, spansOf } from './markdown';

// Users read in docs/values.md which values are never sent, and which are sent only with Send Despite Warnings. If a
// check changes, these tests name the example on the page that isn't true anymore.

const page = readPage('docs/values.md');
const sectionOf = (heading: string) =>
	page.prose.split(`## ${heading}\n`)[1]?.split(/^#/m)[0] ?? '';
const examplesIn = (prose: string) => spansOf({ ...page, prose });

/** The page's words for each severity. */
const severities: Record<string, Severity | undefined> = {
	Wrong: 'wrong',
	'Looks wrong': 'looksWrong',
	'A warning': 'warning',
	'Sent as it is': undefined,
};

const inField = (text: string) => mistakeInField(text);
const inDate = (text: string) =>
	mistakeInField(text, { key: 'start_date', label: 'Start date', type: 'text' }, () => 'UTC');
const inAddress = (text: string) =>
	mostSevere([mistakeInAddress(text), mistakeInAddressText(text)]);

type Shown = [
	example: string,
	place: string,
	severity: string,
	find: (text: string) => Finding | undefined,
];

const [beginning = ''] = page.prose.split('\n## ');
const ofLegend = [...beginning.matchAll(/^- \*\*([^*]+)\*\*, [^`\n]*`([^`]+)`/gm)].map(
	([, word = '', example = '']): Shown => [example, 'the legend', word, inField],
);

/** The end of a cell, "Alone, …", is about other examples. */
const ofTable = sectionOf('Text')
	.split('\n')
	.filter((line) => line.startsWith('| '))
	.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | *\|?$|\. Alone.*/g, '')))
	.flatMap(([what = '', name = '', field = '']) =>
		examplesIn(what).flatMap((span): Shown[] => {
			const example = what.includes('inside') ? `Ana ${span} Gil` : span;
			return [
				[example, 'a name', name, mistakeInName],
				[example, 'a field', field, inField],
			];
		}),
	);

const [ofDates = '', afterDates = ''] =
	sectionOf('Dates that look wrong').split('\n\nAny other text');
const inList = [...ofDates.matchAll(/^- (.*)/gm)]
	.flatMap(([, line = '']) => line.split('. '))
	.flatMap((sentence) =>
		examplesIn(sentence).map((example): Shown => {
			const word = sentence.includes('only a warning') ? 'A warning' : 'Looks wrong';
			return [example, 'a field for a date', word, inDate];
		}),
	);
const [otherText = ''] = afterDates.split('\n');
const ofOtherText = [...otherText.matchAll(/["`]([^"`]+)["`]/g)].map(([, example = '']): Shown => [
	example,
	'a field for a date',
	'Sent as it is',
	inDate,
]);

const addresses: Shown[] = [
	['ada@example', 'an address', 'Looks wrong', inAddress],
	['ada.@example.com', 'an address', 'Looks wrong', inAddress],
	['ada.@example.jp', 'an address', 'A warning', inAddress],
	['null@example.com', 'an address', 'Looks wrong', inAddress],
	['ada@exаmple.com', 'an address', 'Looks wrong', inAddress],
	['аda@example.com', 'an address', 'Looks wrong', inAddress],
	['undefined@example.com', 'an address', 'Wrong', inAddress],
];

test('docs/values.md has an example for each of its words, in the legend, in a table, and in a list', () => {
	expect(ofLegend.map(([, , word]) => word)).toEqual(['Wrong', 'Looks wrong', 'A warning']);
	expect(ofTable.length).toBeGreaterThan(40);
	expect(inList).toHaveLength(8);
	expect(ofOtherText).toHaveLength(2);
});

test.each([...ofLegend, ...ofTable, ...inList, ...ofOtherText, ...addresses])(
	'as docs/values.md says, "%s" in %s: %s',
	(example, _place, word, find) => {
		expect(Object.keys(severities)).toContain(word);
		expect(find(example)?.severity).toBe(severities[word]);
	},
);
