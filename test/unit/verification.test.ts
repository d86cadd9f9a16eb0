import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/tools';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as Record<string, unknown> & {
	name: string;
	scripts: Record<string, string>;
	repository: { url: string };
	n8n: { nodes: string[] };
};

/** The categories that n8n's nodes panel knows. */
const categories = [
	...['Analytics', 'Communication', 'Data & Storage', 'Development', 'Finance & Accounting'],
	...['Marketing & Content', 'Miscellaneous', 'Productivity', 'Sales', 'Utility'],
];

test('package.json has what n8n asks for', () => {
	expect(manifest).toMatchObject({
		name: expect.stringMatching(/^n8n-nodes-/),
		keywords: expect.arrayContaining(['n8n-community-node-package']),
		license: 'MIT',
		author: { name: expect.stringMatching(/./), email: expect.stringMatching(/@/) },
		repository: {
			type: 'git',
			url: expect.stringMatching(/^git\+https:\/\/github\.com\/.+\.git$/),
		},
		peerDependencies: { 'n8n-workflow': '*' },
		n8n: { n8nNodesApiVersion: 1, strict: true },
	});
	expect(read('LICENSE')).toMatch(/^MIT License/);
});

test('nothing is installed with the package, and nothing runs when it is', () => {
	for (const key of ['dependencies', 'optionalDependencies', 'bundleDependencies', 'bin']) {
		expect(manifest).not.toHaveProperty(key);
	}
	const hooks = /^(pre|post)?(install|uninstall|prepare|publish)$/;
	expect(Object.keys(manifest.scripts).filter((each) => hooks.test(each))).toEqual([]);
});

test.each(manifest.n8n.nodes)('the codex of %s is complete', (file) => {
	const source = file.replace(/^dist\//, '').replace(/\.js$/, '.json');
	const codex = JSON.parse(read(source)) as {
		categories: string[];
		resources: Record<string, Array<{ url: string }>>;
	};
	expect(codex).toMatchObject({
		node: expect.stringMatching(new RegExp(`^${manifest.name}\\.signVerify`)),
		nodeVersion: '1.0',
		codexVersion: '1.0',
	});
	expect(codex.categories.filter((each) => !categories.includes(each))).toEqual([]);
	expect(codex.categories.length).toBeGreaterThan(0);
	const own = manifest.repository.url.replace(/^git\+|\.git$/g, '');
	for (const kind of ['primaryDocumentation', 'credentialDocumentation']) {
		expect(codex.resources[kind]?.[0]?.url).toMatch(new RegExp(`^${own}[#/]`));
	}
});
