import { ada } from '../../support/examples';
import { axios } from '../../../support/http';
import { until } from '../../../support/until';
import { own, publishTelling, tellingId } from '../runStage';
import { type Day, days, single } from './days';
import { decide } from './people';

// The two examples that work only together with another one.
const { stage } = own;
const staff = 'people@example.com';

/** Somebody writes to the assistant, and the contract is approved; n8n is killed in between. */
async function runAgent(day: Day): Promise<void> {
	const approval = await own.publish('approval-before-sending');
	const agent = await own.store('assistant', (node) => {
		const options = { public: true, mode: 'webhook', options: {} };
		Object.assign(node('Ask in your own words').parameters, options);
		const { parameters } = node('Start the approval');
		parameters.workflowId = { ...(parameters.workflowId as object), value: approval };
	});
	const { nodes } = await stage.n8n.api.getWorkflow(agent);
	const chat = nodes.find(({ name }) => name === 'Ask in your own words')?.webhookId ?? '';
	// Its tool is the workflow itself, which has another ID when it is imported again.
	const tool = nodes.find(({ name }) => name === 'Ask for an approval')?.parameters ?? {};
	tool.workflowId = { ...(tool.workflowId as object), value: agent };
	await stage.n8n.api.updateWorkflow(agent, { nodes });
	await stage.n8n.api.activate(agent);
	const person =
		day === '{{ }}' ? { ...ada, name: 'Ada {{ 1 + 1 }}', email: 'a@example.com' } : ada;
	own.wanted = person;
	const count = own.documentCount();
	const { data } = await axios.post<{ output: string }>(`${stage.n8n.url}/webhook/${chat}/chat`, {
		action: 'sendMessage',
		sessionId: day,
		chatInput: `Send a contract to ${person.name}`,
	});
	// The chat does not wait for the approval. This chat model says what its tool gave.
	expect(data.output).toMatch(/^Done: /);
	expect(data.output).toContain(person.name);
	const mail = await own.mailTo('boss@example.com', `Send a contract to ${person.name}`);
	expect(mail.html).toContain(person.email);
	await own.waits(approval);
	if (day === 'killed') await own.restart();
	expect(own.documentCount()).toBe(count);
	await decide(mail, 'Send the contract');
	await own.mailTo(person.asker, `The contract for ${person.name} was sent`);
	expect(own.documentCount()).toBe(count + 1);
}

/** Another workflow fails. */
async function runFailure(day: Day): Promise<void> {
	await publishTelling();
	const failing = await own.publish('approval-before-sending');
	const count = day === 'two at once' ? 2 : 1;
	const name = day === 'markup' ? '<b>Una & Heard</b>' : 'Una Heard';
	const mails = own.newMails();
	const submit = async (asker: string) =>
		await own.fill('ask-for-a-contract', [name, 'u@example.com', 'Cook', '2027-01-01', asker]);
	const told = () =>
		mails().filter(
			({ to, subject }) => to.includes(staff) && subject.startsWith('Workflow failed: '),
		);
	if (day === 'killed') {
		own.office.silent = true;
		const offered = own.office.offered;
		await submit('asks@example.com');
		await until('n8n talks to the mail server', () => own.office.offered > offered);
		await own.crashAndRetry(failing);
	} else {
		for (const each of ['boss@example.com', 'gone@example.com']) own.office.unknown.add(each);
		own.office.down = day === 'mail down';
		await Promise.all(Array.from({ length: count }, async () => await submit('gone@example.com')));
		if (own.office.down) {
			const failed = await until('it fails', async () =>
				(await own.over(tellingId, 1)).find(({ status }) => status === 'error'),
			);
			own.office.down = false;
			await own.retry(failed.id);
		}
	}
	await until('the team is told', () => told().length === count);
	for (const { text } of told()) {
		expect(text).toContain(`/workflow/${failing}/executions/`);
		if (day !== 'killed') expect(text).toMatch(/Node: Tell who asked\r?\nReason: [^]*550/);
	}
	// The retry continues where the crash was.
	if (day === 'killed') await own.mailTo('boss@example.com', `Send a contract to ${name}?`);
}

const singles: Record<string, (day: Day) => Promise<void>> = {
	assistant: runAgent,
	'tell-when-it-fails': runFailure,
};
/** The rows of these examples. They are few, so that each runs in every part. */
export const singleRows = Object.entries(single).flatMap(([file, outcomes]) =>
	days.flatMap((day) => (day in outcomes ? [{ file, day }] : [])),
);
export const runSingle = async ({ file, day }: { file: string; day: Day }) =>
	await singles[file]?.(day);
