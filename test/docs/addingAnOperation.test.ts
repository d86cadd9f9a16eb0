import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { openapiOptions } from '../../sandbox/contract/document';
import { root } from '../../scripts/tools';
import { problemsOfEntries, testedOperations } from '../operations';
import { template } from '../operations/template';
import { tableRows } from '../sandbox/conformance/servicePage';
import { endpointsMissingOn, operationsMissingOn, rowsWithoutCheck } from './guards';
import { readPage } from './markdown';

// docs/dev/adding-an-operation.md lists the places that a new operation needs. The example is removed
// from each of them, and the guard of that place must say what the page says.
const page = readPage('docs/dev/adding-an-operation.md').prose;
const places = page
	.split('\n')
	.filter((line) => /^\| `[\w/]+\.(ts|md)`/.test(line))
	.map((line) => line.split('|').map((cell) => cell.trim().replace(/^`|`$/g, '')))
	.map(([, place = '', , words = '']) => [place, words] as const);

const known = testedOperations.map(({ operation }) => operation);
const templates = known.filter(({ resource }) => resource === 'template');
const isExample = ({ value }: { value: string }) => value === 'get';
const endpoint = 'GET /templates/v2';

/** What a function says when it throws. */
function thrownBy(work: () => unknown): string[] {
	try {
		work();
	} catch (error) {
		return [(error as Error).message];
	}
	return [];
}

/** A page without the lines that have a text. */
function pageWithout(file: string, text: string) {
	const { prose, ...rest } = readPage(file);
	const lines = prose.split('\n');
	const left = lines.filter((line) => !line.includes(text));
	expect(left.length).toBeLessThan(lines.length);
	return { ...rest, prose: left.join('\n') };
}

/** What the guard of a place says when the example is not there. */
const guards: Record<string, () => string[]> = {
	'nodes/SignVerify/operations/registry.ts': () =>
		problemsOfEntries(
			templates.filter((each) => !isExample(each)),
			{ template },
		),
	'docs/dev/service.md': () =>
		endpointsMissingOn(pageWithout('docs/dev/service.md', '`GET {base_url}/templates/v2`')),
	'sandbox/contract/operations.ts': () =>
		// As if the endpoint had another name there: no words are found for its route.
		thrownBy(() =>
			openapiOptions.transform?.({
				schema: {},
				url: '/api/templates/v2 of-the-example',
				route: { method: 'GET' },
			} as never),
		).map((words) => words.replaceAll(' of-the-example', '')),
	'sandbox/http/routesTemplates.ts': () => {
		const file = path.join(root, 'sandbox/openapi.json');
		const document = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, object> };
		delete document.paths['/templates/v2'];
		return thrownBy(() => openapiOptions.transformObject?.({ openapiObject: document }));
	},
	'test/sandbox/conformance/rowsEndpoints.ts': () => {
		const rows = tableRows();
		return rowsWithoutCheck(
			rows,
			rows.filter((row) => row !== 'List templates, version 2: Call'),
		);
	},
	'test/operations/template.ts': () => {
		const { get, ...rest } = template;
		expect(get?.calls.list).toBe(endpoint);
		return problemsOfEntries(templates, { template: rest });
	},
	'README.md': () => operationsMissingOn(pageWithout('README.md', '| Template |')),
};

test('the page lists nine places, three of which ship', () => {
	expect(places).toHaveLength(9);
	expect(places.filter(([place]) => place.startsWith('nodes/'))).toHaveLength(3);
	const compiled = places.filter(([, words]) => words === 'the compiler').map(([place]) => place);
	expect([...compiled, ...Object.keys(guards)].sort()).toEqual(
		places.map(([place]) => place).sort(),
	);
});

test.each(places)('%s is there, and its guard says what is missing', (place, words) => {
	expect(existsSync(path.join(root, place))).toBe(true);
	const said = guards[place]?.();
	if (said) expect(said.filter((each) => each.startsWith(words))).toHaveLength(1);
});
