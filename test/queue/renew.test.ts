import type { IDataObject } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { readExample } from '../../host/examples';
import { dataTable } from '../e2e/support/dataTable';
import { nodeOf } from '../e2e/support/workflow';
import { axios } from '../support/http';
import { until } from '../support/until';
import { Gates, placeText, type Place } from './support/gates';
import {
	report,
	retry,
	settled,
	storedExecutions,
	isInterrupted,
	useQueueStage,
} from './support/stage';

// The example that renews contracts, with both workers killed between every two of its nodes. Each execution
// works on one contract and stops between two nodes, and then all of them are killed at once.
const stage = useQueueStage('renew', { workers: 2 });
const dayMs = 24 * 60 * 60 * 1000;
const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** The places that a contract passes when it is sent with the form. */
const inForm: Place[] = [
	['Fill in the form', 'Add the contract'],
	['Add the contract', 'Send the contract'],
	['Send the contract', 'Sent?'],
	['Sent?', 'Save the document ID'],
];
/** The places that a contract passes on the morning when it is announced. */
const inAnnouncement: Place[] = [
	['Find what ends soon', 'Keep what is signed'],
	['Keep what is signed', 'Work out the new dates'],
	['Work out the new dates', 'Keep what has no renewal'],
	['Keep what has no renewal', 'Announced?'],
	['Announced?', 'Write a line per contract'],
	['Write a line per contract', 'Collect the lines'],
	['Collect the lines', 'Announce the renewals'],
	['Announced?', 'Mark as announced'],
];
/** The places that a contract passes on the morning when it is renewed. */
const inRenewal: Place[] = [
	['Announced?', 'Keep what goes out today'],
	['Keep what goes out today', 'Fill in the next contract'],
	['Fill in the next contract', 'Add the next contract'],
	['Add the next contract', 'Send the contract'],
	['Send the contract', 'Sent?'],
	['Sent?', 'Save the document ID'],
];
const signature: Place = ['When everyone has signed', 'Save the signature'];

interface Row {
	id: number;
	key: string;
	purpose: string;
	endDate: string;
	renew: boolean;
	state: string;
	documentId: string | null;
	announcedOn: string | null;
}
/** A contract, which the tests find by its purpose. */
interface Plan {
	purpose: string;
	kind: 'form' | 'announcement' | 'renewal' | 'signature';
	place: Place;
}
const plans: Plan[] = [
	...inForm.map((place) => ({ kind: 'form' as const, place })),
	...inAnnouncement.map((place) => ({ kind: 'announcement' as const, place })),
	...inRenewal.map((place) => ({ kind: 'renewal' as const, place })),
	{ kind: 'signature' as const, place: signature },
].map((plan, index) => ({ ...plan, purpose: `Purpose ${String(index + 1).padStart(2, '0')}.` }));
const of = (...kinds: Array<Plan['kind']>) => plans.filter(({ kind }) => kinds.includes(kind));

const gates = new Gates();
let workflow: WorkflowInput;
let id = '';
let morningUrl = '';

beforeAll(async () => {
	await gates.start();
	const credentials: Record<string, string> = {};
	for (const stored of await stage.api.listCredentials()) credentials[stored.type] = stored.id;
	workflow = await readExample('renew-contracts', credentials);
	const { nodes } = workflow;
	const find = (name: string) => nodes.find((node) => node.name === name);
	// A test starts each morning itself, for one contract or for all of them.
	const path = 'morning';
	const morning = nodeOf({
		name: 'Every morning at 8',
		type: 'n8n-nodes-base.webhook',
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	});
	nodes.splice(
		nodes.findIndex(({ name }) => name === morning.name),
		1,
		morning,
	);
	morningUrl = `${stage.url}/webhook/${path}`;
	const only = {
		keyName: 'purpose',
		condition: 'like',
		keyValue: "={{ '%' + $('Every morning at 8').first().json.body.purpose + '%' }}",
	};
	for (const name of ['Find what was never sent', 'Find what ends soon']) {
		const filters = find(name)?.parameters.filters as { conditions: Array<{ keyName: string }> };
		filters.conditions = filters.conditions.filter(({ keyName }) => keyName !== 'createdAt');
		filters.conditions.push(only);
	}
	const places = new Map(plans.map(({ place }) => [placeText(place), place]));
	gates.insert(workflow, [...places.values()]);
	workflow.settings = { executionOrder: 'v1' };
	({ id } = await stage.api.createWorkflow(workflow));
	await stage.api.publish(id);
});
afterAll(async () => await gates.close());

const table = async () =>
	await dataTable<Row>({ n8n: { url: stage.url }, owner: stage.owner }, 'Contracts to renew');
const rows = async () => await (await table()).rows();
const rowsOf = async ({ purpose }: Plan) =>
	(await rows()).filter((row) => row.purpose.startsWith(purpose));
const emailOf = ({ purpose }: Plan) => `p${purpose.replaceAll(/\D/g, '')}@example.com`;

async function fillIn(plan: Plan): Promise<void> {
	const data = new FormData();
	const names = ['Ada Lovelace', emailOf(plan), 'Grace Hopper', 'grace@example.com'];
	const dates = [day(-700), day(100)];
	[...names, plan.purpose, ...dates, 'Yes'].forEach((value, index) =>
		data.append(`field-${index}`, value),
	);
	const auth = { username: stage.owner.email, password: stage.owner.password };
	expect((await axios.post(`${stage.url}/form/contract-to-renew`, data, { auth })).status).toBe(
		200,
	);
}
const morning = async (purpose = '') => {
	expect((await axios.post(morningUrl, { purpose })).status).toBe(200);
};
const idle = async () => await settled(stage, id, 120_000);
async function signAll(plan: Plan): Promise<void> {
	const [row] = await rowsOf(plan);
	for (const email of [emailOf(plan), 'grace@example.com'])
		await stage.sandbox.sign(row?.documentId ?? '', email);
}
/** The documents of a contract, by their effective date, in words. */
const documentsOf = ({ purpose }: Plan) =>
	stage.sandbox.requests
		.filter(
			({ path, body }) => path.includes('createDocument') && JSON.stringify(body).includes(purpose),
		)
		.map(({ body }) => String(((body as IDataObject).inputs as IDataObject).effective_date));
const officeMails = (subject: string) =>
	stage.sandbox
		.mails()
		.filter((mail) => mail.to.includes('people@example.com') && mail.subject.startsWith(subject));

test('a contract is announced and renewed at most once and never forgotten, even if the workers are killed between any two nodes', async () => {
	for (const plan of of('form')) gates.arm(plan.purpose, workflow, plan.place);
	for (const plan of plans) await fillIn(plan);
	await until('the other contracts are sent', async () => {
		const states = (await rows()).filter(({ state }) => state === 'sent').length;
		return states === plans.length - inForm.length;
	});
	for (const plan of of('announcement', 'renewal')) await signAll(plan);
	await until('the signatures are in the table', async () => {
		const all = await storedExecutions(stage, id);
		return all.filter(({ status }) => status === 'success').length >= plans.length - 2;
	});
	for (const plan of of('signature')) {
		const [row] = await rowsOf(plan);
		gates.arm(row?.documentId ?? '', workflow, plan.place);
		await signAll(plan);
	}
	await gates.killAll(stage);

	for (const plan of of('announcement', 'renewal', 'signature')) {
		const [row] = await rowsOf(plan);
		const dates =
			plan.kind === 'announcement'
				? { endDate: day(37) }
				: { endDate: day(30), announcedOn: day(-7) };
		await (await table()).upsert('key', { key: row?.key ?? '', ...dates } as Row);
	}
	for (const plan of of('announcement', 'renewal')) {
		gates.arm(plan.purpose, workflow, plan.place);
		await morning(plan.purpose);
	}
	await gates.killAll(stage);
	report(`executions: ${JSON.stringify(await idle())}`);

	// The error workflow asks the office to choose Retry for a signature that couldn't be saved.
	const interrupted = (await storedExecutions(stage, id)).filter(isInterrupted);
	report(`${interrupted.length} interrupted executions`);
	const starts = await Promise.all(
		interrupted.map(async (one) => JSON.stringify(await stage.api.execution(one.id))),
	);
	await retry(
		{ url: stage.url, owner: stage.owner },
		interrupted.filter((_, index) => starts[index]?.includes('completedDocument')),
	);
	await idle();
	for (let mornings = 0; mornings < 2; mornings++) {
		await morning();
		await idle();
	}

	const all = await rows();
	report(JSON.stringify(all.map(({ purpose, state, endDate }) => [purpose, state, endDate])));
	const checks = officeMails('Please check: contract of').map(({ text }) => text);
	const announced = officeMails('Please check within a week')
		.map(({ text }) => text)
		.join('\n');
	for (const plan of plans) {
		const name = `${plan.purpose} ${placeText(plan.place)}`;
		const own = all.filter(({ purpose }) => purpose === plan.purpose);
		const documents = documentsOf(plan);
		// Each contract and each renewal went out once.
		expect([name, [...new Set(documents)]]).toEqual([name, documents]);
		// If a form has no row yet, it depends on n8n whether it starts the execution again.
		const [least, most] =
			plan.place[1] === 'Add the contract'
				? [0, 1]
				: ['renewal', 'signature'].includes(plan.kind)
					? [2, 2]
					: [1, 1];
		expect([name, documents.length >= least, documents.length <= most]).toEqual([name, true, true]);
		for (const row of own) {
			// The table knows the document, or the office knows that it has to look for it.
			const isNamed = checks.some((text) => new RegExp(`^Row: ${row.id}\\r?$`, 'm').test(text));
			expect([name, row.state, row.documentId ? 'known' : isNamed]).toEqual(
				row.state === 'sent' ? [name, 'sent', 'known'] : [name, 'check', true],
			);
		}
		if (plan.kind === 'announcement') {
			expect([name, own[0]?.announcedOn]).toEqual([name, expect.stringMatching(/^\d/)]);
			expect([name, announced.includes(`(row ${own[0]?.id})`)]).toEqual([name, true]);
		}
	}
}, 900_000);
