import {
	complaintsOf,
	describeBody,
	messageOf,
	readEnvelope,
} from '../../nodes/SignVerify/http/envelope';
import { redact } from '../../nodes/SignVerify/util/redact';
import { processorTimeOf } from '../support/processorTime';

const page =
	'<!DOCTYPE html><html><head><title>502 Bad\n Gateway</title></head><body>nginx</body></html>';

describe('reading the envelope', () => {
	test('an envelope', () => {
		const envelope = { responseData: [], success: true, responseCode: 200 };
		expect(readEnvelope(envelope)).toEqual(envelope);
	});

	test.each([
		['a page', page],
		['nothing', ''],
		['null', null],
		['a list', []],
		['other JSON', { ok: 1 }],
	])('%s is no envelope', (_name, body) => {
		expect(readEnvelope(body)).toBeUndefined();
	});
});

describe("the service's own words", () => {
	test.each([
		['a text', { message: 'Document not found' }, 'Document not found'],
		[
			'a list of objects with msg',
			{ message: [{ msg: 'Some emails are repeated' }, { msg: 'Name is too short' }] },
			'Some emails are repeated; Name is too short',
		],
		['a list of texts', { message: ['one', 'two'] }, 'one; two'],
		['an object with msg', { message: { msg: 'wrong' } }, 'wrong'],
		['a page: its title', page, '502 Bad Gateway'],
		['a page without a title', '<html></html>', undefined],
		['an envelope without a message', { success: false }, undefined],
		['nothing', undefined, undefined],
	])('%s', (_name, body, words) => {
		expect(messageOf(body)).toBe(words);
	});

	test('are cut to 300 characters', () => {
		expect(messageOf({ message: 'x'.repeat(1000) })).toHaveLength(300);
	});
});

describe('describing a body', () => {
	test.each([
		['', 'an empty body'],
		[undefined, 'an empty body'],
		['hello', 'text that is not JSON'],
		[page, 'a web page titled "502 Bad Gateway"'],
		['<html></html>', 'a web page'],
		[[], 'a JSON list'],
		['{"a":1,"b":2}', 'JSON with the fields a, b'],
		[{}, 'an empty JSON object'],
		[42, 'a JSON number'],
	])('%j', (body, words) => {
		expect(describeBody(body)).toBe(words);
	});
});

describe('a hostile answer of a megabyte', () => {
	const size = 1_000_000;
	const filled = (unit: string) => unit.repeat(size / unit.length);
	let nested: unknown = 'deep';
	for (let depth = 0; depth < size / 10; depth++) nested = depth % 2 ? { msg: nested } : [nested];
	const names = Object.fromEntries(Array.from({ length: size / 10 }, (_, at) => [`name ${at}`, 1]));

	test.each<[string, unknown]>([
		['many titles', `<html>${filled('<title')}`],
		['many titles that begin', `<html>${filled('<title>')}`],
		['many titles in a message', { message: `<html>${filled('<title ')}` }],
		['many spaces', filled(' ')],
		['many spaces before a page', `${filled(' ')}<html>`],
		['words between many spaces', `${filled(' ')}a${filled(' ')}b`],
		['many "<"', filled('<')],
		['many "%"', filled('%')],
		['many escapes', filled('&#x0')],
		['many backslashes', filled('\\')],
		['many brackets', filled('[')],
		['what nests deeply', nested],
		['a message that nests deeply', { message: nested }],
		['many messages', { message: Array(size / 10).fill({ msg: 'x' }) }],
		['many long messages', { message: Array(100).fill(filled('x').slice(0, size / 100)) }],
		['many fields', names],
		['a field with a long name', { [filled('n ')]: 1 }],
	])('%s: is described at once, in few words', (_name, body) => {
		const hide = (text: string) => redact(text, ['a-long-secret-key', 'https://n8n.example/x?s=1']);
		let words: string[] = [];
		const time = processorTimeOf(() => {
			const complaints = complaintsOf(body, hide);
			words = [messageOf(body, hide) ?? '', describeBody(body, hide)];
			words.push(...complaints.flatMap(({ text, path }) => [text, path ?? '']));
		});
		expect(time).toBeLessThan(500);
		expect(Math.max(...words.map(({ length }) => length))).toBeLessThan(400);
	});
});

describe('what a refusal is about', () => {
	const asItIs = (text: string) => text;

	test.each([
		[{ message: 'No' }, [{ text: 'No' }]],
		[{ message: ['a is wrong', 'b is wrong'] }, [{ text: 'a is wrong' }, { text: 'b is wrong' }]],
		[
			{ message: [{ msg: ['a is wrong', 'b is wrong'] }] },
			[{ text: 'a is wrong' }, { text: 'b is wrong' }],
		],
		[
			{
				message: [
					{ msg: 'Invalid', param: 'email', value: 'x' },
					{ msg: 'Bad', path: 'name' },
				],
			},
			[
				{ text: 'Invalid', path: 'email' },
				{ text: 'Bad', path: 'name' },
			],
		],
		[
			{ message: [{ message: 'Bad', path: ['signatories', 0, 'name'] }] },
			[{ text: 'Bad', path: 'signatories.0.name' }],
		],
		[{ message: [{ msg: '' }, null, 3] }, []],
		[{ success: false }, []],
		['<html><title>Bad Request</title></html>', []],
		[null, []],
	])('%j', (body, complaints) => {
		expect(complaintsOf(body, asItIs)).toEqual(complaints);
	});

	test('is told without secrets, of ten things at the most', () => {
		const hide = (text: string) => text.replaceAll('secret', '…');
		const one = { msg: 'secret a', path: 'secret.b' };
		expect(complaintsOf({ message: Array.from({ length: 30 }, () => one) }, hide)).toEqual(
			Array.from({ length: 10 }, () => ({ text: '… a', path: '….b' })),
		);
	});
});
