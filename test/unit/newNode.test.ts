import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';

import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { operations, toolProperties } from '../../nodes/SignVerify/operations';
import type { Operation } from '../../nodes/SignVerify/operations/types';

// A new node must not reach a real person from the editor. Whether it has the options that keep it from doing so
// depends on n8n's own code, which fills in defaults and keeps what an earlier operation left.
const { description } = new SignVerify();
const node = { type: 'signVerify', typeVersion: 1.1 } as INode;

/** The parameters as n8n's editor shows them and as n8n runs them: with every default. */
const shown = (parameters: INodeParameters, properties = description.properties) =>
	NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {};
/** The parameters as n8n saves them: without defaults. */
const saved = (parameters: INodeParameters) =>
	NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		false,
		false,
		node,
		description,
	) ?? {};

const chosen = ({ resource, value }: Operation): INodeParameters => ({
	resource,
	operation: value,
});
const nameOf = ({ resource, value }: Operation) => `${resource}/${value}`;
const sending = operations.filter(({ sends }) => sends);
const safe = { inTestRuns: { testRun: { send: 'nothing' } }, stopOnWarnings: true };

test('Some operations send, and all of their forms have options', () => {
	expect(sending.map(nameOf).sort()).toEqual([
		'document/send',
		'document/sendAndWait',
		'identity/request',
	]);
});

describe.each(sending.map((operation) => [nameOf(operation), operation] as const))(
	'A node that sends with %s',
	(_name, operation) => {
		test('sends nothing in a test and stops on warnings if it is new', () => {
			expect(shown(chosen(operation)).options).toEqual(safe);
			expect(shown(saved(shown(chosen(operation)))).options).toEqual(safe);
		});

		test.each(operations.map((other) => [nameOf(other), other] as const))(
			'does the same if it was switched from %s, even after it was saved',
			(_other, other) => {
				const before = shown(chosen(other));
				for (const kept of [before, shown(saved(before))]) {
					const switched = shown({ ...kept, ...chosen(operation) });
					expect(switched.options).toEqual(safe);
					expect(shown(saved(switched)).options).toEqual(safe);
				}
			},
		);

		test('keeps the choices that a user has made', () => {
			const options = { inTestRuns: { testRun: { send: 'me', email: 'me@example.com' } } };
			const parameters = shown({ ...chosen(operation), options });
			expect(parameters.options).toEqual(options);
			expect(shown(saved(parameters)).options).toEqual(options);
			// A user who removes both options gets a node without them.
			expect(shown(saved(shown({ ...chosen(operation), options: {} }))).options).toEqual({});
		});

		test('is the same as the tool of an AI agent', () => {
			const isTool = !operation.waits;
			expect(shown(chosen(operation), toolProperties).options).toEqual(isTool ? safe : undefined);
		});
	},
);

test.each(
	operations.filter(({ sends }) => !sends).map((operation) => [nameOf(operation), operation]),
)('%s has no collection with the name of the options that send', (_name, operation) => {
	expect(shown(chosen(operation))).not.toHaveProperty('options');
});
