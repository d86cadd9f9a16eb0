import {
	readCountry,
	searchCountryNames,
} from '../../nodes/SignVerify/operations/document/country';
import type { ItemContext } from '../../nodes/SignVerify/operations/types';

const found = (filter?: string) => searchCountryNames(filter).map(({ name }) => name);

test('the list has the countries of today, by name, each once', () => {
	const all = found();
	for (const name of ['Mexico', 'United States', 'Germany', 'Côte d’Ivoire', 'Japan', 'Zimbabwe']) {
		expect(all).toContain(name);
	}
	expect(new Set(all).size).toBe(all.length);
	expect(all).toEqual([...all].sort((left, right) => left.localeCompare(right)));
	expect(all.length).toBeGreaterThan(240);
});

test.each([
	['mex', ['Mexico']],
	['cote d', ['Côte d’Ivoire']],
	['TURKIYE', ['Türkiye']],
	['gb', ['United Kingdom']],
	['Narnia', []],
])('"%s" finds %j', (filter, names) => {
	expect(found(filter)).toEqual(names);
});

test.each([
	['Germny', 'Did you mean Germany?'],
	['us', 'Did you mean United States, '],
	['United States of America', 'Did you mean United States'],
	['Narniax', 'Choose one from the list.'],
])('"%s" is refused: %s', async (text, remedy) => {
	const item = { locator: () => text, rawParameter: () => undefined } as unknown as ItemContext;
	await expect((async () => readCountry(item))()).rejects.toMatchObject({
		description: expect.stringContaining(remedy) as string,
	});
});
