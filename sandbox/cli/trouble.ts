import type { DeliveryTrouble, SandboxSettings } from '../types';
import { DOCUMENT_EVENTS, IDENTITY_EVENTS } from '../schemas';
import { CommandRefusal } from './client';
import type { CommandInput } from './input';

const KINDS: Array<DeliveryTrouble['kind']> = ['twice', 'late', 'outOfOrder', 'never'];
const SCHEDULES = ['none', 'default', 'hours'];

/** Changes the settings of deliveries, and shows them. */
async function change(
	{ client, json, print }: CommandInput,
	delivery: (now: SandboxSettings['delivery']) => object,
): Promise<void> {
	const now = await client.call<SandboxSettings>('GET', '/settings');
	const wanted = { ...now, delivery: { ...now.delivery, ...delivery(now.delivery) } };
	const { delivery: set } = await client.call<SandboxSettings>('PUT', '/settings', wanted);
	if (json) return print(JSON.stringify(set, null, 2));
	const retries = Array.isArray(set.retries) ? `${set.retries.join(', ')} ms` : set.retries;
	print(`Attempts: ${retries}`);
	for (const { event, kind, chance = 1 } of set.trouble) {
		print(`Trouble:  ${event === '*' ? 'every event' : event} ${kind}, ${chance * 100} %`);
	}
	if (set.trouble.length === 0) print('Trouble:  none');
}

/** `retries <schedule>`: chooses when a notification is tried again. */
export async function retries(input: CommandInput): Promise<void> {
	const [schedule] = input.words;
	if (schedule !== undefined && !SCHEDULES.includes(schedule)) {
		throw new CommandRefusal(`Name one of the schedules: ${SCHEDULES.join(', ')}.`);
	}
	await change(input, () => (schedule === undefined ? {} : { retries: schedule }));
}

/** `trouble <kind> [<event>] [<chance>]`: adds one; `trouble off` ends all of it. */
export async function trouble(input: CommandInput): Promise<void> {
	const [word, ...rest] = input.words;
	if (word === undefined) return change(input, () => ({}));
	if (word === 'off') return change(input, () => ({ trouble: [] }));
	const added = { ...readTarget(rest), kind: readKind(word) };
	await change(input, ({ trouble: now }) => ({ trouble: [...now, added] }));
}

function readKind(word: string): DeliveryTrouble['kind'] {
	const kind = KINDS.find((one) => one === word);
	if (kind) return kind;
	throw new CommandRefusal(`Name one of the kinds: ${KINDS.join(', ')}; or off.`);
}

function readTarget(words: string[]): Pick<DeliveryTrouble, 'event' | 'chance'> {
	let event: DeliveryTrouble['event'] = '*';
	let chance = 1;
	for (const word of words) {
		const known = [...DOCUMENT_EVENTS, ...IDENTITY_EVENTS].find((one) => one === word);
		const [, percent] = /^(\d{1,3})%$/.exec(word) ?? [];
		if (known) event = known;
		else if (percent !== undefined && Number(percent) <= 100) chance = Number(percent) / 100;
		else throw new CommandRefusal(`"${word}" is neither an event nor a chance such as 30%.`);
	}
	return { event, chance };
}
