import type { NodeExecutionHint } from 'n8n-workflow';

import { startSandbox } from '../../sandbox';
import { action, loadContext, runAction } from '../support/contexts';
import { clientOf, keeperOf } from '../support/credentials';
import { identityFinished } from '../support/events';
import { byId, failureOf, useService } from '../support/service';
import { refusedWords } from '../support/problemWords';
import { harmlessChanges } from '../support/returnedUrls';
import { registrationProblems } from '../../nodes/SignVerify/registrations/registrationProblems';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { textOf } from '../../nodes/SignVerify/util/values';

const service = useService();
const address = 'https://example.com/signing-events';
const webhook = (operation: string, rest: object = {}) => ({
	parameters: { resource: 'webhook', operation, ...rest },
});
const create = async (rest: object) =>
	await runAction(service.credential(), webhook('create', { webhookUrl: address, ...rest }));

const calls = (method: string) =>
	service.sandbox.requests.filter(
		(request) => request.method === method && request.path.startsWith('/webhooks'),
	);

describe('Webhook: Create', () => {
	test('returns the event and the URL if the response does not contain the webhook', async () => {
		const response = { status: 200, body: { success: true, message: 'OK' } };
		service.sandbox.faults.set({ endpoint: 'POST /webhooks', times: 1, response });
		const [item] = await create({ event: 'signDocument' });
		expect(item?.json).toEqual({ event: 'signDocument', webhookUrl: address });
	});

	test('is not repeated if the response is lost, and the error states that the webhook may have been created', async () => {
		const before = service.sandbox.webhooks().length;
		service.sandbox.faults.set({ endpoint: 'POST /webhooks', times: 1, reset: 'after' });
		const error = await failureOf(create({ event: 'sendDocument' }));
		expect(error.message).toMatch(/, so the webhook may have been created$/);
		expect(error.description).toMatch(
			/^Check your provider's account for the webhook\. .*#may-have-been-created$/,
		);
		expect(calls('POST')).toHaveLength(1);
		const { webHookID = '' } = service.sandbox.webhooks()[before] ?? {};
		await clientOf(service.sandbox).deleteWebhook(webHookID);
	});

	test('reports in its error output as well that the webhook may have been created', async () => {
		const before = service.sandbox.webhooks().length;
		service.sandbox.faults.set({ endpoint: 'POST /webhooks', times: 1, reset: 'after' });
		const form = { event: 'sendDocument', webhookUrl: address };
		const continuing = { ...webhook('create', form), continueOnFail: true };
		const [item] = await runAction(service.credential(), continuing);
		expect(item?.json).toEqual({
			error: expect.objectContaining({ mayHaveBeenCreated: true }) as object,
		});
		const { webHookID = '' } = service.sandbox.webhooks()[before] ?? {};
		await clientOf(service.sandbox).deleteWebhook(webHookID);
	});
});

describe('Webhook: Create, if the service returns another URL,', () => {
	const url = `${address}?tenant=1&token=MARKED`;

	async function hintsFor(webHookUrl: unknown) {
		const responseData = { webHookID: 'w', type: 'signDocument', webHookUrl };
		const response = { status: 200, body: { success: true, responseCode: 200, responseData } };
		service.sandbox.faults.set({ endpoint: 'POST /webhooks', times: 1, response });
		const hints: NodeExecutionHint[] = [];
		const form = webhook('create', { event: 'signDocument', webhookUrl: url });
		const [item] = await runAction(service.credential(), { ...form, hints });
		return { item, messages: hints.map(({ message }) => message) };
	}

	test.each([
		[`${address}?tenant=1`, 'without 1 of its 2 parameters', '?tenant=…'],
		[address, 'without everything after the question mark', ''],
	])('has a hint for %s, and its output shows it', async (webHookUrl, words, shown) => {
		const { item, messages } = await hintsFor(webHookUrl);
		const { problem: message, remedy: description } = registrationProblems.urlUnclear(words);
		expect(messages).toEqual([`${message}. ${description}`]);
		expect(item?.json.webhookUrl).toBe(`${address}${shown}`);
	});

	test.each(Object.entries(harmlessChanges))(
		'has no hint if it is shown %s',
		async (_how, change) => {
			const changed = change(url.replace('example.com', 'n8n.example'));
			const returned = textOf(changed).replace('n8n.example', 'example.com');
			expect((await hintsFor(returned)).messages).toEqual([]);
		},
	);
});

describe('Webhook: Get Many', () => {
	const secret = 'MARKED-SECRET';
	const name = 'Invoice #42 (urgent?)';

	beforeAll(async () => {
		await create({ event: 'signDocument', webhookUrl: 'https://a.example.com/one' });
		await create({ event: 'completedDocument', webhookUrl: 'https://b.example.com/two' });
		await create({
			event: 'signDocument',
			webhookUrl: `https://n8n.example.com/webhook/1/signverify?x=1&secret=${secret}&y=2`,
		});
		await create({ event: identityFinished, name, webhookUrl: 'https://a.example.com/id' });
	});

	const list = async (rest: object = { returnAll: true }) =>
		(await runAction(service.credential(), webhook('getAll', rest))).map(({ json }) => json);

	test('returns one item for each webhook, without secrets', async () => {
		const output = await list();
		expect(calls('GET')).toMatchObject([{ path: '/webhooks', query: {}, status: 200 }]);
		const urls = [
			'https://a.example.com/one',
			'https://b.example.com/two',
			'https://n8n.example.com/webhook/1/signverify?x=…&secret=…&y=…',
			'https://a.example.com/id',
		];
		expect(output.map((item) => item.webhookUrl)).toEqual(urls);
		expect(Object.keys(output[0] ?? {})).toEqual(['webhookId', 'event', 'webhookUrl', 'createdAt']);
		expect(output[3]).toMatchObject({ name });
		const raw = await list({ returnAll: true, output: 'raw' });
		expect(raw.map((webhook) => webhook.webHookUrl)).toEqual(urls);
		expect(raw[0]).toEqual(service.sandbox.webhooks()[0]);
	});

	test('filters by event before it applies the limit', async () => {
		const filtered = async (filters: object) =>
			(await list({ limit: 2, filters })).map(({ event, webhookUrl }) => [event, webhookUrl]);
		expect(await filtered({ event: identityFinished })).toEqual([
			[identityFinished, 'https://a.example.com/id'],
		]);
		expect((await filtered({ event: 'signDocument' })).map(([event]) => event)).toEqual([
			'signDocument',
			'signDocument',
		]);
		expect(await filtered({ event: 'sendDocument' })).toEqual([]);
		service.sandbox.forgetRequests();
		await expect(filtered({ event: 'signed' })).rejects.toThrow(
			`Event: ${valueProblems.notAChoice('').problem}`,
		);
		expect(calls('GET')).toEqual([]);
	});

	const respondWithList = (responseData: unknown) =>
		service.sandbox.faults.set({
			endpoint: 'GET /webhooks',
			times: 1,
			response: { status: 200, body: { success: true, responseCode: 200, responseData } },
		});

	test('fills the searchable list in the "Webhook" field', async () => {
		const search = async (filter?: string) =>
			(
				await action.methods.listSearch.searchWebhooks.call(
					loadContext(service.credential(), { resource: 'webhook', operation: 'delete' }),
					filter,
				)
			).results;
		const webhooks = service.sandbox.webhooks();
		const startOf = (url: string) => {
			const webhook = webhooks.find(({ webHookUrl }) => webHookUrl === url);
			if (!webhook || !('addedOn' in webhook)) return webhook?.webHookID;
			return new Date(webhook.addedOn).toISOString().slice(0, 10);
		};
		expect(new Set((await search()).map((entry) => entry.name))).toEqual(
			new Set([
				`${startOf('https://a.example.com/id')} – When an Identity Verification Is Finished – https://a.example.com/id`,
				`${startOf('https://b.example.com/two')} – When Everyone Has Signed – https://b.example.com/two`,
				`${startOf('https://a.example.com/one')} – When One Person Signs – https://a.example.com/one`,
				expect.stringMatching(
					/^\d{4}-\d\d-\d\d – When One Person Signs – https:\/\/n8n\.example\.com\/webhook\/1\/signverify\?x=…&secret=…&y=…$/,
				),
			]),
		);
		const [found, ...others] = await search(' EVERYONE ');
		expect(others).toEqual([]);
		expect(service.sandbox.webhooks().map((webhook) => webhook.webHookID)).toContain(found?.value);
		respondWithList([]);
		expect((await failureOf(search())).message).toMatch(
			new RegExp(`^Webhook: ${valueProblems.nothingToSelect('webhook').problem}`),
		);
		service.sandbox.faults.set({ endpoint: 'GET /webhooks', response: { status: 500 } });
		expect((await failureOf(search())).message).toContain(refusedWords('failed', 500).problem);
	});
});

describe('Webhook: Delete', () => {
	test('fails if the response is lost and the next attempt does not find the webhook', async () => {
		const other = await startSandbox({ deleteIdentityWebhooks: false });
		const keeper = keeperOf(other);
		const made = async (event: string) => {
			const parameters = { event, name: 'Checks', webhookUrl: address };
			const [created] = await runAction(keeper, webhook('create', parameters));
			return created?.json.webhookId as string;
		};
		const remove = async (id: string, reset: 'before' | 'after') => {
			other.faults.set({ endpoint: 'DELETE /webhooks', times: 1, reset });
			return await runAction(keeper, webhook('delete', { webhookId: byId(id) }));
		};
		const document = await made('sendDocument');
		expect(await remove(document, 'before')).toMatchObject([{ json: { deleted: true } }]);
		const identity = await made(identityFinished);
		const gone = await made('sendDocument');
		for (const kept of [
			await failureOf(remove(identity, 'before')),
			await failureOf(remove(gone, 'after')),
		]) {
			expect(kept.message).toMatch(/^Webhook: ".*" /);
			expect(kept.description).toContain(registrationProblems.notDeleted('').remedy);
			expect(kept.description).toContain("in your provider's account");
		}
		await other.close();
	});
});
