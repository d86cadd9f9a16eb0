import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { INode } from 'n8n-workflow';

import type { N8nApi } from '../../host/api';
import type { Credential, Owner, Workflow, WorkflowInput } from '../../host/apiTypes';
import { setUpWorkflows } from '../../host/setUp';
import { signIn } from '../../host/stage';
import { announcementText } from '../../host/terminal';
import type { Sandbox } from '../../sandbox';
import { allExamples, workflowNameOf } from '../support/exampleFiles';
import { textOfFile } from '../support/files';

type StoredWorkflow = Workflow & { isArchived: boolean; versions: Map<string, INode[]> };

/** The paths that a workflow's triggers take in n8n, which no other published workflow may take as well. */
const pathsOf = (nodes: INode[]): string[] =>
	nodes.filter(({ type }) => /trigger$/i.test(type)).flatMap(({ webhookId }) => webhookId ?? []);

/** n8n's own rules for storing and publishing workflows. */
class N8nInMemory {
	readonly url = 'http://127.0.0.1:5678';
	stored: StoredWorkflow[] = [];
	credentials: Credential[] = [];
	/** What has been published, and what has been unpublished, by the workflow's name. */
	changes: string[] = [];
	/** Runs before a workflow is stored or published, and may throw. */
	before: (name: string) => void = () => undefined;

	async needsOwner() {
		return this.stored.length === 0;
	}
	async setupOwner() {}
	async login() {}
	async listCredentials() {
		return this.credentials;
	}
	async createCredential({ name, type }: Credential) {
		const credential = { id: randomUUID(), name, type };
		this.credentials.push(credential);
		return credential;
	}
	async updateCredential() {}
	async tag(name: string) {
		return name;
	}
	async dataTable() {}

	async listWorkflows() {
		return this.stored.map(({ id, name, active }) => ({ id, name, active }));
	}

	async getWorkflow(id: string) {
		const found = this.stored.find((workflow) => workflow.id === id);
		if (!found) throw new Error('HTTP 404');
		return found;
	}

	async createWorkflow(input: WorkflowInput) {
		this.before(input.name);
		const id = input.id ?? randomUUID();
		if (this.stored.some((workflow) => workflow.id === id))
			throw new Error(`HTTP 400: Workflow with id ${id} exists already.`);
		const versionId = randomUUID();
		const workflow = {
			...input,
			id,
			active: false,
			versionId,
			activeVersionId: null,
			activeVersion: null,
			isArchived: false,
			versions: new Map([[versionId, input.nodes]]),
		};
		this.stored.push(workflow);
		return workflow;
	}

	async publish(id: string, versionId?: string) {
		const workflow = await this.getWorkflow(id);
		this.before(workflow.name);
		if (workflow.isArchived) throw new Error('HTTP 400: Cannot activate an archived workflow.');
		const published = versionId ?? workflow.versionId;
		const nodes = workflow.versions.get(published) ?? [];
		const taken = this.stored
			.filter((other) => other !== workflow)
			.flatMap(({ activeVersion }) => pathsOf(activeVersion?.nodes ?? []));
		if (pathsOf(nodes).some((own) => taken.includes(own)))
			throw new Error('HTTP 409: There is a conflict with one of the webhooks.');
		this.changes.push(`+ ${workflow.name}`);
		Object.assign(workflow, {
			active: true,
			activeVersionId: published,
			activeVersion: { nodes },
		});
	}

	async unpublish(id: string) {
		const workflow = await this.getWorkflow(id);
		this.changes.push(`- ${workflow.name}`);
		Object.assign(workflow, { active: false, activeVersionId: null, activeVersion: null });
	}

	example(file: string): StoredWorkflow {
		return this.stored.find(({ name }) => name === workflowNameOf(file))!;
	}

	/** Saves a new version of a workflow without publishing it. */
	saveDraft(workflow: StoredWorkflow, nodes: INode[]): void {
		const versionId = randomUUID();
		workflow.versions.set(versionId, nodes);
		Object.assign(workflow, { versionId, nodes });
	}
}

const owner: Owner = {
	email: 'o@example.com',
	firstName: 'O',
	lastName: 'O',
	password: 'Secret-1',
};
const sandbox = {
	url: 'http://127.0.0.1:4010',
	baseUrl: 'http://127.0.0.1:4010/api',
	account: {},
	smtp: { host: '127.0.0.1', port: 2525 },
} as unknown as Sandbox;

let folder: string;
let n8n: N8nInMemory;
let lines: string[];
beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'set-up-'));
	n8n = new N8nInMemory();
	lines = [];
});
afterEach(async () => await rm(folder, { recursive: true }));

const start = async () =>
	await setUpWorkflows(n8n as unknown as N8nApi, sandbox, owner, {
		folder,
		examples: 'all',
		log: (text) => lines.push(text),
	});

const publishedNames = () =>
	n8n.stored
		.filter(({ active }) => active)
		.map(({ name }) => name)
		.sort();

const [send, signed] = ['send-from-form', 'email-signed-copy'];
const [register, missing, desk] = ['keep-a-register', 'who-hasnt-signed', 'signing-desk'];
const published = [send, signed, register, missing, desk, 'tell-when-it-fails'];
/** The names of the published examples, except for those of some files. */
const namesWithout = (...files: string[]) =>
	published
		.filter((file) => !files.includes(file))
		.map(workflowNameOf)
		.sort();

test('the first start stores every example and publishes those that the terminal names', async () => {
	const { workflows, formUrl, deskUrl } = await start();
	expect(n8n.stored).toHaveLength(allExamples.length);
	expect(publishedNames()).toEqual(namesWithout());
	expect(workflows).toEqual({ send: n8n.example(send).id, signed: n8n.example(signed).id });
	expect(formUrl).toBe(`${n8n.url}/form/onboarding`);
	expect(deskUrl).toBe(`${n8n.url}/mcp/signing-desk`);
	expect(lines).toEqual([]);
	const shown = namesWithout().map((name) => Number(name.slice(0, 2)));
	expect(textOfFile('docs/examples.md')).toContain(
		`Examples ${shown.slice(0, -1).join(', ')}, and ${shown.at(-1)} are already published.`,
	);
});

test('the terminal names the examples to start with by their numbers', async () => {
	const printed = announcementText({ ...(await start()), sandbox, url: n8n.url, owner, more: [] });
	const [first, second, third] = [send, signed, register].map((file) =>
		workflowNameOf(file).slice(0, 2),
	);
	expect(printed).toContain(`Start with ${first}, ${second}, and ${third}.`);
});

test('a later start only registers the webhooks of published triggers again, also those of the user', async () => {
	const { nodes } = allExamples.find(({ name }) => name === 'identity-results')!.workflow;
	await start();
	const { id } = await n8n.createWorkflow({ name: 'Mine', nodes, connections: {} });
	await n8n.publish(id);
	n8n.changes = [];
	await start();
	expect(n8n.changes.sort()).toEqual(
		[workflowNameOf(signed), workflowNameOf(register), 'Mine']
			.flatMap((name) => [`+ ${name}`, `- ${name}`])
			.sort(),
	);
	expect(n8n.stored).toHaveLength(allExamples.length + 1);
});

test.each<[string, (workflow: StoredWorkflow) => void]>([
	['renamed', (workflow) => (workflow.name = `My ${workflow.name}`)],
	[
		'archived',
		(workflow) =>
			Object.assign(workflow, {
				isArchived: true,
				active: false,
				activeVersionId: null,
				activeVersion: null,
			}),
	],
	['deleted', (workflow) => (n8n.stored = n8n.stored.filter((other) => other !== workflow))],
])('an example that the user has %s is left alone', async (what, change) => {
	const first = await start();
	for (const workflow of [...n8n.stored]) change(workflow);
	const before = n8n.stored.map(({ id, name, active }) => ({ id, name, active }));
	const second = await start();
	expect(await n8n.listWorkflows()).toEqual(before);
	expect(lines).toEqual([]);
	const gone = { workflows: { send: '', signed: '' }, formUrl: '', deskUrl: '' };
	expect(second).toEqual(what === 'renamed' ? first : gone);
});

test('an example that the user has unpublished stays unpublished, and the terminal leaves out its links', async () => {
	await start();
	for (const file of [send, desk]) await n8n.unpublish(n8n.example(file).id);
	const again = await start();
	expect(publishedNames()).toEqual(namesWithout(send, desk));
	const printed = announcementText({ ...again, sandbox, url: n8n.url, owner, more: [] });
	expect(printed).not.toMatch(/\/form\/|\/mcp\/|undefined/);
	expect(printed.match(/\/workflow\/\S+/g)).toEqual([`/workflow/${n8n.example(signed).id}`]);
	expect(printed).toContain(owner.password);
});

test('the published version stays published, even if the user has begun to change the workflow', async () => {
	await start();
	const workflow = n8n.example(signed);
	const { activeVersionId } = workflow;
	n8n.saveDraft(workflow, workflow.nodes.slice(0, 1));
	await start();
	expect(workflow.activeVersionId).toBe(activeVersionId);
	expect(workflow.versionId).not.toBe(activeVersionId);
});

test("the printed URL is that of the published form, even if the user has changed the form's path", async () => {
	await start();
	const workflow = n8n.example(send);
	const moved = structuredClone(workflow.nodes);
	const form = moved.find(({ type }) => type === 'n8n-nodes-base.formTrigger')!;
	form.parameters = { ...form.parameters, options: { path: 'hiring' } };
	n8n.saveDraft(workflow, moved);
	expect((await start()).formUrl).toBe(`${n8n.url}/form/onboarding`);
	await n8n.publish(workflow.id);
	expect((await start()).formUrl).toBe(`${n8n.url}/form/hiring`);
});

test('a first start that ended while it stored the examples is completed by the next one', async () => {
	n8n.before = (name) => {
		if (name === workflowNameOf(register)) throw new Error('n8n has ended');
	};
	await expect(start()).rejects.toThrow('n8n has ended');
	n8n.before = () => undefined;
	await start();
	expect(n8n.stored.map(({ name }) => name).sort()).toEqual(
		allExamples.map(({ workflow }) => workflow.name).sort(),
	);
	expect(publishedNames()).toEqual(namesWithout());
});

test('without a record, examples are found by their names and IDs, and those that were not published are', async () => {
	await start();
	await rm(path.join(folder, 'examples.json'));
	await n8n.unpublish(n8n.example(send).id);
	n8n.example(missing).name = 'My list';
	await start();
	expect(n8n.stored).toHaveLength(allExamples.length);
	expect(n8n.stored.filter(({ active }) => active)).toHaveLength(published.length);
	expect(lines).toEqual([]);
});

test('a new n8n in the folder of an earlier one gets the examples as well', async () => {
	await start();
	n8n = new N8nInMemory();
	await signIn(n8n as unknown as N8nApi, folder);
	await start();
	expect(n8n.stored).toHaveLength(allExamples.length);
});

test('a workflow that cannot be published again is named with the reason, and the start goes on', async () => {
	await start();
	n8n.before = (name) => {
		if (name === workflowNameOf(signed)) throw new Error('the template is gone');
	};
	const { workflows, formUrl } = await start();
	expect(lines).toHaveLength(1);
	expect(lines[0]).toContain(`"${workflowNameOf(signed)}"`);
	expect(lines[0]).toContain('the template is gone');
	expect(workflows).toEqual({ send: n8n.example(send).id, signed: '' });
	expect(formUrl).not.toBe('');
	expect(publishedNames()).toEqual(namesWithout(signed));
});
