import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { root } from '../../scripts/tools';
import { readPage, targetsOf } from '../docs/markdown';
import { manifest, textOfFile } from '../support/files';

/** The categories in n8n's nodes panel. */
const categories = [
	'Analytics',
	'Communication',
	'Data & Storage',
	'Development',
	'Finance & Accounting',
	'Marketing & Content',
	'Miscellaneous',
	'Productivity',
	'Sales',
	'Utility',
];

test.each(manifest.n8n.nodes)('the codex for %s is complete', (file) => {
	const source = file.replace(/^dist\//, '').replace(/\.js$/, '.json');
	const codex = JSON.parse(textOfFile(source)) as {
		categories: string[];
		resources: Record<string, Array<{ url: string }>>;
	};
	const name = path.basename(source, '.node.json');
	expect(codex).toMatchObject({
		node: `${manifest.name}.${name[0]?.toLowerCase()}${name.slice(1)}`,
		nodeVersion: '1.1',
		codexVersion: '1.0',
	});
	const unknown = codex.categories.filter((category) => !categories.includes(category));
	expect(
		unknown.map(
			(category) =>
				`${source}, categories: replace ${category} by one that n8n knows (${categories.join(', ')})`,
		),
	).toEqual([]);
	expect(codex.categories.length).toBeGreaterThan(0);
	const own = manifest.repository.url.replace(/^git\+|\.git$/g, '');
	for (const kind of ['primaryDocumentation', 'credentialDocumentation']) {
		expect(codex.resources[kind]?.[0]?.url).toMatch(new RegExp(`^${own}[#/]`));
	}
});

test('package.json describes the package in the words of the action node', () => {
	expect(manifest.description).toBe(new SignVerify().description.description);
});

// n8n asks for these in the README (docs/dev/verification.md).
test('README.md leads to the installation, the credential, the operations, and how to use them', () => {
	const pages = [
		'install.md',
		'install.md#set-up-the-credential',
		'operations.md',
		'get-started.md',
	];
	expect(targetsOf(readPage('README.md'))).toEqual(
		expect.arrayContaining(pages.map((page) => `docs/${page}`)),
	);
});

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	permissions?: Record<string, string>;
	needs?: string | string[];
	'timeout-minutes'?: number;
	/** Another workflow that the job runs instead of steps. */
	uses?: string;
	steps?: Step[];
}

interface Workflow {
	on: Record<string, unknown>;
	permissions?: unknown;
	jobs: Record<string, Job>;
}

const folder = path.join(root, '.github/workflows');
const files = readdirSync(folder);
const textOf = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const workflows = Object.fromEntries(files.map((file) => [file, parse(textOf(file)) as Workflow]));
const jobs = Object.entries(workflows).flatMap(([file, workflow]) =>
	Object.entries(workflow.jobs).map(([name, { steps = [], ...job }]) => ({
		file,
		name,
		job: { ...job, steps },
	})),
);
const publish = workflows['publish.yml']!.jobs;

test('every action is pinned to a commit, with its version in a comment', () => {
	const uses = files.flatMap((file) =>
		// A path refers to a workflow in the same commit.
		[...textOf(file).matchAll(/uses: (?!\.\/)(.*)$/gm)].map(([, use = '']) => ({ file, use })),
	);
	expect(uses.length).toBeGreaterThan(15);
	const pinned = /^[\w.-]+(\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
	const unpinned = uses.filter(({ use }) => !pinned.test(use));
	expect(
		unpinned.map(
			({ file, use }) =>
				`.github/workflows/${file}: write "uses: ${use}" as owner/action@<40 digits of the commit> # v1.2.3`,
		),
	).toEqual([]);
	// If the same version is used with two different commits, one of them must be wrong.
	const commits = new Map<string, Set<string>>();
	for (const { use } of uses) {
		const [, action = '', commit = '', version = ''] =
			/^([\w.-]+\/[\w.-]+)\S*@(\S+) # (\S+)$/.exec(use) ?? [];
		const key = `${action} ${version}`;
		commits.set(key, (commits.get(key) ?? new Set()).add(commit));
	}
	expect([...commits].filter(([, ids]) => ids.size > 1)).toEqual([]);
});

test('everything that a workflow installs is pinned by a hash, either in the lock file or next to the command', () => {
	const lines = jobs.flatMap(({ job }) => job.steps.flatMap(({ run = '' }) => run.split('\n')));
	const fetched = lines.filter((line) =>
		/\b(npx|npm (i|install|exec|pack)|curl|wget)\b/.test(line),
	);
	expect(fetched).toEqual(['npm pack npm@11.19.1']);
	const [, version] = fetched[0]?.split('@') ?? [];
	const hash = new RegExp(`^echo "[0-9a-f]{128}  npm-${version}\\.tgz" \\| sha512sum --check$`);
	expect(lines.filter((line) => hash.test(line))).toHaveLength(1);
});

test('each job in a workflow has only the permissions that it needs', () => {
	const writing = jobs.flatMap(({ file, name, job }) =>
		Object.entries(job.permissions ?? { none: 'missing' })
			.filter(([, right]) => right !== 'read')
			.map(([what]) => `${file} ${name}: ${what}`),
	);
	expect(writing.sort()).toEqual([
		'codeql.yml analyze: security-events',
		'publish.yml publish: attestations',
		'publish.yml publish: id-token',
		'publish.yml release: contents',
		'scorecard.yml analyze: security-events',
	]);
	for (const file of files) expect([file, workflows[file]?.permissions]).toEqual([file, {}]);
});

test("the publishing job gets the package from an earlier job and does not run any of the project's code", () => {
	for (const name of ['publish', 'release']) {
		const { steps = [] } = publish[name]!;
		expect(steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))).toEqual([]);
		const commands = steps.map(({ run }) => run ?? '').join('\n');
		expect(commands).not.toMatch(/npm (ci|install|test|run)|node /);
	}
	expect(publish.publish).toMatchObject({
		environment: 'npm',
		needs: ['build', 'reproduce', 'nightly'],
	});
	expect(publish.nightly?.uses).toBe('./.github/workflows/nightly.yml');
	expect(publish.reproduce?.needs).toBe('build');
	expect(publish.build?.steps?.map(({ run }) => run)).toEqual(
		expect.arrayContaining(['npm ci', 'npm test']),
	);
});

test.each([
	['publishes', 'n8n-nodes-signverify/n8n-nodes-signverify', 0],
	['refuses', 'someone/else', 1],
])('the workflow Publish %s a package.json that names %s', (_what, repository, status) => {
	const step = publish.build?.steps?.find(({ run = '' }) => run.includes('GITHUB_REPOSITORY'));
	const env = { ...process.env, GITHUB_REPOSITORY: repository };
	expect(spawnSync('bash', ['-c', step?.run ?? ''], { cwd: root, env }).status).toBe(status);
});

test("workflows limit each job's run time, insert no expressions into commands, and keep no token on disk", () => {
	for (const { file, name, job } of jobs) {
		const where = `${file} ${name}`;
		// The jobs of the other workflow have limits of their own.
		if (!job.uses) expect([where, job['timeout-minutes']]).toEqual([where, expect.any(Number)]);
		for (const { uses, run, with: inputs } of job.steps) {
			expect([where, run ?? '']).not.toEqual([where, expect.stringContaining('${{')]);
			if (uses?.startsWith('actions/checkout@')) {
				expect([where, inputs?.['persist-credentials']]).toEqual([where, false]);
			}
		}
	}
	// The event `pull_request_target` would run a fork's code with this repository's permissions.
	for (const file of files) expect(workflows[file]?.on).not.toHaveProperty('pull_request_target');
});

test('a release is built without a cache and only from main', () => {
	const { steps = [] } = publish.build!;
	expect(steps.map(({ run }) => run)).toContain(
		'git merge-base --is-ancestor "$GITHUB_SHA" origin/main',
	);
	const text = textOf('publish.yml');
	expect(text).not.toMatch(/^\s+cache:|actions\/cache@/m);
	expect(text.match(/setup-node@/g)).toHaveLength(
		text.match(/package-manager-cache: false/g)?.length ?? 0,
	);
});
