import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../operations/inputError';
import { isEmpty, textOf } from '../util/values';

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
		{
			name: 'Raw',
			value: 'raw',
			description: 'All fields as the service gives them. Those of a document have signing links.',
		},
		{
			name: 'Both',
			value: 'both',
			description: 'The most useful fields, and all of them under "raw"',
		},
	],
	default: 'simplified',
	description: 'How much of the answer or event to output',
};

/**
 * Reads how much to output.
 * @param byDefault What it is if the form does not have it.
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

/** The form for personal data in simplified output: only who asks for it gets it. */
export const includeOption: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: [
		{
			name: 'Answers',
			value: 'answers',
			description: 'What signatories filled in, invalid signatures, and the hash of the document',
		},
		{
			name: 'History',
			value: 'history',
			description: 'Who did what, when, and from which IP address',
		},
		{
			name: 'Signing Links',
			value: 'signingLinks',
			description: 'A link is a key: everyone who has it can sign in place of the signatory',
		},
	],
	displayOptions: { hide: { '/output': ['raw'] } },
	default: [],
	description:
		'Personal data to add to document events. It is then kept with the execution, for all who may see it.',
};

/** The fields that each choice adds, as the service gives them (docs/dev/service.md#document). */
const fieldsOf: Record<string, { document?: string[]; signatory?: string[] }> = {
	answers: {
		document: ['formAnswer', 'documentHash'],
		signatory: ['fieldArray', 'isInvalidSignature', 'invalidSignatureReason'],
	},
	history: { document: ['logsStatus'] },
	signingLinks: { signatory: ['signing'] },
};

/** The fields of a document, or of its signatory, that the choices add, if they have a value. */
export function includedFields(
	from: IDataObject,
	of: 'document' | 'signatory',
	include: unknown[],
): IDataObject {
	const names = include.flatMap((choice) => fieldsOf[textOf(choice)]?.[of] ?? []);
	const entries = names.map((name) => [name, from[name]] as const);
	return Object.fromEntries(
		entries.filter(([, value]) => !isEmpty(value) && !(Array.isArray(value) && !value.length)),
	);
}
