import type { WorkflowExecuteMode } from 'n8n-workflow';

import { action, executeContext, runAction, type RunSetup } from '../support/contexts';
import { ada, contract, creationsAt, fields, mapped, useService, v2 } from '../support/service';
import { ProcessedStore } from '../n8n/processedStore';

const service = useService();
const options = { checkOnly: 'on' };

/** Runs with "Check Only", and makes sure that nothing but reads reached the service. */
async function check({ parameters, ...setup }: RunSetup) {
	const before = service.sandbox.requests.length;
	const hints: Array<{ message: string }> = [];
	try {
		return {
			output: await runAction(service.credential(), {
				...setup,
				parameters: { ...parameters, options: { ...options, ...Object(parameters.options) } },
				hints,
			}),
			hints: hints.map(({ message }) => message),
		};
	} finally {
		const calls = service.sandbox.requests.slice(before);
		const writes = calls.filter(
			({ method, path }) => method !== 'GET' && !path.startsWith('/access/'),
		);
		expect(writes).toEqual([]);
	}
}

const v2Wait = { ...v2, operation: 'sendAndWait' };
const identity = { resource: 'identity', operation: 'request', email: 'ada@example.com' };

test('a document is looked up and checked, and the item says what would be sent', async () => {
	const { output, hints } = await check({ parameters: v2 });
	expect(output).toEqual([
		{
			json: {
				template: 'Employment contract',
				templateId: contract,
				country: 'Mexico',
				signatories: [{ ...ada, role: 'Employee' }],
				// As the form calls them.
				fields: {
					'Employee name': fields.employee_name,
					'Job title': fields.role,
					'Start date': fields.start_date,
				},
				checkOnly: true,
			},
			pairedItem: { item: 0 },
		},
	]);
	expect(hints).toEqual(['Check Only is on: nothing was sent.']);
	expect(service.sandbox.documents()).toHaveLength(0);
});

test('waiting: nothing is registered, and the execution does not wait', async () => {
	const { output } = await check({ parameters: v2Wait });
	expect(output[0]?.json).toMatchObject({ checkOnly: true, completed: false, timedOut: false });
	expect(service.sandbox.webhooks()).toHaveLength(0);
});

test.each(['request', 'sendAndWait'])('identity / %s', async (operation) => {
	const parameters = { ...identity, operation, verification: 'new' };
	const { output } = await check({ parameters });
	expect(output[0]?.json).toEqual({
		email: 'ada@example.com',
		type: 'FACE',
		backgroundCheck: false,
		checkOnly: true,
	});
});

test.each([
	['a missing field', { fields: mapped({ ...fields, role: '' }) }, /Job title/],
	['an unknown template', { templateId: { __rl: true, mode: 'id', value: 'nope' } }, /Template/],
])('%s fails as it would when sending', async (_name, wrong, message) => {
	await expect(check({ parameters: { ...v2, ...wrong } })).rejects.toThrow(message);
	await expect(check({ parameters: { ...v2Wait, ...wrong } })).rejects.toThrow(message);
});

describe('with a Send Once Key', () => {
	const keyed = { ...v2, options: { sendOnceKey: 'k' } };

	test('checking leaves no trace: the item is sent afterwards', async () => {
		const store = new ProcessedStore();
		const { output } = await check({ parameters: keyed, store });
		expect(output[0]?.json).toMatchObject({ checkOnly: true, template: 'Employment contract' });
		expect(store.size).toBe(0);
		const [sent] = await runAction(service.credential(), { parameters: keyed, store });
		expect(sent?.json.documentId).toBeTruthy();
	});

	test('a key that was sent is shown as skipped', async () => {
		const store = new ProcessedStore();
		await runAction(service.credential(), { parameters: keyed, store });
		const { output } = await check({ parameters: keyed, store });
		expect(output[0]?.json).toEqual({
			skipped: true,
			sendOnceKey: 'k',
			reason: 'This key was sent before',
			checkOnly: true,
		});
	});

	test('of two items with one key, the second would be skipped', async () => {
		const { output } = await check({ parameters: keyed, items: [{}, {}] });
		expect(output.map(({ json }) => json.skipped)).toEqual([undefined, true]);
		expect(output[1]?.json.reason).toBe('Item 1 has the same key');
	});
});

describe('In Test Runs', () => {
	const parameters = { ...v2, options: { checkOnly: 'inTestRuns' } };
	/** Runs in an execution that began so, or ("integrated manual") in a sub-workflow of one. */
	const run = async (began: string) => {
		const [mode, rootExecutionMode] = began.split(' ');
		const setup = { parameters, mode: mode as WorkflowExecuteMode };
		const context = executeContext(service.credential(), setup);
		Object.assign(context, { additionalData: { rootExecutionMode } });
		const [[item] = []] = await action.execute.call(context);
		return { checked: item?.json.checkOnly === true, sent: creationsAt(service).length };
	};

	test.each(['manual', 'chat', 'evaluation', 'integrated manual'])('%s checks', async (began) => {
		expect(await run(began)).toEqual({ checked: true, sent: 0 });
	});

	test.each(['trigger', 'webhook', 'error', 'cli', 'agent', 'integrated webhook'])(
		'%s sends',
		async (began) => {
			expect(await run(began)).toEqual({ checked: false, sent: 1 });
		},
	);

	test.each(['retry', 'integrated', 'integrated retry', 'another'])(
		'%s is refused, because nobody knows',
		async (began) => {
			await expect(run(began)).rejects.toThrow(
				'Check Only: n8n does not say whether this is a test run',
			);
			expect(creationsAt(service)).toHaveLength(0);
		},
	);
});

test.each([[true], ['true']])('an expression may still give %j', async (checkOnly) => {
	const { output } = await check({ parameters: { ...v2, options: { checkOnly } } });
	expect(output[0]?.json.checkOnly).toBe(true);
});
