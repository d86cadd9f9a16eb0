import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { anchorsOf, readPage } from './markdown';
import { messagesOfCode, type Message } from './messages';
import { open } from './source';

/** The texts of a page's code spans; other code is too short for a message. */
function spansOf(page: string): string[] {
	const spans = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
	return spans.filter((text) => wordsOf(text).length > 8);
}

function wordsOf(text: string): string {
	return text.replaceAll(open, '').trim();
}

/** Whether a text is one that the pattern stands for, when `…` stands for anything. */
function fits(text: string, pattern: string): boolean {
	const parts = pattern.split(/…+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${parts.join('.*')}$`).test(text);
}

function areSame(message: string, span: string): boolean {
	return fits(message, span) || fits(span, message);
}

let messages: Message[];
const page = readFileSync(path.join(root, 'docs/errors.md'), 'utf8');
const spans = spansOf(page);

/** The page's sections, by the end of their address. */
const sections = new Map(
	page
		.split(/^(?=## )/m)
		.slice(1)
		.map((section) => [anchorsOf({ ...readPage('docs/errors.md'), prose: section })[0], section]),
);

beforeAll(() => {
	messages = messagesOfCode();
}, 120_000);

test('each message that the code can make is on the page of errors', () => {
	const missing = messages.filter(({ text }) => !spans.some((span) => areSame(text, span)));
	expect(missing).toEqual([]);
});

test('the page of errors names no message that the code cannot make', () => {
	// A message is in a heading, in the line below it, or in the first cell of a row.
	const named = page
		.split('\n')
		.filter((line) => /^(### `|Also: |\| `)/.test(line))
		.flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)])
		.map(([, text = '']) => text);
	expect(named.length).toBeGreaterThan(120);
	expect(named.filter((each) => !messages.some(({ text }) => areSame(text, each)))).toEqual([]);
});

test('each message with a heading has its cause, what to do, and what happened to the data', () => {
	const entries = page.split(/^(?=###? )/m).filter((each) => each.startsWith('### `'));
	expect(entries.length).toBeGreaterThan(80);
	const form =
		/^### `[^`\n]+`\n\n(Also: .+\n\n)?- \*\*Cause:\*\* .+\n- \*\*What to do:\*\* .+\n( {2}\d\. .+\n)*- \*\*Your data:\*\* .+\n/;
	expect(entries.filter((each) => !form.test(each))).toEqual([]);
});

test('no two headings have the same link', () => {
	const anchors = anchorsOf(readPage('docs/errors.md'));
	expect(anchors.filter((each, index) => anchors.indexOf(each) !== index)).toEqual([]);
});

test("each message stands in the section that its error's link leads to", () => {
	const linked = messages.filter(({ topic }) => topic !== undefined);
	expect(linked.length).toBeGreaterThan(80);
	const elsewhere = linked.filter(({ text, topic }) => {
		const section = sections.get(topic);
		return section === undefined || !spansOf(section).some((span) => areSame(text, span));
	});
	expect(elsewhere).toEqual([]);
});

test('each section with messages is one that links lead to, and the other way round', () => {
	const withMessages = [...sections]
		.filter(([, section]) => /^### `/m.test(section))
		.map(([anchor]) => anchor)
		// A hint has no link.
		.filter((anchor) => anchor !== 'hints-and-reasons-in-the-output');
	const declared = readFileSync(path.join(root, 'nodes/SignVerify/http/errors.ts'), 'utf8');
	const topics = [...declared.matchAll(/^\t\| '([\w-]+)'/gm)].map(([, topic]) => topic);
	expect(topics.sort()).toEqual(withMessages.sort());
	const used = new Set([...messages.map(({ topic }) => topic), 'other-messages']);
	expect(topics.filter((topic) => !used.has(topic))).toEqual([]);
});
