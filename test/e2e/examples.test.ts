import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { readExample } from '../../host/examples';
import { outputOf } from '../../host/executions';
import { company } from '../../host/onboarding';
import { root } from '../../scripts/tools';
import { readPdf } from '../../sandbox/documents/read';
import { ada, soon, useExamples } from './support/examples';
import { axios } from './support/http';
import { onVersion1 } from './support/stage';
import { createDocument } from './support/trigger';
import { signAll } from './support/wait';

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
const { stage, submit, mailTo, creations, finished } = own;

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
	const tests = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => readFileSync(path.join(__dirname, file), 'utf8'))
		.join();
	const files = readdirSync(path.join(root, 'examples'));
	const names = files.filter((file) => file.endsWith('.json')).map((file) => path.parse(file).name);
	expect(names.filter((name) => !tests.includes(`'${name}'`))).toEqual([]);
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
