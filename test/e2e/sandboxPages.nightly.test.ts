import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { startBrowser } from '../../host/browser';
import type { Sandbox } from '../../sandbox';
import {
	create,
	createBody,
	createV1,
	type Http,
	people,
	receiver,
	type Receiver,
	register,
	signedIn,
	start,
	stopAll,
	template,
	verify,
} from '../sandbox/serviceKit';
import { waitMs } from '../support/until';

// These tests open the pages of the sandbox in a real browser.
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const desktop = { width: 1200, height: 900 };
const phone = { width: 390, height: 844 };

let browser: Browser;
let sandbox: Sandbox;
/** A client for the service, with a token. */
let http: Http;
let hook: Receiver;
let page: Page;
/** The errors that the pages have written to the browser's console. */
let complaints: string[];

beforeAll(async () => {
	browser = await startBrowser();
});
afterAll(async () => await browser?.close());
beforeEach(async () => {
	// The key is fixed, because it appears in screenshots of the console.
	sandbox = await start({ apiKey: 'key-of-this-sandbox' });
	http = await signedIn(sandbox);
	hook = await receiver();
	await openPage();
});
afterEach(async () => {
	await page.context().close();
	await stopAll();
});

/** Opens a page in a new browser context and records the errors of every page in that context. */
async function openPage(options: BrowserContextOptions = {}): Promise<void> {
	const context = await browser.newContext({ viewport: desktop, ...options });
	complaints = [];
	context.on('page', (opened) => {
		opened.setDefaultTimeout(waitMs);
		opened.on('console', (message) => {
			if (message.type() === 'error') complaints.push(message.text());
		});
		opened.on('pageerror', (error) => complaints.push(error.message));
	});
	page = await context.newPage();
}

/**
 * Saves a screenshot in the folder SANDBOX_PICTURES, if it is set. By default, none are saved, because every run would change
 * the files.
 */
async function picture(shown: Page, name: string, size = desktop): Promise<void> {
	const images = process.env.SANDBOX_PICTURES;
	if (!images) return;
	await shown.setViewportSize(size);
	await shown.screenshot({ path: join(images, `sandbox-${name}.png`) });
	await shown.setViewportSize(desktop);
}

/** The URLs of all pages that do not belong to a single document, email or person. */
function pagesOf({ url }: Sandbox): string[] {
	const lists = ['documents', 'identityRequests', 'deliveries', 'registrations', 'requests'];
	return [
		`${url}/`,
		`${url}/events`,
		`${url}/faults`,
		`${url}/mailbox`,
		`${url}/templates/import`,
		...[...lists, 'templates'].map((name) => `${url}/lists/${name}`),
		`${url}/no/such/page`,
	];
}

/**
 * Checks the accessibility of the current page.
 * @returns All violations that axe-core finds, regardless of severity, each with its location in the page.
 */
async function accessibilityProblems(): Promise<string[]> {
	await page.evaluate(axe);
	// The HTML of an email can contain anything, so only the page around it is checked.
	const results = await page.evaluate<AxeResults>(
		`axe.run({ exclude: [['iframe']] }, { resultTypes: ['violations'] })`,
	);
	return results.violations.flatMap(({ id, nodes }) =>
		nodes.map(({ target }) => `${page.url()} ${id}: ${target.join(' ')}`),
	);
}

const types = () => hook.got.map(({ body }) => body.type);

test('three people who sign through the links in their emails cause three signDocument events and one completedDocument event', async () => {
	await register(http, hook.url, 'signDocument', 'completedDocument');
	const asking = sandbox.templates().find(({ key }) => key === 'mutual_nda');
	const inputs = {
		first_party: 'Ana Torres',
		second_party: 'Ben Okafor',
		purpose: 'Trying out a workflow',
		effective_date: 'December 1, 2026',
	};
	await create(sandbox, http, 'v2', { templateID: asking?.templateID, inputs });
	await sandbox.idle();

	for (const [index, { name, email }] of people.entries()) {
		await page.goto(`${sandbox.url}/mailbox`);
		await page.getByRole('link', { name: email }).click();
		const link = page.frameLocator('iframe').getByRole('link', { name: 'Review and sign' });
		const [signing] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
		await signing.waitForSelector('[data-shown]');
		await signing.getByLabel(/^Registration number/).fill(`SOS-${1042 + index}`);
		if (index === 1) {
			await signing.getByLabel('Draw it').check();
			await draw(signing);
		} else {
			await signing.getByLabel('Your full name').fill(name);
		}
		await signing.getByRole('button', { name: 'Sign the document' }).click();
		await signing.getByRole('heading', { name: 'You’ve signed the document' }).waitFor();
		if (index === 2) {
			expect(await signing.textContent('main')).toContain('so the document is complete.');
			await picture(signing, 'signed');
		}
		await signing.close();
	}
	await sandbox.idle();
	expect(types()).toEqual(['signDocument', 'signDocument', 'signDocument', 'completedDocument']);
	const signers = hook.got.map(({ body }) => body.Document.webhookData?.signatory.emailID);
	expect(signers.slice(0, 3)).toEqual(people.map(({ email }) => email));
	expect(sandbox.documents()[0]).toMatchObject({ status: 'COMPLETED' });
	await page.goto(sandbox.url);
	for (const name of ['PDF of', 'Certificate for', 'PSC certificate for']) {
		const link = page.getByRole('link', { name: new RegExp(`^${name} `) });
		const file = await page.request.get(
			new URL((await link.getAttribute('href')) ?? '', page.url()).href,
		);
		expect([name, file.headers()['content-type']]).toEqual([name, 'application/pdf']);
	}
	expect(sandbox.documents()[0]?.signatory.map(({ signatureType }) => signatureType)).toEqual([
		'TEXT',
		'DRAW',
		'TEXT',
	]);
	expect(complaints).toEqual([]);
});

/** Draws a signature with the mouse. */
async function draw(on: Page): Promise<void> {
	const box = await on.locator('canvas.pad').boundingBox();
	if (!box) throw new Error('The pad is missing');
	const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
	await on.mouse.move(...at(0.1, 0.7));
	await on.mouse.down();
	for (let step = 1; step <= 24; step++) {
		await on.mouse.move(...at(0.1 + step * 0.03, 0.55 - 0.25 * Math.sin(step * 0.9)));
	}
	await on.mouse.up();
}

test('an identity verification passes with sample images after a manual review', async () => {
	await register(http, hook.url, 'VERIFICATION_REQUEST_FINISHED');
	await verify(http);
	await page.goto(sandbox.identityRequests()[0]?.url ?? '');
	expect(await page.textContent('main')).toContain('No real verification happens here.');
	await picture(page, 'identity');
	await picture(page, 'identity-phone', phone);
	await page.getByLabel('Kofi’s sample ID').check();
	await page.getByLabel('Kofi’s sample selfie').check();
	await page.getByLabel('Manual review').check();
	await page.getByRole('button', { name: 'Submit the result' }).click();
	await page.getByText('Sent to manual review.').waitFor();
	await page.getByLabel('Pass').check();
	await page.getByRole('button', { name: 'Submit the result' }).click();
	await page.getByText('This verification is finished: passed.').waitFor();
	await sandbox.idle();
	expect(types()).toEqual(['VERIFICATION_REQUEST_FINISHED']);
	expect(sandbox.identityRequests()[0]).toMatchObject({ status: 'COMPLETED', outcome: 'pass' });
	expect(complaints).toEqual([]);
});

test('the console shows the values for the n8n credential, each with a copy button', async () => {
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	const fresh = await start();
	await page.goto(fresh.url);
	const { userId, apiKey } = fresh.account;
	const values = { 'Base URL': fresh.baseUrl, 'User ID': userId, 'API Key': apiKey };
	for (const [label, value] of Object.entries(values)) {
		await page.getByText(value, { exact: true }).waitFor();
		await page.getByRole('button', { name: `Copy ${label}`, exact: true }).click();
		await page.getByRole('status').getByText(`${label} copied.`).waitFor();
		expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
	}
	// Once n8n is connected, the values are shown only on request.
	await signedIn(fresh);
	await page.reload();
	expect(await page.getByText(apiKey, { exact: true }).isVisible()).toBe(false);
	await page.getByRole('heading', { name: 'Connect n8n' }).click();
	await page.getByText(apiKey, { exact: true }).waitFor();
	expect(complaints).toEqual([]);
});

test('the console links a call that does not follow the API to what the API expects', async () => {
	await http.get('/no/such/endpoint');
	await page.goto(sandbox.url);
	await page.getByText('No such endpoint: GET /no/such/endpoint').waitFor();
	const link = page.getByRole('link', { name: 'What the API expects' });
	expect(await link.getAttribute('href')).toMatch(/^https:.*\/docs\/dev\/service\.md#endpoints$/);
	expect(await page.textContent('main')).not.toContain('docs/dev/');
});

test('the console shows a failed delivery without a reload and can resend it', async () => {
	await register(http, hook.url, 'sendDocument');
	hook.statuses = [500, 500, 500];
	await page.goto(sandbox.url);
	await page.getByText('No events delivered yet.').waitFor();
	await create(sandbox, http, 'v2', { signatories: people.slice(0, 1) });
	// The page updates without a reload.
	await page.locator('.pill', { hasText: 'failed' }).waitFor();
	await page.getByText(/3 attempts/).click();
	expect(await page.locator('.attempts').textContent()).toContain('HTTP 500');
	await picture(page, 'console');
	await page.getByRole('button', { name: 'Send again: When a Document Is Sent' }).click();
	await page.getByText('The event is being sent again.').waitFor();
	await page.locator('.pill', { hasText: 'delivered' }).waitFor();
	expect(types()).toEqual(Array(4).fill('sendDocument'));
	expect(complaints).toEqual([]);
});

test('people can send events and set faults on the pages, even without JavaScript', async () => {
	await page.context().close();
	await openPage({ javaScriptEnabled: false });
	await register(http, hook.url, 'failedBiometric');
	await create(sandbox, http);
	await page.goto(sandbox.url);
	await page.getByRole('link', { name: /^Send an event about/ }).click();
	await page.getByLabel('Event').first().selectOption('failedBiometric');
	await page.getByRole('button', { name: 'Send the event' }).first().click();
	await page.getByText('The event is being sent').waitFor();
	await sandbox.idle();
	expect(types()).toEqual(['failedBiometric']);

	await page.getByRole('link', { name: 'Faults' }).click();
	await page.getByRole('button', { name: 'Set: Too many requests' }).click();
	await page.getByText('Fault set. It affects upcoming calls.').waitFor();
	await picture(page, 'faults');
	const limited = await http.get('/webhooks');
	expect(limited.status).toBe(429);
	expect(limited.headers['retry-after']).toBe('2');
	await page.getByRole('button', { name: 'Clear all' }).click();
	expect((await http.get('/webhooks')).status).toBe(200);
});

/** One template of each version, in the raw output of the Get many templates action. */
const raw = [
	{
		json: {
			_id: '64aa00000000000000000001',
			templateID: '64aa0000000000000000a001',
			name: 'Service order',
			description: 'For our customers',
			key: 'service_order',
			status: 'ACTIVE',
			signatories: [{ key: 'customer' }, { key: 'account_manager' }],
			form: [
				{ key: 'order number', type: 'text', isRequired: true, label: 'Order number' },
				{ key: 'scope', type: 'text', isRequired: false, label: 'Scope of work' },
			],
			formSignatory: [{ key: 'vat', type: 'text', isRequired: true, label: 'Your VAT number' }],
		},
	},
	{
		json: {
			_id: '64aa00000000000000000002',
			templateID: '64aa0000000000000000a002',
			name: 'Parking permit',
			description: '',
			inputs: [{ key: 'plate', type: 'text', isRequired: true, label: 'License plate' }],
		},
	},
];

async function importPasted(list: unknown): Promise<void> {
	await page.goto(`${sandbox.url}/templates/import`);
	await page.getByLabel('Or paste the JSON').fill(JSON.stringify(list));
	await page.getByRole('button', { name: 'Import' }).click();
	await page
		.getByRole('heading', { name: /imported$/ })
		.first()
		.waitFor();
}

test('people can import templates from a file and sign the resulting documents, even without JavaScript', async () => {
	await page.context().close();
	await openPage({ javaScriptEnabled: false });
	await page.goto(sandbox.url);
	await page.getByRole('link', { name: 'Import your own' }).click();
	await page.getByRole('button', { name: 'Import' }).click();
	await page.getByText('Select a file, or paste').waitFor();
	const wrong = { name: 'Old order', templateId: 'x', fields: [] };
	await page.getByLabel('File').setInputFiles({
		name: 'templates.json',
		mimeType: 'application/json',
		buffer: Buffer.from(JSON.stringify([...raw, { json: wrong }])),
	});
	await page.getByRole('button', { name: 'Import' }).click();
	await page.getByRole('heading', { name: '2 templates imported' }).waitFor();
	await page.getByRole('heading', { name: '1 template not imported' }).waitFor();
	const shown = (await page.textContent('main')) ?? '';
	for (const part of ['Version 1', 'Version 2', '2 roles', 'Old order', 'Set Output to Raw']) {
		expect(shown).toContain(part);
	}
	await picture(page, 'templates-import');
	await page.getByRole('link', { name: '← Templates' }).click();
	expect(await page.locator('.pill', { hasText: 'imported' }).count()).toBe(2);

	const made = await create(sandbox, http, 'v2', {
		templateID: raw[0]?.json.templateID,
		inputs: { 'order number': '1042' },
		signatories: people.slice(0, 2),
	});
	await page.goto(made.data.responseData.signatory[0]?.signing.url ?? '');
	expect(await page.textContent('.passages')).toMatch(
		/Order number: 1042\s+Scope of work: \(not stated\)/,
	);
	await page.getByLabel('Your VAT number').fill('DE 1');
	await page.getByRole('button', { name: 'Sign the document' }).click();
	await page.getByRole('heading', { name: 'You’ve signed the document' }).waitFor();
});

test('the import page rejects a file that is not a list of templates and explains why', async () => {
	for (const [text, reason] of [
		['Name;Fields', 'This isn’t JSON.'],
		['[]', 'This JSON doesn’t contain any templates.'],
		['x'.repeat(5_100_000), 'too large'],
	] as const) {
		await page.goto(`${sandbox.url}/templates/import`);
		const buffer = Buffer.from(text);
		await page.getByLabel('File').setInputFiles({ name: 'a.json', mimeType: 'text/plain', buffer });
		await page.getByRole('button', { name: 'Import' }).click();
		await page.getByText(reason).waitFor();
		expect(await accessibilityProblems()).toEqual([]);
	}
	expect(sandbox.templates()).toHaveLength(6);
	await importPasted([...raw, {}]);
	expect(await accessibilityProblems()).toEqual([]);
});

test('the mailbox shows 50 emails per page and adds new ones without a reload', async () => {
	const { createTransport } = await import('nodemailer');
	const transport = createTransport({ ...sandbox.smtp, secure: false, pool: true });
	const send = (subject: string) =>
		transport.sendMail({ from: 'office@example.com', to: 'c@example.com', subject, text: '-' });
	for (let sent = 1; sent <= 101; sent++) await send(`Mail ${sent}`);
	await page.goto(`${sandbox.url}/mailbox?page=4`);
	await page.getByText('101 in total. Page 3 of 3.').waitFor();
	const subjects = page.locator('.mails .subject');
	expect(await subjects.allTextContents()).toEqual(['Mail 1']);
	await page.getByRole('link', { name: 'Newer' }).click();
	await page.getByText('Page 2 of 3.').waitFor();
	await page.getByRole('link', { name: 'Newer' }).click();
	await page.getByText('Page 1 of 3.').waitFor();
	expect(await subjects.count()).toBe(50);
	await send('Mail 102');
	await page.getByText('102 in total.').waitFor();
	expect(await subjects.first().textContent()).toBe('Mail 102');
	transport.close();
	expect(complaints).toEqual([]);
});

test('the events page offers new documents without a reload, and keeps what the user has chosen', async () => {
	await page.goto(`${sandbox.url}/events`);
	await page.getByText('No documents yet.').waitFor();
	await create(sandbox, http, 'v2', { signatories: people.slice(0, 2) });
	const event = page.getByLabel('Event', { exact: true });
	const document = page.getByLabel('Document', { exact: true });
	const options = document.locator('option');
	await options.first().waitFor({ state: 'attached' });
	const names = people.slice(0, 2).map(({ name }) => name);
	expect(await options.first().textContent()).toContain(` for ${names.join(' and ')} (`);
	const chosen = await document.inputValue();
	await event.first().selectOption('signDocument');
	// Leave the list, because an open list isn't updated.
	await event.first().blur();
	await create(sandbox, http, 'v2', { signatories: people.slice(0, 1) });
	await options.nth(1).waitFor({ state: 'attached' });
	expect(await document.inputValue()).toBe(chosen);
	expect(await event.first().inputValue()).toBe('signDocument');
	expect(complaints).toEqual([]);
});

test('the events page shows which event n8n is listening for and can send that event', async () => {
	await page.goto(`${sandbox.url}/events`);
	expect(await page.getByRole('heading', { name: /listening/ }).count()).toBe(0);
	const test = hook.url.replace('/hook', '/webhook-test/1/signverify');
	const [id] = await register(http, test, 'completedDocument');
	// The page updates without a reload.
	await page
		.getByRole('heading', { name: 'n8n is listening for “When Everyone Has Signed”' })
		.waitFor();
	await page.getByText('First, execute the workflow that sends one.').waitFor();
	await create(sandbox, http, 'v2', { signatories: people.slice(0, 1) });
	await page.getByText('Have everyone sign a document, or send the event.').waitFor();
	const sign = page.getByRole('link', { name: /^Sign .* as Ana Torres$/ });
	expect(await sign.getAttribute('href')).toContain('/sign/');
	await picture(page, 'events');
	await page.getByRole('button', { name: 'Send the event' }).first().click();
	await page.getByText('The event is being sent').waitFor();
	await sandbox.idle();
	expect(types()).toEqual(['completedDocument']);
	await http.delete('/webhooks', { params: { webHookID: id } });
	await page.getByRole('heading', { name: /listening/ }).waitFor({ state: 'detached' });
	// If n8n was killed during a test run, the test webhook remains, but the page does not show n8n as
	// listening.
	await register(http, test, 'signDocument');
	sandbox.clock.set({ advance: '3m' });
	await page.goto(`${sandbox.url}/events`);
	expect(await page.getByRole('heading', { name: /listening/ }).count()).toBe(0);
	expect(complaints).toEqual([]);
});

const hostileText = `"><img src=x onerror="window.ran=1"><script>window.ran=1</script>'{{constructor}}`;
/** The most hostile email address that the service accepts. It does not allow quotes or angle brackets. */
const email = 'a&quot`{{b}}=$c@example.com';

test('the pages never execute a hostile value, even without their content security policy', async () => {
	await page.context().close();
	await openPage({ bypassCSP: true });
	const inputs = Object.fromEntries(
		template(sandbox, 'v2').fields.map(({ key }) => [key, hostileText]),
	);
	const refused = await create(sandbox, http, 'v2', {
		inputs,
		signatories: [{ email: '<b>x</b>@example.com', name: hostileText }],
	});
	expect(refused.status).toBe(400);
	const signatories = [{ email: email, name: hostileText }, ...people];
	expect((await create(sandbox, http, 'v2', { inputs, signatories })).status).toBe(200);
	await http.post(createV1, { ...createBody(sandbox, 'v1'), country: hostileText, signatories });
	await register(http, `http://127.0.0.1:9/${hostileText}`, 'signDocument');
	await http.post(`/${encodeURIComponent(hostileText)}`, { [hostileText]: hostileText });
	await verify(http, email, hostileText);
	const [identity] = sandbox.identityRequests();
	const [document] = sandbox.documents();
	await sandbox.sign(document?.documentID ?? '', people[0]?.email ?? '');
	await sendHostileMail(sandbox);
	await sandbox.idle();
	const field = { key: hostileText, label: hostileText, isRequired: true };
	const hostile = {
		templateID: 'hostile',
		name: hostileText,
		description: hostileText,
		form: [field],
	};
	const wrong = { name: hostileText, inputs: [{ key: '__proto__' }] };
	await importPasted([{ ...hostile, key: hostileText, formSignatory: [field] }, wrong]);
	expect(await page.textContent('main')).toContain(hostileText);
	await expectHarmless();
	const made = await create(sandbox, http, 'v2', {
		templateID: 'hostile',
		inputs: { [hostileText]: hostileText },
		signatories: [{ email: email, name: hostileText }],
	});
	const imported = made.data.responseData.signatory[0]?.signing.url ?? '';

	const { signing } = document?.signatory[0] ?? {};
	await page.goto(identity?.url ?? '');
	await page.getByLabel('Manual review').check();
	await page.getByRole('button', { name: 'Submit the result' }).click();
	await page.getByText('Sent to manual review.').waitFor();
	await expectHarmless();

	const visited = [
		sandbox.url,
		...pagesOf(sandbox),
		signing?.url ?? '',
		imported,
		identity?.url ?? '',
		...sandbox.mails().map(({ id }) => `${sandbox.url}/mailbox/${id}`),
		`${sandbox.url}/${encodeURIComponent(hostileText)}`,
	];
	for (const url of visited) {
		await page.goto(url);
		await expectHarmless();
	}
	expect(visited.length).toBeGreaterThan(20);
});

/** Checks that the current page has executed nothing, and that its markup contains nothing to execute. */
async function expectHarmless(): Promise<void> {
	for (const frame of page.frames()) {
		const found = await frame
			.evaluate(() => {
				const { document: shown, ran } = globalThis as unknown as {
					ran?: number;
					document: { querySelectorAll(selector: string): ArrayLike<{ outerHTML: string }> };
				};
				const handlers = shown.querySelectorAll('[onerror], script:not([src])');
				return { ran, handlers: Array.from(handlers, ({ outerHTML }) => outerHTML) };
			})
			.catch(() => ({ ran: undefined, handlers: [] }));
		// An email's frame shows the email's markup, but does not run its scripts.
		const isMail = frame !== page.mainFrame();
		expect([page.url(), found.ran]).toEqual([page.url(), undefined]);
		if (!isMail) expect([page.url(), found.handlers]).toEqual([page.url(), []]);
	}
}

async function sendHostileMail({ smtp }: Sandbox): Promise<void> {
	const { createTransport } = await import('nodemailer');
	const transport = createTransport({ ...smtp, secure: false });
	await transport.sendMail({
		from: { name: hostileText, address: 'a@example.com' },
		to: 'b@example.com',
		subject: hostileText,
		text: hostileText,
		html: `<p>${hostileText}</p><script>top.ran=1</script>`,
		attachments: [{ filename: `${hostileText}.html`, content: '<script>top.ran=1</script>' }],
	});
	transport.close();
}

test('the pages do not have accessibility problems on a desktop or on a phone', async () => {
	const many = await start({ seed: { documents: 60 } });
	const client = await signedIn(many);
	hook.statuses = [500, 500, 500];
	await register(client, hook.url, 'sendDocument', 'signDocument');
	const asking = many.templates().find(({ key }) => key === 'mutual_nda');
	const inputs = Object.fromEntries((asking?.fields ?? []).map(({ key }) => [key, 'Something']));
	await create(many, client, 'v2', { templateID: asking?.templateID, inputs });
	await client.get('/no/such/endpoint');
	for (let count = 0; count < 2; count++) await verify(client);
	many.faults.set({ endpoint: 'GET /webhooks', times: 2, response: { status: 503 } });
	const document = many.documents().at(-1);
	const [ana, ben] = document?.signatory ?? [];
	await many.sign(document?.documentID ?? '', ana?.emailID ?? '');
	const [open, done] = many.identityRequests();
	await many.completeIdentity(done?.validationId ?? '', 'pass');
	await many.idle();

	const visited = [
		...pagesOf(sandbox).slice(0, 4),
		...pagesOf(many),
		`${many.url}/lists/documents?page=2`,
		`${many.url}/mailbox/${many.mails()[0]?.id}`,
		ana?.signing.url ?? '',
		ben?.signing.url ?? '',
		open?.url ?? '',
		done?.url ?? '',
		`${many.url}/time`,
		`${many.url}/files/${document?.documentID}/document.pdf?expires=1&signature=x`,
	];
	const found: string[] = [];
	const viewports = [desktop, phone];
	for (const viewport of viewports) {
		await page.setViewportSize(viewport);
		for (const url of visited) {
			await page.goto(url);
			found.push(...(await accessibilityProblems()));
			const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
			if (overflow !== 0) found.push(`${url} is ${String(overflow)} px too wide`);
		}
		// Some states of a page are visible only once its form has been filled in.
		await page.goto(ben?.signing.url ?? '');
		await page.getByLabel('Draw it').check();
		const isPhone = viewport === phone;
		await page.getByLabel(isPhone ? 'Pages' : 'Text', { exact: true }).check();
		found.push(...(await accessibilityProblems()));
		await page.evaluate(`document.querySelector('form').submit()`);
		await page.getByText('Not signed yet.').waitFor();
		found.push(...(await accessibilityProblems()));
	}
	expect(found).toEqual([]);
	process.stdout.write(
		`Accessibility: ${visited.length + 2} pages in ${viewports.length} sizes, ${found.length} problems\n`,
	);
});
