import { listWebhooks } from '../../nodes/SignVerify/api/webhooks';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { redactWebhook } from '../../nodes/SignVerify/operations/webhook/create';
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
