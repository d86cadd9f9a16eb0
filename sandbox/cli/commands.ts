import type { ClockState, Delivery, FaultPreset } from '../types';
import { DOCUMENT_EVENTS, IDENTITY_EVENTS, isDocumentEvent, isIdentityEvent } from '../schemas';
import { durationText, readDuration } from '../util/duration';
import { CommandRefusal, type SandboxClient } from './client';
import type { CommandInput } from './input';
import { LISTS } from './lists';
import { showLog } from './log';
import { load, save, scenario } from './states';
import { retries, trouble } from './trouble';
import { columns, counted, moment } from './text';

interface Command {
	usage: string;
	summary: string;
	run(input: CommandInput): Promise<void>;
}

const COMMANDS: Record<string, Command> = {
	send: {
		usage: 'send <event> [<id>]',
		summary: 'sends an event, about the newest document or identity request unless you name its ID',
		run: send,
	},
	resend: {
		usage: 'resend <delivery id>',
		summary: 'sends a delivery again',
		run: async ({ client, words: [id = ''], print }) => {
			if (!id) throw new CommandRefusal('Name the delivery, as "deliveries" shows it.');
			await client.call('POST', `/deliveries/${encodeURIComponent(id)}/resend`);
			print('The delivery is on its way again.');
		},
	},
	...Object.fromEntries(
		Object.keys(LISTS).map((name): [string, Command] => [
			name,
			{
				usage: `${name} [--json]`,
				summary: `shows ${LISTS[name]?.summary ?? ''}`,
				run: (input) => showList(name, input),
			},
		]),
	),
	log: {
		usage: 'log [--follow]',
		summary: 'shows calls, deliveries and mails as they happened; --follow waits for more',
		run: showLog,
	},
	fault: {
		usage: 'fault [<name>]',
		summary: 'sets a common fault, or shows their names; off ends all faults',
		run: fault,
	},
	retries: {
		usage: 'retries [<schedule>]',
		summary: 'when a notification is tried again: none, default or hours',
		run: retries,
	},
	trouble: {
		usage: 'trouble [<kind> [<event>] [<chance>]]',
		summary:
			'lets notifications come twice, late, outOfOrder or never; 30% is a chance; off ends it',
		run: trouble,
	},
	clock: {
		usage: 'clock [<change>]',
		summary: 'shows the clock; changes: +30d, 2027-01-31, stop, run, reset',
		run: clock,
	},
	scenario: {
		usage: 'scenario [<name>]',
		summary: 'replaces everything with a prepared state, or shows their names',
		run: scenario,
	},
	save: { usage: 'save <file>', summary: 'saves everything to a file', run: save },
	load: { usage: 'load <file>', summary: 'replaces everything with what a file has', run: load },
};

/** One line for each command. */
export function commandHelp(): string {
	return columns(Object.values(COMMANDS).map(({ usage, summary }) => [`  ${usage}`, summary]));
}

/**
 * Runs one command against a running sandbox.
 * @throws CommandRefusal when there is no such command, or it cannot do what was asked.
 */
export async function runCommand(name: string, input: CommandInput): Promise<void> {
	const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
	if (command) return command.run(input);
	throw new CommandRefusal(
		`There is no command "${name}". These exist:\n\n${commandHelp()}\n\nWithout a command the sandbox starts.`,
	);
}

async function showList(name: string, { client, json, print }: CommandInput): Promise<void> {
	const list = LISTS[name];
	if (!list) return;
	const rows = await client.call<unknown[]>('GET', list.path);
	if (json) return print(JSON.stringify(rows, null, 2));
	if (rows.length === 0) return print(list.empty);
	if (list.newestFirst) rows.reverse();
	print(columns([list.columns, ...rows.map((row) => list.cells(row))]));
}

async function send({
	client,
	words: [type = '', given],
	json,
	print,
}: CommandInput): Promise<void> {
	const isIdentity = isIdentityEvent(type);
	if (!isIdentity && !isDocumentEvent(type)) {
		const known = [...DOCUMENT_EVENTS, ...IDENTITY_EVENTS].join(', ');
		throw new CommandRefusal(`Name one of the seven events: ${known}.`);
	}
	const id = given ?? (isIdentity ? await newestRequest(client) : await newestDocument(client));
	const body = { type, ...(isIdentity ? { validationId: id } : { documentID: id }) };
	const sent = await client.call<Delivery[]>('POST', '/fire', body);
	if (json) return print(JSON.stringify(sent, null, 2));
	print(
		sent.length === 0
			? `No webhook is registered for ${type}, so nothing was sent.`
			: `${type} about ${id} goes to ${counted(sent.length, 'webhook', 'webhooks')}.`,
	);
}

async function newestDocument(client: SandboxClient): Promise<string> {
	const [newest] = await client.call<Array<{ documentID: string }>>('GET', '/documents?limit=1');
	if (newest) return newest.documentID;
	throw new CommandRefusal('There is no document yet. Create one first.');
}

async function newestRequest(client: SandboxClient): Promise<string> {
	const path = '/identity-requests?limit=1';
	const [newest] = await client.call<Array<{ validationId: string }>>('GET', path);
	if (newest) return newest.validationId;
	throw new CommandRefusal('There is no identity request yet. Create one first.');
}

async function fault({ client, words: [name], json, print }: CommandInput): Promise<void> {
	if (name === 'off') {
		await client.call('DELETE', '/faults');
		return print('All faults are gone.');
	}
	if (name === undefined) {
		const presets = await client.call<FaultPreset[]>('GET', '/presets');
		if (json) return print(JSON.stringify(presets, null, 2));
		return print(columns(presets.map(({ name: one, text }) => [one, text])));
	}
	const path = `/presets/${encodeURIComponent(name)}`;
	const { title, text } = await client.call<FaultPreset>('POST', path);
	print(`${title}: ${text}`);
}

async function clock({ client, words, json, print }: CommandInput): Promise<void> {
	const state = await changedClock(client, words.join(' '));
	if (json) return print(JSON.stringify(state, null, 2));
	const ahead = Math.round(state.aheadMs / 1000);
	const than =
		ahead === 0
			? 'the same as this machine'
			: `${durationText(state.aheadMs)} ${ahead > 0 ? 'ahead of' : 'behind'} this machine`;
	print(`${moment(state.now)}, ${state.frozen ? 'stopped' : 'running'}, ${than}`);
}

async function changedClock(client: SandboxClient, change: string): Promise<ClockState> {
	if (change === '') return client.call('GET', '/clock');
	if (change === 'reset') return client.call('DELETE', '/clock');
	if (change === 'stop' || change === 'run') {
		return client.call('PUT', '/clock', { frozen: change === 'stop' });
	}
	const isLength = readDuration(change) !== undefined;
	return client.call(
		'PUT',
		'/clock',
		isLength ? { advance: change.replace(/\s/g, '') } : { at: change },
	);
}
