import { readdirSync } from 'node:fs';
import path from 'node:path';

import { needsAuthorization } from '../../nodes/SignVerify/account/authenticate';
import { contract, endpointNames } from '../../sandbox/contract/endpoints';
import { eventTypes } from '../../sandbox/schemas';
import { root } from '../../scripts/tools';
import { textOfFile } from '../support/files';
import { endpointSections, headersSaid } from '../sandbox/conformance/servicePage';
import { anchorsOf, readPage, spansOf } from './markdown';

const file = 'docs/dev/service.md';
const page = readPage(file);
const anchors = anchorsOf(page);
/** The project's code files, without installed packages. */
const sources = ['nodes', 'credentials', 'sandbox', 'host', 'bench', 'scripts', 'test'].flatMap(
	(folder) =>
		readdirSync(path.join(root, folder), { recursive: true })
			.map((name) => path.join(folder, String(name)))
			.filter((name) => /\.(ts|cjs|mjs|eta)$/.test(name) && !name.includes('node_modules')),
);
const texts = sources.map((name) => ({ name, text: textOfFile(name) }));

test('the pages have every heading that the code refers to', () => {
	const named = texts.flatMap(({ name, text }) =>
		// A comment can name several headings. Only the first of them directly follows the name of the page.
		[...text.matchAll(/\b(docs\/[\w/-]+\.md)(#[\w-]+(?:,[\s*]+#[\w-]+)*)/g)].flatMap(
			([, file = '', all = '']) =>
				[...all.matchAll(/#([\w-]+)/g)].map(([, anchor = '']) => ({ name, file, anchor })),
		),
	);
	expect(named.length).toBeGreaterThan(80);
	expect(named.filter(({ file, anchor }) => !anchorsOf(readPage(file)).includes(anchor))).toEqual(
		[],
	);
});

/** The endpoints that docs/dev/service.md does not describe, and what to add there. */
function endpointsMissing(): string[] {
	const spans = spansOf(page);
	return endpointNames.flatMap((name) => {
		const [method, url = ''] = name.split(' ');
		const call = `${method} {base_url}${url.replace(/:(\w+)/g, '{$1}')}`;
		const { anchor } = contract[name];
		return [
			...(spans.includes(call) ? [] : [`${file} has no call ${call}: add its table`]),
			...(anchors.includes(anchor) ? [] : [`${file} has no heading #${anchor}: add it`]),
		];
	});
}

/** The calls that the page describes but the sandbox does not support, and what to add to the sandbox. */
function callsWithoutEntry(onPage: Array<{ call: string }>): string[] {
	const known = endpointNames.map((name) => name.replace(/:(\w+)/g, '{$1}'));
	return onPage
		.map(({ call }) => call.replace('{base_url}', ''))
		.filter((call) => !known.includes(call))
		.map(
			(call) =>
				`${call} is in docs/dev/service.md, but has no entry: add it to sandbox/contract/endpoints/`,
		);
}

test("docs/dev/service.md describes all of the sandbox's endpoints and no others", () => {
	expect(endpointsMissing()).toEqual([]);
	expect(callsWithoutEntry(endpointSections())).toEqual([]);
});

test('the credential sends the Authorization header exactly where docs/dev/service.md requires it', () => {
	const wrong = endpointNames.flatMap((name) => {
		const isSent = needsAuthorization(name.replace(/^\w+ /, ''));
		if (isSent === headersSaid(name).includes('authorization')) return [];
		const added = isSent ? 'is in bearerPaths' : 'is not in bearerPaths';
		return `${name} ${added} (nodes/SignVerify/account/authenticate.ts), but the table of ${file}#authentication says otherwise: correct one of them`;
	});
	expect(wrong).toEqual([]);
});

test('openapi.json links to the heading of every endpoint and event in docs/dev/service.md', () => {
	const linked = [
		...textOfFile('sandbox/openapi.json').matchAll(/docs\/dev\/service\.md#([\w-]+)"/g),
	].map(([, anchor = '']) => anchor);
	const events = eventTypes.map((type) => type.toLowerCase());
	const wanted = [...endpointNames.map((name) => contract[name].anchor), ...events];
	const update = 'run npm run generate -- openapi';
	expect([
		...wanted
			.filter((anchor) => !linked.includes(anchor))
			.map((anchor) => `sandbox/openapi.json has no link to #${anchor}: ${update}`),
		...linked
			.filter((anchor) => !wanted.includes(anchor))
			.map((anchor) => `sandbox/openapi.json still links to #${anchor}: ${update}`),
		...events
			.filter((anchor) => !anchors.includes(anchor))
			.map((anchor) => `${file} has no heading #${anchor}: add it`),
	]).toEqual([]);
});
