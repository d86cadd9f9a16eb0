import { canBeKey, textOf, isoTime } from '../../nodes/SignVerify/util/values';

test.each([
	['text', 'text'],
	[3, '3'],
	[false, 'false'],
	[null, ''],
	[{}, ''],
	[['a'], ''],
])('%j as text', (value, text) => {
	expect(textOf(value)).toBe(text);
});

test.each([
	[1_767_225_600_000, '2026-01-01T00:00:00.000Z'],
	['1767225600000', '2026-01-01T00:00:00.000Z'],
	['-1', '1969-12-31T23:59:59.999Z'],
	['2026-01-01T01:00+01:00', '2026-01-01T00:00:00.000Z'],
	['2026-01-01', '2026-01-01'],
	['9'.repeat(30), '9'.repeat(30)],
	['soon', 'soon'],
	['', undefined],
	[undefined, undefined],
])('the moment %j', (value, text) => {
	expect(isoTime(value)).toBe(text);
});

test.each(['={{ 1 }}', '=', '__proto__', 'constructor', 'prototype'])(
	'n8n cannot keep %j as a key',
	(key) => {
		expect(canBeKey(key)).toBe(false);
		expect(canBeKey(` ${key}`)).toBe(true);
	},
);
