import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { action, executeContext, RealN8n, runAction, type RunSetup } from '../support/contexts';
import { failureOf, useService, v2 } from '../support/service';
import { ProcessedStore } from '../n8n/processedStore';

const service = useService();
const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const people = ['ana', 'ben', 'cleo', 'dora'].map((name) => `${name}@example.com`);

/** A run of the node over four people, with Retry On Fail unless the setup says otherwise. */
const fourPeople = (more: Partial<RunSetup> = {}): RunSetup => ({
	parameters: v2,
	items: people.map(() => ({})),
	perItem: people.map((email) => ({ signatories: { signatory: [{ email, name: 'A person' }] } })),
	settings: retry,
	...more,
});

/** What an execution outputs in n8n, which may try the node again. @throws Error that ends it. */
async function runAsN8n(
	setup: RunSetup,
	credential = service.credential(),
): Promise<INodeExecutionData[]> {
	const n8n = new RealN8n();
	const execution = n8n.start(n8n.workflowOf(credential, setup));
	await n8n.idle();
	if (execution?.error) throw execution.error;
	return execution?.data.runs.at(-1)?.success ?? [];
}

const documentCreation = 'POST /templates/createDocumentByTemplateV2';
const provoke = (endpoint: string, fault: Omit<Fault, 'endpoint'>) =>
	service.sandbox.faults.set({ endpoint, ...fault });

let documentsBefore = 0;
beforeEach(() => {
	documentsBefore = service.sandbox.documents().length;
});
const sentTo = () =>
	service.sandbox
		.documents()
		.slice(documentsBefore)
		.map(({ signatory }) => signatory[0]?.emailID)
		.sort();
const errorOf = ({ json }: INodeExecutionData) => json.error as IDataObject | undefined;

describe('Retry On Fail', () => {
	test.each([false, true])(
		'a lost answer is not tried again, continuing on errors: %s',
		async (continueOnFail) => {
			provoke(documentCreation, { times: 1, reset: 'after' });
			const oneByOne = service.credential({ parallelRequests: 1 });
			const run = runAsN8n(fourPeople({ continueOnFail }), oneByOne);
			if (continueOnFail) {
				const [first, ...others] = await run;
				expect(errorOf(first as INodeExecutionData)).toMatchObject({ mayHaveBeenCreated: true });
				expect(others.map(errorOf)).toEqual([undefined, undefined, undefined]);
				expect(sentTo()).toEqual(people);
			} else {
				expect((await failureOf(run)).message).toMatch(/may have been created \[item 1\]$/);
				expect(sentTo()).toEqual(['ana@example.com']);
			}
		},
	);
});

describe('a failure of n8n', () => {
	test('after sending: Retry On Fail sends nothing again', async () => {
		const context = executeContext(service.credential(), { parameters: v2, settings: retry });
		const { httpRequestWithAuthentication: request } = context.helpers;
		Object.assign(context.helpers, {
			httpRequestWithAuthentication: async (...call: Parameters<typeof request>) => {
				const answer: unknown = await request.apply(context, call);
				if (!JSON.stringify(call[1]).includes('createDocument')) return answer;
				throw new Error('SQLITE_BUSY: database is locked');
			},
		});
		await failureOf(action.execute.call(context));
		expect(sentTo()).toHaveLength(1);
	});
});

test('nor more, if it calls both at once and n8n tries the one again whose answer was lost', async () => {
	provoke(documentCreation, { times: 1, reset: 'after' });
	const base = executeContext(service.credential(), { parameters: v2 });
	const entry = base.getExecuteData();
	const call = async (who: string) => {
		const items = [{ json: { who } }];
		const context = { ...base, getExecuteData: () => entry, getInputData: () => items };
		const tried = async () => await action.execute.call(context).then(String, String);
		return [await tried(), await tried()];
	};
	const calls = await Promise.all([call('Ada'), call('Ben')]);
	expect(calls.filter(([first]) => first?.includes('may have been created'))).toHaveLength(1);
	expect(calls.map(([, second]) => second)).toEqual(calls.map(([first]) => first));
	expect(sentTo()).toHaveLength(2);
});

describe('On Error: Continue', () => {
	test.each([
		['a wrong field of the credential', v2, { parallelRequests: 100 }, 'Parallel Requests of the '],
		['an operation that does not exist', { ...v2, operation: 'none' }, {}, 'Operation: '],
	])('%s leaves as an error in each item', async (_, parameters, limits, message) => {
		const setup = fourPeople({ parameters, settings: {}, continueOnFail: true });
		const output = await runAsN8n(setup, service.credential(limits));
		expect(output.map((item) => String(errorOf(item)?.message).startsWith(message))).toEqual([
			true,
			true,
			true,
			true,
		]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(people.map((_, item) => ({ item })));
		expect(sentTo()).toEqual([]);
	});

	test('items of a cancelled execution say that they were not sent', async () => {
		const signal = AbortSignal.abort();
		const setup = fourPeople({ settings: {}, signal, continueOnFail: true });
		const output = await runAction(service.credential(), setup);
		expect(output.map((item) => errorOf(item)?.message)).toEqual(
			people.map(() => 'The execution was cancelled before this item was sent'),
		);
	});
});
