import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';

import { operations, toolProperties } from '../../nodes/SignVerify/operations/nodeForm';
import type { Operation } from '../../nodes/SignVerify/operations/operationTypes';
import { action } from '../support/contexts';
import { saved, savedForms, shown, switched } from '../support/savedForms';

// A node must not reach a real person from the editor unless someone has chosen that. What a node contains depends on
// n8n's own code, which fills in defaults and keeps what an earlier operation left.
const chosen = ({ resource, value }: Operation): INodeParameters => ({
	resource,
	operation: value,
});
const nameOf = ({ resource, value }: Operation) => `${resource}/${value}`;
const sending = operations.filter(({ sends }) => sends);
const named = (list: Operation[]) => list.map((one) => [nameOf(one), one] as const);

test('Some operations send', () => {
	expect(sending.map(nameOf).sort()).toEqual([
		'document/send',
		'document/sendAndWait',
		'identity/request',
	]);
});

describe.each(named(sending))('A node that sends with %s', (_name, operation) => {
	test.each(Object.keys(savedForms))('sends nothing in a test with %s', (how) => {
		const form = savedForms[how]?.({ ...chosen(operation), options: {} }) ?? {};
		for (const node of [form, saved(shown(form))]) {
			expect(['nothing', null, '']).toContain(shown(node).inTestRuns);
		}
	});

	test('sends nothing in a test as the tool of an AI agent', () => {
		const { description } = action;
		const node = { type: 'signVerifyTool', typeVersion: 1.1 } as INode;
		const [form, properties] = [chosen(operation), toolProperties];
		const tool = NodeHelpers.getNodeParameters(properties, form, true, false, node, description);
		expect(tool?.inTestRuns).toBe(operation.waits ? undefined : 'nothing');
	});

	test.each(named(sending))(
		'keeps what a user has chosen if it is switched to %s',
		(_to, other) => {
			const choices = {
				inTestRuns: 'me',
				testEmail: 'me@example.com',
				options: { neverSend: true, sendDespiteWarnings: true },
			};
			expect(shown(switched({ ...chosen(operation), ...choices }, chosen(other)))).toMatchObject(
				choices,
			);
		},
	);
});
