import type { Page } from 'playwright-core';

import { readExample } from '../../host/examples';
import type { Stage } from '../../host/stage';
import type { MailView } from '../../sandbox/types';
import { dataTable } from '../../test/e2e/support/dataTable';
import { replaceSchedule, runAt } from '../../test/e2e/support/schedule';
import { clientOf } from '../../test/support/credentials';
import { axios } from '../../test/support/http';
import { until } from '../../test/support/until';
import { pictureFile, printPicture, resultPrefix } from './folder';
import { idOf, openMail, openWindow, publish, shoot, size, type Studio, type Take } from './studio';

/** Whom the examples write to if something concerns the office. */
const office = 'people@example.com';
const manager = 'manager@example.com';
const dayMs = 86_400_000;

interface Person {
	name: string;
	email: string;
	role: string;
}
const ana = { name: 'Ana Gil', email: 'ana@example.com', role: 'Cook' };
const ben = { name: 'Ben Ray', email: 'ben@example.com', role: 'Waiter' };
const cleo = { name: 'Cleo Martin', email: 'cleo@example.com', role: 'Manager' };
const dan = { name: 'Dan Okafor', email: 'dan@example.com', role: 'Data Analyst' };

/** The answers to the first four questions of a form that asks for an employment contract. */
const answersFor = ({ name, email, role }: Person, start: string) => [name, email, role, start];

/** Fills in and submits a form. Files are sent with their names. */
async function fill(
	{ n8n, owner }: Stage,
	form: string,
	answers: Array<string | File>,
): Promise<void> {
	const data = new FormData();
	answers.forEach((answer, index) => data.append(`field-${index}`, answer));
	const auth = { username: owner.email, password: owner.password };
	const { status } = await axios.post(`${n8n.url}/form/${form}`, data, { auth });
	if (status !== 200) throw new Error(`The form "${form}" responded with ${status}.`);
}

/**
 * Waits for an email from a workflow.
 * @param act Causes the email.
 */
async function mailTo(
	{ sandbox }: Stage,
	address: string,
	act: () => Promise<unknown>,
): Promise<MailView> {
	const known = new Set(sandbox.mails().map(({ id }) => id));
	await act();
	return await until(`a workflow emails ${address}`, () =>
		sandbox
			.mails()
			.filter(({ id, subject }) => !known.has(id) && !subject.startsWith('Please sign:'))
			.find(({ to }) => to.includes(address)),
	);
}

/** Takes a picture of the email that an example sends. */
async function shootMail(studio: Studio, example: string, mail: MailView): Promise<void> {
	const page = await openWindow(studio, { width: 900, height: 900 });
	await shoot(await openMail(page, studio.stage, mail), `${resultPrefix}${example}`);
	await page.context().close();
}

/** Signs a person's newest document that isn't signed yet, once it has been sent. */
async function sign({ sandbox }: Stage, { email }: Person): Promise<void> {
	const { documentID } = await until(`${email} gets a document`, () =>
		sandbox
			.documents()
			.filter(({ status, signatory }) => {
				return status === 'PENDING' && signatory.some(({ emailID }) => emailID === email);
			})
			.at(-1),
	);
	await sandbox.idle();
	await sandbox.sign(documentID, email);
}

/** Runs an example by hand, from its schedule. */
async function run(stage: Stage, example: string, schedule: string): Promise<void> {
	const { api } = stage.n8n;
	await api.waitForExecution(await api.run(await idOf(stage, example), schedule));
}

const anyTemplateForm: Take = async (studio) => {
	const { stage } = studio;
	await publish(stage, 'any-template-form');
	const page = await openWindow(studio, { width: 1000, height: 900 });
	await page.goto(`${stage.n8n.url}/form/send-a-document`);
	await page.getByRole('textbox').fill('Kim');
	await page.getByRole('button', { name: 'Next' }).click();
	const choice = page.locator('option', { hasText: 'Equipment handover' });
	await page.locator('select').selectOption((await choice.getAttribute('value')) ?? '');
	await page.getByRole('button', { name: 'Next' }).click();
	await page.getByLabel('Serial number').waitFor();
	await shoot(page.locator('.card').first(), `${resultPrefix}any-template-form`);
	await page.context().close();
};

const sendAList: Take = async (studio) => {
	const { stage } = studio;
	await publish(stage, 'send-a-list');
	const rows = [
		'Contract number,Employee name,Employee email,role,start_date,employer,workplace',
		'L-1001,Ana Gil,ana@example.com,Cook,2027-01-01,Example Company,Main office',
		'L-1002,Ben Ray,ben at example.com,Waiter,2027-01-01,Example Company,Main office',
		'L-1003,Cleo Martin,cleo@example.com,Manager,2027-02-30,Example Company,Beach bar',
	];
	const list = new File([rows.join('\n')], 'contracts.csv', { type: 'text/csv' });
	const upload = async () => await fill(stage, 'send-a-list', ['Kim', list]);
	await shootMail(studio, 'send-a-list', await mailTo(stage, office, upload));
};

/** Takes a picture of the list of executions while two of them wait, and of the email at the end of a wait. */
const waitUntilSigned: Take = async (studio) => {
	const { stage, editor } = studio;
	const { api, url } = stage.n8n;
	const workflowId = await publish(stage, 'wait-until-signed');
	for (const [person, start] of [
		[ana, '2027-02-01'],
		[ben, '2027-02-15'],
	] as const)
		await fill(stage, 'wait-until-signed', [...answersFor(person, start), 'kim@example.com']);
	await until('two executions wait', async () => {
		return (await api.executions({ workflowId, status: ['waiting'] })).length === 2;
	});
	await editor.setViewportSize(size);
	await editor.goto(`${url}/home/executions`);
	await editor.getByText('Waiting').nth(1).waitFor();
	await editor.waitForTimeout(1000);
	await shootRows(editor, 'executions-waiting');
	const welcome = await mailTo(stage, ana.email, async () => await sign(stage, ana));
	await shootMail(studio, 'wait-until-signed', welcome);
};

const shownRows = 4;

/** Takes a picture of the first rows of a table in n8n. */
async function shootRows(page: Page, name: string): Promise<void> {
	const table = await page.locator('table').first().boundingBox();
	const last = await page.locator('table tr').nth(shownRows).boundingBox();
	if (!table || !last) throw new Error("n8n doesn't show enough rows.");
	const clip = { ...table, height: last.y + last.height - table.y };
	await page.screenshot({ path: pictureFile(name), clip });
	printPicture(pictureFile(name));
}

const identityResults: Take = async (studio) => {
	const { stage } = studio;
	await publish(stage, 'identity-results');
	const result = await mailTo(stage, office, async () => await verify(stage));
	await shootMail(studio, 'identity-results', result);
};

/** Has a person verify their identity. */
async function verify({ sandbox }: Stage): Promise<void> {
	await clientOf(sandbox).requestIdentity(ana.email);
	const { validationId = '' } = sandbox.identityRequests().at(-1) ?? {};
	await sandbox.completeIdentity(validationId, 'pass');
}

const tellWhenItFails: Take = async (studio) => {
	const { stage } = studio;
	const { faults } = stage.sandbox;
	await publish(stage, 'identity-results');
	const failure = await mailTo(stage, office, async () => {
		const body = { success: false, message: 'Your plan has no verifications left' };
		faults.set({ endpoint: 'GET *', response: { status: 402, body } });
		await verify(stage);
	});
	faults.clear();
	await shootMail(studio, 'tell-when-it-fails', failure);
};

const signingLinkAnotherWay: Take = async (studio) => {
	const { stage } = studio;
	await publish(stage, 'signing-link-another-way');
	const link = await mailTo(
		stage,
		cleo.email,
		async () => await fill(stage, 'onboarding', answersFor(cleo, '2027-03-01')),
	);
	await shootMail(studio, 'signing-link-another-way', link);
};

const keepYourOwnData: Take = async (studio) => {
	const { stage } = studio;
	await publish(stage, 'keep-your-own-data-send');
	await publish(stage, 'keep-your-own-data-signed');
	await fill(stage, 'keep-your-own-data', [...answersFor(dan, '2027-03-01'), manager, '1200']);
	const signed = await mailTo(stage, manager, async () => await sign(stage, dan));
	await shootMail(studio, 'keep-your-own-data-signed', signed);
};

interface RegisterRow {
	documentId: string;
	email: string;
	completedAt?: string | null;
}

/** Takes pictures of what three examples read in the register. */
const register: Take = async (studio) => {
	const { stage } = studio;
	const { api, url } = stage.n8n;
	await publish(stage, 'keep-a-register');
	const table = await dataTable<RegisterRow>(stage, 'Register of signatures');
	await stage.sandbox.idle();
	await table.clear('documentId');
	const people = [ana, ben, cleo, dan];
	for (const person of people) await fill(stage, 'onboarding', answersFor(person, '2027-04-01'));
	for (const person of [ana, dan]) await sign(stage, person);
	await until('the register knows who has signed', async () => {
		const rows = await table.rows();
		return rows.length === 4 && rows.filter(({ completedAt }) => completedAt).length === 2;
	});

	const report = async () => await run(stage, 'report-every-monday', 'Every Monday at 9');
	await shootMail(studio, 'report-every-monday', await mailTo(stage, office, report));

	const page = await openWindow(studio, { width: 1000, height: 700 });
	await publish(stage, 'who-hasnt-signed');
	await page.goto(`${url}/form/who-hasnt-signed`);
	await page.getByRole('button', { name: 'Show the list' }).click();
	await page.getByText(ben.email).first().waitFor();
	await shoot(page.locator('.card').first(), `${resultPrefix}who-hasnt-signed`);
	await page.context().close();

	const ids = Object.fromEntries((await api.listCredentials()).map(({ id, type }) => [type, id]));
	const reminder = await readExample('remind-person', ids);
	// Its own ID is taken by the one whose schedule stays.
	delete reminder.id;
	replaceSchedule(reminder.nodes);
	const { id } = await api.createWorkflow(reminder);
	// The rows of now are four days old.
	const morning = async () => await runAt(api, id, new Date(Date.now() + 4 * dayMs));
	await shootMail(studio, 'remind-person', await mailTo(stage, ben.email, morning));
};

const renewContracts: Take = async (studio) => {
	const { stage } = studio;
	const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
	const completedAt = new Date().toISOString();
	const known = await dataTable<RegisterRow>(stage, 'Register of signatures');
	await known.upsert('documentId', { documentId: 'signed', email: ana.email, completedAt });
	const table = await dataTable<Record<string, string>>(stage, 'Contracts to renew');
	await table.upsert('documentId', {
		documentId: 'signed',
		firstParty: ana.name,
		firstEmail: ana.email,
		secondParty: ben.name,
		secondEmail: ben.email,
		purpose: 'Joint research',
		start: day(-335),
		end: day(30),
	});
	const morning = async () => await run(stage, 'renew-contracts-next', 'Every morning at 8');
	await shootMail(studio, 'renew-contracts-next', await mailTo(stage, office, morning));
};

const approvalBeforeSending: Take = async (studio) => {
	const { stage } = studio;
	await publish(stage, 'approval-before-sending');
	const ask = async () =>
		await fill(stage, 'ask-for-a-contract', [...answersFor(ana, '2027-05-01'), 'kim@example.com']);
	await shootMail(studio, 'approval-before-sending', await mailTo(stage, manager, ask));
};

const checkWebhooks: Take = async (studio) => {
	const { stage } = studio;
	const morning = async () => await run(stage, 'check-webhooks', 'Every morning at 7');
	await shootMail(studio, 'check-webhooks', await mailTo(stage, office, morning));
};

/** The pictures of what the examples' readers get, each with the function that takes it. */
export const results: Array<{ names: string[]; take: Take }> = [
	{ names: ['executions-waiting', 'result-wait-until-signed'], take: waitUntilSigned },
	{ names: ['result-any-template-form'], take: anyTemplateForm },
	{ names: ['result-send-a-list'], take: sendAList },
	{ names: ['result-identity-results'], take: identityResults },
	{ names: ['result-tell-when-it-fails'], take: tellWhenItFails },
	{ names: ['result-signing-link-another-way'], take: signingLinkAnotherWay },
	{ names: ['result-keep-your-own-data-signed'], take: keepYourOwnData },
	{
		names: ['result-report-every-monday', 'result-who-hasnt-signed', 'result-remind-person'],
		take: register,
	},
	{ names: ['result-renew-contracts-next'], take: renewContracts },
	{ names: ['result-approval-before-sending'], take: approvalBeforeSending },
	{ names: ['result-check-webhooks'], take: checkWebhooks },
];
