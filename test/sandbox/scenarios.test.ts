import { Value } from '@sinclair/typebox/value';
import axios from 'axios';

import { type Sandbox, startSandbox } from '../../sandbox';
import {
	type Answer,
	create,
	PEOPLE,
	receiver,
	register,
	signedIn,
	start,
	stopAll,
	useDataFolder,
} from './serviceKit';
import { DocumentSchema, TemplateListV1Schema, TemplateListV2Schema } from '../../sandbox/schemas';
import { processorTimeUntil } from '../support/processorTime';
import { until } from '../support/until';

const data = useDataFolder();
const DAY = 86_400_000;

/** What a scenario looks like from outside, by the sandbox's own clock. */
function picture(sandbox: Sandbox) {
	const { now } = sandbox.clock.get();
	const open = sandbox.documents().filter(({ status }) => status === 'PENDING');
	const unsigned = open.flatMap(({ signatory }) => signatory.filter((one) => one.isSigned === 0));
	const expiries = unsigned.map(({ signing }) => Number(signing.expiry) - now);
	return {
		documents: sandbox.documents().length,
		open: open.length,
		halfSigned: open.filter(({ signatory }) => signatory.some((one) => one.isSigned === 1)).length,
		expired: expiries.filter((left) => left <= 0).length,
		soon: expiries.filter((left) => left > 0 && left < 3 * DAY).length,
		newestDays: Math.floor((now - Math.max(...open.map(({ addedOn }) => addedOn))) / DAY),
		mails: sandbox.mails().length,
		checks: sandbox.identityRequests().map(({ status, outcome }) => `${status} ${outcome ?? ''}`),
	};
}

test('the HR team has forty open contracts in all states, and does not age', async () => {
	const sandbox = await start({ scenario: 'hr-team' });
	const fresh = picture(sandbox);
	expect(fresh).toMatchObject({ documents: 52, open: 40, newestDays: 0, mails: 102 });
	expect(fresh.halfSigned).toBeGreaterThan(10);
	expect(fresh.expired).toBeGreaterThan(3);
	expect(fresh.soon).toBeGreaterThan(1);
	expect(new Set(fresh.checks).size).toBe(5);

	sandbox.clock.set({ advance: '400d' });
	expect(picture(sandbox)).toMatchObject({ newestDays: 400 });
	await sandbox.states.loadScenario('hr-team');
	expect(picture(sandbox)).toEqual(fresh);
});

test.each(['empty', 'hr-team', 'limits'])(
	'every document of %s keeps the contract',
	async (name) => {
		const documents = (await start({ scenario: name })).documents();
		const broken = documents.filter((one) => !Value.Check(DocumentSchema, one));
		expect(broken.slice(0, 1)).toEqual([]);
		expect(documents.length > 0).toBe(name !== 'empty');
	},
);

test('a scenario takes the place of everything, and n8n stays connected', async () => {
	const sandbox = await start({ deliveryBackoffMs: [60_000] });
	const http = await signedIn(sandbox);
	const hook = await receiver();
	await register(http, hook.url, 'sendDocument', 'signDocument');
	hook.answers = [500, 0, 500, 500];
	const { documentID } = (await create(sandbox, http)).data.responseData;
	sandbox.settings.set({ tokenLifetimeSeconds: 7 });
	sandbox.faults.set({ endpoint: 'DELETE /webhooks', reset: 'before' });
	const signing = sandbox.sign(documentID, PEOPLE[0]?.email ?? '').catch(String);

	await sandbox.states.loadScenario('empty');
	await signing;
	// Neither mails nor deliveries of what was there come after it.
	await sandbox.idle();
	const left = [sandbox.documents(), sandbox.mails(), sandbox.deliveries()];
	expect(left).toEqual([[], [], []]);
	expect(sandbox.settings.get().tokenLifetimeSeconds).toBe(300);
	await expect(sandbox.sign(documentID, PEOPLE[0]?.email ?? '')).rejects.toThrow('not found');

	const got = hook.got.length;
	hook.answers = [];
	const after = await create(sandbox, http);
	expect(after.status).toBe(200);
	await sandbox.idle();
	expect(hook.got.slice(got)).toHaveLength(3);
	expect(sandbox.mails()).toHaveLength(3);
});

test('a saved state goes on elsewhere: documents, files, account, clock and what is pending', async () => {
	const first = await start({ deliveryBackoffMs: [60_000] });
	first.clock.set({ at: '2031-05-06T07:08:09Z', frozen: true });
	const http = await signedIn(first);
	const hook = await receiver();
	await register(http, hook.url, 'completedDocument');
	hook.answers = [500];
	first.settings.set({ rateLimit: { perSecond: 1000 }, delivery: { retries: [60_000] } });
	const { documentID } = (await create(first, http)).data.responseData;
	for (const { email } of PEOPLE) await first.sign(documentID, email);
	await until('it was tried once', () => first.deliveries()[0]?.attempts.length === 1);
	await until('all mails are there', () => first.mails().length >= 3);
	const { data: file } = await axios.get<string>(`${first.url}/sandbox/state`, {
		responseType: 'text',
		transformResponse: (text: string) => text,
	});
	expect(file.split('\n').length).toBeGreaterThan(100);
	const [before] = first.documents();
	await first.close();

	const second = await start({ state: JSON.parse(file) });
	expect(second.account).toEqual(first.account);
	expect(second.clock.get()).toMatchObject({ now: Date.UTC(2031, 4, 6, 7, 8, 9), frozen: true });
	expect(second.settings.get().rateLimit).toEqual({ perSecond: 1000 });
	expect(JSON.stringify(second.documents())).toBe(
		JSON.stringify([before]).replaceAll(first.url, second.url),
	);
	expect(second.mails()).toHaveLength(3);
	second.clock.set({ frozen: false });
	expect(second.deliveries()).toMatchObject([{ state: 'pending', attempts: [{ status: 500 }] }]);
	second.clock.set({ advance: '2m' });
	await second.idle();
	expect(hook.got.map(({ body }) => body.Document.documentHash)).toEqual([
		before?.documentHash,
		before?.documentHash,
	]);
});

test('what is saved can be returned to, and what came since then is gone', async () => {
	const sandbox = await start({ scenario: 'hr-team', ...data });
	const saved = sandbox.states.save();
	const before = picture(sandbox);
	const half = sandbox
		.documents()
		.reverse()
		.find(({ status }) => status === 'PENDING');
	await sandbox.sign(half?.documentID ?? '', half?.signatory[1]?.emailID ?? '');
	await sandbox.states.load(saved);
	expect(picture(sandbox)).toEqual(before);
	// The signature that was undone can be given again.
	await sandbox.sign(half?.documentID ?? '', half?.signatory[1]?.emailID ?? '');
	// What is in memory and what is in the folder are the same.
	const now = sandbox.documents();
	await sandbox.close();
	const again = await start({ scenario: 'hr-team', ...data });
	expect(again.documents().map(({ documentID }) => documentID)).toEqual(
		now.map(({ documentID }) => documentID),
	);
	await again.close();
	await expect(startSandbox({ scenario: 'empty', ...data })).rejects.toThrow(
		'The data folder already holds another state.',
	);
	// The refusal leaves the folder to the next one.
	await start(data);
});

test('a state with a mistake is refused with its place, and nothing changes', async () => {
	const sandbox = await start({ scenario: 'hr-team' });
	const put = (state: unknown) =>
		axios.put<{ error?: string }>(`${sandbox.url}/sandbox/state`, JSON.stringify(state), {
			headers: { 'Content-Type': 'application/json' },
			validateStatus: () => true,
		});
	const good = sandbox.states.save();
	const [id = ''] = Object.keys(good.documents);
	const broken = (change: (state: typeof good) => void) => {
		const state = structuredClone(good);
		change(state);
		return state;
	};
	const first = (state: typeof good) => state.documents[id] ?? ({} as never);
	const drawn = { kind: 'drawn' as const, png: Buffer.from('no png').toString('base64') };
	const wrong: Array<[unknown, string]> = [
		[{}, 'This is not a saved state of the sandbox'],
		[[], 'This is not a saved state of the sandbox'],
		['text', 'This is not a saved state of the sandbox'],
		[{ ...good, signingSandbox: 2 }, 'saved by another version'],
		[{ ...good, savedAt: 'yesterday' }, '/savedAt'],
		[broken((state) => (first(state).createdAt = NaN)), `/documents/${id}/createdAt`],
		[broken((state) => (first(state).templateID = 'x')), 'template x, which this version'],
		[broken((state) => (first(state).signatories[0]!.mark = drawn)), 'not a PNG'],
		[broken((state) => delete (state as Partial<typeof good>).mails), '/mails'],
	];
	for (const [state, why] of wrong) {
		const { status, data: refusal } = await put(state);
		expect([status, refusal.error]).toEqual([400, expect.stringContaining(why)]);
	}
	expect(sandbox.states.save().documents).toEqual(good.documents);
	expect((await put(good)).status).toBe(200);
	await expect(sandbox.states.loadScenario('none')).rejects.toThrow('empty, hr-team, limits');
	await expect(startSandbox({ scenario: 'none' })).rejects.toThrow('empty, hr-team, limits');
	await expect(startSandbox({ state: {} })).rejects.toThrow('not a saved state');
});

afterEach(stopAll);

test('thousands of templates and documents are there after a second or two', async () => {
	let sandbox = {} as Sandbox;
	const time = await processorTimeUntil(async () => {
		sandbox = await start({ seed: { templates: 5000, documents: 5000 } });
	});
	expect(time).toBeLessThan(5000);
	const http = await signedIn(sandbox);
	const v1 = (await http.get<Answer>('/templates')).data.responseData;
	const v2 = (await http.get<Answer>('/templates/v2')).data.responseData;
	expect([...Value.Errors(TemplateListV1Schema, v1)]).toEqual([]);
	expect([...Value.Errors(TemplateListV2Schema, v2)]).toEqual([]);
	const { length } = sandbox.templates();
	expect(length).toBe(5006);

	const documents = sandbox.documents();
	expect(documents).toHaveLength(5000);
	for (const one of documents.filter((_, index) => index % 500 === 0)) {
		expect([...Value.Errors(DocumentSchema, one)]).toEqual([]);
	}
	const of = (status: string) => documents.filter((one) => one.status === status).length;
	expect(of('COMPLETED')).toBeGreaterThan(1000);
	expect(of('PENDING')).toBeGreaterThan(1000);
	expect(new Set(documents.map(({ documentID }) => documentID)).size).toBe(5000);
	expect(sandbox.mails()).toEqual([]);

	// The console stays quick, and finds.
	const page = await axios.get<string>(`${sandbox.url}/lists/documents?q=jansen+completed`);
	expect(page.data).toMatch(/\d+ of 5000 found\. Page 1 of \d+/);
	expect(page.data.match(/<h3>/g)).toHaveLength(50);
});

test('a made-up document can be signed and fired, and a completed one has its file', async () => {
	const sandbox = await start({ seed: { documents: 9 } });
	const http = await signedIn(sandbox);
	const hook = await receiver();
	await register(http, hook.url, 'completedDocument');
	const open = sandbox
		.documents()
		.find(({ computedFields }) => computedFields.isAllSignatoryPending);
	for (const { emailID } of open?.signatory ?? []) {
		await sandbox.sign(open?.documentID ?? '', emailID);
	}
	const done = sandbox.documents().find(({ status }) => status === 'COMPLETED');
	await sandbox.fire('completedDocument', done?.documentID ?? '');
	await sandbox.idle();
	expect(hook.got.map(({ body }) => body.Document.documentID)).toEqual([
		open?.documentID,
		done?.documentID,
	]);
	for (const { body } of hook.got) {
		expect(body.Document.documentHash).toMatch(/^[0-9a-f]{64}$/);
		const file = await axios.get<Buffer>(body.Document.documentURL ?? '', {
			responseType: 'arraybuffer',
		});
		expect(file.data.subarray(0, 5).toString()).toBe('%PDF-');
	}
});
