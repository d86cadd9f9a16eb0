import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { messagesOfCode, type Message } from './messages';
import { open } from './source';

/** The texts of a page's code spans; other code is too short for a message. */
function spansOf(file: string): string[] {
	const page = readFileSync(path.join(root, file), 'utf8');
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
const spans = spansOf('docs/errors.md');

beforeAll(() => {
	messages = messagesOfCode();
}, 120_000);

test('the messages are found in the code', () => {
	// One of each kind: a field's, a service's, one put together from parts, one in an answer.
	const texts = messages.map(({ text }) => text);
	expect(texts).toEqual(
		expect.arrayContaining([
			'Signatories: there is none',
			'The service failed (HTTP …)',
			'has a host name that does not exist',
			'it did not arrive within … s',
			'The secret in the URL is missing or wrong.',
		]),
	);
	expect(texts.length).toBeGreaterThan(100);
});

test('each message that the code can make is on the page of errors', () => {
	const missing = messages.filter(({ text }) => !spans.some((span) => areSame(text, span)));
	expect(missing).toEqual([]);
});

test('the page of errors names no message that the code cannot make', () => {
	const cells = readFileSync(path.join(root, 'docs/errors.md'), 'utf8')
		.split('\n')
		.filter((line) => /^\| `/.test(line))
		.flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)])
		.map(([, text = '']) => text);
	expect(cells.length).toBeGreaterThan(80);
	expect(cells.filter((cell) => !messages.some(({ text }) => areSame(text, cell)))).toEqual([]);
});
