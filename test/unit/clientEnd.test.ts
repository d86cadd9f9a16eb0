import type { IDataObject } from 'n8n-workflow';

import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { callOnce, creation, read } from '../support/calls';
import { useFakeDelay } from '../support/fakeDelay';
import { silence, standIn } from '../support/standIn';
import { type ServiceRequest } from '../../nodes/SignVerify/http/request';

jest.mock('../../nodes/SignVerify/util/async', () =>
	jest.requireActual<object>('../support/fakeDelay'),
);
useFakeDelay();

const timeoutAfter = AbortSignal.timeout;

describe('an answer that does not come', () => {
	const limits: number[] = [];
	beforeEach(() => {
		limits.splice(0);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			limits.push(ms);
			return timeoutAfter(Math.min(ms, 20));
		});
	});

	const outcomeWithin = async (
		request: ServiceRequest,
		credential: IDataObject = { timeoutSeconds: 1 },
	) => await callOnce(silence, request, { maxRetryTime: 0 }, credential);

	test('is given up, and the connection with it', async () => {
		const { calls, outcome } = await outcomeWithin(creation);
		expect(outcome).toMatchObject({
			message:
				'https://sign.example.com did not answer in time, so the document may have been created',
			mayHaveCreated: true,
		});
		expect((calls[0]?.options.abortSignal as AbortSignal).aborted).toBe(true);
		expect(limits).toContain(1000);
	});
});

describe('a cancelled execution', () => {
	const unsent = {
		message: 'The execution was cancelled before this item was sent',
		description: 'Nothing was sent for it. Run the workflow again.',
		mayHaveCreated: false,
	};

	test('sends nothing more', async () => {
		const { context, calls } = standIn(() => undefined, {}, AbortSignal.abort());
		await expect(new ServiceClient(context).call(creation)).rejects.toMatchObject(unsent);
		expect(calls).toHaveLength(0);
	});

	test('does not try again', async () => {
		const cancel = new AbortController();
		const { context, calls } = standIn(
			() => {
				cancel.abort();
				return { status: 503 };
			},
			{},
			cancel.signal,
		);
		await expect(new ServiceClient(context).call(read)).rejects.toMatchObject({
			message: 'https://sign.example.com was not waited for, since the execution was cancelled',
			mayHaveCreated: false,
		});
		expect(calls).toHaveLength(1);
	});

	test('breaks off what is under way', async () => {
		const cancel = new AbortController();
		const { context } = standIn(
			async (call) => {
				setImmediate(() => cancel.abort());
				return await silence(call);
			},
			{},
			cancel.signal,
		);
		await expect(new ServiceClient(context).call(creation)).rejects.toMatchObject({
			message:
				'https://sign.example.com was not waited for, since the execution was cancelled, so the document may have been created',
		});
	});
});
