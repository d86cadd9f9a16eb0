import type { INodeParameters } from 'n8n-workflow';

import { lineOf, toRealPeople } from '../../host/workflow';

// A node without a choice of what a test sends sends nothing in the editor (operations/testRuns.ts). A workflow of a
// test or a benchmark that leaves that out would wait for documents that no one sent.
test.each<[string, INodeParameters]>([
	['Send for Signature', { operation: 'send', templateId: 'lease' }],
	['Send for Signature and Wait', { operation: 'sendAndWait', templateId: 'lease' }],
	['Request', { resource: 'identity', operation: 'request', email: 'ada@example.com' }],
])("a test can't build a node with %s that lacks a choice of what it sends", (name, parameters) => {
	const type = 'n8n-nodes-signverify.signVerify';
	const build = (more: INodeParameters) => () =>
		lineOf('Sends', [{ name, type, parameters: { ...parameters, ...more } }]);
	expect(build({})).toThrow(`"${name}" needs inTestRuns`);
	expect(build(toRealPeople)).not.toThrow();
});
