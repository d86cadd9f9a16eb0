import { readFileSync } from 'node:fs';
import path from 'node:path';

import { defaultPorts } from '../../host/terminal';
import { root } from '../../scripts/tools';

const text = readFileSync(path.join(root, '.devcontainer/devcontainer.json'), 'utf8');
const container = JSON.parse(text) as {
	image: string;
	forwardPorts: number[];
	portsAttributes: Record<string, { label: string; onAutoForward: string }>;
	updateContentCommand: string;
	postAttachCommand: string;
};
const { scripts, engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
	engines: { node: string };
};

test('the container forwards the ports of npm start that a browser needs', () => {
	const { n8n, sandbox, smtp } = defaultPorts;
	expect(container.forwardPorts).toEqual([n8n, sandbox]);
	const described = Object.keys(container.portsAttributes).map(Number);
	expect(described.sort()).toEqual([n8n, sandbox, smtp].sort());
	expect(container.portsAttributes[smtp]?.onAutoForward).toBe('ignore');
});

test('everything starts by itself', () => {
	expect(container.updateContentCommand).toBe('npm ci');
	const [program, script = ''] = container.postAttachCommand.split(' ');
	expect(program).toBe('npm');
	expect(Object.keys(scripts)).toContain(script);
});

test('its image is Node in a version that the tests use, and comes with compilers', () => {
	// The full images have Python, make and g++, which n8n's database driver can need. The slim
	// and Alpine ones do not.
	const [, version = ''] = /^node:(\d+)-[a-z]+$/.exec(container.image) ?? [];
	expect(container.image).not.toMatch(/slim|alpine/);
	expect(Number(version)).toBeGreaterThanOrEqual(Number(engines.node.replace(/\D/g, '')));
	const workflow = readFileSync(path.join(root, '.github/workflows/ci.yml'), 'utf8');
	expect(workflow).toContain(`node-version: ${version}\n`);
});

test('it names no address to load something from', () => {
	expect(text).not.toMatch(/https?:|\w\.(?:com|io|org|dev)\b/);
});
