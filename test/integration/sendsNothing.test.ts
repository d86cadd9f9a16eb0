import '../support/shortPauses';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { noteOfFailedWait } from '../../nodes/SignVerify/item/outcome';
import { settle } from '../../nodes/SignVerify/util/async';
import { operations } from '../../nodes/SignVerify/operations/nodeForm';
import { testedOperations, itemCount, resolvedFor, type TestedOperation } from '../operations';
import { action, executeContext, type RunSetup } from '../support/contexts';
import { clientOf, keeperOf } from '../support/credentials';
import { newProcess } from '../support/newProcess';
import { useService } from '../support/service';

/*
 * An operation that sends nothing must not speak of sending, because its reader would take the words for what an
 * earlier node has sent, and send it again. These tests let every such operation fail in every way that they know.
 * test/unit/problems.test.ts checks the words of all problems, however they come about.
 */
const service = useService();

const fails = (what: string) => async () => await Promise.reject(new Error(what));

/** Values of n8n's context that make a run fail. */
const brokenContexts: Record<string, (context: IExecuteFunctions) => object> = {
	'an old n8n': () => ({ getSignedResumeUrl: undefined }),
	"an AI agent's tool": () => ({
		getNode: () => ({ name: 'x', type: 'n8n-nodes-signverify.signVerifyTool', parameters: {} }),
	}),
	'Engine 2.0': () => ({ getExecutionCancelSignal: () => undefined }),
	'a URL that n8n cannot make': () => ({
		getSignedResumeUrl: () => {
			throw new Error('No instance ID');
		},
	}),
	'a wait that n8n cannot store': () => ({ putExecutionToWait: fails('The database is locked') }),
	'a credential that n8n cannot read': () => ({ getCredentials: fails('The database is locked') }),
	'another account for each item': (context) => {
		const { getCredentials } = context;
		const saved = { userId: '={{ $json.user }}' };
		const credentialsHelper = {
			getCredentials: async () => await Promise.resolve({ getData: () => saved }),
		};
		return {
			additionalData: {
				...(context as { additionalData?: object }).additionalData,
				credentialsHelper,
			},
			getCredentials: async (type: string, index = 0) => ({
				...(await getCredentials.call(context, type, index)),
				userId: `user ${index}`,
			}),
		};
	},
	'a canceled execution': () => ({ getExecutionCancelSignal: () => AbortSignal.abort() }),
};

const endings = {
	'a refusal': { response: { status: 400, body: { success: false, message: 'no' } } },
	'a failure': { response: { status: 503 } },
	'too many requests': { response: { status: 429, headers: { 'Retry-After': '600' } } },
	'a web page': { response: { status: 200, body: '<html></html>' } },
	'a lost connection': { reset: 'after' },
} as const;

/** Returns the output, or the error if the node stops. */
async function endOf(setup: RunSetup, limits: IDataObject = {}, change = brokenContexts.none) {
	// A rate limit would otherwise pause the calls of the next run.
	newProcess();
	const context = executeContext(keeperOf(service.sandbox, limits), setup);
	Object.assign(context, change?.(context));
	const ended = await settle(action.execute.call(context));
	return ended.ok ? (ended.value[0] ?? []) : (ended.error as Error & { description?: string });
}

/** Lets an operation fail in every way. @returns Each way, with what the node then returns or throws. */
async function* failuresOf(tested: TestedOperation, continueOnFail: boolean) {
	const { sandbox } = service;
	const items = await tested.prepare({ sandbox, client: clientOf(sandbox) }, 3);
	const setupWith = (change: IDataObject = {}, count = itemCount(tested, 2)): RunSetup => {
		const changed = items.slice(0, count).map((item) => ({ ...item, ...change }));
		const perItem = changed.map((item) => resolvedFor(item, tested.parameters));
		return { parameters: tested.parameters, items: changed, perItem, continueOnFail };
	};
	yield ['wrong values', await endOf(setupWith(tested.malformed))] as const;
	if (tested.absent)
		yield ['an unknown ID', await endOf(setupWith(tested.absent(sandbox)))] as const;
	if (tested.waits) yield ['several items', await endOf(setupWith({}, 3))] as const;
	yield ['a wrong key', await endOf(setupWith(), { apiKey: 'wrong' })] as const;
	yield ['no server', await endOf(setupWith(), { baseUrl: 'http://127.0.0.1:1' })] as const;
	yield ['a wrong limit', await endOf(setupWith(), { parallelRequests: 100 })] as const;
	for (const [what, change] of Object.entries(brokenContexts)) {
		yield [what, await endOf(setupWith(), {}, change)] as const;
	}
	for (const endpoint of new Set(Object.values(tested.calls))) {
		for (const [what, fault] of Object.entries(endings)) {
			const stop = sandbox.faults.set({ endpoint, ...fault });
			yield [`${what} of ${endpoint}`, await endOf(setupWith())] as const;
			stop();
		}
	}
}

function wordsOf(end: INodeExecutionData[] | (Error & { description?: string })): string[] {
	if (end instanceof Error) return [`${end.message} ${end.description ?? ''}`];
	return end.flatMap(({ json: { error } }) => (error ? [JSON.stringify(error)] : []));
}

/** The names of all actions. "Use the Send document for signature action" speaks of the action, not of what happened. */
const actionNames = new RegExp(operations.map(({ action: name }) => name).join('|'), 'g');

const silent = testedOperations.filter(({ operation }) => !operation.sends);

describe.each(silent)('$name', (tested) => {
	test.each([
		['stops', false],
		['continues', true],
	])('does not speak of sending when it fails and %s', async (_name, continueOnFail) => {
		let failureCount = 0;
		const speaking: string[] = [];
		for await (const [what, end] of failuresOf(tested, continueOnFail)) {
			const words = wordsOf(end);
			failureCount += words.length;
			for (const one of words) {
				if (!/\bsen[dt]\b/i.test(one.replace(actionNames, ''))) continue;
				speaking.push(
					`After ${what}, the error speaks of sending, so its reader may send again what an earlier node has sent. Say what this operation does instead: ${one}`,
				);
			}
		}
		expect(speaking).toEqual([]);
		expect(failureCount).toBeGreaterThan(5);
	});
});

const waiting = silent.filter(({ operation }) => operation.waits);

test('there are operations that only wait', () => {
	expect(waiting.map(({ name }) => name)).toContain('identity/sendAndWait');
});

test.each(waiting)(
	'every failure of $name has a note about what has become of the request',
	async (tested) => {
		const { about = 'identity' } = tested.operation;
		for await (const [what, end] of failuresOf(tested, true)) {
			for (const { json } of end as INodeExecutionData[]) {
				if (!json.error) continue;
				const { outcome, note } = json.error as IDataObject;
				expect([what, outcome, note]).toEqual([what, 'failed', noteOfFailedWait(about)]);
			}
		}
	},
);
