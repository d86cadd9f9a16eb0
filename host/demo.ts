import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { readPdf } from '../sandbox/demo/papers/read';
import { readArguments } from '../scripts/arguments';
import { Timeline } from './demoTimeline';
import { ensureHost } from './install.cjs';
import {
	colleague,
	company,
	fetchFile,
	readSignedMail,
	readSigningMail,
	sign,
	submitForm,
} from './onboarding';
import { raiseStage, type Stage } from './stage';
import { reportFailure } from './terminal';

/** The time limit for the entire demo, not counting the installation. */
const limitMs = 60_000;

/** @param problem What is wrong if the condition is false, as a sentence without a period. */
function expect(condition: boolean, problem: string): asserts condition {
	if (!condition) throw new Error(`The demo failed: ${problem}.`);
}

async function checkPdf(link: string): Promise<string> {
	const { text, pages } = await readPdf(await fetchFile(link));
	const missing = [
		company.employer,
		company.workplace,
		colleague.name,
		colleague.role,
		// The contract shows 2027-01-11 in a human-readable format.
		'January 11, 2027',
		`Signed by: ${colleague.name}`,
	].filter((part) => !text.includes(part));
	expect(missing.length === 0, `the PDF should contain "${missing.join('", "')}", but doesn't`);
	return `${pages} pages, containing the values from the form and the signature`;
}

/** Checks that every call to the sandbox followed the API's rules, and that n8n requested only one token. */
function checkCalls({ sandbox }: Stage): string {
	const violations = sandbox.requests.filter((request) => request.violation);
	expect(
		violations.length === 0,
		`every call should follow the API, but one doesn't (${violations[0]?.violation})`,
	);
	const exchanges = sandbox.tokenExchanges();
	expect(
		exchanges === 1,
		`n8n should have requested exactly one token, but requested ${exchanges}`,
	);
	const calls = sandbox.requests.map(
		({ method, path: called, status }) => `${method} ${called} ${status}`,
	);
	return [`All ${calls.length} calls that n8n made follow the API:`, ...calls].join(
		'\n                   ',
	);
}

async function play(stage: Stage, timeline: Timeline): Promise<void> {
	const { sandbox, n8n, workflows, formUrl } = stage;
	await timeline.step('Filled in the form', async () => {
		await submitForm(formUrl);
		return formUrl;
	});
	const invitation = await timeline.step('Opened the signing email', async () => {
		return await readSigningMail(sandbox.url);
	});
	await timeline.step('Signed the contract', async () => {
		await sign(invitation.link);
		return invitation.subject;
	});
	const signedMail = await timeline.step('Opened the email with the signed copy', async () => {
		return await readSignedMail(sandbox.url);
	});
	await timeline.step('Downloaded the signed PDF', async () => await checkPdf(signedMail.link));
	await timeline.step('Unpublished the workflows', async () => {
		await n8n.api.unpublish(workflows.signed);
		await n8n.api.unpublish(workflows.send);
		// The trigger removes its webhook ten seconds after the workflow is unpublished.
		for (let tries = 0; tries < 300 && sandbox.webhooks().length > 0; tries++) await sleep(100);
		expect(
			sandbox.webhooks().length === 0,
			'the trigger should have removed its webhook within 30 s',
		);
		return 'The sandbox has no webhooks left';
	});
	await timeline.step('Checked the calls against the API', async () => checkCalls(stage));
}

async function main(): Promise<void> {
	const usage =
		'Usage: npm run demo\n\nStarts n8n and a sandbox, sends a contract from a form, signs it, downloads the signed PDF, and stops\n' +
		'everything. This takes about a minute. The first time, it also installs n8n (2.2 GB).';
	if (!readArguments({ name: 'npm run demo', usage })) process.exit();
	const log = (line: string) => console.log(line);
	log(
		'This demo starts n8n and a sandbox (a signing service on this machine), fills in a form, signs the contract, and ' +
			"downloads the signed PDF. Once n8n is installed, this takes about a minute. You don't need to do anything.",
	);
	// Install n8n before the clock starts, because the installation takes minutes in a fresh clone.
	await ensureHost({ log });
	const runs = path.join(path.dirname(__dirname), '.run');
	await mkdir(runs, { recursive: true });
	const folder = await mkdtemp(path.join(runs, 'demo-'));
	const timeline = new Timeline();
	let stage: Stage | undefined;
	try {
		stage = await raiseStage({ folder, log });
		timeline.mark('n8n, the sandbox, and the workflows are ready');
		await play(stage, timeline);
	} finally {
		await stage?.close();
		await rm(folder, { recursive: true, force: true });
	}
	const seconds = timeline.total() / 1000;
	console.log(
		`\nDone in ${seconds.toFixed(1)} s. Everything has been stopped, so the links above no longer work. To try it yourself, run: npm start`,
	);
	if (timeline.total() > limitMs)
		throw new Error(
			`Every step worked, but the demo took longer than its limit of ${limitMs / 1000} s, so the command counts as failed. Close other programs, and run it again.`,
		);
}

main().catch((error: unknown) => reportFailure('npm run demo', error));
