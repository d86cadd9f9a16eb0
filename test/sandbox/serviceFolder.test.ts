import axios from 'axios';
import { create, PEOPLE, receiver, register, signedIn, start, useDataFolder } from './serviceKit';
import { startSandbox } from '../../sandbox';
import { until } from '../support/until';

const data = useDataFolder();

test('everything is there after a restart, and what was pending goes on', async () => {
	const hook = await receiver();
	const first = await start({ ...data, deliveryBackoffMs: [60_000] });
	const http = await signedIn(first);
	await register(http, hook.url, 'sendDocument', 'completedDocument');
	hook.answers = [500];
	const { documentID } = (await create(first, http)).data.responseData;
	await first.sign(documentID, PEOPLE[0]?.email ?? '');
	await until('all mails are there', () => first.mails().length >= 3);
	await http.post('/identity/validation/request', {
		email: 'ana@example.com',
		type: 'FACE',
		backgroundCheck: true,
	});
	const ids = first.deliveries().map(({ id }) => id);
	const before = [first.account, first.webhooks(), first.mails()];
	const idle = first.idle();
	await first.close();
	// What waits for its next try ends with the sandbox.
	await idle;
	const second = await start({ ...data, deliveryBackoffMs: [20] });
	expect([second.account, second.webhooks(), second.mails()]).toEqual(before);
	expect(second.identityRequests()).toMatchObject([{ emailId: 'ana@example.com' }]);
	expect(second.documents()[0]?.computedFields.pendingSignatoryCount).toBe(2);
	await second.idle();
	expect(second.deliveries().map(({ id }) => id)).toEqual(ids);
	expect(second.deliveries().every(({ state }) => state === 'delivered')).toBe(true);

	// The token survives, under the new address.
	const { status } = await http.get('/webhooks', { baseURL: second.baseUrl });
	expect(status).toBe(200);
	for (const { email } of PEOPLE.slice(1)) await second.sign(documentID, email);
	await second.idle();
	const completed = hook.got.at(-1)?.body.Document;
	expect(completed?.status).toBe('COMPLETED');
	expect(completed?.documentURL?.startsWith(second.url)).toBe(true);
	const file = await axios.get(completed?.documentURL ?? '', { proxy: false });
	expect(file.status).toBe(200);
});

test('a second sandbox on the same folder is refused, and told where the first one is', async () => {
	const first = await start(data);
	await expect(startSandbox(data)).rejects.toThrow(
		new RegExp(`is in use by process ${process.pid}, which runs since .* at ${first.url}`),
	);
	await first.close();
	const second = await start(data);
	// Closing the first one again takes nothing away from the second.
	await first.close();
	await expect(startSandbox(data)).rejects.toThrow(`at ${second.url}`);
});
