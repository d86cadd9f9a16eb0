import '../support/shortPauses';

import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { Fault } from '../../sandbox/types';
import { action, executeContext, type RunSetup } from '../support/contexts';
import { failureOf, useService, v2 } from '../support/service';
import { ProcessedStore } from '../n8n/processedStore';

const service = useService();
const documents = 'POST /templates/createDocumentByTemplateV2';
const identity: RunSetup = {
	parameters: { resource: 'identity', operation: 'request', email: 'ada@example.com', options: {} },
};
const document: RunSetup = { parameters: v2 };
const webhook: RunSetup = {
	parameters: {
		resource: 'webhook',
		operation: 'create',
		event: 'completedDocument',
		webhookUrl: 'https://example.com/hook',
	},
};

/** Makes as many items, each with a Send Once Key of its own. */
const withKeys = (setup: RunSetup, count: number): RunSetup => ({
	...setup,
	store: new ProcessedStore(),
	items: Array.from({ length: count }, () => ({})),
	perItem: Array.from({ length: count }, (_, index) => ({
		options: { sendOnceKey: `C-${index + 1}` },
	})),
});
const withoutKeys = (count: number): RunSetup => ({
	...document,
	items: Array.from({ length: count }, () => ({})),
});

/** Runs the node until it fails. Returns the failure of the last try. */
async function failure(setup: RunSetup, tries = 1): Promise<NodeApiError> {
	const keeper = service.credential({ parallelRequests: 1 });
	const context = executeContext(keeper, setup);
	for (let tried = 1; tried < tries; tried++) await failureOf(action.execute.call(context));
	return (await failureOf(action.execute.call(context))) as NodeApiError;
}

const countOf = (text: string, part: RegExp) => text.match(new RegExp(part, 'g'))?.length ?? 0;

/** Each text about a lost response: how it comes about, and whether it asks for another key. */
const cases: Array<[string, () => RunSetup, Partial<Fault>, boolean?, number?]> = [
	['one document', () => document, {}],
	['one document with a key', () => withKeys(document, 1), {}, true],
	['a list with keys, of which the rest is sent', () => withKeys(document, 6), {}, true],
	['a list with keys, of which the rest is left', () => withKeys(document, 6), { times: 3 }, true],
	['a list without keys', () => withoutKeys(3), { skip: 1 }],
	['an identity request', () => identity, { endpoint: 'POST /identity/validation/request' }],
	[
		'an identity request with a key',
		() => withKeys(identity, 1),
		{ endpoint: 'POST /identity/validation/request' },
		true,
	],
	['a webhook', () => webhook, { endpoint: 'POST /webhooks*' }],
	['Send and Wait', () => ({ parameters: { ...v2, operation: 'sendAndWait' } }), {}],
	[
		'Send and Wait with a key',
		() => withKeys({ parameters: { ...v2, operation: 'sendAndWait' } }, 1),
		{},
		true,
	],
	[
		'a second try by Retry On Fail',
		() => ({ ...document, settings: { retryOnFail: true, maxTries: 3 } }),
		{},
		false,
		2,
	],
];

describe('The error about a lost response', () => {
	test.each(cases)(
		'names only once where to look and what to do then, for %s',
		async (_what, setup, fault, asksForKey = false, tries = 1) => {
			service.sandbox.faults.set({ endpoint: documents, times: 1, reset: 'after', ...fault });
			const { message, description } = await failure(setup(), tries);
			expect(message).toContain('may have been created');
			const text = String(description);
			expect(countOf(text, /[Cc]heck your provider's account/)).toBe(1);
			expect(countOf(text, /If (?:it's|an item is) there/)).toBe(1);
			expect(countOf(text, /If it isn't/)).toBe(1);
			expect(countOf(text, /different (?:Send Once Key|key)/)).toBe(asksForKey ? 1 : 0);
			expect(countOf(text, /skips/)).toBeLessThanOrEqual(1);
			expect(countOf(text, /the whole list again/)).toBeLessThanOrEqual(1);
			expect(text).not.toMatch(/may have been created|before you run/);
		},
	);

	test.each([
		['the others are done', 1],
		['others are left', 3],
	])('asks to run a list with keys again if %s', async (_what, times) => {
		service.sandbox.faults.set({ endpoint: documents, times, reset: 'after' });
		const { description } = await failure(withKeys(document, 5));
		expect(String(description).split('\n').slice(0, 2)).toEqual([
			expect.stringContaining('different Send Once Key'),
			expect.stringContaining('the whole list again'),
		]);
	});

	test('of a tool contains everything once in its message', async () => {
		service.sandbox.faults.set({ endpoint: documents, times: 1, reset: 'after' });
		const settings = { type: 'n8n-nodes-signverify.signVerifyTool' };
		const { message } = await failure({ ...withKeys(document, 1), settings });
		expect(message).toMatch(
			/, so the document may have been created\. Check your provider's account for the document\. If it's there, don't run this item again\. If it isn't, give the item a different Send Once Key, because "C-1" counts as used, and run the item again\. More: \S+$/,
		);
	});

	test('keeps the remedy for a rejection that ended the list', async () => {
		service.sandbox.faults.set({ endpoint: documents, times: 1, reset: 'after' });
		const body: IDataObject = { success: false, message: 'No credits' };
		service.sandbox.faults.set({ endpoint: documents, times: 1, response: { status: 422, body } });
		const { message, description } = await failure(withKeys(document, 3));
		expect(message).toMatch(/No credits"\) \[C-2, /);
		expect(description).toMatch(
			/ may have been sent: C-1, .*\nThe document wasn't created\. .*\n.* the whole list again\./,
		);
	});
});
