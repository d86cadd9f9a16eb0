import { listWebhooks } from '../../nodes/SignVerify/api/webhooks';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { redactWebhook } from '../../nodes/SignVerify/operations/webhook/create';
import { startWaiting } from '../../nodes/SignVerify/wait/start';
import { unreachable } from '../../nodes/SignVerify/webhooks/url';
import { setUp } from '../support/registrations';
import { standIn } from '../support/standIn';

test.each([
	['https://a.example/?TOKEN=MARKED', 'https://a.example/?TOKEN=…'],
	['HTTPS://a.example/?%73ecret=MARKED&a=MARKED?b=MARKED', 'HTTPS://a.example/?%73ecret=…&a=…?b=…'],
	['https://a.example/?MARKED&amp;b=MARKED;c==MARKED=', 'https://a.example/?…&…;b=…;c=…'],
	['https://a.example/?secret%3DMARKED#MARKED', 'https://a.example/?…#…'],
	['https://a.example/%3Fsecret=MARKED', 'https://a.example/%3Fsecret=…'],
	['/relative?a=MARKED\nMARKED', '/relative?a=…'],
	['https://a.example/#at=MARKED', 'https://a.example/#at=…'],
])('a shown webhook has no value of the query of %j, in any text', (text, shown) => {
	const webhook = (url: string) => ({
		webHookID: 'a',
		type: 'signDocument',
		webHookUrl: url,
		name: url,
		options: [{ callback: [url] }, 1, null],
	});
	expect(redactWebhook(webhook(text))).toEqual(webhook(shown));
});

/** The webhooks that are read from an answer, and what n8n's log says. */
async function listed(responseData: unknown) {
	const { context } = standIn(() => ({ body: { responseData } }));
	const logged: string[] = [];
	const logger = { warn: (line: string) => logged.push(line) };
	const webhooks = await listWebhooks(new ServiceClient({ ...context, logger } as never));
	return { webhooks, logged };
}

test('an odd webhook in the list does not hide the others', async () => {
	const odd = [null, 7, 'x', [], {}, { webHookID: null }, { webHookID: { a: 1 } }];
	const partly = { webHookID: 7, type: ['x'], webHookUrl: { url: 'x' }, name: {}, more: [1] };
	const whole = { webHookID: 'b', type: 'signDocument', webHookUrl: 'x' };
	expect(await listed([...odd, partly, whole])).toEqual({
		webhooks: [{ webHookID: '7', type: '', webHookUrl: '', name: '', more: [1] }, whole],
		logged: [
			"SignVerify: 7 entries in the service's list of webhooks were left out, because they have no ID.",
		],
	});
	expect((await listed([whole])).logged).toEqual([]);
});

describe('a URL of n8n that a service on the internet cannot call', () => {
	const service = 'https://sign.example.com';
	const warning = (n8n: string) =>
		`The service at ${service} cannot reach this n8n at ${n8n}, so no event will arrive. Set WEBHOOK_URL to the public URL of n8n, and restart n8n.`;
	const said = async (host: string, baseUrl = `${service}/api`) =>
		await unreachable(
			{ getCredentials: async () => await Promise.resolve({ baseUrl } as never) },
			`http://${host}:5678/webhook/a?secret=b`,
		);

	test.each([
		...['localhost', 'n8n', 'n8n.local', 'a.internal', '127.0.0.1', '10.1.2.3', '0.0.0.0'],
		...['172.16.0.1', '172.31.255.255', '192.168.1.2', '169.254.1.1', '[::1]', '[fd00::1]'],
	])('is named: %s', async (host) => {
		expect(await said(host)).toBe(warning(`http://${host}:5678`));
		// They may be in the same network.
		expect(await said(host, 'http://192.168.1.9/api')).toBeUndefined();
		expect(await said(host, 'no URL')).toBeUndefined();
	});

	test.each([
		...['n8n.example.com', '10.example.com', 'localhost.example.com', '8.8.8.8'],
		...['172.15.0.1', '172.32.0.1', '192.169.0.1', '[2001:db8::1]'],
	])('is not %s', async (host) => {
		expect(await said(host)).toBeUndefined();
	});

	test('is in the log when a trigger is published, and a hint of a node that waits; both go on', async () => {
		const at = 'http://localhost:5678/webhook/abc/signverify';
		const { trigger, registered, warnings } = setUp();
		await trigger(['signDocument'], { at }).create();
		expect(registered()).toHaveLength(1);
		expect(warnings).toEqual([`SignVerify Trigger: ${warning('http://localhost:5678')}`]);

		const { context } = standIn(({ options }) =>
			options.method === 'GET' ? { body: { responseData: [] } } : undefined,
		);
		const hints: string[] = [];
		const execute = {
			...context,
			...{ getSignedResumeUrl: () => `${at}?secret=x`, getInstanceId: () => 'i' },
			getWorkflow: () => ({ name: 'Contracts' }),
		};
		const item = {
			execute,
			service: new ServiceClient(context),
			hint: (text: string) => hints.push(text),
		};
		const done = { json: { sent: true } };
		const start = async () => await Promise.resolve(done);
		expect(await startWaiting(item as never, 'completedDocument', 1000, start)).toEqual([done]);
		expect(hints).toEqual([warning('http://localhost:5678')]);
	});
});
