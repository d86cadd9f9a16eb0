import { type INode, type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { operations } from '../../nodes/SignVerify/operations/nodeForm';
import { withDefaults } from '../n8n/execute';
import { action } from './contexts';

type Change = (form: INodeParameters) => INodeParameters;

const { description } = action;
const node = { type: description.name, typeVersion: 1.1 } as INode;

/** Returns a node's parameters as the editor shows them and as n8n runs them: with all defaults. */
export const shown: Change = (form) => withDefaults(action, form);

/** Returns a node's parameters as the editor saves them: without defaults, and only what the form shows. */
export const saved: Change = (form) =>
	NodeHelpers.getNodeParameters(description.properties, form, false, false, node, description) ??
	{};

/** Returns the parameters after a user has selected another operation and n8n has saved the node. */
export const switched = (form: INodeParameters, operation: INodeParameters): INodeParameters =>
	saved(shown({ ...shown(form), ...operation }));

const withoutOptions: Change = (form) =>
	Object.fromEntries(Object.entries(form).filter(([name]) => name !== 'options'));

/**
 * How the JSON of a filled-in node can look if no one has chosen what a test sends. `form` has options, but no choice.
 * The words complete "A node with …".
 */
export const savedForms: Record<string, Change> = {
	'no options': withoutOptions,
	'empty options': (form) => ({ ...form, options: {} }),
	null: (form) => ({ ...form, inTestRuns: null, testEmail: null, options: null }),
	'empty text': (form) => ({ ...form, inTestRuns: '', testEmail: '' }),
	'the options of an old node': (form) => ({
		...form,
		options: { inTestRuns: { testRun: { send: 'realPeople' } }, stopOnWarnings: true },
	}),
	'names that an assistant has made up': (form) => ({
		...form,
		testEmail: 'me@example.com',
		testRuns: 'realPeople',
		options: { inTestRuns: 'realPeople', send: 'realPeople' },
	}),
	'the options of an imported example': (form) => ({ ...form, options: { includeInput: true } }),
	'what the editor has saved': (form) => saved(shown(form)),
	'everything that n8n shows of a copy': (form) => shown(form),
	...Object.fromEntries(
		operations.map(({ resource, value }): [string, Change] => [
			`another operation before, ${resource}/${value},`,
			(form) => {
				const own = { resource: form.resource, operation: form.operation };
				return {
					...switched(saved(shown({ resource, operation: value })), own),
					...withoutOptions(form),
				};
			},
		]),
	),
};
