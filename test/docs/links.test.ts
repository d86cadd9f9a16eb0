import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { manifest, textOfFile } from '../support/files';
import { anchorsOf, idsOf, readPage, readPages, spansOf, targetsOf, type Page } from './markdown';

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

test('every TypeScript file that a page, a comment, or a table of a test names exists', () => {
	const aFile = /(?<![\w/.@$}*-])[A-Za-z]\w*(?:\/[\w.-]+)*\/[\w-]+(?:\.\w+)?\.ts\b/g;
	// The changelog also names files that no longer exist.
	const naming = [...pages.map(({ file }) => file), ...otherFiles()].filter(
		(file) => file !== 'CHANGELOG.md',
	);
	const named = naming.flatMap((file) =>
		[...textOfFile(file).matchAll(aFile)].map(([name]) => ({ file, name })),
	);
	expect(named.length).toBeGreaterThan(200);
	const missing = named.filter(({ file, name }) => {
		const [first = ''] = file.split('/');
		const folders = ['', 'nodes/SignVerify', 'test/e2e', first, path.dirname(file)];
		return !folders.some((folder) => existsSync(path.join(root, folder, name)));
	});
	expect(missing.filter(({ name }) => !name.startsWith('path/to/'))).toEqual([]);
});

/** The text files of the repository, without the pages, whose links are relative. */
function otherFiles(): string[] {
	const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
		cwd: root,
		encoding: 'utf8',
	});
	return tracked
		.trim()
		.split('\n')
		.filter((file) => /\.(?:ts|cjs|mjs|js|json|ya?ml|txt|sh|sql|html|css)$|Dockerfile$/.test(file))
		.filter((file) => !file.endsWith('package-lock.json') && existsSync(path.join(root, file)));
}

// These are the links in the node's and the credential's "Docs", in the notes and emails of the examples, in the
// sandbox, in llms.txt, and in the issue templates, and the pages that comments refer to.
test('every page that another file links to or mentions exists, and so does its heading', () => {
	const mentions = otherFiles().flatMap((file) => {
		// Other repositories have a folder called docs as well.
		const text = textOfFile(file).replace(/https:\/\/[^\s'"`)\\]+/g, (address) =>
			address.startsWith(own) ? address.slice(own.length) : '',
		);
		const found = text.matchAll(
			/(?<![\w-]|\.\.\/)(?:(?:docs|skills)\/[\w/-]+|[A-Z]{5,})\.md(?:#[\w-]+)?/g,
		);
		return [...found].map(([target]) => ({ file, target }));
	});
	const inNodes = mentions.filter(({ file }) => file.endsWith('.node.json'));
	expect(inNodes.length).toBe(4);
	expect(mentions.length).toBeGreaterThan(100);
	const start = readPage('README.md');
	const problems = mentions.map(({ file, target }) => {
		const problem = problemOf(target, start);
		return problem && `${file}: ${target}: ${problem}`;
	});
	expect(problems.filter(Boolean)).toEqual([]);
});

test('the text of each link on a page for users names its target', () => {
	const unclear = /\[(?:here|how|why|see|this \w+|these \w+|all cases|this one)\]\([^)]+\)/gi;
	const found = pages
		.filter(({ file }) => /^(?:README|CONTRIBUTING|docs\/[^/]+)\.md$/.test(file))
		.flatMap(({ file, prose }) => [...prose.matchAll(unclear)].map(([link]) => `${file}: ${link}`));
	expect(found).toEqual([]);
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

// Errors link to single rows of this page's tables. On all other pages, the headings are the anchors.
test('of the pages for users, only docs/troubleshooting.md sets anchors of its own', () => {
	const users = pages.filter(({ file }) => /^(?:README|docs\/[^/]+)\.md$/.test(file));
	expect(users.length).toBeGreaterThan(15);
	const hidden = users.filter((page) => idsOf(page).length > 0).map(({ file }) => file);
	expect(hidden).toEqual(['docs/troubleshooting.md']);
});
