import { describeBody, messageOf, readEnvelope } from '../../nodes/SignVerify/transport/envelope';

const page =
	'<!DOCTYPE html><html><head><title>502 Bad\n Gateway</title></head><body>nginx</body></html>';

describe('reading the envelope', () => {
	test('an envelope, parsed or as text', () => {
		const envelope = { responseData: [], success: true, responseCode: 200 };
		expect(readEnvelope(envelope)).toEqual(envelope);
		expect(readEnvelope(JSON.stringify(envelope))).toEqual(envelope);
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
