import { readdirSync } from 'node:fs';
import path from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { readExample } from '../../host/examples';
import { outputOf } from '../../host/executions';
import { company } from '../../host/onboarding';
import { root } from '../../scripts/tools';
import { readPdf } from '../../sandbox/documents/read';
import { ada, soon, useExamples } from './support/examples';
import { axios } from './support/http';
import { onVersion1, until } from './support/stage';
import { createDocument } from './support/trigger';
import { ended, signAll } from './support/wait';

/** Every workflow of examples/, imported into n8n and run from its start to its end. */
interface Example {
	file: string;
	does: string;
	/** Parameters that are another in the test than in the file, by node. */
	changed?: Record<string, INodeParameters>;
	/** The same on an n8n 1.x; or why it cannot be run there. */
	on1x?: Record<string, INodeParameters> | string;
	/** Uses the published workflow as people would. */
	use(workflowId: string): Promise<void>;
}

const own = useExamples('examples');
const { stage, submit, mailTo, lastDocument, documentCount, creations, waits, finished } = own;

const sheet = (...rows: string[]) =>
	new Blob([['Contract number,Full name,E-mail,Role,Start date', ...rows].join('\n')], {
		type: 'text/csv',
	});

const examples: Example[] = [
	{
		file: 'onboarding-send-the-contract',
		does: 'a form, and the contract goes out',
		async use() {
			await submit('onboarding', [ada.name, ada.email, ada.role, ada.start]);
			await mailTo(ada.email, 'Please sign: Employment contract');
			expect(creations().at(-1)?.body).toMatchObject({
				inputs: {
					employee_name: ada.name,
					role: ada.role,
					start_date: ada.start,
					...company,
				},
			});
		},
	},
	{
		file: 'onboarding-signed',
		does: 'everybody has signed, and gets the files and their links, with the time when these expire',
		on1x: {
			'Mail the signed document': {
				options: { attachments: "={{ Object.keys($binary).join(',') }}" },
			},
		},
		async use() {
			const document = await createDocument(stage.sandbox, 'Signed by all');
			await signAll(stage.sandbox, document);
			const mail = await mailTo('person-1@example.com', 'Signed: ');
			expect(mail.text).toMatch(/https?:\S+document\.pdf/);
			expect(mail.text).toMatch(/The links expire on \d{1,2} \w+ \d{4}, \d\d:\d\d \S+\. /);
			expect(mail.attachments.map(({ mimeType }) => mimeType)).toEqual(
				Array(3).fill('application/pdf'),
			);
		},
	},
	{
		file: 'bulk-send-from-spreadsheet',
		does: 'a row a contract, a wrong row is reported, and a second upload sends only what is new',
		on1x: 'a module that its node Extract From File needs is not in the lock of host/n8n-1x',
		async use(workflowId) {
			const before = documentCount();
			const rows = [
				'C-1,Ana Gil,ana@example.com,Cook,2027-01-01',
				'C-2,Ben Ray,ben@example.com,Cook,2027-01-01',
			];
			await submit('bulk-send', [sheet(...rows, 'C-3,Cleo Diaz,no address,Cook,2027-01-01')]);
			await mailTo('people@example.com', '2 contracts sent, 0 skipped');
			const failed = await mailTo('people@example.com', '1 contracts not sent');
			expect(failed.text).toContain('Row 4 (C-3): ');
			expect(failed.text).toContain('"no address" is not an e-mail address');
			expect(documentCount()).toBe(before + 2);

			await submit('bulk-send', [sheet(...rows, 'C-3,Cleo Diaz,cleo@example.com,Cook,2027-01-01')]);
			const report = await mailTo('people@example.com', '1 contracts sent, 2 skipped');
			expect(report.text).toContain('C-1, C-2');
			expect(documentCount()).toBe(before + 3);
			expect(creations().at(-1)?.body).toMatchObject({
				signatories: [{ email: 'cleo@example.com', name: 'Cleo Diaz' }],
			});
			await finished(workflowId, 2);
		},
	},
	{
		file: 'signed-copy-to-mail-and-storage',
		does: 'the signed files are attached to a mail and put into the storage',
		// What n8n 1.x attaches has the name of what the current one shows within the text.
		on1x: {
			'Mail the signed copy': { options: { attachments: "={{ Object.keys($binary).join(',') }}" } },
		},
		async use(workflowId) {
			const document = await createDocument(stage.sandbox, 'Stored for good');
			await signAll(stage.sandbox, document);
			const mail = await mailTo('person-0@example.com', 'Your copy: ');
			expect(mail.to).toContain('person-1@example.com');
			expect(mail.attachments.map(({ mimeType }) => mimeType)).toEqual(
				Array(3).fill('application/pdf'),
			);
			await finished(workflowId, 1);
			const year = String(new Date().getFullYear());
			expect(own.outside.files.map(({ key }) => key.split('/').slice(0, 2))).toEqual(
				Array(2).fill(['contracts', year]),
			);
			const texts = await Promise.all(
				own.outside.files.map(async ({ content }) => (await readPdf(content)).text),
			);
			expect(texts.filter((text) => text.includes('Stored for good'))).not.toHaveLength(0);
			for (const { key } of own.outside.files) expect(key).toContain(document);
		},
	},
	{
		file: 'remind-when-unsigned',
		does: 'only the one who has not signed is reminded, once',
		changed: { 'Three days': soon('remind-when-unsigned', 'Three days') },
		async use(workflowId) {
			const document = await createDocument(stage.sandbox, 'Half signed');
			await stage.sandbox.sign(document, 'person-0@example.com');
			await mailTo('person-1@example.com', 'Not signed yet: ');
			// Sent to two, signed by one.
			await finished(workflowId, 3);
			const reminders = stage.sandbox
				.mails()
				.filter(({ subject }) => subject.startsWith('Not signed yet: '));
			expect(reminders.map(({ to }) => to)).toEqual([['person-1@example.com']]);
		},
	},
	{
		file: 'identity-then-contract',
		does: 'who passes the check gets the contract',
		async use(workflowId) {
			await submit('identity-then-contract', ['Nina Jones', 'nina@example.com']);
			const link = await mailTo('nina@example.com', 'Please confirm who you are');
			expect(link.text).toMatch(/https?:\S+/);
			await waits(workflowId);
			const before = documentCount();
			const request = stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
			await stage.sandbox.completeIdentity(request, 'pass');
			await until('the contract is sent', () => documentCount() > before);
			const execution = await waits(workflowId);
			await signAll(stage.sandbox, lastDocument());
			expect((await ended(stage.n8n.api, execution)).lastNodeExecuted).toBe('Signed');
			await mailTo('nina@example.com', 'Signed: ');
		},
	},
	{
		file: 'hire-wait-until-signed',
		does: 'one execution from the form over the signatures to the welcome',
		async use(workflowId) {
			await submit('hire', ['Nathan Smith', 'nathan@example.com', 'Analyst', '2026-12-01']);
			const execution = await waits(workflowId);
			await signAll(stage.sandbox, lastDocument());
			expect((await ended(stage.n8n.api, execution)).lastNodeExecuted).toBe('Welcome');
			expect((await mailTo('nathan@example.com', 'Welcome!')).text).toContain('nathan');
		},
	},
	{
		file: 'agent-sends-the-contract',
		does: 'the assistant sends the contract only when a person has reviewed it, once a day',
		changed: { 'Ask in your own words': { public: true, mode: 'webhook', options: {} } },
		on1x: 'n8n 1.x has no human review of tool calls',
		async use(workflowId) {
			const before = documentCount();
			const { nodes } = await stage.n8n.api.getWorkflow(workflowId);
			const chat = nodes.find(({ name }) => name === 'Ask in your own words')?.webhookId ?? '';
			/** Writes to the assistant; gives the links of the mail that asks a person. */
			const ask = async () => {
				const count = reviews().length;
				await axios.post(`${stage.n8n.url}/webhook/${chat}/chat`, {
					action: 'sendMessage',
					sessionId: 'one',
					chatInput: `Send a contract to ${ada.name}`,
				});
				await until('a person is asked', () => reviews().length > count);
				const execution = await waits(workflowId);
				const [mail] = reviews();
				expect(mail?.to).toEqual(['people@example.com']);
				for (const value of Object.values(ada)) expect(mail?.html).toContain(value);
				const links = [...(mail?.html ?? '').matchAll(/href="(http[^"]+)"/g)].map(([, link = '']) =>
					link.replaceAll('&amp;', '&'),
				);
				return { execution, links };
			};
			const reviews = () =>
				stage.sandbox.mails().filter(({ subject }) => subject.startsWith('Send the contract'));
			/** Opens a link of the mail in a browser: n8n takes no answer from a program. */
			const open = async (links: string[], sends: boolean) =>
				await axios.get(links.find((link) => link.includes(`approved=${sends}`)) ?? '', {
					headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
				});
			const answerOf = async (execution: string) =>
				JSON.stringify(outputOf(await ended(stage.n8n.api, execution), 'Assistant'));

			const declined = await ask();
			await open(declined.links, false);
			expect(await answerOf(declined.execution)).toContain('rejected the tool call');
			expect(documentCount()).toBe(before);

			const approved = await ask();
			expect(documentCount()).toBe(before);
			await open(approved.links, true);
			expect(await answerOf(approved.execution)).toContain(lastDocument());
			expect(documentCount()).toBe(before + 1);
			expect(creations().at(-1)?.body).toEqual({
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

			const again = await ask();
			await open(again.links, true);
			expect(await answerOf(again.execution)).toContain('This key was sent before');
			expect(documentCount()).toBe(before + 1);
		},
	},
	{
		file: 'exact-once',
		does: 'an event that comes twice goes on once',
		async use(workflowId) {
			const document = await createDocument(stage.sandbox, 'Once');
			await stage.sandbox.sign(document, 'person-0@example.com');
			await finished(workflowId, 1);
			const event = stage.sandbox
				.deliveries()
				.filter(({ type }) => type === 'signDocument')
				.at(-1);
			// The trigger itself would drop the repeat, did it not come to another registration.
			await stage.n8n.api.deactivate(workflowId);
			await stage.n8n.api.activate(workflowId);
			const registration = stage.sandbox.webhooks().find(({ type }) => type === 'signDocument');
			expect((await axios.post(registration?.webHookUrl ?? '', event?.body)).status).toBe(200);
			const executions = await finished(workflowId, 2);
			expect(executions.map((each) => outputOf(each, 'Your steps go here').length)).toEqual([1, 0]);
		},
	},
];

test('no example is forgotten', () => {
	const files = readdirSync(path.join(root, 'examples')).map((file) => path.parse(file).name);
	// These have suites of their own.
	const ours = files.filter((file) => !/^(thousands-|tell-about-each-signature)/.test(file));
	expect(examples.map(({ file }) => file).sort()).toEqual(ours.sort());
});

const possible = onVersion1 ? examples.filter(({ on1x }) => typeof on1x !== 'string') : examples;

test.each(possible)(
	'$file: $does',
	async ({ file, changed = {}, on1x, use }) => {
		const { api } = stage.n8n;
		const workflow = await readExample(file, own.credentials);
		const here = { ...changed, ...(onVersion1 && typeof on1x === 'object' ? on1x : {}) };
		for (const [name, parameters] of Object.entries(here)) {
			const node = workflow.nodes.find((each) => each.name === name);
			expect([name, node !== undefined]).toEqual([name, true]);
			Object.assign(node?.parameters ?? {}, parameters);
		}
		const { id } = await api.createWorkflow(workflow);
		await api.activate(id);
		try {
			await use(id);
		} finally {
			// What it has registered would be in the way of the next.
			await api.deactivate(id);
		}
		await stage.sandbox.idle();
		expect(stage.sandbox.webhooks()).toEqual([]);
	},
	90_000,
);
