import type { INodeParameters } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { checkSending, lineOf, toRealPeople } from '../../host/workflow';
import { filesIn, textOfFile } from '../support/files';

// A node that has no options at all sends nothing when it's run in the editor or over n8n's REST API
// (operations/testRuns.ts). A workflow of ours that leaves them out would wait for documents that no one sent. All
// workflows that the other tests and the benchmarks store in n8n go through the same check (host/api.ts).
const examples = filesIn('examples').filter((file) => /^(?!data).*\.json$/.test(file));

test('there are examples', () => {
	expect(examples.length).toBeGreaterThan(15);
});

test.each(examples)('every SignVerify node in %s says what it sends', (file) => {
	checkSending(JSON.parse(textOfFile(`examples/${file}`)) as WorkflowInput);
});

test.each<[string, INodeParameters]>([
	['Send for Signature', { operation: 'send', templateId: 'lease' }],
	['Send for Signature and Wait', { operation: 'sendAndWait', templateId: 'lease' }],
	['Request', { resource: 'identity', operation: 'request', email: 'ada@example.com' }],
])('a node with %s is noticed only if it has no options', (name, parameters) => {
	const type = 'n8n-nodes-signverify.signVerify';
	const check = (more: INodeParameters) => () =>
		checkSending(lineOf('Sends', [{ name, type, parameters: { ...parameters, ...more } }]));
	expect(check({})).toThrow(`"${name}" needs options`);
	expect(check({ options: toRealPeople })).not.toThrow();
});
