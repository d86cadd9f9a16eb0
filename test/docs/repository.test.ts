import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { docsLink, repository } from '../../nodes/SignVerify/http/errors';
import { root } from '../../scripts/tools';

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	homepage: string;
	repository: { url: string };
	bugs: { url: string };
};

test('the links of the errors lead to the repository that package.json names', () => {
	expect(manifest.repository.url).toBe(`git+${repository}.git`);
	expect(manifest.homepage).toBe(`${repository}#readme`);
	expect(manifest.bugs.url).toBe(`${repository}/issues`);
	expect(docsLink('files')).toBe(`More: ${repository}/blob/main/docs/errors.md#files`);
	expect(new SignVerifyApi().documentationUrl).toBe(`${repository}#set-up-the-credential`);
});

test('no other address of it stands anywhere', () => {
	const files = execFileSync('git', ['grep', '-lI', 'github.com/[^ ]*n8n-nodes-signverify'], {
		cwd: root,
		encoding: 'utf8',
	});
	const addresses = files
		.trim()
		.split('\n')
		.flatMap((file) => {
			const text = readFileSync(path.join(root, file), 'utf8');
			return text.match(/https:\/\/github\.com\/[\w.-]+\/n8n-nodes-signverify\b/g) ?? [];
		});
	expect(addresses.length).toBeGreaterThan(10);
	expect([...new Set(addresses)]).toEqual([repository]);
});
