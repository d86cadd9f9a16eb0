import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ScenarioInfo } from '../types';
import { CommandRefusal } from './client';
import type { CommandInput } from './input';
import { columns } from './text';

/** `scenario [<name>]`: shows the scenarios, or puts one in the place of the present state. */
export async function scenario({
	client,
	words: [name],
	json,
	print,
}: CommandInput): Promise<void> {
	if (name === undefined) {
		const all = await client.call<ScenarioInfo[]>('GET', '/scenarios');
		if (json) return print(JSON.stringify(all, null, 2));
		return print(columns(all.map(({ name: one, text }) => [one, text])));
	}
	const path = `/scenarios/${encodeURIComponent(name)}`;
	const { title, text } = await client.call<ScenarioInfo>('POST', path);
	print(`${title}: ${text}`);
}

/** `save <file>`: writes the whole state into a file. */
export async function save({ client, words: [file], print }: CommandInput): Promise<void> {
	if (file === undefined) throw new CommandRefusal('Name the file, as in "save monday.json".');
	const state = await client.call<unknown>('GET', '/state');
	mkdirSync(dirname(file), { recursive: true });
	// Readable by its owner only: it has the keys of the account and the secrets of webhooks.
	writeFileSync(file, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
	print(`The state is in ${file}.`);
}

/** `load <file>`: puts a saved state in the place of the present one. */
export async function load({ client, words: [file], print }: CommandInput): Promise<void> {
	if (file === undefined) throw new CommandRefusal('Name the file, as in "load monday.json".');
	await client.call('PUT', '/state', readStateFile(file));
	print(`The sandbox has the state of ${file}.`);
}

/**
 * Reads a file that `save` wrote.
 * @throws CommandRefusal when it is not there or not JSON.
 */
export function readStateFile(file: string): unknown {
	let text: string;
	try {
		text = readFileSync(file, 'utf8');
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new CommandRefusal(
			code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`,
		);
	}
	try {
		return JSON.parse(text) as unknown;
	} catch {
		throw new CommandRefusal(`${file} is not JSON.`);
	}
}
