import type { Block, SandboxTemplate, TemplateField } from '../documents/types';
import { FIELDS_OF_WORK, KINDS, pick, PLACES } from './words';

/** Shared by all made-up templates, so that thousands of them cost little memory. */
const BODY: Block[] = [
	{
		kind: 'paragraph',
		text: 'This is made-up text for {{party}}, to try lists, searches and forms on. It has a reference: {{reference}}.',
	},
	{ kind: 'clause', title: 'Subject', text: 'The parties agree on the following: {{subject}}.' },
	{ kind: 'clause', title: 'Duration', text: 'What is agreed here begins on {{start_date}}.' },
	{
		kind: 'clause',
		title: 'No effect',
		text: 'Nobody owes anybody anything because of this text: it was made by a sandbox.',
	},
];

const FIELDS: TemplateField[] = [
	{ key: 'party', type: 'text', isRequired: true, label: 'Name of the party' },
	{ key: 'reference', type: 'text', isRequired: true, label: 'Reference' },
	{ key: 'subject', type: 'text', isRequired: true, label: 'Subject' },
	{ key: 'start_date', type: 'text', isRequired: false, label: 'Start date' },
];

const QUESTION: TemplateField = {
	key: 'position',
	type: 'text',
	isRequired: false,
	label: 'Your position in the organisation',
};

/**
 * Made-up templates, version 1 and 2 in turn. The same count gives the same ones, with the same
 * IDs, and a larger count the same ones first: workflows and data folders can rely on them.
 */
export function madeUpTemplates(count: number): SandboxTemplate[] {
	return Array.from({ length: count }, (_, index) => madeUpTemplate(index));
}

function madeUpTemplate(index: number): SandboxTemplate {
	const number = String(index + 1).padStart(5, '0');
	const isV1 = index % 2 === 0;
	const kind = pick(KINDS, index);
	const field = pick(FIELDS_OF_WORK, Math.floor(index / KINDS.length));
	return {
		generation: isV1 ? 'v1' : 'v2',
		templateID: `65f1c0de1${(index + 1).toString(16).padStart(15, '0')}`,
		name: `${kind} ${number}, ${field}`,
		description: `Made-up template of the ${pick(PLACES, index * 7)} office.`,
		key: isV1 ? '' : `made_up_${number}`,
		// Every tenth of version 2 is no longer in use.
		status: isV1 ? '' : index % 20 === 19 ? 'INACTIVE' : 'ACTIVE',
		fields: FIELDS,
		questions: !isV1 && index % 4 === 3 ? [QUESTION] : [],
		slots: isV1
			? []
			: [
					{ key: 'first', label: 'First party' },
					{ key: 'second', label: 'Second party' },
				],
		body: BODY,
	};
}
