import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxClient } from '../../sandbox/cli/client';
import { runCommand } from '../../sandbox/cli/commands';
import type { JournalEntry, Sandbox } from '../../sandbox';
import { create, Http, PEOPLE, receiver, register, signedIn, start, stopAll } from './serviceKit';

afterEach(stopAll);

/** What a command prints. */
async function typed(
	sandbox: Pick<Sandbox, 'url'>,
	command: string,
	json = false,
): Promise<string> {
	const [name = '', ...words] = command.split(' ');
	const printed: string[] = [];
	const client = new SandboxClient(sandbox.url);
	await runCommand(name, {
		client,
		words,
		json,
		follow: false,
		print: (text) => printed.push(text),
	});
	return printed.join('\n');
}

/** A sandbox with one document, and a webhook for it. */
async function withDocument() {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hook = await receiver();
	await register(http, hook.url, 'completedDocument');
	const { data } = await create(sandbox, http, 'v2', { signatories: PEOPLE.slice(0, 2) });
	await sandbox.idle();
	return { sandbox, http, hook, documentID: data.responseData.documentID };
}

test('an event goes out about the newest document, or about the one that is named', async () => {
	const { sandbox, hook, documentID } = await withDocument();
	const line = `completedDocument about ${documentID} goes to 1 webhook.`;
	expect(await typed(sandbox, 'send completedDocument')).toBe(line);
	expect(await typed(sandbox, `send completedDocument ${documentID}`)).toBe(line);
	await sandbox.idle();
	expect(hook.got.map(({ body }) => body.Document.documentID)).toEqual([documentID, documentID]);
	expect(await typed(sandbox, 'send signDocument')).toContain('No webhook is registered');

	const [{ id } = { id: '' }] = sandbox.deliveries();
	expect(await typed(sandbox, `resend ${id}`)).toBe('The delivery is on its way again.');
	await sandbox.idle();
	expect(hook.got).toHaveLength(3);
});

test('lists show one row each, and all of it with --json', async () => {
	const { sandbox, documentID } = await withDocument();
	const [head, row] = (await typed(sandbox, 'documents')).split('\n');
	expect(head).toMatch(/^DOCUMENT ID +STATUS +SIGNED +CREATED +TITLE$/);
	expect(row).toMatch(new RegExp(`^${documentID} +PENDING +0/2 +\\d{4}-.*Ana Torres$`));
	expect(JSON.parse(await typed(sandbox, 'documents', true))).toMatchObject([{ documentID }]);
	expect(await typed(sandbox, 'mails')).toContain('ben@example.com');
	expect(await typed(sandbox, 'webhooks')).not.toContain('callback-secret');
	expect(await typed(sandbox, 'identity-requests')).toBe('There is no identity request.');
});

test('the log has calls, deliveries and mails in order, without secrets', async () => {
	const { sandbox, http, hook } = await withDocument();
	hook.answers = [500];
	await typed(sandbox, 'send completedDocument');
	await sandbox.idle();
	await http.get('/nothing');
	sandbox.faults.set({ endpoint: '*', reset: 'before', times: 1 });
	await http.get('/webhooks').catch(() => {});
	const log = await typed(sandbox, 'log');
	expect(log).toMatch(/ {4}call +POST \/access\/token 200\n/);
	expect(log).toMatch(/ {4}mail +To ana@example.com: Please sign/);
	expect(log).toMatch(/ {2}! delivery +completedDocument about \w+ to .*: 500\n/);
	expect(log).toMatch(/ {4}delivery +completedDocument about \w+ to .*: 200, attempt 2\n/);
	expect(log).toMatch(/ {2}! call +GET \/nothing 404: No such endpoint/);
	expect(log).toMatch(/ {2}! call +GET \/webhooks connection broken$/);
	expect(log).not.toContain('callback-secret');
	expect(log).not.toContain(sandbox.account.apiKey);
});

test('the log is read on from the last entry that was had, also after a restart', async () => {
	const { sandbox, http } = await withDocument();
	const read = async (query: string) =>
		(await new Http(sandbox.url).get<JournalEntry[]>(`/sandbox/log${query}`)).data;
	const all = await read('');
	expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
	expect(await read(`?after=${all.length}`)).toEqual([]);
	await http.get('/webhooks');
	expect(await read(`?after=${all.length}`)).toMatchObject([
		{ number: all.length + 1, kind: 'call', text: 'GET /webhooks 200' },
	]);
	expect(await read('?after=100000&limit=1')).toMatchObject([{ number: 1 }]);
});

test('schedule and trouble are set beside the other settings, and taken back', async () => {
	const sandbox = await start();
	sandbox.settings.set({ tokenLifetimeSeconds: 7 });
	expect(await typed(sandbox, 'retries hours')).toBe('Attempts: hours\nTrouble:  none');
	await typed(sandbox, 'trouble twice');
	expect(await typed(sandbox, 'trouble late signDocument 30%')).toBe(
		'Attempts: hours\nTrouble:  every event twice, 100 %\nTrouble:  signDocument late, 30 %',
	);
	expect(sandbox.settings.get()).toMatchObject({
		tokenLifetimeSeconds: 7,
		delivery: {
			trouble: [
				{ event: '*', kind: 'twice', chance: 1 },
				{ event: 'signDocument', kind: 'late', chance: 0.3 },
			],
		},
	});
	expect(await typed(sandbox, 'trouble off')).toContain('Trouble:  none');
	await expect(typed(sandbox, 'trouble sometimes')).rejects.toThrow('one of the kinds: twice');
	await expect(typed(sandbox, 'trouble late 300%')).rejects.toThrow('neither an event nor');
	await expect(typed(sandbox, 'retries often')).rejects.toThrow('one of the schedules: none');
});

test('a command that cannot be carried out says what to do', async () => {
	const sandbox = await start();
	await expect(typed(sandbox, 'send nothing')).rejects.toThrow('one of the seven events: send');
	await expect(typed(sandbox, 'send signDocument')).rejects.toThrow('There is no document yet');
	await expect(typed(sandbox, 'send signDocument abc')).rejects.toThrow('Document not found');
	await expect(typed(sandbox, 'resend abc')).rejects.toThrow('Delivery not found');
	await expect(typed(sandbox, 'clock noon')).rejects.toThrow('"noon" is not a time');
	await expect(typed(sandbox, 'toString')).rejects.toThrow('There is no command "toString"');
	await sandbox.close();
	await expect(typed(sandbox, 'documents')).rejects.toThrow('Start one with "npm run sandbox"');

	const other = createServer((_request, response) => response.end('hello'));
	await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
	const { port } = other.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}`;
	await expect(typed({ url }, 'documents')).rejects.toThrow('is not a sandbox');
	other.closeAllConnections();
	other.close();
});

test('a scenario is loaded, the state is saved to a file, and the file is loaded', async () => {
	const { sandbox } = await withDocument();
	const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
	const file = join(folder, 'deeper', 'saved.json');
	try {
		expect(await typed(sandbox, `save ${file}`)).toBe(`The state is in ${file}.`);
		expect((await stat(file)).mode & 0o077).toBe(0);
		expect(await typed(sandbox, 'scenario')).toMatch(/^empty {4}.*\nhr-team {2}.*\nlimits/);
		expect(await typed(sandbox, 'scenario hr-team')).toContain('HR team: Forty contracts');
		expect(sandbox.documents()).toHaveLength(52);
		expect(await typed(sandbox, `load ${file}`)).toBe(`The sandbox has the state of ${file}.`);
		expect(sandbox.documents()).toHaveLength(1);
		await expect(typed(sandbox, 'scenario none')).rejects.toThrow('These exist: empty, hr-team');
		await expect(typed(sandbox, `load ${folder}/none`)).rejects.toThrow('There is no file');
		await expect(typed(sandbox, `load ${folder}`)).rejects.toThrow('cannot be read');
		await expect(typed(sandbox, 'save')).rejects.toThrow('Name the file');
		await writeFile(file, 'text');
		await expect(typed(sandbox, `load ${file}`)).rejects.toThrow('is not JSON');
		await writeFile(file, '{}');
		await expect(typed(sandbox, `load ${file}`)).rejects.toThrow('This is not a saved state');
	} finally {
		await rm(folder, { recursive: true });
	}
});
