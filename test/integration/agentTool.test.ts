import '../support/shortPauses';

import type { IDataObject } from 'n8n-workflow';

import { toRealPeople } from '../../host/workflow';
import type { Fault } from '../../sandbox/types';
import { action, executeContext, runAction, type RunSetup } from '../support/contexts';
import {
	ada,
	byId,
	creationsAt,
	failureOf,
	fields,
	mapped,
	useService,
	v2,
} from '../support/service';
import { runProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';
import { templateProblems } from '../../nodes/SignVerify/templateForm/templateProblems';
import { cannotWaitProblems } from '../../nodes/SignVerify/wait/canWait';
import { otherTemplate, wordsWith } from '../support/problemWords';

const service = useService();

/** Runs the node as one of n8n's Agents does: without a workflow around it. By default, it sends to the real people. */
async function runByAgent(form: IDataObject): Promise<IDataObject[]> {
	const parameters = { ...toRealPeople, ...form };
	const context = executeContext(service.credential(), { mode: 'internal', parameters });
	Object.assign(context, { getWorkflow: () => ({ active: false }) });
	const [output = []] = await action.execute.call(context);
	return output.map(({ json }) => json);
}

/** Runs the node as the tool of an AI Agent node. */
async function runAsTool(parameters: IDataObject): Promise<IDataObject[]> {
	const context = executeContext(service.credential(), { parameters });
	const node = { ...context.getNode(), type: 'n8n-nodes-signverify.signVerifyTool' };
	Object.assign(context, { getNode: () => node });
	const [output = []] = await action.execute.call(context);
	return output.map(({ json }) => json);
}

test("with Send Once Key, a tool of n8n's Agents sends nothing and shows the model what to do instead", async () => {
	const error = await failureOf(runByAgent({ ...v2, options: { sendOnceKey: "={{ 'C-1' }}" } }));
	expect(error.message).toMatch(`Send Once Key: ${runProblems.noWorkflow.problem}. `);
	expect(creationsAt(service)).toHaveLength(0);
});

test.each<[string, IDataObject]>([
	['set to Send Nothing', { inTestRuns: 'nothing' }],
	['set to Send to Me', { inTestRuns: 'me', testEmail: 'me@example.com' }],
	['set to null', { inTestRuns: null }],
	['not there', { inTestRuns: undefined }],
])(
	"with In Test Runs %s, a tool of n8n's Agents sends nothing, because n8n doesn't report whether this is a test",
	async (_how, form) => {
		const error = await failureOf(runByAgent({ ...v2, ...form }));
		expect(error.message).toMatch(
			`In Test Runs: ${runProblems.maybeTest('').problem}. Nothing was sent, `,
		);
		expect(creationsAt(service)).toHaveLength(0);
	},
);

test("with Send to the Real People, a tool of n8n's Agents sends the document, and Never Send only checks it", async () => {
	expect(await runByAgent({ ...v2, options: { neverSend: true } })).toMatchObject([
		{ outcome: 'nothing' },
	]);
	expect(creationsAt(service)).toHaveLength(0);
	expect(await runByAgent(v2)).toMatchObject([{ status: 'PENDING' }]);
	expect(creationsAt(service)).toHaveLength(1);
});

/** Runs the node in n8n's Engine 2.0, which stores only the message of an error. */
async function runInEngine2(parameters: IDataObject, more: Partial<RunSetup> = {}) {
	return await runAction(service.credential(), { parameters, isInEngine2: true, ...more });
}

const endpoint = 'POST /templates/createDocumentByTemplateV2';
const engine2 = cannotWaitProblems.engine2('use Send document for signature, and …');
const refusal = { status: 422, body: { success: false, message: 'It was canceled' } };

test.each<[string, IDataObject, Partial<Fault>, RegExp]>([
	['a wrong value', { ...v2, country: '' }, {}, /^Country: .*\. .*Nothing was sent\./],
	[
		'a rejection',
		v2,
		{ response: refusal },
		/\(HTTP 422: "It was cancelled"\)\. .*wasn't created\./,
	],
	[
		'a wait',
		{ ...v2, operation: 'sendAndWait' },
		{},
		wordsWith(`${engine2.problem}. …${engine2.remedy}`),
	],
	['a missing object', { resource: 'identity', operation: 'get', validationId: 'x' }, {}, /\. .+/],
	['an unknown operation', { resource: 'document', operation: 'x' }, {}, /\. .+/],
])(
	"in n8n's Engine 2.0, the message of an error about %s contains its description, and an error item contains both",
	async (_what, parameters, fault, words) => {
		const asShown = (text: unknown) =>
			String(text).replaceAll('\n', ' ').replaceAll('canceled', 'cancelled');
		const setFault = () => {
			if (fault.response) service.sandbox.faults.set({ endpoint, times: 1, ...fault });
		};
		setFault();
		const { message, description } = await failureOf(runInEngine2(parameters));
		expect(message).toMatch(words);
		expect(message).not.toContain('canceled');
		expect(message).toContain(asShown(description));
		setFault();
		const [item] = await runInEngine2(parameters, { continueOnFail: true });
		const { error } = item?.json as { error: IDataObject };
		expect(message).toContain(asShown(error.message));
		expect(error.description).toBeTruthy();
	},
);

test("in n8n's Engine 2.0, the message of an error about human review contains its description", async () => {
	const settings = { type: 'n8n-nodes-signverify.signVerifyHitlTool' };
	const { message, description } = await failureOf(runInEngine2(v2, { settings }));
	expect(message).toContain(`${cannotWaitProblems.humanReview.problem}. ${description}`);
});

test.each([
	["one of n8n's Agents", runByAgent],
	['an AI Agent node', runAsTool],
	["n8n's Engine 2.0", runInEngine2],
])(
	'the message of an error contains its description if %s uses the node, because n8n keeps only the message',
	async (_name, run) => {
		service.sandbox.faults.set({ endpoint, times: 1, reset: 'after' });
		const { message, description } = await failureOf(run(v2));
		expect(message).toMatch(/may have been created\. .*[Cc]heck your provider's account/);
		// n8n would mark an execution whose error contains this word as canceled.
		expect(message).not.toContain('canceled');
		expect(message).toContain(String(description).replaceAll('\n', ' '));
	},
);

describe('A model that sends a key which the template does not have', () => {
	const wrong = { ...fields, salary: '1' };

	test.each([
		["one of n8n's Agents", runByAgent],
		['an AI Agent node', runAsTool],
	])('reads the right keys if it uses the node through %s', async (_name, run) => {
		const error = await failureOf(run({ ...v2, fields: mapped(wrong) }));
		expect(error.message.startsWith(`${otherTemplate}: salary. `)).toBe(true);
		for (const key of Object.keys(fields)) expect(error.message).toContain(key);
		expect(error.message).not.toContain('Mapping Column Mode');
	});

	test('reads the keys of the people if one of those is wrong', async () => {
		const signatoryRoles = mapped({ 'employee.name': ada.name, 'worker.email': ada.email });
		const byRole = { ...v2, specifySignatories: 'byRole', signatoryRoles };
		const { message } = await failureOf(runAsTool(byRole));
		expect(message).toContain(' employee.name, employee.email.');
	});

	test('reads the right keys even if it also chooses the template', async () => {
		const context = executeContext(service.credential(), {
			parameters: { ...v2, templateId: byId('={{ $json.template }}'), fields: mapped(wrong) },
			items: [{ template: v2.templateId.value }],
		});
		const node = { ...context.getNode(), type: 'n8n-nodes-signverify.signVerifyTool' };
		Object.assign(context, { getNode: () => node });
		const { message } = await failureOf(action.execute.call(context));
		expect(message).toContain(Object.keys(fields).join(', '));
		expect(message).not.toContain('Mapping Column Mode');
	});

	test('is told apart from a person, who reads what to do in the editor', async () => {
		const parameters = { ...v2, fields: mapped(wrong) };
		const error = await failureOf(
			action.execute.call(executeContext(service.credential(), { parameters })),
		);
		expect(error.message).toBe(`${otherTemplate}: salary`);
		for (const key of Object.keys(fields)) expect(error.description).not.toContain(key);
	});
});

/**
 * Makes the context of a tool in n8n's sub-agents: the node's input and its current run contain the model's values, and
 * expressions read the agent's item.
 */
function subAgentContext(parameters: IDataObject, agentItem: IDataObject) {
	const context = executeContext(service.credential(), { parameters, items: [agentItem] });
	const byModel = [{ json: { rent: '500' } }];
	const run = { executionStatus: 'running', data: { ai_tool: [byModel] } };
	return Object.assign(context, {
		getInputData: () => byModel,
		runExecutionData: { resultData: { runData: { [context.getNode().name]: [run] } } },
	});
}

test("a tool whose expressions read the agent's item finds this item's columns", async () => {
	const signatory = [{ name: '={{ $json.First }} {{ $json.Last }}', email: 'ana@example.com' }];
	const options = { sendOnceKey: '=C-{{ $json.number }}' };
	const parameters = { ...v2, signatories: { signatory }, options };
	const agentItem = { First: 'Ana', Last: 'Gil', number: 1042 };
	const [output] = await action.execute.call(subAgentContext(parameters, agentItem));
	expect(output).toMatchObject([
		{ json: { documentId: expect.any(String) as string, warnings: [] } },
	]);
	const other = subAgentContext(parameters, { First: 'Ana', number: 1043 });
	const { message } = await failureOf(action.execute.call(other));
	expect(message).toContain(columnProblems.missing('Last', 'rent, First, number').problem);
});

test("the error of a tool's first call states that nothing was sent", async () => {
	const context = subAgentContext({ ...v2, country: '' }, {});
	const { description } = await failureOf(action.execute.call(context));
	expect(description).toContain('Nothing was sent.');
});

test('the message of an error contains only what happened if a workflow runs the node', async () => {
	const context = executeContext(service.credential(), { parameters: { ...v2, country: '' } });
	const { message, description } = await failureOf(action.execute.call(context));
	expect(message).not.toContain(String(description));
});

// n8n appends the description to a tool's error, unless the message contains it.
test.each<[string, IDataObject]>([
	['one wrong value', { ...v2, country: '' }],
	['two wrong values', { ...v2, specifySignatories: 'expression', signatoriesList: [{ a: 'b' }] }],
	['human review', { ...v2, operation: 'sendAndWait' }],
])('a model reads what to do about %s only once', async (_what, parameters) => {
	const { message, description } = await failureOf(runAsTool(parameters));
	expect(description).toBeTruthy();
	expect(message.split(String(description))).toHaveLength(2);
});

const byName = (value: string) => ({ __rl: true, mode: 'name', value });

test('a tool returns a template without what only people use', async () => {
	const parameters = {
		resource: 'template',
		operation: 'get',
		templateId: byName('employment contract'),
	};
	const [forPeople] = await runAction(service.credential(), { parameters });
	expect(forPeople?.json).toMatchObject({
		csvHeader: expect.any(String) as string,
		formFields: expect.any(String) as string,
	});
	for (const run of [runAsTool, runByAgent]) {
		const [template] = await run(parameters);
		expect({ ...forPeople?.json, ...template }).toEqual(forPeople?.json);
		expect(Object.keys(template ?? {})).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/^(?:csvHeader|formFields)$/)]),
		);
		expect(template).toMatchObject({ name: 'Employment contract', fields: expect.any(Array) });
	}
});

test("a tool shows the model the names of the account's templates if it has named another one", async () => {
	for (const run of [runAsTool, runByAgent]) {
		const { message } = await failureOf(run({ ...v2, templateId: byName('Employment') }));
		expect(message).toMatch(
			wordsWith(templateProblems.noneWithName('Employment', 'Employment contract, …').problem),
		);
		expect(message).toContain('Nothing was sent');
	}
	expect(creationsAt(service)).toHaveLength(0);
});

describe('A template whose texts are too long for a model', () => {
	const long = 'Long '.repeat(400).trim();
	const form = Array.from({ length: 103 }, (_, index) => ({
		key: `field_${index}`,
		type: 'text',
		label: index === 0 ? long : `Field ${index}`,
		isRequired: false,
	}));
	const template = { templateID: 'long-1', name: long, description: long, status: 'ACTIVE', form };
	/** Replaces the account's templates. */
	const have = (...templates: IDataObject[]) => {
		for (const [path, own] of [
			['GET /templates/v2', templates],
			['GET /templates', []],
		] as const) {
			const body = { success: true, responseData: { templates: own } };
			service.sandbox.faults.set({ endpoint: path, response: { status: 200, body } });
		}
	};
	const get = { resource: 'template', operation: 'get' };
	const getAll = { resource: 'template', operation: 'getAll', returnAll: true };

	test('stands in the output of a tool with its ID as its name, and with the start of its texts and lists', async () => {
		have(template);
		for (const run of [runAsTool, runByAgent]) {
			for (const parameters of [{ ...get, templateId: byId('long-1') }, getAll]) {
				const [shown] = await run(parameters);
				const { name, description, fields, ...others } = shown ?? {};
				expect(name).toBe('long-1');
				expect(description).toHaveLength(200);
				expect(others).toMatchObject({ fieldsLeftOut: 3 });
				expect(others).not.toHaveProperty('rolesLeftOut');
				expect(fields).toHaveLength(100);
				expect(fields).toMatchObject(
					[
						{ key: 'field_0', label: expect.stringMatching(/^Long Long [^]{189}…$/) as string },
						{ key: 'field_1', label: 'Field 1' },
					].concat(form.slice(2, 100).map(({ key, label }) => ({ key, label }))),
				);
			}
		}
	});

	test('is found by what a tool shows as its name', async () => {
		have(template, { ...template, templateID: 'short-1', name: 'Lease' });
		const named = async (name: string) =>
			(await runAsTool({ ...get, templateId: byName(name) }))[0]?.templateId;
		expect(await named('long-1')).toBe('long-1');
		expect(await named('Lease')).toBe('short-1');
		const { message } = await failureOf(named('short-1'));
		expect(message).toContain('The names are Lease, long-1.');
	});

	test('is whole for people, and a name of 200 characters is for a model as well', async () => {
		const name = long.slice(0, 199).padEnd(200, '.');
		have(template, { ...template, templateID: 'name-1', name });
		const [forPeople] = await runAction(service.credential(), { parameters: getAll });
		expect(forPeople?.json).toMatchObject({ name: long, description: long });
		expect(forPeople?.json.fields).toHaveLength(form.length);
		const names = (await runAsTool(getAll)).map((one) => one.name);
		expect(names).toEqual(['long-1', name]);
	});

	test('stands in the preview of a contract with its ID, and a field with such a label with its key', async () => {
		have(template);
		const parameters = {
			...v2,
			templateId: byId('long-1'),
			fields: mapped({ field_0: 'a', field_1: 'b' }),
			options: { neverSend: true },
		};
		expect(await runAsTool(parameters)).toMatchObject([
			{ title: 'long-1', fields: { field_0: 'a', 'Field 1': 'b' } },
		]);
	});
});
