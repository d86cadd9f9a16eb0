import type { IDataObject } from 'n8n-workflow';

import { contentProblems } from '../../../nodes/SignVerify/text/contentMistakes';
import { valueProblems } from '../../../nodes/SignVerify/text/textProblems';
import { clientOf } from '../../support/credentials';
import { workflowNameOf } from '../../support/exampleFiles';
import { axios, post } from '../../support/http';
import { nightlyTest } from '../../support/sample';
import { serve } from '../../support/stub';
import { dataTable } from '../support/dataTable';
import { deleteWebhooks, loggedIn, retryExecution } from '../support/trigger';
import { waitingExecutions } from '../support/wait';
import { until } from '../../support/until';
import { startGoogle, type Google } from './google';
import * as own from '../support/exampleRuns';
import { create } from './table/runSending';

// These tests show what each starter does if all goes well, and which messages people get if something fails.
own.useExamples();
const { stage } = own;
const office = 'people@example.com';
const asker = 'asks@example.com';
type Row = Record<
	'Employee name' | 'Email' | 'Job title' | 'Start date' | 'Status' | 'Document',
	string
>;
const person = (name: string) => ({
	name: `${name} Example`,
	email: `${name.toLowerCase()}@example.com`,
});
const row = (name: string, status: string, email = person(name).email): Row => ({
	'Employee name': person(name).name,
	Email: email,
	'Job title': 'Cook',
	'Start date': '2027-02-01',
	Status: status,
	Document: '',
});
let google: Google<Row>;

/** Labels that could break a web form. */
const hostile = ["$'000", '$&', 'A < B', '"', '{{ 1 + 1 }}', 'Twin', 'Twin'];
const lease = {
	responseData: {
		templates: [
			{
				_id: 'a'.repeat(24),
				templateID: 'b'.repeat(24),
				name: 'Lease $& "A < B"',
				status: 'ACTIVE',
				signatories: [{ key: 'a_b' }, { key: 'a b' }],
				form: hostile.map((label, index) => ({
					key: `$key_${index}`,
					type: 'text',
					isRequired: index < 6,
					label,
				})),
			},
			...[
				{ name: 'Names of n8n', keys: ['user', 'submittedAt', 'submitted_at'] },
				{ name: 'No page', keys: ['<rent>'] },
			].map(({ name, keys }, index) => ({
				_id: String(index).repeat(24),
				templateID: String(index + 2).repeat(24),
				name,
				status: 'ACTIVE',
				signatories: [{ key: 'employee' }],
				form: keys.map((key) => ({ key, type: 'text', isRequired: key === 'user', label: '' })),
			})),
		],
	},
};
beforeAll(async () => {
	// Import it before n8n loads this account's list of templates, which the node then reuses for ten seconds.
	expect(stage.sandbox.importTemplates(JSON.stringify(lease)).taken).toHaveLength(3);
	google = await startGoogle<Row>();
	for (const type of ['googleSheetsOAuth2Api', 'googleDriveOAuth2Api'])
		own.credentials[type] = 'none';
	await own.publish('tell-when-it-fails');
});
afterAll(async () => await google.close());
afterEach(async () => {
	for (const { id, active, name } of await stage.n8n.api.listWorkflows())
		if (active && !name.endsWith('Tell someone when a workflow fails'))
			await stage.n8n.api.unpublish(id);
});

/** Waits until a person has received `count` emails whose subject starts with `subject`. */
const mailsTo = async (to: string, subject: string, count = 1) =>
	await until(`${to} gets ${count} emails "${subject}"`, () => {
		const found = own.mailsTo(to).filter((mail) => mail.subject.startsWith(subject));
		return found.length >= count ? found : undefined;
	});
const documentOf = async (email: string) =>
	await until(`${email} gets a document`, () =>
		stage.sandbox
			.documents()
			.find(({ signatory }) => signatory.some(({ emailID }) => emailID === email)),
	);
const sign = async (email: string) =>
	await stage.sandbox.sign((await documentOf(email)).documentID, email);

/** Fills in a form, which is that of send-from-form by default. @returns The text of the next page. */
async function pageAfter(values: string[], form = 'onboarding'): Promise<string> {
	const data = new FormData();
	values.forEach((value, index) => data.append(`field-${index}`, value));
	const url = `${stage.n8n.url}/form/${form}`;
	const auth = { username: stage.owner.email, password: stage.owner.password };
	const { formWaitingUrl } = (await axios.post<{ formWaitingUrl: string }>(url, data, { auth }))
		.data;
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	const isThere = async () =>
		(await axios.get<string>(status.href, { auth })).data === 'form-waiting';
	await until('the form has its last page', isThere);
	const { data: page } = await axios.get<string>(formWaitingUrl, { auth });
	return textOfPage(page);
}

test('send-from-form shows the user that the contract was sent, that it had already been sent, or what is wrong', async () => {
	await own.publish('send-from-form');
	const count = own.documentCount();
	const name = `Zoë "Zed" O'Brien $json`;
	const values = [name, 'zoe@example.com', 'Cook', '2027-02-01'];
	expect(await pageAfter(values)).toMatch(
		/^The contract is on its way Zoë "Zed" O'Brien \$json \(zoe@example\.com\) gets an email with a link to the contract\.$/,
	);
	expect((await documentOf('zoe@example.com')).signatory[0]?.name).toBe(name);
	expect(await pageAfter([...values.slice(0, 1), 'ZOE@example.com', ...values.slice(2)])).toMatch(
		/^Please note Zoë .* \(ZOE@example\.com\): "zoe@example\.com 2027-02-01" has already been sent/,
	);
	expect(await pageAfter(['Al'.padEnd(101, 'l'), 'al@example.com', 'Cook', '2027-02-01'])).toMatch(
		/^The contract wasn't sent[^]*fill in the form again(?![^]*Send Despite Warnings)[^]*1 to 100/,
	);
	expect(await pageAfter(['Al Roe', 'al@example.com', 'Cook', '2027-02-30'])).toMatch(
		/^The contract wasn't sent[^]*Reason: [^]*2027-02-30[^]*option Send Despite Warnings, node Send the contract\)/,
	);
	const response = { status: 402, body: { success: false, message: 'The account is closed' } };
	stage.sandbox.faults.set({ endpoint: '*', response });
	expect(await pageAfter(['Ben Ober', 'ben@example.com', 'Cook', '2027-02-01'])).toMatch(
		/^The contract wasn't sent[^]*Otherwise, try again later, and tell the office/,
	);
	stage.sandbox.faults.clear();
	expect(own.mailsTo(office)).toEqual([]);
	expect(own.documentCount()).toBe(count + 1);
	// A request with a new start date is treated as a corrected contract, so a second contract is sent.
	expect(await pageAfter([...values.slice(0, 3), '2027-03-01'])).toMatch(
		/^The contract is on its way/,
	);
	expect(own.documentCount()).toBe(count + 2);
	stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
	expect(await pageAfter(['Uwe Lost', 'uwe@example.com', 'Cook', '2027-02-01'])).toMatch(
		/^The contract may have been sent[^]*Please don't fill in the form again/,
	);
	const [check] = await mailsTo(office, 'Please check: contract for Uwe Lost');
	expect(check?.text).toMatch(
		/^We couldn't confirm that this contract was sent\.\s+What to do: look for the contract in/,
	);
	expect(check?.text).toContain('Contract for: Uwe Lost (uwe@example.com)');
});

const textOfPage = (html: string) =>
	plain(
		html
			.slice(html.indexOf('<h1>'))
			.replaceAll(/<script[^]*?<\/script>|<[^>]*>/g, ' ')
			.replaceAll(/\s+/g, ' '),
	);

function plain(escaped: string): string {
	return escaped
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&#x27;', "'")
		.replaceAll('&#x3D;', '=')
		.replaceAll('&#x60;', '`')
		.replaceAll('&amp;', '&')
		.trim();
}

/** The texts that a page's questions contain, as a browser shows them. */
const entriesOf = (html: string) =>
	[...html.matchAll(/<input[^>]*id='field-\d+'[^>]*>/g)].map(([input]) =>
		plain(/value="([^"]*)"/.exec(input)?.[1] ?? ''),
	);

/**
 * Fills in the pages of any-template-form.
 * @param pages Returns the answers to the questions on each page after the first, in their order.
 * @returns The text of the last page.
 */
async function walkThrough(
	pages: Array<(page: string, entries: string[]) => string[]>,
): Promise<string> {
	const auth = { username: stage.owner.email, password: stage.owner.password };
	const post = async (url: string, answers: string[]) => {
		const data = new FormData();
		answers.forEach((answer, index) => data.append(`field-${index}`, answer));
		return (await axios.post<{ formWaitingUrl?: string }>(url, data, { auth })).data;
	};
	const { formWaitingUrl = '' } = await post(`${stage.n8n.url}/form/send-a-document`, ['Kim']);
	const nextPage = async (earlier: string) => {
		const status = new URL(formWaitingUrl);
		status.pathname += '/n8n-execution-status';
		return await until('the form has its next page', async () => {
			const { data } = await axios.get<string>(status.href, { auth });
			if (!['new', 'running', 'waiting', 'form-waiting'].includes(data))
				throw new Error(`The form ended (${data}) after the page: ${textOfPage(earlier)}`);
			if (data !== 'form-waiting') return undefined;
			const { data: html } = await axios.get<string>(formWaitingUrl, { auth });
			return textOfPage(html) === textOfPage(earlier) ? undefined : html;
		});
	};
	let html = await nextPage('');
	for (const answersTo of pages) {
		await post(formWaitingUrl, answersTo(textOfPage(html), entriesOf(html)));
		html = await nextPage(html);
	}
	return textOfPage(html);
}

test('any-template-form asks for the people and fields of the chosen template, and sends it', async () => {
	await own.publish('any-template-form');
	let choices = '';
	let questions = '';
	const fields = hostile.map((_, index) => `Value ${index} $& $' =1+1`);
	const last = await walkThrough([
		(page) => {
			choices = page;
			return ['Lease $& "A < B"'];
		},
		(page) => {
			questions = page;
			return ['Ana Gil', 'ana.gil@example.com', 'Ben Ray', 'ben.ray@example.com', ...fields];
		},
	]);
	expect(last).toMatch(/^The document is on its way .*Lease/);
	for (const { name, version, status } of stage.sandbox.templates()) {
		if (version === 'v1' || status === 'ACTIVE') expect(choices).toContain(name);
		else expect(choices).not.toContain(name);
	}
	for (const label of [
		"$'000",
		'$&',
		'A ＜ B',
		'"',
		'{{ 1 + 1 }}',
		'$key_5',
		'$key_6',
		'Email (a b)',
	])
		expect(questions).toContain(label);
	const { body } = own.creations().at(-1) as { body: IDataObject };
	expect(body).toMatchObject({
		signatories: [
			{ name: 'Ana Gil', email: 'ana.gil@example.com' },
			{ name: 'Ben Ray', email: 'ben.ray@example.com' },
		],
		inputs: Object.fromEntries(fields.map((value, index) => [`$key_${index}`, value])),
	});
});

test('any-template-form sends a template whose fields are called like the columns of n8n, and names one that it cannot ask for', async () => {
	await own.publish('any-template-form');
	const count = own.documentCount();
	const answers = ['Zoë', "zoë.o'neil@example.com", 'The user', '', ''];
	expect(await walkThrough([() => ['Names of n8n'], () => answers])).toMatch(
		/^The document is on its way/,
	);
	const { body } = own.creations().at(-1) as { body: IDataObject };
	expect(body).toMatchObject({
		signatories: [{ name: 'Zoë', email: "zoë.o'neil@example.com" }],
	});
	expect(body.inputs).toEqual({ user: 'The user' });
	expect(await walkThrough([() => ['No page']])).toMatch(
		/^This document can't be sent Nothing was sent\. Try again later or with another document.*has an angle bracket in its key/,
	);
	expect(own.documentCount()).toBe(count + 1);
});

test('any-template-form shows the page again with all entries until they are right, and then sends it once', async () => {
	await own.publish('any-template-form');
	const count = own.documentCount();
	const contract = stage.sandbox
		.templates()
		.find(({ templateID }) => templateID === '65f1c0de0000000000000201');
	const choose = () => [`${contract?.name} – ${contract?.description}`];
	const first = [
		`Zoë "Zed" O'Brien <b>`,
		'zoe.example.com',
		'=1+1 & <i>',
		'31/04/2027',
		"$& $' A < B",
		'',
	];
	const pages: string[] = [];
	const withEntry = (entries: string[], at: number, entry: string) =>
		entries.map((old, index) => (index === at ? entry : old));
	const corrected = withEntry(first, 1, 'zoe@example.com');
	const last = await walkThrough([
		choose,
		() => first,
		(page, entries) => {
			pages.push(page);
			expect(entries).toEqual(first);
			return corrected;
		},
		(page, entries) => {
			pages.push(page);
			expect(entries).toEqual(corrected);
			return withEntry(corrected, 3, '2027-04-30');
		},
	]);
	const [wrongAddress = '', wrongDate = ''] = pages;
	expect(wrongAddress).toContain(contract?.name);
	expect(wrongAddress).toMatch(
		/wasn't sent.*Email \(employee\): "zoe\.example\.com" isn't an email address/,
	);
	// A colleague can correct what looks wrong, so it isn't sent with a warning that no one sees.
	expect(wrongDate).toMatch(
		/wasn't sent.*If an entry is right as it is, .*option Send Despite Warnings, node Send it\)\. Reason: .*31\/04\/2027/,
	);
	expect(wrongDate).not.toContain("isn't an email address");
	expect(last).toMatch(/^The document is on its way/);
	expect(own.documentCount()).toBe(count + 1);
	const { body } = own.creations().at(-1) as { body: IDataObject };
	expect(body).toMatchObject({
		signatories: [{ name: first[0], email: 'zoe@example.com' }],
		inputs: { role: first[2], start_date: 'April 30, 2027', employer: first[4] },
	});
	expect(own.mailsTo(office)).toEqual([]);
});

test('any-template-form explains what to do if a document was not sent, or may have been sent', async () => {
	await own.publish('any-template-form');
	const count = own.documentCount();
	const contract = stage.sandbox
		.templates()
		.find(({ templateID }) => templateID === '65f1c0de0000000000000201');
	const choose = () => [`${contract?.name} – ${contract?.description}`];
	const answers = ['Uwe Lost', 'uwe.lost@example.com', 'Cook', '2027-02-01', '', ''];
	// The template's owner renames the template while someone has the form open.
	expect(await walkThrough([() => ['No such contract']])).toMatch(
		/^This document can't be sent .*no template with the name "No such contract"/,
	);
	// The service refuses the document at first, so it certainly wasn't sent.
	const response = { status: 402, body: { success: false, message: 'The account is closed' } };
	stage.sandbox.faults.set({ endpoint: create, times: 1, response });
	let again = '';
	const sent = await walkThrough([
		choose,
		() => answers,
		(page, entries) => {
			again = page;
			return entries;
		},
	]);
	expect(again).toContain('The account is closed');
	expect(sent).toMatch(/^The document is on its way/);
	expect(own.documentCount()).toBe(count + 1);
	stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
	expect(await walkThrough([choose, () => answers])).toMatch(
		/^The document may have been sent Please don't fill in the form again.*the office has to check\.$/,
	);
	expect(own.documentCount()).toBe(count + 2);
	const [check] = await mailsTo(office, `Please check: ${contract?.name} from Kim`);
	expect(check?.text).toContain("look for the document in your provider's account");
	expect(check?.text).toMatch(/\nEntries: Uwe Lost, uwe\.lost@example\.com, Cook, 2027-02-01/);
	expect(own.mailsTo(office)).toHaveLength(1);
});

// n8n looks for approaching limits only once a minute.
nightlyTest(
	'any-template-form ends without a report if a page is left open for too long',
	async () => {
		const id = await own.publish('any-template-form', (node) => {
			for (const name of ['Choose a document', 'Enter the details', 'Show what went wrong'])
				Object.assign(node(name).parameters, { resumeAmount: 3, resumeUnit: 'seconds' });
		});
		const count = own.documentCount();
		await walkThrough([]);
		await until('the execution has ended', async () =>
			(await own.endedExecutions(id, 1)).find(({ status }) => status === 'success'),
		);
		expect(own.mailsTo(office)).toEqual([]);
		expect(own.documentCount()).toBe(count);
	},
);

// test/integration/worstText.property.test.ts checks that no such text holds up n8n.
nightlyTest(
	'send-from-form rejects a text from a stranger that takes long to compare',
	async () => {
		await own.publish('send-from-form');
		const count = own.documentCount();
		// Normalizing combining marks of alternating classes takes quadratic time: 3 seconds for 200 kB, more than
		// a minute for 1 MB.
		for (const length of [200_000, 1_000_000]) {
			const marks = `x${'\u0301\u0327'.repeat(length / 2)}`;
			const page = await pageAfter([marks, marks, marks, '2027-02-01']);
			expect(page).toMatch(/^The contract wasn't sent/);
			expect(page).toContain(valueProblems.tooLong.problem);
		}
		expect(own.documentCount()).toBe(count);
	},
);

test('email-signed-copy emails the signed files to each person and emails the office which one failed', async () => {
	const id = await own.publish('email-signed-copy');
	const people = [person('Una'), { ...person('Vic'), name: '<b hidden>Vic {{ 1 + 1 }}</b>' }];
	own.office.unknown.add(person('Una').email);
	const sent = await own.send(people, 'Una');
	for (const { email } of people) await stage.sandbox.sign(sent, email);
	const [mail] = await mailsTo(person('Vic').email, 'Signed: ');
	expect(mail?.text).toContain('Hi <b hidden>Vic {{ 1 + 1 }}</b>');
	expect(mail?.attachments).toHaveLength(3);
	const [failure] = await mailsTo(
		office,
		`Workflow failed: ${workflowNameOf('email-signed-copy')}`,
	);
	expect(failure?.text).toMatch(/^The workflow "[^"]+" failed: .* una@example\.com/);
	expect(failure?.text).toContain(`/workflow/${id}/executions/`);
	await own.endedExecutions(id, 1);
	expect(await mailsTo(person('Vic').email, 'Signed: ')).toHaveLength(1);
});

/**
 * Has a document signed. Returns its last event for another document ID, first without a link to a file, then
 * with a link to the document, and then with all links.
 */
async function lateFiles(
	name: string,
	documentID: string,
): Promise<[own.EventBody, own.EventBody, own.EventBody]> {
	const sent = await own.send([person(name)], name);
	await stage.sandbox.sign(sent, person(name).email);
	const [event] = await until('the event arrives', () => {
		const found = own.events('completedDocument', sent);
		return found.length > 0 ? found : undefined;
	});
	if (!event) throw new Error('no event');
	const all = { ...event.Document, documentID };
	const { documentURL, certificateURL, pscCertificateURL, ...none } = all as IDataObject;
	expect([documentURL, certificateURL, pscCertificateURL].every(Boolean)).toBe(true);
	const withFiles = (Document: object) => ({ ...event, Document }) as own.EventBody;
	return [withFiles(none), withFiles({ ...none, documentURL }), withFiles(all)];
}

/**
 * Starts a host that refuses each of its files this many times before it returns the file.
 * @returns Its URL, and how often each path was requested.
 */
async function startFileHost(refusals: number) {
	const requests: Record<string, number> = {};
	const server = await serve((response, { path }) => {
		const count = (requests[path] = (requests[path] ?? 0) + 1);
		// After this status, neither the trigger nor the node tries again by itself.
		if (count <= refusals) response.writeHead(410).end();
		else response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7 late\n%%EOF');
	});
	hosts.push(server);
	return { url: server.url, requests };
}
const hosts: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
	for (const host of hosts.splice(0)) await host.close();
});
/** An event, with changes to its document. */
const changed = (event: own.EventBody, changes: IDataObject): own.EventBody => ({
	...event,
	Document: { ...event.Document, ...changes },
});

test('email-signed-copy gets files that come late, and emails all files once', async () => {
	const id = await own.publish('email-signed-copy');
	const { email } = person('Ike');
	const [, document, all] = await lateFiles('Ike', 'late-mail');
	await mailsTo(email, 'Signed: ');
	// The trigger's try fails, and the first of the node's tries.
	const host = await startFileHost(2);
	const url = `${host.url}/late.pdf`;
	await own.deliver(changed(document, { documentURL: url }));
	const [, late] = await mailsTo(email, 'Signed: ', 2);
	expect(late?.text).toContain('Your signed copy is attached. Please keep it.');
	expect(late?.attachments).toHaveLength(1);
	expect(host.requests).toEqual({ '/late.pdf': 3 });
	// Now the trigger has the files, and starts the workflow again.
	await own.deliver(document);
	await own.deliver(all);

	// Only a certificate is late.
	const other = { documentID: 'late-certificate', certificateURL: `${host.url}/certificate.pdf` };
	await own.deliver(changed(all, other));
	const [, , complete] = await mailsTo(email, 'Signed: ', 3);
	expect(complete?.attachments).toHaveLength(3);
	await own.endedExecutions(id, 5);
	expect(await mailsTo(email, 'Signed: ')).toHaveLength(3);
	expect(own.mailsTo(office)).toEqual([]);
});

test('email-signed-copy informs the office about files that it cannot get, and emails them if the event comes again', async () => {
	await own.publish('email-signed-copy');
	const { email } = person('Jon');
	const [none, document] = await lateFiles('Jon', 'no-link');
	await mailsTo(email, 'Signed: ');
	const host = await startFileHost(Infinity);
	await own.deliver(none);
	const [noLink] = await mailsTo(office, `Workflow failed: ${workflowNameOf('email-signed-copy')}`);
	expect(noLink?.text).toContain('Document: no-link. Reason: the event contained no link');
	const gone = { documentID: 'gone', documentURL: `${host.url}/gone.pdf` };
	await own.deliver(changed(document, gone));
	const [, expired] = await mailsTo(
		office,
		`Workflow failed: ${workflowNameOf('email-signed-copy')}`,
		2,
	);
	// The reason comes first.
	expect(expired?.text).toMatch(
		/^The workflow "[^"]+" failed: [^]*What to do: get the signed files from your provider/,
	);
	expect(expired?.text).toContain('HTTP 410');
	expect(host.requests).toEqual({ '/gone.pdf': 4 });
	expect(await mailsTo(email, 'Signed: ')).toHaveLength(1);

	// Nothing was recorded as emailed.
	await own.deliver(document, changed(document, { documentID: 'gone' }));
	const mails = await mailsTo(email, 'Signed: ', 3);
	expect(mails.map(({ attachments }) => attachments.length)).toEqual([3, 1, 1]);
});

test('wait-until-signed sends a welcome email after the signature and emails the office if something goes wrong', async () => {
	const id = await own.publish('wait-until-signed');
	const { name, email } = person('Wim');
	await own.fill('wait-until-signed', [name, email, 'Cook', '2027-02-01', asker]);
	await own.waitingExecution(id);
	expect(
		own.mailsTo(email).filter(({ subject }) => subject === 'Welcome to Example Company'),
	).toEqual([]);
	await sign(email);
	const [welcome] = await mailsTo(email, 'Welcome to Example Company');
	expect(welcome?.text).toContain(`Hi ${name},`);
	await own.fill('wait-until-signed', [name, email, 'Cook', '2027-02-01', asker]);
	const [told] = await mailsTo(office, `Already sent: contract for ${name}`);
	expect(told?.text).toMatch(
		/^This person already has a contract with this start date, so you have nothing to do\./,
	);
	expect(told?.text).toContain(
		"This request isn't waiting for the signature, so it won't lead to a welcome email.",
	);
	const tooLong = 'Al'.padEnd(101, 'l');
	await own.fill('wait-until-signed', [tooLong, 'al@example.com', 'Cook', '2027-02-01', asker]);
	const [again] = await mailsTo(asker, 'Not sent: contract for Al');
	expect(again?.text).toMatch(/fill in the form again[^]*try again later[^]*1 to 100/);
	stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
	await own.fill('wait-until-signed', ['Uwe Loss', 'u@example.com', 'Cook', '2027-02-01', asker]);
	const [check] = await mailsTo(office, 'Please check: contract for Uwe Loss');
	expect(check?.text).toMatch(
		/^This may have been sent, so look for the document[^]*so the document may have been created/,
	);
	// A contract with another start date is another contract.
	await own.fill('wait-until-signed', [name, email, 'Cook', '2027-03-01', asker]);
	await until('the second contract waits', async () => {
		const contracts = stage.sandbox
			.documents()
			.filter(({ signatory }) => signatory.some(({ emailID }) => emailID === email));
		return contracts.length === 2;
	});
	await own.waitingExecution(id);
	// No one is welcomed while a signature isn't valid.
	const { documentID, signatory } = stage.sandbox.documents().at(-1) ?? {};
	const { webHookUrl = '' } = stage.sandbox.webhooks().at(-1) ?? {};
	const Document = {
		...{ documentID, status: 'COMPLETED' },
		signatory: signatory?.map((one) => ({ ...one, isSigned: 1, isInvalidSignature: true })),
	};
	expect(await post(webHookUrl, { type: 'completedDocument', Document })).toBe(200);
	const [invalid] = await mailsTo(office, `Please check: contract for ${name}`);
	expect(invalid?.text).toMatch(
		/^Your provider reports that the document is completed, but no valid signature of "Wim Example"/,
	);
	expect(await mailsTo(email, 'Welcome to Example Company')).toHaveLength(1);
	expect(own.mailsTo(asker)).toHaveLength(1);
});

test('google-sheets-row sends each ready row once and writes the result to the Status column', async () => {
	const id = await own.store('google-sheets-row', (node, nodes) => {
		google.replace(node, nodes);
		own.sendByHand(node, nodes);
	});
	const run = async () => await own.runFrom(id, 'Every five minutes');
	google.rows.push(row('Ana', 'ready '), row('Ben', ''), row('Zoe', 'Ready', ''));
	const before = own.documentCount();
	await run();
	const [ana, ben, zoe] = google.rows;
	expect(ana).toMatchObject({ Status: 'Sent', Document: expect.stringMatching(/\w{10}/) });
	expect(ben?.Status).toBe('');
	expect(zoe?.Status).toMatch(/^This wasn't sent, .* Email \(employee\): required, but empty/);
	const sent = ana?.Document;
	Object.assign(ana ?? {}, { Status: 'Ready' });
	await run();
	expect(ana).toEqual({
		...row(
			'Ana',
			expect.stringMatching(/ana@example.com 2027-02-01" has already been sent/) as string,
		),
		Document: sent,
	});
	expect(own.documentCount()).toBe(before + 1);
});

test('keep-signed-copy stores the signed document or emails the office that it could not be stored', async () => {
	const id = await own.publish('keep-signed-copy', google.replace);
	const sent = await own.send([person('Kim')], 'Kim');
	await stage.sandbox.sign(sent, person('Kim').email);
	await until('the file is stored', () => google.stored.length === 1);
	expect(google.stored[0]).toMatch(/^%PDF-/);
	google.isFull = true;
	const other = await own.send([person('Lou')], 'Lou');
	await stage.sandbox.sign(other, person('Lou').email);
	await mailsTo(office, `Workflow failed: ${workflowNameOf('keep-signed-copy')}`);
	google.isFull = false;
	expect(google.stored).toHaveLength(1);
	const [none, document, all] = await lateFiles('Max', 'late-store');
	await until('the next file is stored', () => google.stored.length === 2);
	await own.deliver(none);
	await mailsTo(office, `Workflow failed: ${workflowNameOf('keep-signed-copy')}`, 2);
	await own.deliver(document);
	await until('the late file is stored', () => google.stored.length === 3);
	const host = await startFileHost(2);
	const late = { documentID: 'slow-store', documentURL: `${host.url}/late.pdf` };
	await own.deliver(changed(document, late));
	await until('the slow file is stored', () => google.stored.length === 4);
	expect(google.stored[3]).toMatch(/^%PDF-/);
	// The trigger has the file now, and starts the workflow again.
	await own.deliver(changed(document, { documentID: 'slow-store' }));
	await own.deliver(document);
	await own.deliver(all);
	await own.endedExecutions(id, 7);
	expect(google.stored).toHaveLength(4);
	expect(
		await mailsTo(office, `Workflow failed: ${workflowNameOf('keep-signed-copy')}`, 2),
	).toHaveLength(2);
});

test('several-people lets people sign in any order and sends nothing if the list is uploaded again', async () => {
	// The list has a column with a name of its own, and the note explains where to enter it.
	const id = await own.publish('several-people', (node) => {
		for (const name of ['Send the contract and wait', 'Email the office']) {
			const sample = JSON.stringify(node(name).parameters);
			const renamed = sample.replaceAll("['Employee name']", "['Volunteer name']");
			Object.assign(node(name), { parameters: JSON.parse(renamed) as IDataObject });
		}
	});
	const list = ['Mia', 'Noa', 'Ola'].map((name) => {
		const { 'Employee name': who, Email: email } = row(name, '');
		return `${who},${email},Cook,${name === 'Ola' ? '2027-02-30' : '2027-02-01'}`;
	});
	// Excel writes such rows for rows that have been cleared.
	const csv = ['Volunteer name,Email,Job title,Start date', ',,,', ...list, ',,,'].join('\n');
	const file = (text = csv) => new File([text], 'people.csv', { type: 'text/csv' });
	await own.fill('wait-for-several-people', [file()]);
	await until(
		'two executions wait',
		async () => (await waitingExecutions(stage.n8n.api, id)).length === 2,
	);
	const [wrong] = await mailsTo(office, 'Please check: contract for Ola Example');
	expect(wrong?.text).toContain(`Start date: ${contentProblems.missingDay.problem('2027-02-30')}`);
	expect(wrong?.text).toContain('(option Send Despite Warnings, node Send the contract and wait)');
	const count = own.documentCount();
	await sign(person('Noa').email);
	await mailsTo(person('Noa').email, 'Welcome to Example Company');
	// Excel uses semicolons in many countries.
	await own.fill('wait-for-several-people', [file(`\uFEFF${csv.replaceAll(',', ';')}`)]);
	const [again] = await mailsTo(office, 'Already sent: contract for Mia Example');
	expect(again?.text).toMatch(/^"Contract for mia@example.com 2027-02-01" has already been sent/);
	await mailsTo(office, 'Already sent: contract for Noa Example');
	expect(own.documentCount()).toBe(count);
	await sign(person('Mia').email);
	await mailsTo(person('Mia').email, 'Welcome to Example Company');
	const subjects = own.mailsTo(office).map(({ subject }) => subject);
	expect(subjects.filter((subject) => /contract for\s*$/.test(subject))).toEqual([]);
});

test('identity-then-contract asks HR for everything and the applicant only for a proof, and HR can ask again', async () => {
	const id = await own.publish('identity-then-contract');
	const ask = async (who: string, email: string, attempt: number) =>
		await own.fill('identity-then-contract', [who, email, 'Cook', '2027-02-01', String(attempt)]);
	/** Has an applicant open the link of their newest email and finish. */
	const finish = async (
		who: string,
		email: string,
		outcome: 'pass' | 'fail',
		count = 1,
		ocr?: object,
	) => {
		const link = (await mailsTo(email, 'Please confirm your identity', count)).at(-1);
		expect(link?.text).toContain(`Hi ${who},`);
		await own.waitingExecution(id);
		const request = stage.sandbox.identityRequests().at(-1);
		expect(link?.text).toContain(request?.url);
		if (ocr) {
			const results = { score: { overall: { status: 'OK' } }, ocr };
			stage.sandbox.faults.set({
				endpoint: `GET /identity/session/results/${request?.validationId}`,
				response: { status: 200, body: { success: true, responseData: { results } } },
			});
		}
		await stage.sandbox.completeIdentity(request?.validationId ?? '', outcome);
	};
	const count = own.documentCount();
	const requests = () => stage.sandbox.identityRequests().length;
	const before = requests();
	const pia = person('Pia').email;
	await ask('Pia Ibarra', pia, 1);
	await finish('Pia Ibarra', pia, 'fail');
	const [failed] = await mailsTo(office, 'No contract for Pia Ibarra');
	expect(failed?.text).toMatch(/^The verification ended, but your provider didn't report/);
	expect(failed?.text).toMatch(/fill in the form again with the next attempt/);
	expect(failed?.text).toMatch(/Result reported by your provider: \S+/);
	expect(failed?.text).toContain('attempt 1');
	expect(own.documentCount()).toBe(count);

	// The same attempt isn't requested twice, and the next one is.
	await ask('Pia Ibarra', pia, 1);
	const [repeated] = await mailsTo(office, 'Already requested: Pia Ibarra');
	expect(repeated?.text).toMatch(/^"pia@example.com 2027-02-01 1" has already been sent/);
	expect(repeated?.text).toContain(
		'provider: none\nName on the ID matches the form: unknown\n18 or older: unknown\nID has expired: unknown\n',
	);
	expect(requests()).toBe(before + 1);
	await ask('Pia Ibarra', pia, 2);
	await finish('Pia Ibarra', pia, 'pass', 2);
	const [passed] = await mailsTo(
		office,
		"Sent: contract for Pia Ibarra, who passed, but the name isn't confirmed",
	);
	expect(passed?.text).toMatch(/^The contract was sent\./);
	expect(passed?.text).toContain('Name on the ID matches the form: unknown\n18 or older: yes\n\n');
	expect(passed?.text).toContain("compare the ID in your provider's account with the form");
	expect(passed?.text).not.toMatch(/fictitious|1990/i);
	await documentOf(pia);
	expect(requests()).toBe(before + 2);

	// A further attempt never sends a second contract.
	await ask('Pia Ibarra', pia, 3);
	await finish('Pia Ibarra', pia, 'pass', 3);
	const [, again] = await mailsTo(office, 'Sent: contract for Pia Ibarra, who passed', 2);
	expect(again?.text).toMatch(/^"pia@example.com 2027-02-01" has already been sent/);
	expect(own.documentCount()).toBe(count + 1);

	// The name on the sandbox's ID, in a different order
	await ask('Fictitious Sample', person('Same').email, 1);
	await finish('Fictitious Sample', person('Same').email, 'pass');
	const [same] = await mailsTo(office, 'Sent: contract for Fictitious Sample');
	expect(same?.subject).toBe('Sent: contract for Fictitious Sample, who passed');
	expect(same?.text).toContain('Name on the ID matches the form: yes');
	// No contract goes out unless it's certain that the ID is valid, and a person decides.
	for (const [who, expirationDate, answer] of [
		['Olga Old', '2020-01-31', 'yes'],
		['Uma Undated', '', 'unknown'],
	] as const) {
		const { email } = person(who.slice(0, who.indexOf(' ')));
		await ask(who, email, 1);
		await finish(who, email, 'pass', 1, { expirationDate });
		const [expired] = await mailsTo(office, `No contract for ${who}`);
		expect(expired?.text).toMatch(
			/^They passed, but check the ID[^]* send the contract from there/,
		);
		expect(expired?.text).toContain('Result reported by your provider: OK\nName on the ID matches');
		expect(expired?.text).toContain(`ID has expired: ${answer}\n`);
	}
	await ask('Ian Nix', 'ian.example.com', 1);
	const [unreachable] = await mailsTo(office, 'No contract for Ian Nix');
	expect(unreachable?.text).toMatch(/^This wasn't sent,[^]*isn't an email address/);
	expect(unreachable?.text).not.toContain('Send Despite Warnings');
	expect(own.documentCount()).toBe(count + 2);
});

test('identity-then-contract requests one verification and sends one contract if the mail server is down and the office retries', async () => {
	const id = await own.publish('identity-then-contract');
	const { name, email } = person('Ria');
	const requests = stage.sandbox.identityRequests().length;
	const count = own.documentCount();
	own.office.down = true;
	await own.fill('identity-then-contract', [name, email, 'Cook', '2027-02-01', '1']);
	const [failed] = await own.endedExecutions(id, 1);
	expect(failed?.status).toBe('error');
	own.office.down = false;
	const client = await loggedIn(stage.n8n.url, stage.owner);
	await retryExecution(client, failed?.id ?? '', false);
	await own.waitingExecution(id);
	expect(own.mailsTo(email)).toHaveLength(1);
	expect(stage.sandbox.identityRequests()).toHaveLength(requests + 1);

	// An impatient office gets the same link sent once more.
	await retryExecution(client, failed?.id ?? '', true);
	const [first, second] = await mailsTo(email, 'Please confirm your identity', 2);
	expect(second?.text).toBe(first?.text);
	const [request] = stage.sandbox.identityRequests().slice(requests);
	await stage.sandbox.completeIdentity(request?.validationId ?? '', 'pass');
	await mailsTo(office, `Sent: contract for ${name}`, 2);
	expect(stage.sandbox.identityRequests()).toHaveLength(requests + 1);
	expect(own.documentCount()).toBe(count + 1);
});

test('identity-results emails the office about everyone who passes or fails', async () => {
	await own.publish('identity-results');
	for (const [outcome, word] of [
		['pass', 'passed'],
		['fail', 'not passed'],
	] as const) {
		const { email } = person(`Check-${outcome}`);
		await clientOf(stage.sandbox).requestIdentity(email);
		const validationId = stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
		await stage.sandbox.completeIdentity(validationId, outcome);
		const [mail] = await mailsTo(office, `Identity verification ${word}: ${email}`);
		const news = outcome === 'pass' ? 'has passed' : "didn't pass";
		expect(mail?.text).toMatch(new RegExp(`^${email} ${news} the identity verification\\.`));
		expect(mail?.text).toContain(
			'The workflow does nothing else, so you decide what happens next.',
		);
		expect(mail?.text).toContain(
			'expected name: not compared, because no name is entered\n18 or older: yes\nID has expired: no',
		);
	}
});

test('signing-link-another-way emails each person their own link once', async () => {
	const id = await own.publish('signing-link-another-way');
	const people = [
		{ ...person('Rey'), name: '<a href="//evil.example">Rey</a> & <Co' },
		person('Sam'),
	];
	await own.send(people, 'Rey');
	await own.endedExecutions(id, 2);
	const links = people.map(({ email }) => {
		const mails = own
			.mailsTo(email)
			.filter(({ subject }) => subject.startsWith('Your signing link: '));
		expect([email, mails.length]).toEqual([email, 1]);
		return /https?:\S+/.exec(mails[0]?.text ?? '')?.[0];
	});
	const html = own.mailsTo(person('Rey').email).at(-1)?.html;
	expect(html).toContain(`<a href="${links[0]}"`);
	expect(html).toContain('<p>Hi &lt;a href="//evil.example">Rey&lt;/a> & &lt;Co,</p>');
	expect(html?.match(/<a /g)).toHaveLength(1);
	const documents = stage.sandbox.documents().at(-1)?.signatory as unknown as IDataObject[];
	expect(links).toEqual(documents.slice(0, 2).map(({ signing }) => (signing as IDataObject).url));
});

test("keep-your-own-data emails the manager once, with the data from the person's own row", async () => {
	await own.publish('keep-your-own-data-send');
	const signed = await own.publish('keep-your-own-data-signed');
	const { name, email } = person('Tia');
	const values = [name, email, 'Cook', '2027-02-01', 'manager-of-tia@example.com', '1200'];
	await own.fill('keep-your-own-data', values);
	const { documentID } = await documentOf(email);
	const rows = async () =>
		await (await dataTable<Record<string, string>>(stage, 'Contracts and their managers')).rows();
	await until('the table has the row', async () => (await rows())[0]?.documentId === documentID);
	await own.fill('keep-your-own-data', values);
	await until('the table has the second row', async () => (await rows()).length === 2);
	await stage.sandbox.sign(documentID, email);
	const [mail] = await mailsTo('manager-of-tia@example.com', `Signed: contract for ${name}`);
	expect(mail?.text).toContain('1200');
	await own.restart();
	await own.deliver(...own.events('completedDocument', documentID));
	await own.endedExecutions(signed, 2);
	expect(own.mailsTo('manager-of-tia@example.com')).toHaveLength(1);
	const page = async (name: string) =>
		await pageAfter([name, 'ty@example.com', ...values.slice(2)], 'keep-your-own-data');
	expect(await page('Ty'.padEnd(101, 'y'))).toMatch(
		/^The contract wasn't sent[^]*fill in the form again/,
	);
	stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'after' });
	expect(await page('Tyra Example')).toMatch(/^The contract may have been sent/);
	const [check] = await mailsTo(office, 'Please check: contract for Tyra Example');
	expect(check?.text).toMatch(
		/^We couldn't confirm that this contract was sent\.\s+What to do: look for the contract in/,
	);
	expect(check?.text).toContain('\nManager: manager-of-tia@example.com\n');
	expect(await page('Tyra Example')).toMatch(
		/^Please note "ty@example\.com 2027-02-01" may have been sent already/,
	);
});

test('check-webhooks emails the office about each event whose webhook is missing', async () => {
	const { api } = stage.n8n;
	const signed = await own.publish('email-signed-copy');
	const { nodes } = await api.getWorkflow(signed);
	const trigger = nodes.find(({ type }) => type.endsWith('.signVerifyTrigger'));
	Object.assign(trigger?.parameters ?? {}, { events: ['completedDocument', 'signDocument'] });
	await api.updateWorkflow(signed, { nodes });
	await api.publish(signed);
	const webhooksFor = (event: string) =>
		stage.sandbox
			.webhooks()
			.filter(
				({ type, webHookUrl }) => type === event && webHookUrl.includes(trigger?.webhookId ?? ''),
			);
	await until('both webhooks are registered', () => webhooksFor('signDocument').length > 0);
	// A user copies these values from the node's output, which does not contain the secrets.
	const expected = ['completedDocument', 'signDocument'].map((event) => ({
		workflow: workflowNameOf('email-signed-copy'),
		event,
		webhookUrl: `${stage.n8n.url}/webhook/${trigger?.webhookId}/signverify?secret=…`,
	}));
	const id = await own.store('check-webhooks', (node) => {
		node('List the expected webhooks').parameters.jsonOutput = JSON.stringify({ expected });
	});
	const check = async () => await own.runFrom(id, 'Every morning at 7');
	expect((await check()).status).toBe('success');
	const missing = () =>
		own.mailsTo(office).filter(({ subject }) => /webhook missing/.test(subject));
	expect(missing()).toEqual([]);

	// The workflow's other webhook has the same URL, apart from the secret.
	await deleteWebhooks(stage.sandbox, webhooksFor('signDocument'));
	expect((await check()).status).toBe('success');
	const [mail] = missing();
	expect(mail?.subject).toBe(
		`Action needed: webhook missing for ${workflowNameOf('email-signed-copy')}`,
	);
	expect(mail?.text).toContain('for the event signDocument is missing');
	expect(mail?.text).toContain('unpublish it, and publish it again');
	expect(missing()).toHaveLength(1);

	// Delete all of the account's webhooks so that the service returns an empty list.
	await deleteWebhooks(stage.sandbox);
	expect((await check()).status).toBe('success');
	expect(missing()).toHaveLength(3);
});
