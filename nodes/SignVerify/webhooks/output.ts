import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../operations/inputError';
import { isEmpty } from '../util/values';

const choices = ['simplified', 'raw', 'both'] as const;

/** How much of an answer or event to output. */
export type Output = (typeof choices)[number];

/** The form for how much to output. Lists and look-ups have it only as tools of an AI agent. */
export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Simplified', value: 'simplified', description: 'The most useful fields' },
		{ name: 'Raw', value: 'raw', description: 'All fields, signing links of documents included' },
		{ name: 'Both', value: 'both', description: 'The useful fields, and all of them in "raw"' },
	],
	default: 'simplified',
	description: 'How much of the answer or event to output',
};

/**
 * Reads how much to output; `byDefault` if the form does not have it.
 * @throws InputError if there is no such choice.
 */
export function readOutput(given: unknown, byDefault: Output = 'simplified'): Output {
	const chosen = choices.find((each) => each === (given ?? byDefault));
	if (chosen) return chosen;
	throw new InputError('Output', 'there is no such choice', 'Choose one from the list.');
}

/** What to output of an answer or event, as the form says. */
export function outputOf(
	chosen: Output,
	raw: IDataObject,
	simplify: (raw: IDataObject) => IDataObject,
): IDataObject {
	if (chosen === 'raw') return raw;
	return { ...simplify(raw), ...(chosen === 'both' ? { raw } : {}) };
}

/** Some of the fields of an object, in its own order. */
export function pick(json: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => names.includes(name)));
}

/** Personal data that an event has only if somebody asks for it, as the service gives it. */
const personal = [
	{
		name: 'Answers',
		value: 'answers',
		description: 'What signatories filled in, invalid signatures, and the hash of the document',
		ofDocument: ['formAnswer', 'documentHash'],
		ofSignatory: ['fieldArray', 'isInvalidSignature', 'invalidSignatureReason'],
	},
	{
		name: 'History',
		value: 'history',
		description: 'Who did what, when, and from which IP address',
		ofDocument: ['logsStatus'],
		ofSignatory: [],
	},
	{
		name: 'Signing Links',
		value: 'signingLinks',
		description: 'A link is a key: everyone who has it can sign in place of the signatory',
		ofDocument: [],
		ofSignatory: ['signing'],
	},
];

/** The form for it. */
export const includeOption: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: personal.map(({ name, value, description }) => ({ name, value, description })),
	displayOptions: { hide: { '/output': ['raw'] } },
	default: [],
	description:
		'Personal data to add to document events. It is then kept with the execution, for all who may see it.',
};

/** What the choices add to a document or a signatory, as far as it has a value. */
export function includedFields(
	from: IDataObject,
	of: 'ofDocument' | 'ofSignatory',
	include: unknown[],
): IDataObject {
	const chosen = personal.filter(({ value }) => include.includes(value));
	const names = chosen.flatMap((each) => each[of]);
	const hasValue = (value: unknown) => !isEmpty(value) && !(Array.isArray(value) && !value.length);
	return pick(
		from,
		names.filter((name) => hasValue(from[name])),
	);
}
