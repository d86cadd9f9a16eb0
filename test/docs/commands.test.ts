import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { blocksOf, readPages, spansOf } from './markdown';

const pages = readPages();
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};

/** The commands of shell blocks, one a line, without what follows a `#`. */
const inBlocks = blocksOf(pages, 'sh', 'bash').flatMap(({ file, text }) =>
	text
		.replace(/\s*\\\n\s*/g, ' ')
		.split('\n')
		.map((line) => ({ file, command: line.replace(/\s+#.*$/, '').trim() }))
		.filter(({ command }) => command !== ''),
);

/** Commands in the running text and in tables. */
const inText = pages.flatMap((page) =>
	spansOf(page)
		.filter((text) => /^(npm|npx|node|git) /.test(text))
		.map((command) => ({ file: page.file, command })),
);

/** Commands of the workflows that GitHub runs. */
const workflows = '.github/workflows';
const inWorkflows = readdirSync(path.join(root, workflows)).flatMap((file) =>
	[
		...readFileSync(path.join(root, workflows, file), 'utf8').matchAll(
			/run: ((?:npm|node|npx) .*)$/gm,
		),
	].map(([, command = '']) => ({ file: `${workflows}/${file}`, command })),
);

/** Commands of npm itself that the pages use. */
const ofNpm = ['ci', 'audit', 'deprecate', 'install', 'pack', 'publish', 'sbom', 'stage'];

/** Why a command cannot work; nothing when it can. */
function problemOf(command: string): string | undefined {
	const words = command.split(/\s+/);
	const [program = '', first = '', second = ''] = words;
	if (program === 'npm') {
		if (ofNpm.includes(first)) return undefined;
		const script = first === 'run' ? second : first;
		return script in scripts ? undefined : `there is no script "${script}"`;
	}
	if (program === 'node' || program === 'npx') {
		const missing = words
			.filter((word) => /^[\w./-]+\/[\w.-]+\.\w+$/.test(word))
			.find((word) => !existsSync(path.join(root, word)));
		if (missing) return `there is no file ${missing}`;
		return first === 'jest' ? problemOfJest(words) : undefined;
	}
	return ['curl', 'export', 'git'].includes(program) ? undefined : `${program} is not known here`;
}

function problemOfJest(words: string[]): string | undefined {
	const project = words[words.indexOf('--selectProjects') + 1] ?? '';
	const folder = path.join(root, 'test', project);
	if (!existsSync(folder)) return `there is no Jest project "${project}"`;
	const at = words.indexOf('--testPathPatterns');
	const pattern = at < 0 ? '' : (words[at + 1] ?? '');
	const files = readdirSync(folder, { recursive: true }).map(String);
	return files.some((each) => each.includes(pattern)) ? undefined : `no test is called ${pattern}`;
}

test('commands are found', () => {
	expect(inBlocks.length).toBeGreaterThan(10);
	expect(inText.length).toBeGreaterThan(20);
	expect(inWorkflows.length).toBeGreaterThan(5);
});

test.each([...inBlocks, ...inText, ...inWorkflows])('$file: $command', ({ command }) => {
	expect(problemOf(command)).toBeUndefined();
});

test('every script of package.json is explained somewhere', () => {
	const explained = [...inBlocks, ...inText].map(({ command }) => command.split(' -- ')[0]);
	const missing = Object.keys(scripts).filter(
		// npm's own hook before it packs.
		(name) =>
			name !== 'prepack' &&
			!explained.includes(`npm ${name}`) &&
			!explained.includes(`npm run ${name}`),
	);
	expect(missing).toEqual([]);
});
