import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject, INodeTypeDescription } from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
import { root } from '../../scripts/tools';
import { readPages } from './markdown';
import { messagesOfCode } from './messages';
import { findPhrases } from './phrases';

/** Code, quoted messages and the targets of links are not words of the page. */
const wordsOf = (text: string) => text.replace(/`[^`\n]+`/g, '`…`').replace(/\]\([^)]+\)/g, ']');

const found = readPages().map(({ file, prose }) => ({
	file,
	phrases: findPhrases(wordsOf(prose)),
}));

test.each(found)('$file has no phrase that must not come back', ({ phrases }) => {
	expect(phrases).toEqual([]);
});

/** The sentences of a page's running text: no tables, and each item of a list by itself. */
function sentencesOf(prose: string): string[] {
	const paragraphs = wordsOf(prose).split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |[|#])/);
	return paragraphs
		.filter((each) => !each.trim().startsWith('|'))
		.flatMap((each) => each.replace(/\s+/g, ' ').split(/(?<=[.!?:]) /));
}

test('no sentence of a page is longer than 35 words', () => {
	const sentences = readPages().flatMap(({ file, prose }) =>
		sentencesOf(prose).map((sentence) => ({ file, sentence })),
	);
	expect(sentences.length).toBeGreaterThan(1000);
	expect(sentences.filter(({ sentence }) => sentence.split(' ').length > 35)).toEqual([]);
});

/** Properties of a form that people read. */
const shown = ['displayName', 'description', 'placeholder', 'hint', 'action', 'emptyFieldsNotice'];

function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, each]) =>
		typeof each === 'string' && shown.includes(key) ? [each] : textsIn(each),
	);
}

let texts: string[];

beforeAll(() => {
	const descriptions: Array<INodeTypeDescription | SignVerifyApi> = [
		new SignVerify().description,
		new SignVerifyTrigger().description,
		new SignVerifyApi(),
	];
	const messages = messagesOfCode().map(({ text }) => text);
	texts = [...new Set([...descriptions.flatMap(textsIn), ...messages])];
}, 120_000);

test('forms and messages have no phrase that must not come back', () => {
	expect(texts.length).toBeGreaterThan(300);
	expect(texts.flatMap(findPhrases)).toEqual([]);
});

/** What people read of an example: its own name, its nodes' names, notes, forms, pages and e-mails. */
function textsOfExample(file: string): string[] {
	const { name, nodes } = JSON.parse(readFileSync(path.join(root, 'examples', file), 'utf8')) as {
		name: string;
		nodes: Array<{ name: string; parameters: IDataObject }>;
	};
	const texts = nodes.flatMap(({ name: node, parameters }) => [node, ...stringsIn(parameters)]);
	return [name, ...texts];
}

function stringsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value ? Object.values(value).flatMap(stringsIn) : [];
}

const examples = readdirSync(path.join(root, 'examples')).filter((file) => file.endsWith('.json'));

test.each(examples)('%s has no phrase that must not come back', (file) => {
	const texts = textsOfExample(file);
	expect(texts.length).toBeGreaterThan(5);
	expect(texts.flatMap(findPhrases)).toEqual([]);
});

/** The comments of a file of ours, all of which have lines of their own. */
function commentsOf(file: string): string[] {
	const code = readFileSync(path.join(root, file), 'utf8');
	const found = code.match(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*(?:\n\s*\/\/.*)*)/gm) ?? [];
	return found.map((comment) => wordsOf(comment.replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/) ?/gm, '')));
}

test('comments of what ships have no phrase that must not come back', () => {
	const files = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => path.join(folder, file)),
	);
	const comments = files.flatMap((file) => commentsOf(file).map((text) => ({ file, text })));
	expect(comments.length).toBeGreaterThan(500);
	const bad = comments.flatMap(({ file, text }) => findPhrases(text).map((each) => [file, each]));
	expect(bad).toEqual([]);
});
