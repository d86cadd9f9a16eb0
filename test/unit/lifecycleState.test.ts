import type { IDataObject } from 'n8n-workflow';

import { hashOf } from '../../nodes/SignVerify/webhooks/url';
import { processorTimeUntil } from '../support/processorTime';
import { address, brokenService, failure, identity, setUp } from '../support/registrations';
import { coded } from '../support/standIn';

jest.mock('../../nodes/SignVerify/util/async', () =>
	jest.requireActual<object>('../support/fakeDelay'),
);

const secretIn = (url: unknown) => new URL(String(url)).searchParams.get('secret');

describe('activating', () => {
	test('knows the hash of its secret before the service is called', async () => {
		const { trigger, behaviour, add, registered } = setUp();
		const node = trigger(['signDocument']);
		let url = '';
		behaviour.fault = (what, call) => {
			if (what !== 'POST /webhooks') return url ? brokenService : undefined;
			url = String(call.url);
			const { webhooks } = node.state as { webhooks: IDataObject };
			expect(webhooks).toEqual({ signDocument: { hash: hashOf(secretIn(url) ?? '') } });
			throw coded('ECONNRESET');
		};
		await failure(node.create());
		delete behaviour.fault;
		// It was registered, although the answer was lost.
		add('signDocument', url);
		await node.create();
		expect(registered()).toEqual(['signDocument id-1']);
		expect(node.isPublished()).toBe(true);
	});

	test.each([
		['a list', []],
		['a text', 'x'],
		['with a list and a text', { signDocument: [], sendDocument: 'x' }],
		['with no texts', { signDocument: { hash: {}, id: [] }, [identity]: { hash: 1 } }],
		['of events that there are not', { constructor: { hash: 'x', id: 'y' } }],
	])('finds webhooks in its state that are %s, and registers all', async (_name, webhooks) => {
		const { trigger, registered } = setUp();
		const { state } = trigger(['signDocument']);
		await trigger(['signDocument'], { state }).create();
		const node = trigger(['signDocument', identity], { state: { ...state, webhooks } });
		expect(node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toEqual(['signDocument id-2', `${identity} id-3`]);
		expect(node.isPublished()).toBe(true);
		await node.remove();
		expect(registered()).toEqual([]);
	});

	test('deletes at most 100 webhooks in a run, says what is left, and goes on in the next', async () => {
		const { trigger, registered, add, warnings } = setUp();
		for (let count = 0; count < 250; count++) add('signDocument', `${address}?secret=${count}`);
		const node = trigger(['signDocument']);
		await node.create();
		expect(registered()).toHaveLength(151);
		expect(warnings).toEqual(['SignVerify: 150 webhooks of this node are left for the next run.']);
		expect(node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toHaveLength(51);
		// First the one that it knows, so that the next run need not know it any more.
		await node.remove();
		expect(registered()).toEqual([]);
	});

	test('of 40,000 listed webhooks at its URL is over in a moment', async () => {
		const { trigger, add, log } = setUp();
		for (let count = 0; count < 40_000; count++) add('signDocument', `${address}?secret=${count}`);
		const node = trigger(['signDocument']);
		const time = await processorTimeUntil(async () => await node.create());
		expect(time).toBeLessThan(2000);
		expect(log.filter((line) => line.startsWith('DELETE'))).toHaveLength(100);
	});
});
