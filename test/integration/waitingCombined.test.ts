import { runAction } from '../support/contexts';
import { proving, signing, useWaitingTest } from '../support/waiting';
import { clientOf } from '../support/credentials';
import { until } from '../support/until';
import { hashOfSecret } from '../../nodes/SignVerify/registrations/url';

const { service, host, begin, lastDocuments, lastIdentity, sign, registrations, call } =
	useWaitingTest();

const registered = () => service.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);

describe('a node that waits again in the same execution, as in a loop', () => {
	const twice = { ...signing(), items: [{}, {}], isLoop: true };

	test.each([
		['slow', { delayMs: 300 }],
		['refused once', { times: 1, answer: { status: 500 } }],
		['refused for good', { answer: { status: 500 } }],
	])('keeps its registration where the removal of the first one is %s', async (_, fault) => {
		service.sandbox.faults.set({ endpoint: 'DELETE /webhooks', ...fault });
		const execution = await begin(twice);
		const [first] = lastDocuments(1);
		await sign();
		expect([execution.status, lastDocuments(2)[0]]).toEqual(['waiting', first]);
		await new Promise((resolve) => setTimeout(resolve, 800));
		await sign();
		expect(execution.status).toBe('success');
		expect(execution.output).toMatchObject([{ json: { documentId: lastDocuments(1)[0] } }]);
	});

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

describe('a node that two branches reach', () => {
	test('asks both people, one after the other', async () => {
		const sent = service.sandbox.documents().length;
		const execution = await begin({ ...signing(), items: [{}, {}], branches: 2 });
		for (const count of [1, 2]) {
			expect(execution.status).toBe('waiting');
			expect(service.sandbox.documents()).toHaveLength(sent + count);
			await sign();
		}
		expect(execution.status).toBe('success');
		expect(execution.output).toMatchObject([{ json: { documentId: lastDocuments(1)[0] } }]);
	});

	test('asks the second one also if the limit ends the first wait', async () => {
		const execution = await begin({ ...proving(), items: [{}, {}], branches: 2 });
		const first = lastIdentity();
		await execution.timeOut();
		expect(execution.status).toBe('waiting');
		expect(lastIdentity()).not.toBe(first);
		await service.sandbox.completeIdentity(lastIdentity(), 'pass');
		await service.sandbox.idle();
		expect(execution.output).toMatchObject([{ json: { validationId: lastIdentity() } }]);
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
	test('is listed without what ends the wait', async () => {
		await begin(signing());
		const token = new URL(registered()[0] ?? '').searchParams.get('secret') ?? '';
		expect(token.length).toBeGreaterThan(20);
		const setup = { parameters: { resource: 'webhook', operation: 'getAll' } };
		const listed = JSON.stringify(await runAction(service.credential(), setup));
		expect(listed).toContain('webhook-waiting');
		expect(listed).not.toContain(token);
		expect(listed).not.toContain(new URL(registered()[0] ?? '').searchParams.get('signature'));
	});

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
		// Another n8n at this URL, another URL of a copy of this n8n, and what is no wait.
		(url) => (expire(url), url.searchParams.set('n8n', 'another')),
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

test('one run removes at most 20, and a service that refuses does not end it', async () => {
	await begin(signing());
	const [own = ''] = registered();
	await registerLike(own, ...Array.from({ length: 22 }, () => endedBefore(48 * hour)));
	service.sandbox.faults.set({ endpoint: 'DELETE /webhooks', times: 1, answer: { status: 400 } });
	const execution = await begin(signing());
	expect(execution.status).toBe('waiting');
	await registrations(2 + 22 - 19);
	// The first run may still wait for its last answer; then a wait that begins removes nothing.
	const isLeft = () => registered().some((url) => url.includes('secret=other-'));
	for (let tries = 0; isLeft() && tries < 20; tries++) {
		await begin(signing());
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	expect(isLeft()).toBe(false);
});

const withLimit = { limitWaitTime: 2, limitWaitTimeUnit: 'hours' };

describe.each([
	['original', false],
	['currently saved', true],
])('an execution that is retried with the %s workflow', (_name, withSaved) => {
	test('after it was stopped while it waited: the output of sending leaves, and nothing is sent', async () => {
		const stopped = await begin(signing(withLimit));
		const { until } = stopped;
		host.n8n.stop(stopped.entity);
		const [documentId] = lastDocuments(1);
		const sent = service.sandbox.documents().length;
		const retried = await host.retry(stopped, withSaved);
		expect(retried.status).toBe('success');
		expect(retried.output).toMatchObject([
			{
				json: {
					documentId,
					completed: false,
					timedOut: true,
					waitUntil: until.toISOString(),
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(service.sandbox.documents()).toHaveLength(sent);
	});

	test('after its worker died with the event: the signed document leaves, and nothing is sent', async () => {
		const died = await begin(signing());
		host.diesAt = /is success$/;
		await sign();
		host.n8n.restart();
		expect(died.status).toBe('crashed');
		const [documentId] = lastDocuments(1);
		const sent = service.sandbox.documents().length;
		const retried = await host.retry(died, withSaved);
		expect(retried.status).toBe('success');
		expect(retried.output).toMatchObject([{ json: { documentId, completed: true } }]);
		expect(service.sandbox.documents()).toHaveLength(sent);
	});
});

test('at the limit of a wait for a person, the request leaves, which looks like no result', async () => {
	const execution = await begin(proving(withLimit));
	const [{ json = {} } = {}] = await execution.timeOut();
	expect(json).toMatchObject({ email: 'ada@example.com', completed: false, timedOut: true });
	expect(json).not.toHaveProperty('score');
});

test('nothing that makes its URL secret is kept or leaves', async () => {
	const execution = await begin(signing(withLimit));
	const [{ webHookUrl = '' } = {}] = service.sandbox.webhooks();
	const secret = new URL(webHookUrl).searchParams.get('secret');
	expect(secret).toMatch(/^[\w-]{43}$/);
	const kept = JSON.stringify(execution.entity.data);
	expect(kept).toContain(hashOfSecret(secret ?? ''));
	expect(kept).not.toContain(secret);
	expect(JSON.stringify(await execution.timeOut())).not.toContain(secret);
});
