import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { filesIn, textOfFile } from '../support/files';
import { anchorList, anchorsFile } from './anchorList';
import { anchorsOf, idsOf, type Page, readPage, readPages, spansOf, targetsOf } from './markdown';
import { messagesOfCode, type Message } from './messages';

const messages = messagesOfCode();
const page = readPage('docs/troubleshooting.md');

/** Whether text matches a pattern in which `…` stands for any text. */
function fits(text: string, pattern: string): boolean {
	const parts = pattern.split(/…+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${parts.join('.*')}$`).test(text);
}

/** Whether a name on the page is this message or the beginning of it. */
function isNameOf(name: string, { text }: Message): boolean {
	// `…` at the beginning of a heading stands for the field or the URL that the message begins with. A table of
	// problems leaves out the field.
	const words = name.replace(/^\p{Lu}/u.test(text) ? /^…:? / : /^(?:…|[^:]+:) /, '');
	// The page leaves out the name of the field and quoted values. `…` in a message stands for a value that
	// is known only at run time.
	const bare = text.replace(/^(?:[^:]*: )+/, '').replace(/"[^"]*" ?/g, '');
	// Some messages contain no words once their beginning is removed. That form would match every name, so
	// leave it out.
	const forms = [text, bare, bare.replace(/^… /, '')].filter((form) => /\p{L}{2}/u.test(form));
	return forms.some((message) =>
		[name, words].some((start) => fits(message, `${start}…`) || fits(start, message)),
	);
}

/**
 * A row of a table whose first column contains messages, between backticks, or the sentence that names the
 * messages of a section without a table ("The message is …").
 */
interface Row {
	/** The heading above the table or the sentence. */
	heading: string;
	anchors: string[];
	messages: string[];
}

/** The rows of a page's tables of messages, and the sentences that name messages. */
function rowsOf({ prose, ...rest }: Page): Row[] {
	return prose.split(/^#+ /m).flatMap((part) => {
		const [, table = ''] = /^\| Message +\|.*\n\|.*\n((?:\|.*\n?)*)/m.exec(part) ?? [];
		const [heading = ''] = part.split('\n');
		const [sentence = ''] = /^The message is (?:`[^`]+`|[^`.])+\./m.exec(part) ?? [];
		const ofSentence = { heading, anchors: [], messages: spansOf({ ...rest, prose: sentence }) };
		const ofTable = table
			.split('\n')
			.filter(Boolean)
			.map((line) => {
				const cell = { ...rest, prose: line.split(' | ')[0] ?? '' };
				return { heading, anchors: idsOf(cell), messages: spansOf(cell) };
			});
		return sentence ? [...ofTable, ofSentence] : ofTable;
	});
}

// These messages come from n8n.
const rows = rowsOf(page).filter(({ heading }) => heading !== 'Other messages');

/** Where errors can link to: the rows, and the sections with the messages that they quote. */
const targets = [
	...rows,
	...page.prose.split(/^(?=## )/m).map((prose) => {
		const section = { ...page, prose };
		// Leave out the anchors of rows: a row's message has to be in the row itself.
		const anchors = anchorsOf(section).filter((anchor) => !idsOf(section).includes(anchor));
		return { anchors, messages: spansOf(section) };
	}),
];

test('an error that links to docs/troubleshooting.md leads to a row or a section that quotes its message', () => {
	const linked = messages.filter(({ topic }) => topic !== undefined);
	expect(linked.length).toBeGreaterThan(30);
	const elsewhere = linked.filter(
		(message) =>
			!targets.some(
				({ anchors, messages }) =>
					anchors.includes(message.topic ?? '') && messages.some((name) => isNameOf(name, message)),
			),
	);
	expect(elsewhere).toEqual([]);
});

test('an error that does not link to docs/troubleshooting.md names the next step', () => {
	const alone = messages.filter(({ topic, remedies }) => remedies && topic === undefined);
	expect(alone.length).toBeGreaterThan(100);
	const wordless = alone.filter(({ remedies = [] }) => remedies.some((text) => !text.trim()));
	expect(
		wordless.map(
			({ text, place }) =>
				`${place} says "${text}", but not what to do: add this, or add a row to docs/troubleshooting.md`,
		),
	).toEqual([]);
});

test('the tables of messages in the user documentation contain only messages that are in the code', () => {
	const names = rows.flatMap(({ messages }) => messages);
	expect(names.length).toBeGreaterThan(50);
	expect(names.filter((name) => !messages.some((message) => isNameOf(name, message)))).toEqual([]);
});

test('every message in these tables occurs in a test', () => {
	const files = filesIn(path.join(root, 'test')).filter(
		(file) => file.endsWith('.ts') && !file.startsWith('docs/'),
	);
	const tests = files.map((file) => textOfFile(`test/${file}`).replaceAll("\\'", "'")).join('\n');
	// The tests contain values instead of each `…`, so search for the longest text between them.
	const longest = (name: string) =>
		name.split(/:? ?…:? ?|: /).reduce((one, other) => (other.length > one.length ? other : one));
	const isTested = (name: string) =>
		tests.includes(longest(name)) ||
		// Most tests name the row instead of the words.
		messages.some(({ row, ...message }) => row && isNameOf(name, message) && tests.includes(row));
	const untested = rows.flatMap(({ messages }) => messages).filter((name) => !isTested(name));
	expect(untested).toEqual([]);
});

test(`${anchorsFile} lists the anchors in docs/troubleshooting.md (to update it, run "npm run generate -- anchors")`, () => {
	expect(textOfFile(anchorsFile)).toBe(anchorList());
});

test('every anchor in docs/troubleshooting.md is unique and is linked from an error or a page', () => {
	const ids = idsOf(page);
	expect(ids.length).toBeGreaterThan(10);
	expect([...new Set(ids)].sort()).toEqual([...ids].sort());
	const linked = readPages().flatMap(targetsOf);
	const files = filesIn(path.join(root, 'nodes')).map((file) => `nodes/${file}`);
	const code = files
		.filter((file) => file !== anchorsFile)
		.map(textOfFile)
		.join('\n');
	const unused = ids.filter(
		(id) => !code.includes(`'${id}'`) && !linked.some((target) => target.endsWith(`#${id}`)),
	);
	expect(unused).toEqual([]);
});

test('the messages quoted in the user documentation match the code', () => {
	const shipped = ['nodes', 'credentials'].flatMap((folder) =>
		filesIn(path.join(root, folder)).map((file) => path.join(root, folder, file)),
	);
	const code = shipped
		.filter((file) => file.endsWith('.ts'))
		.map((file) => readFileSync(file, 'utf8').replaceAll("\\'", "'").replaceAll(/\s+/g, ' '))
		.join(' ');
	const quotes = readPages()
		.filter(({ file }) => /^docs\/[^/]+$/.test(file))
		.flatMap(({ file, prose }) =>
			[
				...prose.matchAll(
					/\b(?:reads?|says?|[Ii]f|message is|(?:begins?|continues|ends) with) `([A-Z][^`]{15,})`/g,
				),
			].map(([, quote = '']) => ({
				file,
				quote,
			})),
		);
	expect(quotes.length).toBeGreaterThan(1);
	// The numbers and names in a quote can differ from those in the code, so only the text between them is
	// compared.
	const wordsIn = (quote: string) =>
		quote
			.split(/…|\d+|"[^"]*"|: /)
			.map((part) => part.replaceAll(/^[\s,.()]+|[\s,.()]+$/g, ''))
			.filter((part) => part.split(' ').length >= 4);
	const outdated = quotes.filter(({ quote }) =>
		wordsIn(quote).some((part) => !code.includes(part)),
	);
	expect(outdated).toEqual([]);
});
