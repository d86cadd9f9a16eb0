import type { INodeExecutionData } from 'n8n-workflow';

import { properties, toolProperties } from '../../nodes/SignVerify/operations/nodeForm';
import { startSandbox } from '../../sandbox';
import {
	awaitedBy,
	itemCount,
	resolvedFor,
	testedOperations,
	type Item,
	type Service,
	type TestedOperation,
} from '../operations';
import { unknownId } from '../operations/service';
import { clientOf, keeperOf } from '../support/credentials';
import { action, executeContext, runAction } from '../support/contexts';
import { endpointOf } from '../support/endpoints';
import { newProcess } from '../support/newProcess';
import { v2 } from '../support/service';
import { until } from '../support/until';
import { useWaitingHost } from '../support/waiting';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { cannotWaitProblems } from '../../nodes/SignVerify/wait/canWait';

// These tests check that each operation actually does what its output reports, and does nothing if it fails.
// The cases come from the entries in test/operations/. Behavior that is specific to one operation is tested
// in that operation's file.
const waitingHost = useWaitingHost();
let service: Service;

beforeEach(async () => {
	const sandbox = await startSandbox({ deliveryBackoffMs: [20, 20, 20] });
	service = { sandbox, client: clientOf(sandbox) };
});
afterEach(async () => await service.sandbox.close());

function setupOf({ parameters }: TestedOperation, items: Item[]) {
	return { parameters, items, perItem: items.map((item) => resolvedFor(item, parameters)) };
}

/** Runs an operation for these items. If the operation waits, also triggers the events that end the waits. */
async function run(tested: TestedOperation, items: Item[]): Promise<INodeExecutionData[]> {
	const { sandbox } = service;
	const setup = setupOf(tested, items);
	if (!tested.waits) return await runAction(keeperOf(sandbox), setup);
	const execution = await waitingHost.start(keeperOf(sandbox), setup);
	for (const id of awaitedBy(tested, sandbox, items)) await tested.waits.finish(sandbox, id);
	await until('the execution has ended', () => execution.status === 'success');
	return execution.output;
}

function createdFor({ created }: TestedOperation, items: Item[]): string[] {
	return items.flatMap((item) => created?.(service.sandbox, item) ?? []);
}

/** Whether the operation's form offers a choice between simplified and raw output. */
function hasChoice({ operation: { fields } }: TestedOperation): boolean {
	return fields.some(({ name }) => name === 'output');
}

/** The endpoints that were called, with the names that they have in the contract. */
function called(): string[] {
	const names = service.sandbox.requests.map(({ method, path }) => endpointOf(method, path)?.name);
	return [...new Set(names)].map(String).sort();
}

describe.each(testedOperations)('$name', (tested) => {
	test('makes exactly the calls listed in its entry in test/operations', async () => {
		const items = await tested.prepare(service, itemCount(tested, 2));
		service.sandbox.forgetRequests();
		const output = await run(tested, items);
		expect(output).toHaveLength(items.length);
		for (const [index, item] of items.entries()) {
			const own = output[index] as INodeExecutionData;
			expect(tested.problemOf(service.sandbox, item, own)).toBeUndefined();
			if (tested.created) expect(createdFor(tested, [item])).toHaveLength(1);
		}
		if (tested.waits)
			await until('the webhook of the wait is removed', () => !service.sandbox.webhooks().length);
		expect(called()).toEqual(Object.values(tested.calls).sort());
		expect(service.sandbox.requests.filter(({ violation }) => violation)).toEqual([]);
	});

	test("works in n8n's Engine 2.0, or if it waits, refuses to before it makes a call", async () => {
		const items = await tested.prepare(service, itemCount(tested, 2));
		service.sandbox.forgetRequests();
		// The other client, which has prepared the items, is not part of this n8n.
		newProcess();
		const setup = { ...setupOf(tested, items), isInEngine2: true };
		const running = runAction(keeperOf(service.sandbox), setup);
		if (tested.waits) {
			await expect(running).rejects.toThrow(cannotWaitProblems.engine2('').problem);
			expect(called()).toEqual([]);
			return;
		}
		const output = await running;
		for (const [index, item] of items.entries()) {
			const own = output[index] as INodeExecutionData;
			expect(tested.problemOf(service.sandbox, item, own)).toBeUndefined();
		}
		expect(called()).toEqual(Object.values(tested.calls).sort());
	});

	if (tested.absent) {
		test('fails if the form refers to an object that does not exist in the account', async () => {
			const items = await tested.prepare(service, 1);
			const wrong = items.map((item) => ({ ...item, ...tested.absent?.(service.sandbox) }));
			await expect(run(tested, wrong)).rejects.toThrow(new RegExp(`${unknownId}|HTTP 40[34]`));
		});
	}

	// An AI agent reads the entire output and pays for every token.
	if (hasChoice(tested)) {
		test('returns only the most useful fields unless raw output is selected', async () => {
			const items = await tested.prepare(service, 1);
			const outputOf = async (more: object) => await run({ ...tested, ...more }, items);
			const simplified = await outputOf({});
			// If this fails, update `simplified` in the operation's entry in test/operations/.
			for (const { json } of simplified) expect(Object.keys(json)).toEqual(tested.simplified);
			// n8n's guideline for tools: at most ten fields.
			expect(tested.simplified?.length).toBeLessThanOrEqual(10);
			const withOutput = (output: string) => ({ parameters: { ...tested.parameters, output } });
			const raw = await outputOf(withOutput('raw'));
			expect(raw).toHaveLength(simplified.length);
			for (const { json } of raw) expect(Object.keys(json)).not.toEqual(tested.simplified);
			await expect(outputOf(withOutput('both'))).rejects.toThrow(
				`Output: ${valueProblems.notAChoice('').problem}`,
			);
		});
	}
});

test('every list and lookup offers raw output and has its simplified fields listed in test/operations', () => {
	const without = testedOperations
		.filter((tested) => tested.operation.value.startsWith('get') && !hasChoice(tested))
		.map(({ name }) => `${name}: add outputField to nodes/SignVerify/operations/${name}.ts`);
	const unsaid = testedOperations
		.filter((tested) => hasChoice(tested) && !tested.simplified)
		.map(
			({ name, operation }) =>
				`${name}: add simplified: […] to its entry in test/operations/${operation.resource}.ts`,
		);
	expect([...without, ...unsaid]).toEqual([]);
});

test('an AI agent can choose from the same output options as a user', () => {
	const shownFor = (form: typeof properties) =>
		form.filter(({ name }) => name === 'output').map(({ displayOptions }) => displayOptions?.show);
	expect(shownFor(toolProperties)).toEqual(shownFor(properties));
});

test("an execution in n8n's Engine 2.0, which doesn't return the saved credential, doesn't read the credential for each item", async () => {
	const context = executeContext(keeperOf(service.sandbox), {
		parameters: { resource: 'template', operation: 'getAll', returnAll: true },
		items: [{}, {}, {}],
		isInEngine2: true,
	});
	const refuse = async () => await Promise.reject(new Error('Not supported on Engine 2.0'));
	const additionalData = { credentialsHelper: { getCredentials: refuse } };
	const itemsRead = new Set<number>();
	const { getCredentials } = context;
	const counted = async (type: string, index = 0) => {
		itemsRead.add(index);
		return await getCredentials.call(context, type, index);
	};
	Object.assign(context, { additionalData, getCredentials: counted });
	await action.execute.call(context);
	expect([...itemsRead]).toEqual([0]);
});

test("an execution sends nothing if n8n can't read the credential for one of the items, and reports this", async () => {
	const context = executeContext(keeperOf(service.sandbox), { parameters: v2, items: [{}, {}] });
	const { getCredentials } = context;
	const failing = async (type: string, index = 0) => {
		if (index === 1) throw new Error("Cannot read properties of undefined (reading 'trim')");
		return await getCredentials.call(context, type, index);
	};
	Object.assign(context, { getCredentials: failing });
	await expect(action.execute.call(context)).rejects.toThrow(
		"n8n couldn't read the credential: Cannot read properties of undefined",
	);
	expect(service.sandbox.documents()).toEqual([]);
});
