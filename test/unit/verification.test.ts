import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
import { root } from '../../scripts/tools';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as Record<string, unknown> & {
	name: string;
	scripts: Record<string, string>;
	repository: { url: string };
	n8n: { nodes: string[] };
};
const nodes = [new SignVerify(), new SignVerifyTrigger()].map(({ description }) => description);
const credential = new SignVerifyApi();

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

/** All texts and fields of a form, however deep. */
function* everything(value: unknown): Generator<unknown> {
	yield value;
	if (value && typeof value === 'object')
		for (const each of Object.values(value)) yield* everything(each);
}

test('the form is in English', () => {
	const texts = [...everything([nodes, credential])].filter((each) => typeof each === 'string');
	expect(texts.length).toBeGreaterThan(500);
	const letters = /^[\p{Script=Latin}\p{Script=Common}]*$/u;
	expect(texts.filter((each) => !letters.test(each))).toEqual([]);
});

test('what is secret in the credential is entered as a password', () => {
	const secrets = credential.properties.filter(({ name }) => /key|token|secret/i.test(name));
	expect(secrets.length).toBeGreaterThan(0);
	for (const { name, type, typeOptions } of secrets) {
		expect([name, type === 'hidden' || typeOptions?.password]).toEqual([name, true]);
	}
});

test('a resource locator offers its list first', () => {
	const locators = [...everything(nodes)].filter(
		(each): each is INodeProperties => (each as INodeProperties | null)?.type === 'resourceLocator',
	);
	expect(locators.length).toBeGreaterThan(1);
	for (const { name, modes } of locators) expect([name, modes?.[0]?.type]).toEqual([name, 'list']);
});
