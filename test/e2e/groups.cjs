/**
 * The files whose tests share one n8n, because starting n8n takes longer than most of their tests. Each group runs in
 * one of Jest's workers, in this order (group.ts). Files that restart or kill n8n come last.
 */
const together = [
	['editor.test.ts', 'examples/desk.test.ts'],
	['testRuns.test.ts', 'examples/starters.test.ts'],
	['answers.test.ts', 'sendOnceKey.test.ts', 'composition.test.ts', 'wait.test.ts'],
	[
		'mcp.nightly.test.ts',
		'examples/list.nightly.test.ts',
		'examples/builders.nightly.test.ts',
		'agentSignature.nightly.test.ts',
	],
	[
		'examples/register.nightly.test.ts',
		'examples/reminders.nightly.test.ts',
		'examples/renew.nightly.test.ts',
		'examples/officeDay.nightly.test.ts',
	],
];

const ownSettings = 'Its n8n has settings of its own';
const noN8n = 'It needs no running n8n';
/** Why each of the other files is in no group. */
const alone = {
	'engine2.nightly.test.ts': ownSettings,
	'internals.nightly.test.ts': ownSettings,
	'onboarding.test.ts': 'Its n8n contains all examples from the start',
	'package.test.ts': noN8n,
	'proxies.nightly.test.ts': ownSettings,
	'sandboxPages.nightly.test.ts': noN8n,
	'strict.test.ts': ownSettings,
	'trigger.test.ts': ownSettings,
	'underPath.nightly.test.ts': ownSettings,
};

/** @param {string} file */
const wordOf = (file) => file.replace(/^.*\/|(\.nightly)?\.test\.ts$/g, '');

/** @param {boolean} isNightly Whether the files that run only every night are included. */
const groupsOf = (isNightly) =>
	together
		.map((files) => files.filter((file) => isNightly || !file.endsWith('.nightly.test.ts')))
		.filter((files) => files.length > 0)
		.map((files) => ({ name: `e2e: ${files.map(wordOf).join(', ')}`, files }));

module.exports = { alone, groupsOf };
