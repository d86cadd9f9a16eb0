import { axios } from '../support/http';
import { until } from '../support/stage';
import { ended, waitingOnes } from '../support/wait';
import { ada } from '../support/examples';
import { own } from './runStage';

// The examples in which a person decides before anything is sent.
const { stage } = own;
const create = 'POST /templates/createDocumentByTemplateV2';
const boss = 'boss@example.com';
const file = 'approval-before-sending';
type Mail = Awaited<ReturnType<typeof own.mailTo>>;

/** Texts as a mail program shows them. */
const shown = (html: string) =>
	html
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
const linkOf = ({ html }: Mail) =>
	/href="(http[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
/** Opens the page of a question, as a mail scanner does, too. */
const open = async (mail: Mail) => await axios.get<string>(linkOf(mail), { headers: browser });
/** Decides on the page of a question. */
async function decide(mail: Mail, decision: 'Send the contract' | 'Decline') {
	const data = new FormData();
	data.append('field-0', decision);
	await axios.post(linkOf(mail), data, { headers: browser });
}
const told = async (name: string, outcome: string, asker = 'asks@example.com') =>
	(await own.mailTo(asker, `The contract for ${name} ${outcome}`)).text;
const asked = async (name: string) => await own.mailTo(boss, `Send a contract to ${name}`);

let workflow: string;
const fill = async (
	name: string,
	email: string,
	start = '2026-12-01',
	form = 'ask-for-a-contract',
) => await own.fill(form, [name, email, 'Analyst', start, 'asks@example.com']);
/** Asks for a contract; gives the mail to the boss. */
async function ask(...request: Parameters<typeof fill>) {
	const count = (await waitingOnes(own.n8n.api, workflow)).length;
	await fill(...request);
	// n8n accepts an answer a moment after the mail is out.
	await until('the execution waits', async () => {
		return (await waitingOnes(own.n8n.api, workflow)).length > count;
	});
	// The names are not all as they were typed.
	return await asked(request[0].split(' ')[0] ?? '');
}

describe('approval-before-sending', () => {
	afterAll(own.unpublish);
	beforeAll(async () => {
		workflow = await own.publish(file);
		const late = await own.publish(file, (node, nodes) => {
			for (const { parameters } of nodes)
				if (parameters.formFields && parameters.formTitle)
					Object.assign(parameters.options ?? {}, { path: 'late' });
			const values = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
			Object.assign(node('Ask for the approval').parameters.options ?? {}, {
				limitWaitTime: { values },
			});
		});
		await fill('Late Lena', 'lena@example.com', '2026-12-01', 'late');
		await own.waits(late);
	});

	test('the form asks for a login', async () => {
		const { status } = await axios.get(`${stage.n8n.url}/form/ask-for-a-contract`);
		expect(status).toBe(401);
	});

	test('what was typed forges no line and no tag of the question, in the mail and on its page', async () => {
		const odd = 'Zoë &lt;i>\\nE-mail: a@example.com<br><b hidden>';
		const mail = await ask(`${odd}\n\u202Eend`, 'zoe@example.com');
		for (const text of [mail.html, (await open(mail)).data]) {
			expect(text).not.toMatch(/<b hidden|<i>/);
			const lines = shown(text).split(/\n\s*/);
			expect(lines.filter((line) => line.startsWith('E-mail: '))).toEqual([
				'E-mail: zoe@example.com',
			]);
			expect(lines).toContain(`Full name: ${odd} end`);
		}
		await decide(mail, 'Decline');
	});

	test('approved: sent once, however often the page is opened and the form is filled in', async () => {
		const name = `Zoë "Zed" O'Brien {{ 1 + 1 }}`;
		const count = own.documentCount();
		const mail = await ask(name, 'zed@example.com');
		await Promise.all([open(mail), open(mail)]);
		await stage.sandbox.idle();
		expect(own.documentCount()).toBe(count);
		await Promise.all([decide(mail, 'Send the contract'), decide(mail, 'Send the contract')]);
		expect(await told(name, 'was sent')).toContain(`Document ${own.lastDocument()}`);
		await decide(mail, 'Decline');
		await decide(await ask('Zed again', ' ZED@example.com '), 'Send the contract');
		await told('Zed again', 'was sent before');
		expect(own.documentCount()).toBe(count + 1);
		await decide(await ask('Zed later', 'zed@example.com', '2027-12-01'), 'Send the contract');
		await told('Zed later', 'was sent');
		expect(own.documentCount()).toBe(count + 2);
	});

	test('declined: nothing is sent, also if somebody approves after that', async () => {
		const count = own.documentCount();
		const mail = await ask('Dan Declined', 'dan@example.com');
		await decide(mail, 'Decline');
		await told('Dan Declined', 'was declined');
		await decide(mail, 'Send the contract');
		await stage.sandbox.idle();
		expect(own.documentCount()).toBe(count);
	});

	test('a mail that cannot be sent, a refused contract, a lost answer: whoever asked is told', async () => {
		own.office.unknown.add(boss);
		await fill('Una Heard', 'una@example.com');
		expect(await told('Una Heard', 'was not sent')).toContain('550 No such user here');
		own.office.unknown.clear();
		await decide(await ask('Al', 'al@example.com'), 'Send the contract');
		expect(await told('Al', 'was not sent')).toMatch(/4 to 100/);
		stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
		await decide(await ask('Lost Lee', 'lost@example.com'), 'Send the contract');
		await told('Lost Lee', 'may have been sent');
	});

	test('nobody answers in time: nothing is sent, and whoever asked is told', async () => {
		await told('Late Lena', 'was not approved in time');
		expect(own.mailsTo('lena@example.com')).toEqual([]);
	});

	test('agent-sends-the-contract: it hands over once, and the approval survives a restart', async () => {
		const agent = await own.publish('agent-sends-the-contract', (node) => {
			const options = { public: true, mode: 'webhook', options: {} };
			Object.assign(node('Ask in your own words').parameters, options);
			const tool = node('Ask for an approval').parameters;
			tool.workflowId = { ...(tool.workflowId as object), value: workflow };
		});
		const { nodes } = await stage.n8n.api.getWorkflow(agent);
		const chat = nodes.find(({ name }) => name === 'Ask in your own words')?.webhookId ?? '';
		const count = own.documentCount();
		await axios.post(`${stage.n8n.url}/webhook/${chat}/chat`, {
			action: 'sendMessage',
			sessionId: 'one',
			chatInput: `Send a contract to ${ada.name}`,
		});
		const mail = await asked(ada.name);
		for (const value of Object.values(ada)) expect(mail.html).toContain(value);
		await own.waits(workflow);
		const chatting = await own.waits(agent);
		await own.restart();
		await decide(mail, 'Send the contract');
		await told(ada.name, 'was sent');
		expect(own.documentCount()).toBe(count + 1);
		expect((await ended(own.n8n.api, chatting)).lastNodeExecuted).toBe('Assistant');
	});
});
