import type { INodeParameters, IDataObject } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { outputOf } from '../../host/executions';
import { actionSteps, lineOf } from '../../host/workflow';
import { useStage } from './support/stage';

const stage = useStage('operations');
const callback = 'http://127.0.0.1:9/callback';

/** A node of the workflow, by the operation it does. */
type Step = [name: string, parameters: INodeParameters];

/** A workflow that does one step after another, started by hand. */
async function workflowOf(steps: Step[]): Promise<WorkflowInput> {
	const action = await actionSteps(stage.n8n.api);
	return lineOf(
		'Steps',
		steps.map(([name, parameters]) => action(name, parameters)),
	);
}

/** Runs the steps in n8n; gives each step's first item. */
async function run(steps: Step[]): Promise<Record<string, { json: IDataObject; binary?: object }>> {
	const { api } = stage.n8n;
	const { id } = await api.createWorkflow(await workflowOf(steps));
	const execution = await api.waitForExecution(await api.run(id, 'Start'));
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	return Object.fromEntries(
		steps.map(([name]) => [
			name,
			outputOf(execution, name)[0] as { json: IDataObject; binary?: object },
		]),
	);
}

const version1 = () => {
	const template = stage.sandbox.templates().find((each) => each.generation === 'v1');
	if (!template) throw new Error('The sandbox has no version 1 template.');
	return template;
};
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const country = { __rl: true, mode: 'name', value: 'Mexico' };

test('every operation, once, in one workflow each following the other', async () => {
	const v1 = version1();
	const inputs = Object.fromEntries(v1.fields.map(({ key, label }) => [key, label]));
	const output = await run([
		[
			'List templates',
			{ resource: 'template', operation: 'getAll', templateVersion: 'all', limit: 1 },
		],
		[
			'Get a template',
			{
				resource: 'template',
				operation: 'get',
				templateVersion: 'v2',
				templateId: byId('65f1c0de0000000000000201'),
			},
		],
		[
			'Create, version 2',
			{
				resource: 'document',
				operation: 'createFromTemplate',
				templateVersion: 'v2',
				templateId: byId('65f1c0de0000000000000201'),
				fields: {
					mappingMode: 'defineBelow',
					value: {
						employee_name: 'Ada Lovelace',
						role: '={{ $json.name }}',
						start_date: '={{ $now }}',
					},
				},
				signatoriesFrom: 'form',
				signatories: { signatory: [{ email: 'ada@example.com', name: 'Ada Lovelace' }] },
				country,
			},
		],
		[
			'Create, version 1',
			{
				resource: 'document',
				operation: 'createFromTemplate',
				templateVersion: 'v1',
				templateId: byId(v1.templateID),
				fields: { mappingMode: 'defineBelow', value: inputs },
				signatoriesFrom: 'expression',
				signatoriesList: '={{ $json.signatories }}',
				country,
				signPositions: {
					position: [{ email: 'ada@example.com', place: 'bottomLeft', page: 1, color: '#1f4fd8' }],
				},
			},
		],
		[
			'Register',
			{ resource: 'webhook', operation: 'create', event: 'signDocument', webhookUrl: callback },
		],
		[
			'Register for identities',
			{
				resource: 'webhook',
				operation: 'create',
				event: 'VERIFICATION_REQUEST_FINISHED',
				name: 'Checks',
				webhookUrl: callback,
			},
		],
		[
			'List webhooks',
			{ resource: 'webhook', operation: 'getAll', returnAll: true, filters: { address: callback } },
		],
		[
			'Delete',
			{ resource: 'webhook', operation: 'delete', webhookId: byId('={{ $json.webHookID }}') },
		],
		[
			'Request',
			{
				resource: 'identity',
				operation: 'request',
				email: 'ada@example.com',
				verificationType: 'FACE',
				backgroundCheck: true,
			},
		],
		[
			'Get a request',
			{ resource: 'identity', operation: 'get', validationId: '={{ $json.validationId }}' },
		],
	]);

	expect(output['Get a template']?.json).toMatchObject({
		name: 'Employment contract',
		form: expect.any(Array),
		signatories: expect.any(Array),
	});
	expect(output['Create, version 2']?.json).toMatchObject({
		status: 'PENDING',
		signatories: [{ email: 'ada@example.com', signed: false }],
	});
	expect(output['Create, version 1']?.json).toMatchObject({
		status: 'PENDING',
		templateId: v1.templateID,
	});
	expect(output.Register?.json).toMatchObject({ type: 'signDocument', webHookUrl: callback });
	expect(output['Register for identities']?.json).toMatchObject({
		type: 'VERIFICATION_REQUEST_FINISHED',
		name: 'Checks',
	});
	expect(output.Delete?.json).toMatchObject({ deleted: true });
	expect(output['Get a request']?.json).toMatchObject({
		emailId: 'ada@example.com',
		status: 'CREATED',
	});
	expect(stage.sandbox.requests.filter((each) => each.violation)).toEqual([]);
	const sent = stage.sandbox.requests.find((each) => each.path.endsWith('V2'))?.body as {
		inputs: Record<string, string>;
	};
	expect(sent.inputs).toEqual({
		employee_name: 'Ada Lovelace',
		role: 'Employment contract',
		start_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
	});
});

test('the results of a finished check, and the files of a signed document', async () => {
	const [request] = stage.sandbox.identityRequests();
	await stage.sandbox.completeIdentity(request?.sessionId ?? '', 'pass');
	const [document] = stage.sandbox.documents();
	const signed = await stage.sandbox.sign(document?.documentID ?? '', 'ada@example.com');
	expect(signed.status).toBe('COMPLETED');
	const [event] = await stage.sandbox.fire('completedDocument', signed.documentID);
	const notification = event?.body as { Document: { documentURL: string; certificateURL: string } };

	const output = await run([
		[
			'Results',
			{ resource: 'identity', operation: 'getResults', sessionId: request?.sessionId ?? '' },
		],
		[
			'Download',
			{
				resource: 'document',
				operation: 'download',
				files: ['document', 'certificate'],
				addressesFrom: 'form',
				documentUrl: notification.Document.documentURL,
				certificateUrl: notification.Document.certificateURL,
			},
		],
	]);
	expect(output.Results?.json).toMatchObject({
		customerId: expect.any(String),
		score: expect.any(Object),
	});
	expect(JSON.stringify(output.Results)).not.toMatch(/ocr|birthDate|curp/i);
	expect(output.Download?.binary).toMatchObject({
		document: { mimeType: 'application/pdf', fileExtension: 'pdf' },
		certificate: { mimeType: 'application/pdf', fileExtension: 'pdf' },
	});
});

/** A workflow that creates a contract for each of the given items, errors to an output of their own. */
async function creatingFor(items: IDataObject[], parameters: INodeParameters): Promise<string> {
	const create: Step = [
		'Create',
		{
			resource: 'document',
			operation: 'createFromTemplate',
			templateVersion: 'v2',
			templateId: byId('65f1c0de0000000000000201'),
			signatoriesFrom: 'form',
			country,
			...parameters,
		},
	];
	const workflow = await workflowOf([create]);
	workflow.pinData = { Start: items.map((json) => ({ json })) };
	for (const node of workflow.nodes) {
		if (node.name === 'Create') node.onError = 'continueErrorOutput';
	}
	return (await stage.n8n.api.createWorkflow(workflow)).id;
}

/** Runs it; gives the items that went well, and the messages of those that did not. */
async function runCreating(id: string): Promise<{ done: IDataObject[]; errors: unknown[] }> {
	const { api } = stage.n8n;
	const execution = await api.waitForExecution(await api.run(id, 'Start'));
	expect(execution.status).toBe('success');
	return {
		done: outputOf(execution, 'Create', 0).map(({ json }) => json),
		errors: outputOf(execution, 'Create', 1).map(({ json }) => (json.error as IDataObject).message),
	};
}

const contractFields = (role: string): INodeParameters => ({
	mappingMode: 'defineBelow',
	value: { employee_name: 'Ada', role, start_date: '2027-01-11' },
});

test('with "continue on error" a wrong item goes to the error output, and the others go on', async () => {
	const before = stage.sandbox.documents().length;
	const items = [
		{ email: 'ada@example.com', role: 'Analyst' },
		{ email: null, role: 'Analyst' },
		{ email: 'bob@example.com', role: null },
		{ email: 'eve@example.com', role: 7 },
	];
	const id = await creatingFor(items, {
		fields: contractFields('={{ $json.role }}'),
		signatories: { signatory: [{ email: '={{ $json.email }}', name: 'Ada Lovelace' }] },
	});
	const { done, errors } = await runCreating(id);
	expect(done.map(({ signatories }) => (signatories as IDataObject[])[0]?.email)).toEqual([
		'ada@example.com',
		'eve@example.com',
	]);
	expect(errors).toEqual([
		'Signatory 1, Email: it is empty',
		'Fields: Job title: the template requires a value, and there is none',
	]);
	expect(stage.sandbox.documents()).toHaveLength(before + 2);
});

test('a Send Once Key holds over runs in the store of n8n, and one that comes to nothing sends nothing', async () => {
	const before = stage.sandbox.documents().length;
	const contracts = ['c-1', 'c-2', null, 'c-1', 4711];
	const id = await creatingFor(
		contracts.map((contract) => ({ contract })),
		{
			fields: contractFields('Analyst'),
			signatories: { signatory: [{ email: 'ada@example.com', name: 'Ada Lovelace' }] },
			options: { sendOnceKey: '={{ $json.contract }}' },
		},
	);
	for (const skipped of [
		[false, false, true, false],
		[true, true, true, true],
	]) {
		const { done, errors } = await runCreating(id);
		expect(done.map((json) => json.skipped ?? false)).toEqual(skipped);
		expect(errors).toEqual(['Send Once Key: the expression gives nothing for this item']);
		expect(stage.sandbox.documents()).toHaveLength(before + 3);
	}
});
