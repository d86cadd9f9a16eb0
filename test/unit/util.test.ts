import {
	settle,
	delay,
	withTimeout,
	KeyedMutex,
	timeIsOver,
} from '../../nodes/SignVerify/util/async';
import { accountOf } from '../../nodes/SignVerify/http/account';
import { normalizeBaseUrl } from '../../nodes/SignVerify/http/credential';
import {
	canBeKey,
	isoTime,
	normalName,
	normalText,
	originOf,
	searchName,
} from '../../nodes/SignVerify/util/values';
import { prepareJson } from '../../nodes/SignVerify/util/json';
import { processorTimeOf } from '../support/processorTime';
import { coded } from '../support/standIn';

describe('giving up on work', () => {
	test('ends the work when its time is over', async () => {
		let ended: AbortSignal | undefined;
		const work = async (signal: AbortSignal) => {
			ended = signal;
			return await new Promise(() => {});
		};
		await expect(withTimeout(work, 20)).rejects.toMatchObject({ code: timeIsOver });
		expect(ended?.aborted).toBe(true);
	});

	test.each([16.1 * 1000, 100 / 3, -5])('takes a time of %d ms', async (ms) => {
		const ended = await settle(withTimeout(async () => await Promise.resolve('done'), ms));
		expect(ended).toEqual({ ok: true, value: 'done' });
	});

	test.each(['before', 'meanwhile'])(
		'ends it when the execution was cancelled %s',
		async (when) => {
			const cancel = new AbortController();
			if (when === 'before') cancel.abort();
			else setTimeout(() => cancel.abort(), 10);
			const work = async (signal: AbortSignal) =>
				await new Promise((_, reject) => {
					if (signal.aborted) reject(coded('ERR_CANCELED'));
					signal.addEventListener('abort', () => reject(coded('ERR_CANCELED')));
				});
			await expect(withTimeout(work, 5000, cancel.signal)).rejects.toMatchObject({
				code: 'ERR_CANCELED',
			});
		},
	);

	test('a hundred that wait for one signal make Node warn of nothing, and end with it', async () => {
		const warnings: Error[] = [];
		const note = (warning: Error) => void warnings.push(warning);
		process.on('warning', note);
		const cancel = new AbortController();
		const waits = Array.from({ length: 100 }, async () => await delay(30_000, cancel.signal));
		const calls = Array.from({ length: 100 }, async () =>
			settle(withTimeout(async () => await new Promise(() => {}), 30_000, cancel.signal)),
		);
		await delay(10);
		cancel.abort();
		expect(new Set(await Promise.all(waits))).toEqual(new Set([false]));
		for (const { ok } of await Promise.all(calls)) expect(ok).toBe(false);
		process.off('warning', note);
		expect(warnings).toEqual([]);
	});
});

test('work of one name is done one after another, however it ends', async () => {
	const turns = new KeyedMutex('work of this test');
	const log: string[] = [];
	const work =
		(name: string, fails = false) =>
		async () => {
			log.push(`${name} begins`);
			await new Promise((resolve) => setImmediate(resolve));
			log.push(`${name} ends`);
			if (fails) throw new Error(name);
			return name;
		};
	const first = turns.run('a', work('first', true));
	const second = turns.run('a', work('second'));
	const other = turns.run('b', work('other'));
	await expect(first).rejects.toThrow('first');
	expect(await Promise.all([second, other])).toEqual(['second', 'other']);
	expect(log.filter((line) => !line.startsWith('other'))).toEqual([
		'first begins',
		'first ends',
		'second begins',
		'second ends',
	]);
	expect(log.indexOf('other begins')).toBeLessThan(log.indexOf('first ends'));
});

test.each([
	[1_767_225_600_000, '2026-01-01T00:00:00.000Z'],
	['1767225600000', '2026-01-01T00:00:00.000Z'],
	['-1', '1969-12-31T23:59:59.999Z'],
	['2026-01-01T01:00+01:00', '2026-01-01T00:00:00.000Z'],
	['2026-01-01', '2026-01-01'],
	['2026-01-01T00:00:00', '2026-01-01T00:00:00'],
	['9'.repeat(30), '9'.repeat(30)],
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

test.each([
	[' A\u00a0\t\r\nB\u3000 ', 'A B'],
	['e\u0301\u200b\u00ad\u2060', '\u00e9'],
	['e\u200b\u0301', '\u00e9'],
	['\ufeff\u202e\u{E0001}a\u0000b\ufe0f', 'ab'],
	['\uff21\u2460', 'A1'],
	['\u200b', ''],
])('%j in its normal form is %j', (text, normal) => {
	expect(normalText(text)).toBe(normal);
	expect(normalName(text)).toBe(normal.toLowerCase());
});

test.each([
	['ΟΔΟΣ', 'οδος'],
	['ΟΔΟΣ', 'οδοσ'],
	['STRASSE', 'straße'],
	['Straẞe', 'STRASSE'],
	['ﬁle', 'FILE'],
	['İSTANBUL', 'istanbul'],
	['ISPARTA', 'ısparta'],
])('%s and %s are one name', (one, other) => {
	expect(normalName(one)).toBe(normalName(other));
});

test('accents make two names, and one when a person searches', () => {
	expect(normalName('año')).not.toBe(normalName('ano'));
	expect(searchName('Año')).toBe(searchName('ano'));
	expect(searchName('Łódź')).toBe(searchName('lodz'));
	expect(searchName('Côte d’Ivoire')).toBe(searchName("cote d'ivoire"));
});

test('the normal form of a long text takes no time', () => {
	const text = '\u00a0 \u200b'.repeat(300_000);
	expect(processorTimeOf(() => normalText(`${text}a${text}`))).toBeLessThan(1000);
});

describe('an account', () => {
	const idOf = (baseUrl: string, userId = 'u') => accountOf({ baseUrl, userId }).id;
	const id = idOf('https://sign.example.com/api');

	test.each([
		'https://sign.example.com/api/',
		' HTTPS://Sign.Example.COM/API',
		'https://sign.example.com:443//api//',
		'http://sign.example.com:80/api',
	])('is the same with the Base URL %j', (baseUrl) => {
		expect(idOf(baseUrl, ' u ')).toBe(id);
	});

	test.each([
		['https://sign.example.com', 'u'],
		['https://sign.example.com/test/api', 'u'],
		['https://sign.example.com:8443/api', 'u'],
		['https://sign.example.org/api', 'u'],
		['https://sign.example.com/api', 'v'],
	])('is another one with %s and the user %s', (baseUrl, userId) => {
		expect(idOf(baseUrl, userId)).not.toBe(id);
	});
});

describe('the base URL', () => {
	test.each([
		['https://sign.example.com/', 'https://sign.example.com'],
		['  https://sign.example.com/api/v1//  ', 'https://sign.example.com/api/v1'],
		['http://127.0.0.1:4010/api', 'http://127.0.0.1:4010/api'],
	])('%j', (given, normal) => {
		expect(normalizeBaseUrl(given)).toBe(normal);
	});

	test.each([
		['', 'Base URL: enter the URL'],
		[undefined, 'Base URL: enter the URL'],
		['sign.example.com', 'Base URL: this is not a URL'],
		['ftp://sign.example.com', 'Base URL: this is not a URL'],
		['https://sign.example.com/?a=1', 'Base URL: delete the "?" or "#" and everything after it'],
		['https://sign.example.com/#a', 'Base URL: delete the "?" or "#" and everything after it'],
	])('%j is refused', (given, message) => {
		expect(() => normalizeBaseUrl(given)).toThrow(message);
	});

	test('is shown without its path and login', () => {
		expect(originOf('https://user:pass@sign.example.com/secret/api')).toBe(
			'https://sign.example.com',
		);
		expect(originOf('sign.example.com/secret')).toBe('the Base URL');
	});
});

describe('JSON from outside', () => {
	test.each([
		['[9007199254740991,-9007199254740991]'],
		['{"a":1.12345678901234567890,"b":1e12345678901234567,"c":12345678901234567890.5}'],
		['[1234567890123456]'],
		['["9007199254740993"]'],
		['["\\"9007199254740993"]'],
		['["\\\\","9007199254740993"]'],
		['[00009007199254740993]'],
		[''],
		['"\\'],
		['"half a text 9007199254740993'],
	])('%s stays as it is', (json) => {
		expect(prepareJson(json)).toBe(json);
	});

	test.each([
		['[9007199254740993]', '["9007199254740993"]'],
		['-9007199254740993', '"-9007199254740993"'],
		['{"a" : 12345678901234567000 }', '{"a" : "12345678901234567000" }'],
		[
			'["\\\\",9007199254740993,"é",9007199254740995]',
			'["\\\\","9007199254740993","é","9007199254740995"]',
		],
	])('%s: whole numbers that would lose digits become texts', (json, prepared) => {
		expect(prepareJson(json)).toBe(prepared);
	});

	test.each([
		['as deep as the limit', '['.repeat(100), true],
		['a list one deeper', '['.repeat(101), false],
		['an object one deeper', '{"a":'.repeat(101), false],
		['many, one after another', '[{}],'.repeat(101), true],
		['brackets inside a text', `["${'{['.repeat(101)}"]`, true],
		['a quotation mark inside a text', `["\\"${'{'.repeat(101)}"]`, true],
		['a text that ends with a backslash', `["\\\\",${'{'.repeat(101)}]`, false],
	])('%s', (_, json, isAccepted) => {
		expect(prepareJson(json) !== undefined).toBe(isAccepted);
	});

	// A limit in milliseconds would fail where the code is instrumented for coverage.
	test.each(['"', '\\"', '[]', 'a', '9', '1234567890123456,', '99999999999999999,'])(
		'is looked at in a time that grows with 8 MB of %j',
		(piece) => {
			const timeOf = (size: number) => {
				const json = piece.repeat(size / piece.length);
				return processorTimeOf(() => prepareJson(json));
			};
			// Eight times as many characters; the square would be 64.
			expect(timeOf(8_000_000)).toBeLessThan(24 * timeOf(1_000_000) + 20);
		},
	);
});
