import path from 'node:path';

import '../../credentials/SignVerifyApi.credentials';
import '../../nodes/SignVerify/SignVerify.node';
import '../../nodes/SignVerify/SignVerifyTrigger.node';
import { maxResponseBytes } from '../../nodes/SignVerify/http/request';
import { type MemoryFacts, memoryFacts } from '../../nodes/SignVerify/util/processMemory';
import { DocumentedPart, tableOf } from '../support/documentedPart';
import { filesIn, textOfFile } from '../support/files';
import { root } from '../../scripts/tools';

/** The parts of the table that the code does not contain: what each memory is for, and what happens with several processes. */
const words: Record<string, [purpose: string, severalProcesses: string]> = {
	accounts: [
		'Shares the pause after a 429, Requests per Second and Parallel Requests between all calls of an account',
		'Each process has its own limits, so set the credential to a share of what the service allows',
	],
	'token exchanges': [
		'Makes one exchange serve all calls that need a token',
		'Each process exchanges once, after it has looked for a token that another process has stored',
	],
	'failed token renewals': [
		'Limits the exchanges for calls that stay forbidden even with a new token',
		'Each process has its own limit',
	],
	'look-ups': [
		'Shares lists of templates and the hashes of secrets for a moment',
		'Each process looks up for itself',
	],
	'template lists that exist': [
		'Treats a 404 for a list that was read before as a temporary failure',
		'A process that has not read the list yet believes a 404',
	],
	'deleted webhooks': [
		'Ignores deleted webhooks that a late list still contains',
		'Another process deletes the webhook again, and the service does not find it',
	],
	'removals of expired webhooks': [
		'Lets only one of several starting waits remove them',
		'Several processes may remove the same webhooks, and only one of them finds each',
	],
	'registrations of triggers': [
		'Runs publishing and unpublishing one after another',
		'Only the leader publishes. If the leader changes meanwhile, the old one can remove what the new one keeps',
	],
	'postponed removals': [
		'Waits 10 seconds for a changed trigger to be published again before its webhooks are removed',
		'Only the leader publishes. If it restarts within these seconds, the webhooks stay until the next publication',
	],
	'URLs whose registration took too long': [
		"Makes n8n's further tries to publish fail at once",
		'Only the leader publishes',
	],
	'log lines': ['Writes the same line at most once a minute', 'Each process writes its own line'],
	'refused events': ['Refuses an event at most twice', 'Each process may refuse the event twice'],
	'accepted events': [
		'Drops an event that the service repeats',
		'A repeat that reaches another process starts the workflow again',
	],
	'Send Once Keys in use': [
		'Sends items with the same key one after another',
		"The first entry in n8n's database decides which process sends",
	],
	'date formats': ['Avoids making a format again, which is slow', 'Each process makes its own'],
};

/** Rows of the table for what a process remembers without a ProcessMemory. */
const others = [
	[
		'Runs of a node',
		"Gives n8n's further tries with Retry On Fail the result of the first one",
		'no limit',
		'as long as n8n keeps the run',
		'All tries of a run are in one process',
	],
	[
		'Files being downloaded',
		'Limits the memory of all of them together',
		`${maxResponseBytes.file / 1_000_000} MB`,
		'until n8n has stored the file',
		'Each process has its own limit',
	],
];

const durations: Record<number | string, string> = {
	10_000: '10 seconds',
	60_000: 'a minute',
	86_400_000: 'a day',
	'while it runs': 'until the work ends',
	'until pushed out': 'until newer entries replace it',
};

function rowOf({ name, bound, life }: MemoryFacts): string[] {
	const [purpose = '', severalProcesses = ''] = words[name] ?? [];
	const most = Number.isFinite(bound) ? bound.toLocaleString('en') : 'no limit';
	const title = name.charAt(0).toUpperCase() + name.slice(1);
	return [title, purpose, most, durations[life] ?? `${life} ms`, severalProcesses];
}

test('docs/dev/architecture.md shows the table of what a process remembers', async () => {
	const head = ['What', 'Purpose', 'Maximum', 'How long', 'With several processes'];
	const memories = memoryFacts().sort((one, other) => one.name.localeCompare(other.name));
	const part = new DocumentedPart('docs/dev/architecture.md', 'memories');
	await part.expectToBe(tableOf(head, [...memories.map(rowOf), ...others]), 'memories');
});

test('the table describes every memory of the code, and no other', () => {
	const names = memoryFacts().map(({ name }) => name);
	expect(Object.keys(words).sort()).toEqual(names.sort());
});

test('every file keeps what it remembers in a ProcessMemory', () => {
	// A Map or Set that begins empty is filled while the process runs, so it is a memory.
	const emptyStore =
		/^(?:export )?(?:const|let) (\w+)[^\n]* = new (?:Weak)?(?:Map|Set)(?:<[^\n]*>)?\(\);$/gm;
	const stores = filesIn(path.join(root, 'nodes'))
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) =>
			[...textOfFile(`nodes/${file}`).matchAll(emptyStore)].map(([, name]) => name),
		);
	expect(stores.sort()).toEqual(['memories', 'outputsByRun']);
});
