import type { INodeTypeDescription } from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
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

test.each([
	['The execution goes on with the rest.', 'continue'],
	['Items leave, the last one excepted.', 'except …'],
	['Done. Should the service fail, wait.', 'If …'],
	['The item waits on\nuntil it is signed.', 'wait again'],
])('"%s" is refused', (text, but) => {
	expect(findPhrases(text)).toEqual([expect.stringContaining(but)]);
});
