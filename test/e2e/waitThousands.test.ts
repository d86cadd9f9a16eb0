import { readExample } from '../../host/examples';
import type { ServiceDocument } from '../../nodes/SignVerify/api/types';
import { until, useStage } from './support/stage';
import {
	allExecutions,
	clearStage,
	createDocument,
	everyExecution,
	loggedIn,
} from './support/trigger';
import { signAll } from './support/wait';

const stage = useStage('wait-thousands');
const count = 50;

beforeAll(async () => await clearStage(stage), 60_000);

test('50 documents open in a data table: each costs one delivery and goes on with its own row', async () => {
	const { n8n, sandbox } = stage;
	const credentials = Object.fromEntries(
		(await n8n.api.listCredentials()).map(({ id, type }) => [type, id]),
	);
	const store = async (name: string) =>
		(await n8n.api.createWorkflow(await readExample(name, credentials))).id;
	const send = await store('thousands-send');
	const signed = await store('thousands-signed');
	const run = async () => await n8n.api.waitForExecution(await n8n.api.run(send, 'Start'));

	const sent = await run();
	expect([sent.status, sent.error?.message]).toEqual(['success', undefined]);
	const documents = sandbox.documents();
	expect(documents).toHaveLength(count);
	await n8n.api.activate(signed);
	expect(sandbox.webhooks()).toHaveLength(1);
	await sandbox.idle();

	// Half of them, from the last one back; one of somebody else's in between.
	const half = documents.slice(count / 2).reverse();
	for (const { documentID } of half) await signAll(sandbox, documentID);
	const foreign = await createDocument(sandbox);
	await signAll(sandbox, foreign);
	await until('their mails', () => contracts().length === count / 2);
	expect(contracts().sort()).toEqual(contractsOf(half));

	// A second run of the list sends nothing again, and the table stands as it is.
	expect((await run()).status).toBe('success');
	expect(sandbox.documents()).toHaveLength(count + 1);

	const rest = documents.slice(0, count / 2);
	await Promise.all(rest.map(async ({ documentID }) => await signAll(sandbox, documentID)));
	await until('the mails', () => contracts().length === count);
	expect(contracts().sort()).toEqual(contractsOf(documents));

	// A repetition of one that is done, as after a restart, goes on with nothing.
	await n8n.api.deactivate(signed);
	await n8n.api.activate(signed);
	await sandbox.fire('completedDocument', half[0]?.documentID ?? '');
	const all = count + 2;
	await allExecutions(n8n.api, signed, all);
	await sandbox.idle();
	const client = await loggedIn(n8n.url, stage.owner);
	const executions = await everyExecution(client, signed);
	expect(executions.map(({ status }) => status)).toEqual(Array(all).fill('success'));
	const attempts = sandbox
		.deliveries()
		.filter(({ type }) => type === 'completedDocument')
		.map((each) => each.attempts.map(({ status }) => status));
	expect(attempts).toEqual(Array(all).fill([200]));
	expect(contracts()).toHaveLength(count);
}, 240_000);

/** Contract and person of each mail that a signed document led to. */
function contracts(): string[] {
	return stage.sandbox
		.mails()
		.filter(({ subject }) => /^Contract .* is signed$/.test(subject))
		.map(({ subject, to, text }) => {
			const name = /Dear (.*),/.exec(text)?.[1] ?? '';
			return `${subject.split(' ')[1]} ${to.join()} ${name}`;
		});
}

/** What is to come of these documents: ten requests run at once, so that any may be the first. */
function contractsOf(documents: Pick<ServiceDocument, 'signatory'>[]): string[] {
	return documents
		.map(({ signatory }) => {
			const email = signatory[0]?.emailID ?? '';
			const number = Number(/\d+/.exec(email)?.[0]);
			return `C-${1000 + number} ${email} Person number ${number}`;
		})
		.sort();
}
