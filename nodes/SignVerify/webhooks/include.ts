import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isEmpty, textOf } from '../util/values';

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
	displayOptions: { show: { '/simplify': [true] } },
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
