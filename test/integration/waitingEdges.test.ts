import type { IDataObject } from 'n8n-workflow';

import { action, executeContext, runAction, type RunSetup } from '../support/contexts';
import { failureOf } from '../support/service';
import { ProcessedStore } from '../n8n/processedStore';
import { clientOf } from '../support/credentials';
import { until } from '../support/until';
import { proving, signing, useWaitingTest, waitingFor } from '../support/waiting';

const { service, host, begin, lastDocuments, lastIdentity, sign, registrations, call } =
	useWaitingTest();
const { parameters: provingForm } = proving();
const { parameters: signingForm } = waitingFor('one');

/** Runs a waiting operation as far as it goes without n8n. */
async function refusal(parameters: IDataObject, change: object = {}, rest: Partial<RunSetup> = {}) {
	service.sandbox.forgetRequests();
	const setup = { parameters: { ...provingForm, ...parameters }, ...rest };
	const context = executeContext(service.credential(), setup);
	const error = await failureOf(action.execute.call({ ...context, ...change }));
	// Nothing is sent, and nothing is registered.
	expect(service.sandbox.requests).toEqual([]);
	return error.message;
}

test.each([
	['URLs for waiting executions', { getSignedResumeUrl: undefined }],
	['the data of the execution', { runExecutionData: undefined }],
	['an input to pass on', { getExecuteData: () => ({}) }],
])('an n8n without %s', async (_name, change) => {
	expect(await refusal({}, change)).toBe(
		'Operation: this n8n is too old to wait for an event. Nothing was sent',
	);
});

test('an AI agent cannot wait', async () => {
	const node = { name: 'SignVerify', type: 'n8n-nodes-signverify.signVerifyTool', parameters: {} };
	expect(await refusal({}, { getNode: () => node })).toBe(
		'Operation: an AI agent cannot wait for it',
	);
});

test("n8n's new engine, which would take the waiting node for one that is done", async () => {
	const engine2 = { getExecutionCancelSignal: () => undefined };
	expect(await refusal({}, engine2)).toBe(
		"Operation: n8n's Engine 2.0 cannot wait for an event. Nothing was sent",
	);
});

describe('more than one item', () => {
	const items = [{}, {}, {}];
	const message =
		'Operation: an execution can wait for one item, and this node got 3. Nothing was sent';

	test('On Error: Stop, also if the items are only checked', async () => {
		expect(await refusal({ options: { checkOnly: true } }, {}, { items })).toBe(message);
	});

	test('On Error: Continue gives an error for each item, which says what to do', async () => {
		service.sandbox.forgetRequests();
		const setup = { parameters: signingForm, items, continueOnFail: true };
		const output = await runAction(service.credential(), setup);
		const description = /Loop Over Items.*more than about 100 people.*#waiting$/;
		expect(output).toMatchObject(
			[0, 1, 2].map((item) => ({
				json: { error: { message, description: expect.stringMatching(description) as string } },
				pairedItem: { item },
			})),
		);
		expect(service.sandbox.requests).toEqual([]);
	});
});

test.each([
	[0, 'days', 'Limit Wait Time: it must be a number above 0 and at most 3650'],
	[3651, 'days', 'Limit Wait Time: it must be a number above 0 and at most 3650'],
	['soon', 'minutes', 'Limit Wait Time: it must be a number above 0 and at most 5256000'],
	[1, 'constructor', 'Limit Wait Time Unit: there is no such choice'],
])('a time limit of %s %s', async (limitWaitTime, limitWaitTimeUnit, message) => {
	expect(await refusal({ limitWaitTime, limitWaitTimeUnit })).toBe(message);
});

const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const sent = () => service.sandbox.documents().length + service.sandbox.identityRequests().length;

test('where nothing was registered, the error says that nothing was sent', async () => {
	service.sandbox.faults.set({ endpoint: 'POST /webhooks', answer: { status: 400 } });
	const error = (await failureOf(begin(signing()))) as Error & { description?: string };
	expect(error.message).toMatch('The service refused the request (HTTP 400)');
	expect(error.description).toMatch(/ Nothing was sent\. <a href=".*errors\.md#waiting" /);
});

test('a refused document leaves no webhook', async () => {
	service.sandbox.faults.set({
		endpoint: 'POST /templates/createDocumentByTemplateV2',
		answer: { status: 422, body: { message: 'no' } },
	});
	expect((await failureOf(begin(signing()))).message).toMatch('HTTP 422: no');
	await registrations(0);
	const execution = await begin({ ...signing(), continueOnFail: true });
	expect(execution.status).toBe('success');
	expect(execution.output[0]?.json.error).toMatchObject({ httpStatus: 422 });
	await registrations(0);
});

test('an identity request without any ID cannot be waited for, and says that it may exist', async () => {
	const body = { success: true, responseData: { url: 'https://example.com/x' } };
	const answer = { status: 200, body };
	service.sandbox.faults.set({ endpoint: 'POST /identity/validation/request', answer });
	expect((await failureOf(begin(proving()))).message).toBe(
		'The service gave no validationId to wait for, so the identity request may have been created',
	);
	await registrations(0);
});

describe('where n8n cannot put the execution to wait', () => {
	test('the error names what was sent, and its Send Once Key is kept', async () => {
		const before = sent();
		const store = new ProcessedStore();
		const setup = { ...signing({ options: { sendOnceKey: 'k' } }), store, continueOnFail: true };
		const execution = await begin({ ...setup, cannotWait: true });
		const [document] = lastDocuments(1);
		expect(execution.status).toBe('success');
		expect(execution.output).toMatchObject([
			{
				json: {
					error: {
						message: `Sent (document ${document}), but n8n cannot wait for it: The database is locked`,
						mayHaveBeenCreated: true,
					},
				},
			},
		]);
		await registrations(0);
		const again = await begin(setup);
		expect(again.output).toMatchObject([{ json: { skipped: true } }]);
		expect(sent()).toBe(before + 1);
	});

	test('Retry On Fail does not send it again', async () => {
		const before = sent();
		await failureOf(begin({ ...signing(), settings: retry, cannotWait: true }));
		expect(sent()).toBe(before + 1);
	});
});

const registered = () => service.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);

describe('a node that waits again in the same execution, as in a loop', () => {
	const twice = { ...signing(), items: [{}, {}], isLoop: true };

	test('is not ended by an event that comes to the address of the first wait', async () => {
		service.sandbox.faults.set({ endpoint: 'DELETE /webhooks', answer: { status: 500 } });
		const execution = await begin(twice);
		const [address = ''] = registered();
		await sign();
		const documentID = lastDocuments(1)[0];
		const event = { type: 'completedDocument', Document: { documentID, status: 'COMPLETED' } };
		expect(await call(event, address)).toEqual([200, 'This wait is over.']);
		expect(execution.status).toBe('waiting');
	});
});

test.each(['It is {{ done }}', 'a }} b', '{{', 'He said "{{ hi }}" {it\'s} }}', '`${x}`'])(
	'a node called %s is told of its event',
	async (name) => {
		const execution = await begin({ ...signing(), settings: { name } });
		await sign();
		expect([execution.status, host.n8n.logged]).toEqual(['success', []]);
	},
);

describe('the address of a waiting execution', () => {
	test('does not open with what n8n signs for others', async () => {
		const execution = await begin(signing());
		const event = {
			type: 'completedDocument',
			Document: { documentID: lastDocuments(1)[0], status: 'COMPLETED' },
		};
		const signed = (parameters: string) => {
			const url = `${host.n8n.url}/webhook-waiting/${execution.entity.id}/node${parameters}`;
			return `${url}${parameters ? '&' : '?'}signature=${host.n8n.sign(url)}`;
		};
		const refusal = [401, 'The secret in the URL is missing or wrong.'];
		expect(await call(event, signed(''))).toEqual(refusal);
		expect(await call(event, signed('?secret=guessed'))).toEqual([200, 'This wait is over.']);
		expect(execution.status).toBe('waiting');
	});

	test('says which event it is for, where the body does not', async () => {
		const execution = await begin(proving());
		const validationId = lastIdentity();
		const url = registered()[0];
		await service.sandbox.completeIdentity(validationId, 'pass');
		await call({ type: 'FACE', data: { validationId } }, url);
		expect(execution.status).toBe('success');
	});
});

const hour = 3_600_000;

/** Registers URLs as that of a waiting execution, each changed. */
async function registerLike(url: string, ...changes: Array<(copy: URL) => void>) {
	const urls: string[] = [];
	for (const [index, change] of changes.entries()) {
		const copy = new URL(url);
		copy.searchParams.set('secret', `other-${index}`);
		change(copy);
		await clientOf(service.sandbox).registerWebhook('completedDocument', copy.href);
		urls.push(copy.href);
	}
	return urls;
}
const endedBefore = (ms: number) => (url: URL) =>
	url.searchParams.set('until', String(Date.now() - ms));

test('what is not over, or not of this n8n, stays', async () => {
	await begin(signing());
	const [own = ''] = registered();
	const expire = endedBefore(48 * hour);
	const stay = await registerLike(
		own,
		endedBefore(23 * hour),
		(url) => url.searchParams.delete('until'),
		(url) => url.searchParams.set('until', 'soon'),
		// Another n8n, such as a copy of this one, and what is no wait.
		(url) => (expire(url), (url.port = '1')),
		(url) => (expire(url), url.searchParams.delete('secret')),
	);
	const [expired = ''] = await registerLike(own, (url) => {
		expire(url);
		url.searchParams.set('secret', 'expired');
	});
	await begin(signing());
	await until('the expired one is gone', () => !registered().includes(expired));
	expect(registered()).toHaveLength(2 + stay.length);
	expect(registered()).toEqual(expect.arrayContaining([own, ...stay]));
});

test('an execution that was stopped while it waited and is retried outputs what was sent', async () => {
	const stopped = await begin(signing({ limitWaitTime: 2, limitWaitTimeUnit: 'hours' }));
	const waitUntil = stopped.until.toISOString();
	host.n8n.stop(stopped.entity);
	const [documentId] = lastDocuments(1);
	const before = sent();
	const { status, output } = await host.retry(stopped, true);
	expect([status, sent()]).toEqual(['success', before]);
	expect(output).toMatchObject([
		{ json: { documentId, completed: false, timedOut: true, waitUntil }, pairedItem: { item: 0 } },
	]);
});
