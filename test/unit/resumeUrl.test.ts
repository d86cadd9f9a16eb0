import { createHmac } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { signedResumeUrl } from '../../nodes/SignVerify/n8nInternals';

const sign = (text: string) => createHmac('sha256', 'secret').update(text).digest('hex');

/** The names of n8n's endpoints, which users can change. */
const usual = {
	webhookWaiting: 'webhook-waiting',
	webhook: 'webhook',
	formWaiting: 'form-waiting',
	rest: 'rest',
	mcp: 'mcp',
};

/** The context of an execution in an n8n instance with this public URL. It signs URLs like n8n 2.41.1. */
function executionAt(base: string, names = usual): IExecuteFunctions {
	const additionalData = {
		webhookWaitingBaseUrl: base + names.webhookWaiting,
		webhookBaseUrl: base + names.webhook,
		formWaitingBaseUrl: base + names.formWaiting,
		restApiUrl: base + names.rest,
		mcpBaseUrl: base + names.mcp,
	};
	const context = {
		additionalData,
		getSignedResumeUrl(parameters: Record<string, string> = {}) {
			const url = new URL(`${additionalData.webhookWaitingBaseUrl}/7/node`);
			for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
			url.searchParams.set('signature', sign(url.pathname + url.search));
			return url.href;
		},
	};
	return context as unknown as IExecuteFunctions;
}

/** Whether n8n accepts a call to this URL after a proxy has removed the path. */
function isAccepted(address: string, path: string): boolean {
	const url = new URL(address);
	const signature = url.searchParams.get('signature') ?? '';
	url.searchParams.delete('signature');
	return sign(url.pathname.slice(path.length) + url.search) === signature;
}

const parameters = { secret: 'a b/ü', until: '1' };

describe('The URL that continues an execution', () => {
	test.each([
		['https://n8n.example/', usual],
		['http://127.0.0.1:5678/', usual],
		['https://n8n.example/', { ...usual, webhookWaiting: 'hooks/waiting', webhook: 'hooks' }],
		[
			'https://n8n.example/',
			{
				...usual,
				webhookWaiting: 'n/waiting',
				webhook: 'n/hook',
				formWaiting: 'n/form',
				rest: 'n/rest',
			},
		],
	])("is n8n's own if n8n is at %s, with the endpoints %j", (base, names) => {
		const context = executionAt(base, names);
		const url = signedResumeUrl(context, parameters);
		expect(url).toBe(context.getSignedResumeUrl(parameters));
		expect(isAccepted(url, '')).toBe(true);
	});

	test.each([
		['https://example.com/n8n/', '/n8n', usual],
		['https://example.com:8443/a/b%20c/', '/a/b%20c', usual],
		[
			'https://example.com/n8n/',
			'/n8n',
			{ ...usual, webhookWaiting: 'n8n/waits', webhook: 'n8n/hooks', formWaiting: 'n8n/forms' },
		],
	])('contains the path of %s, which the signature does not include', (base, path, names) => {
		const context = executionAt(base, names);
		const before = JSON.stringify(context);
		const url = signedResumeUrl(context, parameters);
		expect(url.startsWith(`${base}${names.webhookWaiting}/7/node?`)).toBe(true);
		expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject(parameters);
		expect(isAccepted(context.getSignedResumeUrl(parameters), path)).toBe(false);
		expect(isAccepted(url, path)).toBe(true);
		// Other nodes in the execution still get n8n's own address.
		expect(JSON.stringify(context)).toBe(before);
	});

	test('does not keep the changed address if n8n cannot create the URL', () => {
		const context = executionAt('https://example.com/n8n/');
		const before = JSON.stringify(context);
		context.getSignedResumeUrl = () => {
			throw new Error('Execution id is missing');
		};
		expect(() => signedResumeUrl(context)).toThrow('Execution id is missing');
		expect(JSON.stringify(context)).toBe(before);
	});
});
