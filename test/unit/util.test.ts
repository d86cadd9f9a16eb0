import fc from 'fast-check';
import { credentialProblems } from '../../nodes/SignVerify/account/credentialProblems';
import {
	settle,
	delay,
	withTimeout,
	KeyedMutex,
	Slots,
	timeIsOver,
} from '../../nodes/SignVerify/util/async';
import { accountOf } from '../../nodes/SignVerify/account/account';
import { normalizeBaseUrl } from '../../nodes/SignVerify/account/credential';
import { normalName, normalText, searchName } from '../../nodes/SignVerify/util/names';
import { isoTime } from '../../nodes/SignVerify/util/times';
import { isLoopbackUrl, isPrivateUrl, originOf, pathBelow } from '../../nodes/SignVerify/util/urls';
import { canBeKey } from '../../nodes/SignVerify/util/values';
import { comparedText, seenText } from '../../nodes/SignVerify/util/text';
import { prepareJson } from '../../nodes/SignVerify/util/json';
import { expectLinear } from '../support/growth';
import { errorWithCode } from '../support/standIn';

describe('A time limit for work', () => {
	test('ends the work when the time is up', async () => {
		let ended: AbortSignal | undefined;
		const work = async (signal: AbortSignal) => {
			ended = signal;
			return await new Promise(() => {});
		};
		await expect(withTimeout(work, 20)).rejects.toMatchObject({ code: timeIsOver });
		expect(ended?.aborted).toBe(true);
	});

	test.each([16.1 * 1000, 100 / 3, -5])('can have an unusual value: %d ms', async (ms) => {
		const ended = await settle(withTimeout(async () => await Promise.resolve('done'), ms));
		expect(ended).toEqual({ ok: true, value: 'done' });
	});

	test.each(['before the work starts', 'while the work is running'])(
		'ends the work early if the execution is canceled %s',
		async (when) => {
			const cancel = new AbortController();
			if (when === 'before the work starts') cancel.abort();
			else setTimeout(() => cancel.abort(), 10);
			const work = async (signal: AbortSignal) =>
				await new Promise((_, reject) => {
					if (signal.aborted) reject(errorWithCode('ERR_CANCELED'));
					signal.addEventListener('abort', () => reject(errorWithCode('ERR_CANCELED')));
				});
			await expect(withTimeout(work, 5000, cancel.signal)).rejects.toMatchObject({
				code: 'ERR_CANCELED',
			});
		},
	);

	test('does not cause a Node.js warning if 100 calls share one abort signal', async () => {
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

test('Even a pause of 0 ms is reported as interrupted if the execution has been canceled', async () => {
	const cancel = new AbortController();
	expect(await delay(0, cancel.signal)).toBe(true);
	cancel.abort();
	expect(await delay(0, cancel.signal)).toBe(false);
});

test('Tasks with the same name run one after another, even if one of them fails', async () => {
	const turns = new KeyedMutex();
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

test('A task waits for the previous task with the same name even if the one before that has ended', async () => {
	const turns = new KeyedMutex();
	let finishSecond = () => {};
	const second = new Promise<void>((resolve) => (finishSecond = resolve));
	const log: string[] = [];
	const first = turns.run('a', async () => await Promise.resolve());
	const running = turns.run('a', async () => await second);
	await first;
	const third = turns.run('a', async () => await Promise.resolve(log.push('third begins')));
	await new Promise((resolve) => setImmediate(resolve));
	expect(log).toEqual([]);
	finishSecond();
	await Promise.all([running, third]);
	expect(log).toEqual(['third begins']);
});

describe('Slots', () => {
	const upTo = (limit: number) => (running: number) => running < limit;
	/**
	 * Requests a slot. In the returned object, `granted` is undefined until the request is granted or denied.
	 */
	function ask(slots: Slots, limit: number, cancel?: AbortSignal) {
		const asked: { granted?: boolean } = {};
		void slots.acquire(upTo(limit), cancel).then((granted) => (asked.granted = granted));
		return asked;
	}
	const soon = async () => await new Promise((resolve) => setImmediate(resolve));
	const granted = (asked: Array<{ granted?: boolean }>) => asked.map((one) => one.granted);

	test('are granted in the order in which they are requested, up to the limit', async () => {
		const slots = new Slots();
		const asked = [ask(slots, 2), ask(slots, 2), ask(slots, 2), ask(slots, 2)];
		await soon();
		expect(granted(asked)).toEqual([true, true, undefined, undefined]);
		slots.release();
		await soon();
		expect(granted(asked)).toEqual([true, true, true, undefined]);
		slots.release();
		slots.release();
		slots.release();
		await soon();
		expect(granted([...asked, ask(slots, 1)])).toEqual([true, true, true, true, undefined]);
		expect(await slots.acquire(upTo(2))).toBe(true);
	});

	test('are not granted to new work while earlier work waits', async () => {
		const slots = new Slots();
		const asked = [ask(slots, 2), ask(slots, 2), ask(slots, 2)];
		await soon();
		// The slot goes to the work that waits, although it hasn't continued yet.
		slots.release();
		asked.push(ask(slots, 2));
		await soon();
		expect(granted(asked)).toEqual([true, true, true, undefined]);
	});

	test('are granted up to the latest limit', async () => {
		const slots = new Slots();
		const asked = [ask(slots, 1), ask(slots, 1), ask(slots, 1), ask(slots, 4)];
		await soon();
		expect(granted(asked)).toEqual([true, true, true, true]);
	});

	test('are not granted to canceled work, even if it was already waiting', async () => {
		const slots = new Slots();
		const cancel = new AbortController();
		const first = ask(slots, 1, cancel.signal);
		const waiting = ask(slots, 1, cancel.signal);
		const next = ask(slots, 1);
		await soon();
		cancel.abort();
		await soon();
		expect(granted([first, waiting, next])).toEqual([true, false, undefined]);
		expect(await slots.acquire(upTo(1), cancel.signal)).toBe(false);
		slots.release();
		await soon();
		expect(next.granted).toBe(true);
	});
});

const machine = 'only from the same machine';
const network = 'only from the same network';
const internet = 'from the internet';

test.each([
	['http://localhost:5678/x', machine],
	['http://n8n.localhost/', machine],
	['http://127.0.0.1/', machine],
	['http://127.12.255.1:80/', machine],
	['http://[::1]/', machine],
	['http://n8n/', network],
	['http://printer.local/', network],
	['https://n8n.internal/', network],
	['https://n8n.lan/', network],
	['http://10.1.22.133/', network],
	['http://0.0.0.0/', machine],
	['http://192.168.10.20/', network],
	['http://169.254.169.254/', network],
	['http://172.16.0.1/', network],
	['http://172.31.255.1/', network],
	['http://[fd12:3456::1]/', network],
	['http://[fe80::1]/', network],
	['http://[::]/', machine],
	['http://0.1.2.3/', network],
	['not a URL', network],
	['http://172.32.0.1/', internet],
	['http://192.169.1.1/', internet],
	['http://11.0.0.127/', internet],
	['http://[2001:db8::1]/', internet],
	['https://localhost.example.com/', internet],
	['https://notlocalhost.com/', internet],
	['http://notlocalhost/', network],
	['http://localhost./', machine],
	['http://n8n.lan./', network],
	['https://n8n.example.com./', internet],
	['https://n8n.lan.example/', internet],
	['https://n8n.example.com/127.0.0.1', internet],
])('%j is treated as reachable %s', (url, from) => {
	expect({ isPrivate: isPrivateUrl(url), isLoopback: isLoopbackUrl(url) }).toEqual({
		isPrivate: from !== internet,
		isLoopback: from === machine,
	});
});

test.each([
	[
		'https://a.example/api',
		'https://a.example/api/webhooks?type=x',
		'has the path "/webhooks"',
		'/webhooks',
	],
	['https://a.example/api/', 'https://a.example/api', 'has the path "/"', '/'],
	['https://a.example', 'https://a.example/webhooks', 'has the path "/webhooks"', '/webhooks'],
	['https://a.example/api', 'https://a.example/apis/webhooks', 'is not below it', undefined],
	['https://a.example/api', 'https://a.example/', 'is not below it', undefined],
	['https://a.example/api', 'https://b.example/api/webhooks', 'is not below it', undefined],
	['https://a.example/api', 'http://a.example/api/webhooks', 'is not below it', undefined],
	['not a URL', 'https://a.example/api', 'is not below it', undefined],
	['https://a.example/api', 'not a URL', 'is not below it', undefined],
])('With the Base URL %j, the URL %j %s', (baseUrl, url, _outcome, path) => {
	expect(pathBelow(baseUrl, url)).toBe(path);
});

test('The path of a URL below the Base URL is the one that a client would call', () => {
	const pieces = [
		'/',
		'/',
		'a',
		'b-c_1',
		'.',
		'..',
		'%2e',
		'%2F',
		'\\',
		'@',
		':',
		'?',
		'#',
		'\t',
		'é',
		' ',
	];
	const rests = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((all) => all.join(''));
	fc.assert(
		fc.property(fc.constantFrom('', '/api'), rests, (root, rest) => {
			const baseUrl = `https://a.example${root}`;
			const url = `${baseUrl}${rest}`;
			const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: '' };
			const isBelow = origin === 'https://a.example' && `${pathname}/`.startsWith(`${root}/`);
			const path = isBelow ? pathname.slice(root.length) || '/' : undefined;
			expect({ url, path: pathBelow(baseUrl, url) }).toEqual({ url, path });
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	[1_767_225_600_000, '2026-01-01T00:00:00.000Z'],
	['1767225600000', '2026-01-01T00:00:00.000Z'],
	[' 1767225600000\n', '2026-01-01T00:00:00.000Z'],
	['1767225600000.75', '2026-01-01T00:00:00.000Z'],
	['1767225600000.7x', '1767225600000.7x'],
	['-1', undefined],
	[-1, undefined],
	[0, undefined],
	['0', undefined],
	['1970-01-01T00:00:00Z', undefined],
	[1, '1970-01-01T00:00:00.001Z'],
	['2026-01-01t00:00:00.125Z', '2026-01-01T00:00:00.125Z'],
	['2026-01-01T00:00:00+0000', '2026-01-01T00:00:00.000Z'],
	['2026-01-01T00:00:00Z (UTC)', '2026-01-01T00:00:00Z (UTC)'],
	['+02026-01-01T00:00:00Z', '+02026-01-01T00:00:00Z'],
	['2026-01-01T01:00+01:00', '2026-01-01T00:00:00.000Z'],
	['2026-01-01', '2026-01-01'],
	['2026-01-01T00:00:00', '2026-01-01T00:00:00'],
	['9'.repeat(30), '9'.repeat(30)],
	['', undefined],
	[undefined, undefined],
])('The time %j is output as %j', (value, text) => {
	expect(isoTime(value)).toBe(text);
});

test.each(['={{ 1 }}', '=', '__proto__', 'constructor', 'prototype'])(
	'n8n cannot store %j as a key but can store it with a leading space',
	(key) => {
		expect(canBeKey(key)).toBe(false);
		expect(canBeKey(` ${key}`)).toBe(true);
	},
);

test.each([
	['has single spaces and none at the ends', ' A\u00a0\t\r\nB\u3000 ', 'A B'],
	['has composed accents and no invisible characters', 'e\u0301\u200b\u00ad\u2060', '\u00e9'],
	[
		'has a composed accent even if an invisible character came before it',
		'e\u200b\u0301',
		'\u00e9',
	],
	['has no hidden or control characters', '\ufeff\u202e\u{E0001}a\u0000b\ufe0f', 'ab'],
	['has plain letters and digits instead of full-width and circled ones', '\uff21\u2460', 'A1'],
	['is empty if the text contains only an invisible character', '\u200b', ''],
])('The normal form of text %s', (_does, text, normal) => {
	expect(normalText(text)).toBe(normal);
	expect(normalName(text)).toBe(normal.toLowerCase());
});

const blanks = ' \t\r\n\v\f\u0085\u00a0\u1680\u2002\u200b\u2028\u202f\u3000\ufeff';

test.each([
	['spaces, line breaks, and the byte order mark', `${blanks}a b${blanks}`, 'a b'],
	['a pair of direction marks', ' \u202aAna\u202c\u00a0', 'Ana'],
	['direction marks that work alone', '\u200f \u061cAna\u200e ', 'Ana'],
	['everything, if nothing is seen', ` \u2068${blanks}\u2069`, ''],
])('What is seen of a text leaves out %s at its ends', (_what, text, seen) => {
	expect(seenText(text)).toBe(seen);
});

test.each(
	[
		[
			'a b',
			'\u0d30\u0d1c\u0d28\u0d4d\u200d',
			'\u0639\u0644\u06cc\u200c',
			'\u{1F3F4}\u{E0067}\u{E007F}',
		],
		// Half of a pair, whose other half is inside the text, and a mark that turns the letters around.
		[
			'\u202aa\u202c b',
			'a \u2068b\u2069',
			'\u2068a\u2069 \u2068b\u2069',
			'\u202eanA\u202c',
			'Ana\u202e',
		],
		['%0aAna%0d', '\u00adAna', 'Cafe\u0301', '\ufa19', 'A\u00a0 \nb'],
	].flat(),
)('What is seen of a text is the whole text if it is %j', (text) => {
	expect(seenText(text)).toBe(text);
	expect(seenText(` ${text}\u200e`)).toBe(text);
});

test.each([
	['Ana Gil', ' Ana\u00a0 Gil\r\n', true],
	['Rent\nand deposit', 'Rent and\u3000\tdeposit\u200b', true],
	['Caf\u00e9', 'Cafe\u0301', true],
	['\u2068Ana\u2069', 'Ana', true],
	['Anexo 1', 'Anexo1', false],
	['Caf\u00e9', 'Cafe', false],
	['Ana', 'ana', false],
	['\uff11', '1', false],
	['രാജന്\u200d', 'രാജന്', false],
])('For comparisons, %j and %j are the same: %j', (one, other, isSame) => {
	expect(comparedText(one) === comparedText(other)).toBe(isSame);
});

test('A text is read and compared in linear time', async () => {
	await expectLinear(40_000, (length) => {
		const blank = ' \u202a\u200b\u00a0'.repeat(length / 4);
		return () => [`${blank}a${blank}`, `a${blank}\u202eb`].map(comparedText);
	});
});

test.each([
	['ΟΔΟΣ', 'οδος'],
	['ΟΔΟΣ', 'οδοσ'],
	['STRASSE', 'straße'],
	['Straẞe', 'STRASSE'],
	['ﬁle', 'FILE'],
	['İSTANBUL', 'istanbul'],
	['ISPARTA', 'ısparta'],
	['ȘTEFAN ȚEPEȘ', 'ştefan ţepeş'],
])('The names %j and %j are treated as the same', (one, other) => {
	expect(normalName(one)).toBe(normalName(other));
});

test('The normal form of a name keeps a Greek sigma', () => {
	expect(normalName('ΟΔΟΣ')).not.toBe(normalName('ΟΔΟ'));
	expect(normalName('ΟΔΟΣΗΜΑ')).toContain(normalName('ΟΔΟΣ'));
});

test('Accents distinguish names but not search terms', () => {
	expect(normalName('año')).not.toBe(normalName('ano'));
	expect(searchName('Año')).toBe(searchName('ano'));
	expect(searchName('Łódź')).toBe(searchName('lodz'));
	for (const apostrophe of ["'", '’', '‘', 'ʼ', '`', '´', '＇']) {
		expect(searchName(`Côte d${apostrophe}Ivoire`)).toBe('cote divoire');
	}
});

test('The normal form of text is computed in linear time', async () => {
	await expectLinear(40_000, (length) => {
		const text = '\u00a0 \u200b'.repeat(length / 6);
		return () => normalText(`${text}a${text}`);
	});
});

describe('An account', () => {
	const idOf = (baseUrl: string, userId = 'u') => accountOf({ baseUrl, userId }).id;
	const id = idOf('https://sign.example.com/api');

	test.each([
		'https://sign.example.com/api/',
		' HTTPS://Sign.Example.COM/API',
		'https://sign.example.com:443//api//',
		'http://sign.example.com:80/api',
	])('stays the same if the Base URL is %j', (baseUrl) => {
		expect(idOf(baseUrl, ' u ')).toBe(id);
	});

	test.each([
		['https://sign.example.com', 'u'],
		['https://sign.example.com/test/api', 'u'],
		['https://sign.example.com:8443/api', 'u'],
		['https://sign.example.org/api', 'u'],
		['https://sign.example.com/api', 'v'],
	])('differs if the Base URL is %j and the user is %j', (baseUrl, userId) => {
		expect(idOf(baseUrl, userId)).not.toBe(id);
	});
});

describe('The Base URL', () => {
	test.each([
		['https://sign.example.com/', 'https://sign.example.com'],
		['  https://sign.example.com/api/v1//  ', 'https://sign.example.com/api/v1'],
		['http://127.0.0.1:4010/api', 'http://127.0.0.1:4010/api'],
	])('%j is normalized to %j', (given, normal) => {
		expect(normalizeBaseUrl(given)).toBe(normal);
	});

	test.each([
		['', 'noBaseUrl'],
		[undefined, 'noBaseUrl'],
		['sign.example.com', 'noUrl'],
		['ftp://sign.example.com', 'noUrl'],
		['https://sign.example.com/?a=1', 'queryInBaseUrl'],
		['https://sign.example.com/#a', 'queryInBaseUrl'],
	] as const)('%j is rejected (%s)', (given, row) => {
		expect(() => normalizeBaseUrl(given)).toThrow(credentialProblems[row].problem);
	});

	test('is shown without its path or login', () => {
		expect(originOf('https://user:pass@sign.example.com/secret/api')).toBe(
			'https://sign.example.com',
		);
		expect(originOf('sign.example.com/secret')).toBe('the Base URL');
	});
});

describe('JSON from the service', () => {
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
	])('is left unchanged: `%s`', (json) => {
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
	])('has text in place of whole numbers that would lose digits: `%s`', (json, prepared) => {
		expect(prepareJson(json)).toBe(prepared);
	});

	test.each([
		['is accepted at the maximum depth', '['.repeat(100), true],
		['is rejected if a list is one level too deep', '['.repeat(101), false],
		['is rejected if an object is one level too deep', '{"a":'.repeat(101), false],
		['is accepted if it contains many objects in a row', '[{}],'.repeat(101), true],
		['is accepted even if it has many brackets inside a string', `["${'{['.repeat(101)}"]`, true],
		[
			'is accepted even if it has many braces after an escaped quotation mark in a string',
			`["\\"${'{'.repeat(101)}"]`,
			true,
		],
		[
			'is rejected if it is too deep after a string that ends with a backslash',
			`["\\\\",${'{'.repeat(101)}]`,
			false,
		],
	])('%s', (_, json, isAccepted) => {
		expect(prepareJson(json) !== undefined).toBe(isAccepted);
	});

	test.each(['"', '\\"', '[]', 'a', '9', '1234567890123456,', '99999999999999999,'])(
		'is checked in linear time, even if it repeats %j',
		async (piece) => {
			await expectLinear(80_000, (length) => {
				const json = piece.repeat(length / piece.length);
				return () => prepareJson(json);
			});
		},
	);
});
