import type { IWebhookFunctions } from 'n8n-workflow';

import type { WaitingItem } from '../../nodes/SignVerify/wait/state';
import { identityOutcomes } from '../../nodes/SignVerify/wait/identityOutcomes';
import { signalTimers } from '../support/signalTimers';
import { coded, standIn } from '../support/standIn';

const targetOf = (validationId: string, personal = false) => ({
	kind: 'identity' as const,
	...{ validationId, email: '', personal },
});
const itemOf = (target: WaitingItem['target']): WaitingItem => ({
	pending: { json: {} },
	...(target ? { target } : {}),
});
const people = Array.from({ length: 30 }, (_, index) => targetOf(`v${index}`));
const pending = { body: { success: true, responseData: { status: 'PENDING' } } };
const over = { body: { success: true, responseData: { status: 'COMPLETED' } } };
const nothing = { status: 404, body: { success: false } };
const passed = { score: { overall: { value: 98, status: 'OK' } } };
const results = { body: { success: true, responseData: { results: passed } } };

test('an event without an ID lets about ten requests be asked about at once', async () => {
	let [now, most] = [0, 0];
	const { context } = standIn(async ({ options }) => {
		most = Math.max(most, ++now);
		await new Promise((resolve) => setTimeout(resolve, 20));
		now--;
		return options.url.includes('/results/') ? nothing : pending;
	});
	const outcomeOf = await identityOutcomes(context as never, people.map(itemOf), undefined);
	expect(most).toBe(10);
	expect(people.map(outcomeOf)).toEqual(people.map(() => false));
});

test('what is not known in time counts as later, and the rest counts', async () => {
	jest.useFakeTimers();
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(signalTimers.timeout);
	const { context } = standIn(async ({ options }) => {
		if (!options.url.endsWith('/v1')) return await new Promise(() => {});
		return await Promise.resolve(options.url.includes('/results/') ? results : over);
	});
	const asked = identityOutcomes(context as never, people.map(itemOf), undefined);
	await jest.advanceTimersByTimeAsync(10_000);
	const outcomeOf = await asked;
	expect(people.slice(0, 3).map(outcomeOf)).toMatchObject([
		'later',
		{ validationId: 'v1', status: 'COMPLETED' },
		'later',
	]);
	jest.restoreAllMocks();
	jest.useRealTimers();
});

test('two items of one request, and the answer for one is missing: both come later', async () => {
	let failures = 1;
	const { context } = standIn(({ options }) => {
		if (failures-- > 0) throw coded('ECONNRESET');
		return options.url.includes('/results/') ? results : over;
	});
	const two = [targetOf('v1'), targetOf('v1', true)];
	const outcomeOf = await identityOutcomes(
		context as unknown as IWebhookFunctions,
		two.map(itemOf),
		'v1',
	);
	expect(two.map(outcomeOf)).toEqual(['later', 'later']);
});
