import { outputOf } from '../../../host/executions';
import { company } from '../../../host/onboarding';
import { ada } from '../support/examples';
import { axios } from '../support/http';
import { until } from '../support/stage';
import { ended, waitingOnes } from '../support/wait';
import { own } from './runStage';

// The examples in which a person decides before anything is sent.
const { stage } = own;
const create = 'POST /templates/createDocumentByTemplateV2';

/** The link of a mail that asks for a decision. */
const linkOf = (html: string, sends: boolean) =>
	[...html.matchAll(/href="(http[^"]+)"/g)]
		.map(([, link = '']) => link.replaceAll('&amp;', '&'))
		.find((link) => link.includes(`approved=${sends}`)) ?? '';
/** Opens it in a browser: n8n takes no answer from a program. */
const open = async (link: string) =>
	await axios.get(link, {
		headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
	});

describe('approval-before-sending', () => {
	afterAll(own.unpublish);
	const boss = 'boss@example.com';
	let workflow: string;
	/** Asks for a contract; gives the mail to the boss. */
	async function ask(name: string, email: string, asker: string, start = '2026-12-01') {
		const count = (await waitingOnes(own.n8n.api, workflow)).length;
		await own.fill('ask-for-a-contract', [name, email, 'Analyst', start, asker]);
		// n8n accepts an answer a moment after the mail is out.
		await until('the execution waits', async () => {
			return (await waitingOnes(own.n8n.api, workflow)).length > count;
		});
		return await own.mailTo(boss, `Send a contract to ${name}?`);
	}
	const answer = async (asker: string, subject: string) => await own.mailTo(asker, subject);

	beforeAll(async () => {
		workflow = await own.publish('approval-before-sending');
		const late = await own.publish('approval-before-sending', (_node, nodes) => {
			for (const { parameters } of nodes) {
				if (parameters.formFields) Object.assign(parameters.options ?? {}, { path: 'late' });
				if (parameters.operation !== 'sendAndWait') continue;
				const values = {
					limitType: 'afterTimeInterval',
					resumeAmount: 0.05,
					resumeUnit: 'minutes',
				};
				Object.assign(parameters.options ?? {}, { limitWaitTime: { values } });
			}
		});
		await own.fill('late', [
			'Late Lena',
			'lena@example.com',
			'Analyst',
			'2026-12-01',
			'asks-late@example.com',
		]);
		await own.waits(late);
	});

	test('approved: sent once, however often the link is opened and the form is filled in', async () => {
		const name = `Zoë "Zed" O'Brien`;
		const count = own.documentCount();
		const mail = await ask(name, 'zoe@example.com', 'asks@example.com');
		expect(own.documentCount()).toBe(count);
		for (const value of ['zoe@example.com', 'Analyst', '2026-12-01', 'asks@example.com'])
			expect(mail.html).toContain(value);
		const link = linkOf(mail.html, true);
		await Promise.all([open(link), open(link)]);
		const told = await answer('asks@example.com', `The contract for ${name} was sent`);
		expect(told.text).toContain(`Document ${own.lastDocument()}`);
		await open(link);
		const again = await ask('Zoë again', ' ZOE@example.com ', 'asks@example.com');
		await open(linkOf(again.html, true));
		await answer('asks@example.com', 'The contract for Zoë again was sent before');
		expect(own.documentCount()).toBe(count + 1);
		expect(own.subjects('asks@example.com')).toHaveLength(2);
		const later = await ask('Zoë later', 'zoe@example.com', 'asks@example.com', '2027-12-01');
		await open(linkOf(later.html, true));
		await answer('asks@example.com', 'The contract for Zoë later was sent');
		expect(own.documentCount()).toBe(count + 2);
	});

	test('declined: nothing is sent, also if the other link is opened after that', async () => {
		const count = own.documentCount();
		const mail = await ask('Dan Declined', 'dan@example.com', 'asks-dan@example.com');
		await open(linkOf(mail.html, false));
		await answer('asks-dan@example.com', 'The contract for Dan Declined was declined');
		await open(linkOf(mail.html, true));
		await stage.sandbox.idle();
		expect(own.documentCount()).toBe(count);
		expect(own.subjects('asks-dan@example.com')).toHaveLength(1);
	});

	test('a request that the mail cannot be sent for, a refused contract, a lost answer: whoever asked is told', async () => {
		own.office.unknown.add(boss);
		await own.fill('ask-for-a-contract', [
			'Una Heard',
			'una@example.com',
			'Analyst',
			'2026-12-01',
			'asks-una@example.com',
		]);
		expect(
			(await answer('asks-una@example.com', 'The contract for Una Heard was not sent')).text,
		).toContain('550 No such user here');
		own.office.unknown.clear();
		await open(linkOf((await ask('Al', 'al@example.com', 'asks-al@example.com')).html, true));
		expect((await answer('asks-al@example.com', 'The contract for Al was not sent')).text).toMatch(
			/4 to 100/,
		);
		stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
		await open(
			linkOf((await ask('Lost Lee', 'lost@example.com', 'asks-lee@example.com')).html, true),
		);
		await answer('asks-lee@example.com', 'The contract for Lost Lee may have been sent');
	});

	test('nobody answers in time: nothing is sent, and whoever asked is told', async () => {
		const mail = await until('the end', () => own.mailsTo('asks-late@example.com')[0]);
		expect([mail.subject, own.mailsTo('lena@example.com')]).toEqual([
			'The contract for Late Lena was not approved in time',
			[],
		]);
	});
});

describe('agent-sends-the-contract', () => {
	afterAll(own.unpublish);
	let agent: string;
	let chat: string;
	const reviews = () =>
		own
			.mailsTo('people@example.com')
			.filter(({ subject }) => subject.startsWith('Send the contract'));
	const write = async () =>
		await axios.post(`${stage.n8n.url}/webhook/${chat}/chat`, {
			action: 'sendMessage',
			sessionId: 'one',
			chatInput: `Send a contract to ${ada.name}`,
		});
	/** Writes to the assistant and decides; gives what the assistant says. */
	async function ask(sends: boolean): Promise<string> {
		const count = reviews().length;
		await write();
		const mail = await until('a person is asked', () => reviews()[count]);
		for (const value of Object.values(ada)) expect(mail.html).toContain(value);
		const execution = await own.waits(agent);
		const documents = own.documentCount();
		await open(linkOf(mail.html, sends));
		const said = JSON.stringify(outputOf(await ended(own.n8n.api, execution), 'Assistant'));
		expect(own.documentCount() - documents).toBeLessThanOrEqual(sends ? 1 : 0);
		return said;
	}
	beforeAll(async () => {
		agent = await own.publish('agent-sends-the-contract', (node) => {
			const options = { public: true, mode: 'webhook', options: {} };
			Object.assign(node('Ask in your own words').parameters, options);
		});
		const { nodes } = await stage.n8n.api.getWorkflow(agent);
		chat = nodes.find(({ name }) => name === 'Ask in your own words')?.webhookId ?? '';
	});

	test('declined, approved, asked again: one contract, with what the person saw', async () => {
		expect(await ask(false)).toContain('rejected the tool call');
		const count = own.documentCount();
		expect(await ask(true)).toContain(own.lastDocument());
		expect(own.documentCount()).toBe(count + 1);
		expect(own.creations().at(-1)?.body).toEqual({
			templateID: '65f1c0de0000000000000201',
			country: 'United States',
			inputs: {
				employee_name: ada.name,
				role: ada.role,
				start_date: ada.start,
				employer: company.employer,
				workplace: 'Main office',
			},
			signatories: [{ email: ada.email, name: ada.name }],
		});
		const [tool] = own.outside.chats[0]?.tools ?? [];
		expect(
			Object.keys(tool?.function.parameters.properties.toolParameters?.properties ?? {}).sort(),
		).toEqual(['email', 'name', 'role', 'start_date']);
		expect(await ask(true)).toContain('This key was sent before');
		expect(own.documentCount()).toBe(count + 1);
	});

	test('refused by the service, and a lost answer: the assistant gets the reason', async () => {
		Object.assign(ada, { name: 'Al', email: 'al-2@example.com' });
		expect(await ask(true)).toMatch(/4 to 100/);
		Object.assign(ada, { name: 'Lost Lee', email: 'lost-2@example.com' });
		stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
		expect(await ask(true)).toContain('mayHaveBeenCreated');
	});
});
