import { proving, signing, useWaitingTest } from '../support/waiting';

const { service, host, begin, lastDocuments, lastIdentity, sign, registrations } = useWaitingTest();

const registered = () => service.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);
const withLimit = { options: { limitWaitTime: { values: { amount: 2, unit: 'hours' } } } };

describe('an execution that was stopped while it waited, and is retried', () => {
	test.each([
		['without a limit', signing()],
		['with a limit', signing(withLimit)],
	])('%s waits on for the same document', async (_, setup) => {
		const stopped = await begin(setup);
		const documents = service.sandbox.documents().length;
		const retried = await host.retry(stopped);
		expect(retried.status).toBe('waiting');
		expect(service.sandbox.documents()).toHaveLength(documents);
		await registrations(1);
		await sign();
		expect(retried.output).toMatchObject([{ json: { completed: true, timedOut: false } }]);
		await registrations(0);
	});

	test('ends when its limit is over', async () => {
		const stopped = await begin(signing(withLimit));
		const retried = await host.retry(stopped);
		retried.passLimit();
		expect(await retried.timeOut()).toMatchObject([{ json: { completed: false, timedOut: true } }]);
		await registrations(0);
	});

	test('has a registration of its own where a worker died with an event for one of two', async () => {
		const died = await begin({ ...signing(), items: [{}, {}] });
		died.dies = true;
		const [first = '', second = ''] = lastDocuments(2);
		await sign(first);
		expect(died.status).toBe('error');
		const retried = await host.retry(died);
		expect(retried.status).toBe('waiting');
		await registrations(1);
		expect(registered()[0]).toContain(retried.address);
		await sign(second);
		expect(retried.output).toMatchObject(
			[first, second].map((documentId) => ({ json: { documentId, completed: true } })),
		);
		await registrations(0);
	});

	test('finds a person who has been verified meanwhile', async () => {
		const stopped = await begin(proving());
		await service.sandbox.completeIdentity(lastIdentity(), 'pass');
		const retried = await host.retry(stopped);
		expect(retried.output).toMatchObject([{ json: { timedOut: false, status: 'COMPLETED' } }]);
	});

	test('is refused by n8n with the currently saved workflow, which names the other retry', async () => {
		const stopped = await begin(signing(withLimit));
		await expect(host.retry(stopped, true)).rejects.toThrow(
			'Could not find the node "SignVerify waits: choose "Retry with original workflow"" in workflow',
		);
		const retried = await host.retry(stopped);
		expect(retried.status).toBe('waiting');
		await sign();
		expect(retried.output).toMatchObject([{ json: { completed: true } }]);
	});

	/** Of three items, one is finished, one failed before it was sent, and one still waits. */
	async function stoppedOfThree() {
		service.sandbox.faults.set({
			endpoint: 'POST /templates/createDocumentByTemplateV2',
			times: 1,
			answer: { status: 422, body: { message: 'no' } },
		});
		const setup = signing({ options: { parallelRequests: 1 } });
		const items = [{}, {}, {}];
		const stopped = await begin({ ...setup, items, continueOnFail: true });
		const [finished = '', open = ''] = lastDocuments(2);
		await sign(finished);
		expect(stopped.status).toBe('waiting');
		return { stopped, finished, open };
	}

	test('and cannot register gives each item as it is, where On Error continues', async () => {
		const { stopped, finished, open } = await stoppedOfThree();
		service.sandbox.faults.set({ endpoint: 'POST /webhooks', answer: { status: 400 } });
		const failed = await host.retry(stopped);
		const [, , third] = failed.output;
		expect(failed.output).toMatchObject([
			{ json: { error: { httpStatus: 422, itemIndex: 0 } }, pairedItem: { item: 0 } },
			{ json: { documentId: finished, completed: true }, pairedItem: { item: 1 } },
			{ json: { error: { itemIndex: 2 } }, pairedItem: { item: 2 } },
		]);
		expect(third?.json.error).toMatchObject({
			message: expect.stringMatching(
				`^Sent \\(document ${open}\\), but n8n cannot wait for it: .*could not be registered`,
			) as string,
			description: expect.stringMatching(/^Do not send it again\..*errors.md#waiting$/) as string,
		});
		service.sandbox.faults.clear();
		await registrations(0);
	});

	test('registers as often as Retry On Fail says', async () => {
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const stopped = await begin({ ...signing(), items: [{}, {}], continueOnFail: true, settings });
		const [finished = '', open = ''] = lastDocuments(2);
		await sign(finished);
		const answer = { status: 502, body: 'bad' };
		service.sandbox.faults.set({ endpoint: 'POST /webhooks', times: 1, answer });
		const retried = await host.retry(stopped);
		expect(retried.status).toBe('waiting');
		await sign(open);
		expect(retried.output).toMatchObject([
			{ json: { documentId: finished, completed: true } },
			{ json: { documentId: open, completed: true } },
		]);
	});

	test('and cannot register keeps what is finished, where On Error stops', async () => {
		const stopped = await begin({ ...signing(), items: [{}, {}] });
		const [finished = '', open = ''] = lastDocuments(2);
		await sign(finished);
		service.sandbox.faults.set({ endpoint: 'POST /webhooks', answer: { status: 400 } });
		const failed = await host.retry(stopped);
		expect(failed.error).toMatchObject({
			description: expect.stringMatching(
				/Everything was sent before, .*It then waits again and sends nothing\. More: .*#waiting$/,
			) as string,
		});
		service.sandbox.faults.clear();
		const before = service.sandbox.documents().length;
		const retried = await host.retry(failed);
		await sign(open);
		expect(service.sandbox.documents()).toHaveLength(before);
		expect(retried.output).toMatchObject(
			[finished, open].map((documentId) => ({ json: { documentId, completed: true } })),
		);
	});

	test('keeps what makes its address secret out of what n8n passes on', async () => {
		const stopped = await begin(signing(withLimit));
		const [{ webHookUrl = '' } = {}] = service.sandbox.webhooks();
		const secret = new URL(webHookUrl).searchParams.get('wait');
		expect(secret).toMatch(/^[\w-]{24}$/);
		expect(JSON.stringify(stopped.inputs())).not.toContain(secret);
	});

	test('and cannot register ends in an error, and can be retried', async () => {
		const stopped = await begin(signing());
		service.sandbox.faults.set({ endpoint: 'POST /webhooks', answer: { status: 400 } });
		const failed = await host.retry(stopped);
		expect(failed.error?.message).toMatch('could not be registered');
		service.sandbox.faults.clear();
		const retried = await host.retry(failed);
		await sign();
		expect(retried.output).toMatchObject([{ json: { completed: true } }]);
	});
});
