import { seedTemplates } from '../../sandbox/documents/templates';
import { cleanText, fillIn } from '../../sandbox/documents/text';
import { writtenTime } from '../../sandbox/documents/time';

describe('seed templates', () => {
	const all = seedTemplates();

	test('each text uses each of its variables, and no others', () => {
		for (const { name, body, fields } of all) {
			const text = body.map((block) => block.text).join(' ');
			const used = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, key]) => key);
			expect([name, [...new Set(used)].sort()]).toEqual([name, fields.map((f) => f.key).sort()]);
			expect(body.filter(({ kind }) => kind === 'clause').length).toBeGreaterThanOrEqual(6);
		}
	});
});

describe('text', () => {
	test('inputs cannot bring line breaks, controls or reversed reading direction', () => {
		expect(cleanText(' a\n\nb\u0000\u202Ec\ud800 ')).toBe('a bc');
		expect(cleanText('𝒜 ok')).toBe('𝒜 ok');
	});

	test('a value that looks like a variable is not filled in again', () => {
		const runs = fillIn('{{a}}', { a: '{{b}}', b: 'secret' });
		expect(runs).toEqual([{ text: '{{b}}', kind: 'stamped' }]);
	});

	test('names of object members are no variables', () => {
		expect(fillIn('{{constructor}}', {})).toEqual([{ text: '(not stated)', kind: 'missing' }]);
	});
});

describe('times', () => {
	const winter = Date.UTC(2026, 0, 5, 4, 5, 6);
	test.each([
		['México', winter, '4 January 2026, 22:05:06 (UTC−6)'],
		[' mexico ', winter, '4 January 2026, 22:05:06 (UTC−6)'],
		['Colombia', winter, '4 January 2026, 23:05:06 (UTC−5)'],
		['United States', winter, '4 January 2026, 23:05:06 (UTC−5)'],
		['United States', Date.UTC(2026, 6, 5, 4, 5, 6), '5 July 2026, 00:05:06 (UTC−4)'],
		['España', winter, '5 January 2026, 05:05:06 (UTC+1)'],
		['Atlantis', winter, '5 January 2026, 04:05:06 (UTC)'],
		['', winter, '5 January 2026, 04:05:06 (UTC)'],
		['Mexico', NaN, ''],
		['Mexico', undefined, ''],
	])('in %j', (country, time, text) => {
		expect(writtenTime(time, country)).toBe(text);
	});
});
