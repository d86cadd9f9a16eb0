import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import axios from 'axios';
import { readDuration } from '../../sandbox/util/time';
import { until } from '../support/until';
import {
	create,
	Http,
	PEOPLE,
	receiver,
	register,
	signedIn,
	start,
	stopAll,
	useDataFolder,
} from './serviceKit';

afterEach(stopAll);

test('no part of the sandbox but its clock asks the machine for the time', () => {
	const folder = join(__dirname, '..', '..', 'sandbox');
	const readers = readdirSync(folder, { recursive: true })
		.map(String)
		.filter((file) => file.endsWith('.ts'))
		.filter((file) => /Date\.now\(|new Date\(\)/.test(readFileSync(join(folder, file), 'utf8')));
	expect(readers).toEqual([join('util', 'clock.ts')]);
});

test('a token, a link to a file and a signing link expire when the clock is put forward', async () => {
	const sandbox = await start();
	// A slow machine must not use up the second between the two times below.
	sandbox.clock.set({ frozen: true });
	const http = await signedIn(sandbox);
	const made = await create(sandbox, http, 'v2', { signatories: PEOPLE.slice(0, 1) });
	const { documentID, documentFileObj, signatory } = made.data.responseData;
	const link = signatory[0]?.signing.url ?? '';
	const statusOf = async (url: string) =>
		(await axios.get(url, { validateStatus: () => true })).status;
	expect(await statusOf(documentFileObj.url)).toBe(200);
	const madeUp = documentFileObj.url.replace(/expires=(\d+)/, 'expires=99$1');
	expect(await statusOf(madeUp)).toBe(403);

	sandbox.clock.set({ advance: '4m59s' });
	expect((await http.get('/webhooks')).status).toBe(200);
	sandbox.clock.set({ advance: '2s' });
	expect((await http.get('/webhooks')).data.message).toBe('Token expired');
	sandbox.clock.set({ advance: '2d' });
	expect((await http.get('/webhooks')).data.message).toBe('Token expired');
	expect((await (await signedIn(sandbox)).get('/webhooks')).status).toBe(200);
	expect(await statusOf(documentFileObj.url)).toBe(403);
	expect(await statusOf(link)).toBe(200);
	sandbox.clock.set({ advance: '30d' });
	expect(await statusOf(link)).toBe(410);
	await expect(sandbox.sign(documentID, PEOPLE[0]?.email ?? '')).rejects.toThrow('expired');
});

test('a delivery that is to be tried again in hours is tried when the clock gets there', async () => {
	const sandbox = await start({ deliveryBackoffMs: [3 * 3_600_000, 40 * 86_400_000] });
	const http = await signedIn(sandbox);
	const hook = await receiver();
	hook.answers = [503, 503];
	await register(http, hook.url, 'sendDocument');
	await create(sandbox, http, 'v2', { signatories: PEOPLE.slice(0, 1) });
	const tried = async (times: number) => {
		await until(`${times} have come`, () => hook.got.length >= times);
		// What is not due yet must not come a moment later either.
		await new Promise((resolve) => setTimeout(resolve, 60));
		return hook.got.length;
	};
	expect(await tried(1)).toBe(1);
	sandbox.clock.set({ advance: '2h' });
	expect(await tried(1)).toBe(1);
	sandbox.clock.set({ advance: '1h' });
	expect(await tried(2)).toBe(2);
	sandbox.clock.set({ advance: '40d' });
	await sandbox.idle();
	expect(sandbox.deliveries()[0]).toMatchObject({ state: 'delivered' });
	const [first, second, third] = sandbox.deliveries()[0]?.attempts ?? [];
	expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(3 * 3_600_000);
	expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThanOrEqual(40 * 86_400_000);
});

describe('with a data folder', () => {
	const own = useDataFolder();
	test('the clock is as it was left after a restart', async () => {
		const before = await start(own);
		before.clock.set({ at: '2029-05-05', frozen: true });
		await before.close();
		expect((await start(own)).clock.get()).toMatchObject({
			now: Date.UTC(2029, 4, 5),
			frozen: true,
		});
	});
});

test('the page puts it forward and back, and says what it did not understand', async () => {
	const sandbox = await start();
	const page = new Http(sandbox.url);
	const post = (fields: Record<string, string>) =>
		page.post<string>('/time', new URLSearchParams(fields));
	expect((await post({ advance: '30d' })).data).toContain('The sandbox’s clock was put forward.');
	expect((await page.get<string>('/time')).data).toContain('30 days ahead of');
	const refused = await post({ advance: '<b>' });
	expect(refused.status).toBe(422);
	expect(refused.data).toContain('&quot;&lt;b&gt;&quot; is not a length of time');
	expect((await post({ reset: '1' })).data).toContain('shows this machine’s time again.');
	expect(sandbox.clock.get().aheadMs).toBe(0);
});

test.each([
	['+90m', 5_400_000],
	['1d 12h', 129_600_000],
	['5', undefined],
	['-1h', undefined],
])('the length of time %j is %p ms', (text, ms) => {
	expect(readDuration(text)).toBe(ms);
});
