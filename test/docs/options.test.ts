import path from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { action, trigger } from '../support/contexts';
import { readPages } from './markdown';

// Whoever adds an option or a filter describes it for users (docs/dev/adding-an-operation.md).

/** Returns the names of the fields that someone adds to a form one by one: options and filters. */
function addedNames(fields: INodeProperties[]): string[] {
	return fields
		.filter(({ type }) => type === 'collection')
		.flatMap(({ options = [] }) =>
			(options as INodeProperties[]).map(({ displayName }) => displayName),
		);
}

test.each([
	['SignVerify', action],
	['SignVerify Trigger', trigger],
])('a page for users describes every option of %s', (_name, { description }) => {
	const pages = readPages().filter(({ file }) => path.dirname(file) === 'docs');
	const names = [...new Set(addedNames(description.properties))];
	expect(names.length).toBeGreaterThan(3);
	const missing = names.filter((name) => !pages.some(({ prose }) => prose.includes(`**${name}**`)));
	expect(missing.map((name) => `add a row for **${name}** to a page in docs/`)).toEqual([]);
});
