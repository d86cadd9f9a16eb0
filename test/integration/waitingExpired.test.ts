import { clientOf } from '../support/credentials';
import { until } from '../support/until';
import { signing, useWaitingTest } from '../support/waiting';

const { service, begin, registrations } = useWaitingTest();

const hour = 3_600_000;
const registered = () => service.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);

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
