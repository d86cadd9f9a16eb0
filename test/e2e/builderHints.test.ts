import { randomUUID } from 'node:crypto';

import { outputOf } from '../../host/executions';
import type { WorkflowInput } from '../../host/apiTypes';
import { patterns, workflowOf } from '../support/builderPatterns';
import { ada, useExamples } from './support/examples';
import { createDocument } from './support/trigger';
import { signAll } from './support/wait';

// The workflows that the nodes' hints give n8n's AI workflow builder as examples, each built with
// n8n's own library, stored in a real n8n and run to its end.
const own = useExamples('builder-hints');
const { stage, submit, mailTo, lastDocument, waits, finished } = own;

/** Uses each pattern as people would; gives the node that its items reach last. */
const uses: Record<string, (workflowId: string) => Promise<string>> = {
	async 'Form → Send for Signature'() {
		await submit('pattern', [ada.name, ada.email, ada.role, ada.start]);
		await mailTo(ada.email, 'Please sign: Employment contract');
		return 'Send for Signature';
	},
	async 'Form → Send for Signature and Wait → If completed → Download'(workflowId) {
		await submit('pattern', [ada.name, ada.email, ada.role, ada.start]);
		await waits(workflowId);
		await signAll(stage.sandbox, lastDocument());
		return 'Download';
	},
	async 'Form → Request → Send Email → Wait Until Verified → If passed'(workflowId) {
		await submit('pattern', ['nina@example.com']);
		const link = await mailTo('nina@example.com', 'Please confirm who you are');
		expect(link.text).toMatch(/https?:\S+identity/);
		await waits(workflowId);
		const request = stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
		await stage.sandbox.completeIdentity(request, 'pass');
		return 'Passed?';
	},
	async 'SignVerify Trigger → If completed → Download'() {
		await signAll(stage.sandbox, await createDocument(stage.sandbox, 'By the trigger'));
		return 'Download';
	},
};

/** The workflow with the credentials of this n8n, its form at an address of the test's own. */
async function ready(title: string): Promise<WorkflowInput> {
	const pattern = patterns.find((each) => each.title === title);
	const workflow = await workflowOf(pattern ?? { title, code: '' });
	for (const node of workflow.nodes) {
		// n8n's library leaves the choice of the credential to whoever gets the workflow.
		node.credentials = Object.fromEntries(
			Object.keys(node.credentials ?? {}).map((type) => [
				type,
				{ id: own.credentials[type] ?? null, name: type },
			]),
		);
		// The editor gives each node that has a webhook an ID for it.
		if (/trigger$/i.test(node.type)) node.webhookId ??= randomUUID();
		if (node.type === 'n8n-nodes-base.formTrigger') node.parameters.options = { path: 'pattern' };
	}
	return workflow;
}

test('every pattern is used here', () => {
	expect(patterns.map(({ title }) => title)).toEqual(Object.keys(uses));
});

test.each(Object.entries(uses))('%s', async (title, use) => {
	const { api } = stage.n8n;
	const { id } = await api.createWorkflow(await ready(title));
	await api.activate(id);
	try {
		const last = await use(id);
		const started = last === 'Download' && title.startsWith('SignVerify Trigger') ? 3 : 1;
		const executions = await finished(id, started);
		const outputs = executions.flatMap((each) => outputOf(each, last));
		expect(outputs).toHaveLength(1);
		if (last === 'Download') {
			expect(Object.keys(outputs[0]?.binary ?? {}).sort()).toEqual(['certificate', 'document']);
		}
	} finally {
		await api.deactivate(id);
	}
});
