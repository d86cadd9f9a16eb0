import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { manifest, textOfFile } from '../support/files';
import { anchorsOf, readPage, readPages, spansOf, targetsOf, type Page } from './markdown';

const pages = readPages();
const own = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
const links = pages.flatMap((page) => targetsOf(page).map((target) => ({ page, target })));

/** The file and the heading that a link leads to, or undefined if it leads out of the repository. */
function fileOf(target: string, from: Page): { file: string; anchor: string } | undefined {
	const inRepository = target.startsWith(`${own}#`)
		? target.replace(own, 'README.md')
		: target.replace(`${own}/blob/main/`, '');
	if (/^(https?|mailto):/.test(inRepository)) return undefined;
	const [file = '', anchor = ''] = inRepository.split('#');
	const isAbsolute = inRepository !== target;
	const folder = isAbsolute ? '' : path.dirname(from.file);
	return { file: file ? path.join(folder, file) : from.file, anchor };
}

function problemOf(target: string, from: Page): string | undefined {
	const found = fileOf(target, from);
	if (!found) return undefined;
	if (!existsSync(path.join(root, found.file))) return `${found.file} doesn't exist`;
	if (!found.anchor) return undefined;
	return anchorsOf(readPage(found.file)).includes(found.anchor)
		? undefined
		: `${found.file} has no heading #${found.anchor}`;
}

test('every internal link and image in the documentation has an existing target', () => {
	expect(links.length).toBeGreaterThan(60);
	const problems = links.map(({ page, target }) => {
		const problem = problemOf(target, page);
		return problem && `${page.file}: ${target}: ${problem}`;
	});
	expect(problems.filter(Boolean)).toEqual([]);
});

test('every project file mentioned in the documentation exists', () => {
	const isPath = /^(?:test|scripts|sandbox|host|bench|deploy|examples|nodes|docs)\/[\w./-]+\.\w+$/;
	const named = pages.flatMap((page) =>
		// The changelog also names files that no longer exist.
		spansOf(page).filter((span) => isPath.test(span) && page.file !== 'CHANGELOG.md'),
	);
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('every repository link in the nodes, the credential, and the issue template configuration has an existing target', () => {
	const files = [
		'nodes/SignVerify/SignVerify.node.json',
		'nodes/SignVerify/SignVerifyTrigger.node.json',
		'credentials/SignVerifyApi.credentials.ts',
		'.github/ISSUE_TEMPLATE/config.yml',
	];
	const readme = readPage('README.md');
	for (const file of files) {
		const addresses = [...textOfFile(file).matchAll(/https:\/\/github\.com\/[^\s'"]+/g)].map(
			([link]) => link,
		);
		expect(addresses.length).toBeGreaterThan(0);
		for (const link of addresses.filter((address) => !address.endsWith('/security/policy'))) {
			expect({ file, link, problem: problemOf(link, readme) }).toEqual({ file, link });
		}
	}
});

test('docs/README.md links to every page in docs, and every picture in docs/images is used on a page', () => {
	const reached = (from: string) =>
		pages
			.filter(({ file }) => file.startsWith(from))
			.flatMap((page) => targetsOf(page).map((target) => fileOf(target, page)?.file));
	const inDocs = pages.map(({ file }) => file).filter((file) => file.startsWith('docs/'));
	for (const file of inDocs.filter((page) => page !== 'docs/README.md')) {
		expect(reached('docs/README.md')).toContain(file);
	}
	for (const name of readdirSync(path.join(root, 'docs/images'))) {
		// This file is not a picture. It contains a fingerprint of what each picture shows.
		if (name === 'fingerprints.json') continue;
		expect(reached('')).toContain(`docs/images/${name}`);
	}
});
