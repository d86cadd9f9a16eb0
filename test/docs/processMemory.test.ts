import path from 'node:path';

import '../../credentials/SignVerifyApi.credentials';
import '../../nodes/SignVerify/SignVerify.node';
import '../../nodes/SignVerify/SignVerifyTrigger.node';
import { maxResponseBytes } from '../../nodes/SignVerify/http/request';
import { type MemoryFacts, memoryFacts } from '../../nodes/SignVerify/util/processMemory';
import { DocumentedPart, tableOf } from '../support/documentedPart';
import { filesIn, textOfFile } from '../support/files';
import { root } from '../../scripts/tools';

/**
 * The parts of the table that the code does not contain: what each memory is for, and what happens if there
 * are several processes.
 */
const words: Record<string, [purpose: string, severalProcesses: string]> = {
	accounts: [
		"Applies Requests per Second, Parallel Requests, and the pause after a 429 to all of an account's calls",
		'Each process has its own limits, so divide what the service allows by the number of processes, and enter the result in the credential',
	],
	'token exchanges': [
		'Lets all calls that need a token at the same time share one exchange',
		'Each process first looks for a token that another process has stored, and then makes at most one exchange at a time',
	],
	'failed token renewals': [
		'Limits how often the token is renewed for calls that stay forbidden even with a new token',
		'Each process has its own limit',
	],
	'shared lookups': [
		'Reuses lists of templates and the hashes of secrets for a short time',
		'Each process looks things up on its own',
	],
	'template lists that exist': [
		'Treats a 404 or 405 as a temporary failure if the list has been read before',
		'A process that has not read the list yet takes a 404 or 405 to mean that the list does not exist',
	],
	'deleted webhooks': [
		'Ignores deleted webhooks that an outdated list still contains',
		'Another process tries to delete the webhook again, and the service responds that it does not exist',
	],
	'removals of expired webhooks': [
		'Makes sure that only one of several waits that are starting removes expired webhooks',
		'Several processes may try to remove the same webhook, but only one of them succeeds',
	],
	'attempts to delete expired webhooks': [
		'Tries to delete each expired webhook only once a day, so the others get their turn',
		'Each process tries each webhook once a day',
	],
	'registrations of triggers': [
		'Keeps publishing and unpublishing from overlapping',
		'Only the leader publishes. If the leader changes while it publishes, the old leader can remove webhooks that the new one keeps',
	],
	'postponed removals': [
		'Gives a changed trigger 10 seconds to be published again before its webhooks are removed',
		'Only the leader publishes. If the leader restarts within these 10 seconds, the webhooks stay until the workflow is published again',
	],
	'log lines': [
		'Keeps the same line from being logged more than once a minute',
		'Each process logs the line once a minute',
	],
	'rejected events': [
		'Counts the rejections of an event in the cases in which it may be rejected [only twice](events.md)',
		'Each process can reject the event twice',
	],
	'accepted events': [
		'Recognizes and drops events that the service repeats',
		'If a repeat reaches another process, the workflow starts again',
	],
	'Send Once Keys in use': [
		'Keeps items with the same key from being sent at the same time',
		"Only the process that is first to record the key in n8n's database sends the item",
	],
};

/** Rows for what a process remembers outside of a ProcessMemory. */
const others = [
	[
		'Runs of a node',
		"If n8n retries a run because of Retry On Fail, returns the first try's result",
		'no limit',
		'as long as n8n keeps the run',
		'All tries of a run happen in the same process',
	],
	[
		'Files being downloaded',
		'Limits the total memory that downloads use',
		`${maxResponseBytes.file / 1_000_000} MB`,
		'until n8n has stored the file',
		'Each process has its own limit',
	],
];

const durations: Record<number | string, string> = {
	10_000: '10 seconds',
	60_000: 'a minute',
	86_400_000: 'a day',
	'while it runs': 'until the work is done',
	'until pushed out': 'until newer entries push it out',
};

function rowOf({ name, bound, life }: MemoryFacts): string[] {
	const [purpose = '', severalProcesses = ''] = words[name] ?? [];
	const most = Number.isFinite(bound) ? bound.toLocaleString('en') : 'no limit';
	const title = name.charAt(0).toUpperCase() + name.slice(1);
	return [title, purpose, most, durations[life] ?? `${life} ms`, severalProcesses];
}

test('docs/dev/architecture.md shows the table of everything that a process keeps in memory', async () => {
	const head = ['What', 'Purpose', 'Maximum', 'Kept for', 'With several processes'];
	const memories = memoryFacts().sort((one, other) => one.name.localeCompare(other.name));
	const part = new DocumentedPart('docs/dev/architecture.md', 'memories');
	await part.expectToBe(tableOf(head, [...memories.map(rowOf), ...others]), 'memories');
});

test('docs/dev/architecture.md has a row for every ProcessMemory and no outdated rows', () => {
	const names = memoryFacts().map(({ name }) => name);
	expect(Object.keys(words).sort()).toEqual(names.sort());
});

test('run-time state is kept only in a ProcessMemory, apart from "memories" and "outputsByRun"', () => {
	// A Map or Set that starts empty is filled at run time, so the process uses it to remember something.
	const emptyStore =
		/^(?:export )?(?:const|let) (\w+)[^\n]* = new (?:Weak)?(?:Map|Set)(?:<[^\n]*>)?\(\);$/gm;
	const stores = filesIn(path.join(root, 'nodes'))
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) =>
			[...textOfFile(`nodes/${file}`).matchAll(emptyStore)].map(([, name]) => name),
		);
	expect(stores.sort()).toEqual(['memories', 'outputsByRun']);
});
