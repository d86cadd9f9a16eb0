import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeliveryTrouble, Sandbox } from '../../sandbox';
import { lastAttemptAfter, RETRY_SCHEDULES } from '../../sandbox/service/retrySchedules';
import { until } from '../support/until';
import {
	type Answer,
	create,
	Http,
	PEOPLE,
	type Receiver,
	receiver,
	register,
	signedIn,
	start,
	stopAll,
} from './serviceKit';

afterEach(stopAll);

const ONE = { signatories: PEOPLE.slice(0, 1) };
const [ANA = { email: '', name: '' }] = PEOPLE;

/** A sandbox whose clock stands, with a receiver of everything about documents. */
async function withTrouble(...trouble: DeliveryTrouble[]) {
	const sandbox = await start();
	sandbox.clock.set({ at: '2027-01-01', frozen: true });
	sandbox.settings.set({ delivery: { trouble } });
	const http = await signedIn(sandbox);
	const hook = await receiver();
	await register(http, hook.url, 'sendDocument', 'signDocument', 'completedDocument');
	return { sandbox, http, hook };
}

/** A document that is sent, and signed by its one signatory. */
async function signed(sandbox: Sandbox, http: Http): Promise<string> {
	const { documentID } = (await create(sandbox, http, 'v2', ONE)).data.responseData;
	await until('something is delivered', () => sandbox.deliveries().length > 0);
	await sandbox.sign(documentID, ANA.email);
	return documentID;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const types = (hook: Receiver) => hook.got.map(({ body }) => body.type);
const count = async (hook: Receiver, wanted: number) => {
	await until(`${wanted} have come`, () => hook.got.length >= wanted);
	// One more would come at once.
	await pause(80);
	return types(hook);
};

test('twice: it comes once more, word for word, after it was received', async () => {
	const { sandbox, http, hook } = await withTrouble({ event: 'signDocument', kind: 'twice' });
	await signed(sandbox, http);
	await sandbox.idle();
	expect(types(hook).sort()).toEqual([
		'completedDocument',
		'sendDocument',
		'signDocument',
		'signDocument',
	]);
	const [first, second] = hook.got.filter(({ body }) => body.type === 'signDocument');
	expect(second?.body).toEqual(first?.body);
});

test('late: it comes when its time is over, and the others do not wait for it', async () => {
	const { sandbox, http, hook } = await withTrouble({
		event: 'signDocument',
		kind: 'late',
		delayMs: 3_600_000,
	});
	await signed(sandbox, http);
	expect(await count(hook, 2)).toEqual(['sendDocument', 'completedDocument']);
	sandbox.clock.set({ advance: '59m' });
	expect(await count(hook, 2)).toHaveLength(2);
	sandbox.clock.set({ advance: '1m' });
	await sandbox.idle();
	expect(types(hook)).toEqual(['sendDocument', 'completedDocument', 'signDocument']);
});

test('out of order: it comes behind the next one about the same document, without the clock', async () => {
	const { sandbox, http, hook } = await withTrouble({ event: 'signDocument', kind: 'outOfOrder' });
	await signed(sandbox, http);
	await sandbox.idle();
	expect(types(hook)).toEqual(['sendDocument', 'completedDocument', 'signDocument']);
});

test('never: it does not come, and the list of deliveries says why', async () => {
	const { sandbox, http, hook } = await withTrouble({ event: '*', kind: 'never', times: 2 });
	await signed(sandbox, http);
	await sandbox.idle();
	expect(types(hook)).toEqual(['completedDocument']);
	expect(sandbox.deliveries().map(({ state }) => state)).toEqual(['failed', 'failed', 'delivered']);
	expect(sandbox.deliveries()[0]?.attempts[0]?.error).toContain('delivery trouble');
});

test('a repeated notification can have another addedOn', async () => {
	const { sandbox, http, hook } = await withTrouble();
	const trouble: DeliveryTrouble[] = [{ event: 'sendDocument', kind: 'twice' }];
	sandbox.settings.set({ delivery: { newAddedOn: true, retries: [60_000], trouble } });
	hook.answers = [500];
	await create(sandbox, http, 'v2', ONE);
	await count(hook, 1);
	sandbox.clock.set({ advance: '1m' });
	await sandbox.idle();
	const begin = Date.UTC(2027, 0, 1);
	expect(hook.got.map(({ body }) => body.addedOn - begin)).toEqual([0, 60_000, 60_000]);
	expect(hook.got[1]?.body.Document).toEqual(hook.got[0]?.body.Document);
});

test.each(['none', 'default', 'hours'] as const)(
	'the schedule "%s" gets an event through if n8n is back before its last attempt',
	async (retries) => {
		const { sandbox, http, hook } = await withTrouble();
		sandbox.settings.set({ delivery: { retries } });
		const delays = RETRY_SCHEDULES[retries];
		const begin = sandbox.clock.get().now;

		hook.answers = Array<number>(delays.length).fill(503);
		await create(sandbox, http, 'v2', ONE);
		for (const [index, delay] of delays.entries()) {
			await count(hook, index + 1);
			sandbox.clock.set({ advance: delay });
		}
		await sandbox.idle();
		const [back] = sandbox.deliveries();
		expect(back).toMatchObject({ state: 'delivered' });
		expect((back?.attempts.at(-1)?.at ?? 0) - begin).toBe(lastAttemptAfter(delays));
	},
);

test('over HTTP the settings are taken, and what makes no sense is refused', async () => {
	const { sandbox } = await withTrouble();
	const control = new Http(`${sandbox.url}/sandbox`);
	const trouble = [{ event: 'signDocument', kind: 'late', delayMs: 60_000, chance: 0.5 }];
	const set = await control.put<Answer>('/settings', { delivery: { retries: 'hours', trouble } });
	expect(set.data).toMatchObject({ delivery: { retries: 'hours', seed: 1, trouble } });
	for (const delivery of [
		{ retries: 'often' },
		{ retries: [-1] },
		{ trouble: [{ event: 'signDocument', kind: 'wrong' }] },
		{ trouble: [{ event: 'nothing', kind: 'late' }] },
		{ trouble: [{ event: '*', kind: 'late', chance: 2 }] },
		{ surprise: true },
	]) {
		expect((await control.put('/settings', { delivery })).status).toBe(400);
	}
	expect(sandbox.settings.get().delivery.retries).toBe('hours');
});

test('receivers that hang keep no other receiver waiting', async () => {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hanging = createServer(() => {});
	await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
	const { port } = hanging.address() as AddressInfo;
	for (const name of ['a', 'b', 'c']) {
		await register(http, `http://127.0.0.1:${port}/${name}?secret=x`, 'failedBiometric');
	}
	const healthy = await receiver();
	await register(http, healthy.url, 'failedBiometric');
	const ids: string[] = [];
	for (let index = 0; index < 67; index += 1) {
		ids.push((await create(sandbox, http, 'v2', ONE)).data.responseData.documentID);
	}
	for (const id of ids) await sandbox.fire('failedBiometric', id);
	await until('all have come', () => healthy.got.length === ids.length);
	hanging.closeAllConnections();
	hanging.close();
});
