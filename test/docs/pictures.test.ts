import { readdirSync, statSync } from 'node:fs';

import sharp from 'sharp';

import {
	examplesIn,
	readFingerprints,
	resultFingerprint,
} from '../../scripts/pictures/fingerprints';
import { docsImages, filmFile } from '../../scripts/pictures/folder';
import { allExamples } from '../support/exampleFiles';
import { readPages } from './markdown';

const film = filmFile(docsImages);

test('the film consists of eight to ten stills of 1.5 seconds each, starts again after the last one, and fits GitHub', async () => {
	const { format, pages, delay, loop, width } = await sharp(film, { animated: true }).metadata();
	expect({ format, loop }).toEqual({ format: 'webp', loop: 0 });
	expect(pages).toBeGreaterThanOrEqual(8);
	expect(pages).toBeLessThanOrEqual(10);
	expect(delay).toEqual(Array.from({ length: pages ?? 0 }, () => 1500));
	expect(width).toBeLessThanOrEqual(1200);
	expect(statSync(film).size).toBeLessThanOrEqual(2_000_000);
});

/** The film and the pictures of what an example's reader gets, by name. */
const shown = readdirSync(docsImages)
	.map((file) => file.replace(/\.\w+$/, ''))
	.map((picture) => ({ picture, examples: examplesIn(picture) }))
	.filter(({ examples }) => examples.length > 0);

test.each(shown)('the picture "$picture" shows what its examples do now', (of) => {
	const workflows = of.examples.map((example) => {
		const found = allExamples.find(({ name }) => name === example);
		if (!found) throw new Error(`${of.picture}: there is no example "${example}".`);
		return found.workflow;
	});
	const command = `npm run pictures -- ${of.picture}`;
	const fingerprint = readFingerprints()[of.picture];
	expect({ command, fingerprint }).toEqual({
		command,
		fingerprint: resultFingerprint(workflows),
	});
});

test('every picture on a page has a text that describes it', () => {
	const pages = readPages();
	const wordless = pages.flatMap(({ file, prose }) =>
		[...prose.matchAll(/!\[\s*\]\([^)]*\)|<img(?![^>]* alt="[^"]+")[^>]*>/g)].map(
			([picture]) => `${file}: ${picture}`,
		),
	);
	expect(pages.length).toBeGreaterThan(20);
	expect(wordless).toEqual([]);
});
