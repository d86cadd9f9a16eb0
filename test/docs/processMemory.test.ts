import path from 'node:path';

import '../../credentials/SignVerifyApi.credentials';
import '../../nodes/SignVerify/SignVerify.node';
import '../../nodes/SignVerify/SignVerifyTrigger.node';
import { maxAnswer } from '../../nodes/SignVerify/http/request';
import { type MemoryFacts, memoryFacts } from '../../nodes/SignVerify/util/processMemory';
import { DocumentedPart, tableOf } from '../support/documentedPart';
import { filesIn, textOfFile } from '../support/files';
import { root } from '../../scripts/tools';

/** The parts of the table that the code does not contain: what each memory is for, and what happens with several processes. */
const words: Record<string, [purpose: string, severalProcesses: string]> = {
	accounts: [
		'Pause after a 429, Requests per Second, Parallel Requests',
		'Each process has its own limits, so the credential needs a share of what the service allows',
	],
	'token exchanges': [
		'One exchange for all calls that need a token',
		'Each process exchanges once, and looks for a token that another one has stored before',
	],
	'renewals in vain': [
		'Bounds the exchanges for calls that are forbidden',
		'Each process has its own bound',
	],
	'look-ups': ['Lists of templates, hashes of secrets', 'Each process looks up for itself'],
	'lists of templates that exist': [
		'A 404 of a list that was read before is a passing fault',
		'A process that has not read the list believes a 404',
	],
	'deleted webhooks': [
		'A list of webhooks can be late',
		'Another process deletes the webhook once more, and finds nothing',
	],
	'removals of expired webhooks': [
		'One starting wait removes them, and not each of many',
		'Several processes can remove the same ones, and all but one find nothing',
	],
	'registrations of triggers': [
		'Publishing and unpublishing one after another',
		'Only the leader publishes. A leader that changes meanwhile can remove what the next one keeps',
	],
	'removals that wait': [
		'The 10 seconds in which a changed trigger comes back',
		'Only the leader publishes. A restart leaves the webhooks until the next publication',
	],
	'URLs that were too slow to register': [
		"n8n's further tries of a publication fail at once",
		'Only the leader publishes',
	],
	'lines of the log': ['The same line at most once a minute', 'Each process writes its own line'],
	'refusals of events': [
		'An event is refused at most twice',
		'The event can be refused twice by each process',
	],
	'accepted events': [
		'An event that the service repeats is dropped',
		'A repeated event that reaches another process starts the workflow again',
	],
	'Send Once Keys in use': [
		'Items with the same key one after another',
		"The first entry in n8n's database decides which process sends",
	],
	'formats of days': ['Making a format is slow', 'Each process makes its own'],
};

/** Rows of the table for what a process remembers outside its memories. */
const others = [
	[
		'runs of a node',
		"The tries of n8n's Retry On Fail get the result of the first one",
		'no bound',
		'as long as n8n has the run',
		'A run is in one process',
	],
	[
		'files that are downloaded',
		'A bound for the memory of all of them',
		`${maxAnswer.file / 1_000_000} MB`,
		'until n8n has stored the file',
		'Each process has its own bound',
	],
];

const durations: Record<number, string> = { 10_000: '10 s', 60_000: '60 s', 86_400_000: 'a day' };

function rowOf({ name, bound, life }: MemoryFacts): string[] {
	const [purpose = '', severalProcesses = ''] = words[name] ?? [];
	const most = Number.isFinite(bound) ? bound.toLocaleString('en') : 'no bound';
	const duration = typeof life === 'number' ? (durations[life] ?? `${life} ms`) : life;
	return [name, purpose, most, duration, severalProcesses];
}

test('docs/dev/architecture.md shows the table of what a process remembers', async () => {
	const head = ['What', 'What for', 'At most', 'How long', 'With several processes'];
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
