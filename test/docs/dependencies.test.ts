import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { readPage } from './markdown';

const { devDependencies, dependencies } = JSON.parse(
	readFileSync(path.join(root, 'package.json'), 'utf8'),
) as { devDependencies: Record<string, string>; dependencies?: object };

test('docs/dev/architecture.md says of each development dependency what it is for', () => {
	const [, section = ''] = readPage('docs/dev/architecture.md').prose.split(
		'## Development dependencies\n',
	);
	const listed = [...section.matchAll(/^\| `([^`]+)` +\| \S.{5}/gm)].map(([, name]) => name);
	expect(listed).toEqual(Object.keys(devDependencies));
});

test('there are at most 50, each in an exact version, and no other dependencies', () => {
	const versions = Object.values(devDependencies);
	expect(versions.length).toBeLessThanOrEqual(50);
	expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
	expect(dependencies).toBeUndefined();
});
