import { mistakeInField } from '../../nodes/SignVerify/text/contentMistakes';
import { misreadIn } from '../../nodes/SignVerify/text/wrongEncoding';
import { countriesWithLists } from '../support/realLists';
import { expectLinear } from '../support/growth';
import realValues from './realValues.json';
import sameNames from './sameNames.json';

const severityOf = (text: string) => mistakeInField(text)?.severity ?? 'right';

/** What stands before and after a word in a text that is right. */
const neighbors = [
	...['()', '«»', '»«', '“”', '„“', '‘’', '››', '––'].map((pair) => Array.from(pair)),
	...['l’', '1–', '№', '§', '«\u00a0'].map((before) => [before, '']),
	...['…', '®', '™', '.', '—', '°', '’s', '\u00a0»', '•'].map((after) => ['', after]),
];

/** Every string of a value, and its properties' names. */
function stringsOf(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return Object.entries(Object(value) as object).flatMap(([key, one]) => [key, ...stringsOf(one)]);
}

const words = [sameNames, realValues, countriesWithLists]
	.flatMap(stringsOf)
	.flatMap((text) => [text, ...text.split(' ')]);
/** The words with other letters than ASCII's. */
const wordsInDanger = [...new Set(words)].filter((text) => /[^\p{ASCII}]/u.test(text));

describe('A text that was read in the right encoding', () => {
	test.each([
		...['l’última', 'd’ús', 'D’ÚS', 'mots’Éva', '»zu Fuß«', '“zu groß”', 'PÂTÉ®', 'IRMÃ®', '«IRMû'],
		...['«AMANHû', '„MENÜ“', 'BELLÉ®', 'CAFÉ™', 'TÚ»', 'MENÚ…', 'CITTÈ™', 'PÓŁ', 'SPÓŁKA', 'PÄŤ'],
		...[
			'Ăştia',
			'MĂŞTI',
			'GERMANĂ’s',
			'PERÙ’s',
			'діє',
			'Ні',
			'НІ',
			'МОЇ',
			'ВІД',
			'«Дов…»',
			'ЛІВІЯ№',
			'»КІП«',
			'ОЉ',
		],
		...[
			'“Écoute',
			'Paris–Évry',
			'mot«Été»',
			'das»öffnen«',
			'und…ö',
			'text—Évry',
			'x√π',
			'a≈Ω',
			'5±½',
		],
		...['É»È“', '• – —', '€–', 'AÉ†', 'Å°', 'Ø“', 'ÆØÅ', 'É•È', '1.234,50\u00a0£', '«£1»'],
	])('has no trace of another: %s', (text) => {
		expect(misreadIn(text)).toBeUndefined();
		expect(severityOf(text)).toBe('right');
	});

	test('has no trace of another in a list, whatever is beside its words', () => {
		expect(wordsInDanger.length).toBeGreaterThan(1_500);
		const wrong = wordsInDanger
			.flatMap((text) => [
				text,
				...neighbors.map(([before = '', after = '']) => before + text + after),
			])
			.filter((text) => misreadIn(text) !== undefined);
		expect(wrong).toEqual([]);
	});

	test('has no trace of another in names, dates, and amounts of many languages', () => {
		const languages = [
			'ar bg bn ca cs da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn',
			'ko lt lv mk mn ms my nb ne nl pa pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh zu',
		].flatMap((some) => some.split(' '));
		const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
		const regions = letters.flatMap((one) => letters.map((other) => one + other));
		const texts = languages.flatMap((language) => {
			const namesOf = (type: Intl.DisplayNamesType, codes: string[]) => {
				const names = new Intl.DisplayNames([language], { type });
				return codes.flatMap((code) => names.of(code) ?? []);
			};
			const names = [
				...namesOf('region', regions),
				...namesOf('language', languages),
				...namesOf('currency', Intl.supportedValuesOf('currency')),
			];
			const months = Array.from({ length: 12 }, (_, month) =>
				new Date(Date.UTC(2027, month, 5)).toLocaleDateString(language, { dateStyle: 'full' }),
			);
			const amounts = ['EUR', 'GBP', 'JPY', 'UAH'].map((currency) =>
				(1234567.5).toLocaleString(language, { style: 'currency', currency }),
			);
			const all = [...names, ...months, ...amounts];
			return [...all, ...all.map((text) => text.toLocaleUpperCase(language))];
		});
		expect(texts.length).toBeGreaterThan(50_000);
		expect([...new Set(texts)].filter((text) => misreadIn(text) !== undefined)).toEqual([]);
	});
});

describe('A text that was read in the wrong encoding', () => {
	test.each([
		...['JosÃ©', 'Ã–sterreich', 'Ã“SCAR', '1Âº', '20 Â°C', 'Oâ€™Brien', 'â‚¬', 'WaÅ‚Ä™sa', 'PeÅ¡a'],
		...[
			'PetroviÄ‡',
			'È™i AyÅŸe',
			'IonuÈ›',
			'MÃ¼Ÿer',
			'NguyÃªn',
			'Nguyá»…n',
			'Ù…Ø\u00adÙ…Ø¯',
			'æ—¥æœ¬',
		],
		...['MĂĽller', 'JoĂŁo', 'AbdĂĽl', 'AyĹźe', 'JГјrgen', 'GГ¶ran', 'вЂћnullвЂњ', 'РќРѕРІС‹Р№'],
		...['Jos√©', 'Mu√±oz', 'G√∂ran', '–ò–≤–∞–Ω', '‚ÄúJos√©‚Äù'],
	])('is found: %s', (text) => {
		expect(severityOf(text)).toBe('likely');
	});

	const decoded = (encoding: string, from: number, to: number) =>
		new TextDecoder(encoding).decode(Uint8Array.from({ length: to - from }, (_, at) => from + at));

	test.each([
		[
			'windows-1252',
			`€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ${decoded('latin1', 0xa0, 0x100)}`,
			0.75,
		],
		['windows-1250', decoded('windows-1250', 0x80, 0x100), 0.5],
		['windows-1251', decoded('windows-1251', 0x80, 0x100), 0.5],
		['macintosh', decoded('macintosh', 0x80, 0x100), 0.5],
	])('is usually found if it was %s', (_encoding, characters, expectedShare) => {
		const misread = wordsInDanger
			.map((word) =>
				Array.from(new TextEncoder().encode(word), (byte) =>
					byte < 0x80 ? String.fromCharCode(byte) : characters.charAt(byte - 0x80),
				).join(''),
			)
			// A control character is an error anyway.
			.filter((text) => !/(?!\s)\p{Cc}/u.test(text));
		expect(misread.length).toBeGreaterThan(300);
		const found = misread.filter((text) => severityOf(text) === 'likely');
		expect(found.length / misread.length).toBeGreaterThan(expectedShare);
	});

	test('is found without the tables of other encodings, which not every Node has', () => {
		const { TextDecoder } = globalThis;
		globalThis.TextDecoder = class extends TextDecoder {
			constructor(encoding?: string) {
				if (encoding !== undefined) throw new RangeError('not supported');
				super();
			}
		};
		try {
			jest.isolateModules(() => {
				const fresh = jest.requireActual<{ misreadIn: typeof misreadIn }>(
					'../../nodes/SignVerify/text/wrongEncoding',
				);
				expect(fresh.misreadIn('PeÅ¡a')).toBe('Å¡');
				expect(fresh.misreadIn('Jos√©')).toBeUndefined();
			});
		} finally {
			globalThis.TextDecoder = TextDecoder;
		}
	});

	test.each(['Ã', 'Ð˜', 'â€', '–≤', '–', 'Рќ', 'ğŸ', 'é»', 'aÃ”'])(
		'is checked in linear time: %s',
		async (piece) => {
			await expectLinear(20_000, (length) => {
				const text = piece.repeat(length / piece.length);
				return () => misreadIn(text);
			});
		},
	);
});
