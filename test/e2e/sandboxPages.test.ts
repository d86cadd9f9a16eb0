import type { Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox';
import { create, type Http, PEOPLE, type Receiver, register } from '../sandbox/serviceKit';
import { accessibilityProblems, openPage, PHONE, picture, usePage } from './support/sandboxPages';

let sandbox: Sandbox;
let http: Http;
let hook: Receiver;
let page: Page;
/** Whatever a page complained about. */
let complaints: string[];

const stage = usePage();
beforeEach(() => {
	({ sandbox, http, hook, page, complaints } = stage);
});

const types = () => hook.got.map(({ body }) => body.type);

test('three people sign from their mails: three signDocument events, one completedDocument', async () => {
	await register(http, hook.url, 'signDocument', 'completedDocument');
	const asking = sandbox.templates().find(({ key }) => key === 'mutual_nda');
	const inputs = {
		first_party: 'Ana Torres',
		second_party: 'Ben Okafor',
		purpose: 'Trying out a workflow',
		effective_date: '1 December 2026',
	};
	await create(sandbox, http, 'v2', { templateID: asking?.templateID, inputs });
	await sandbox.idle();

	for (const [index, { name, email }] of PEOPLE.entries()) {
		await page.goto(`${sandbox.url}/mailbox`);
		if (index === 0) await picture(page, 'mailbox');
		await page.getByRole('link', { name: email }).click();
		const link = page.frameLocator('iframe').getByRole('link', { name: 'Read and sign' });
		const [signing] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
		await signing.waitForSelector('[data-shown]');
		await signing.getByLabel(/^Registration number/).fill(`HRB ${4711 + index}`);
		if (index === 1) {
			await signing.getByLabel('Draw it').check();
			await draw(signing);
			await picture(signing, 'sign');
		} else {
			await signing.getByLabel('Your full name').fill(name);
		}
		await signing.getByRole('button', { name: 'Sign the document' }).click();
		await signing.getByRole('heading', { name: 'You have signed' }).waitFor();
		if (index === 2) {
			expect(await signing.textContent('main')).toContain('The document is complete.');
			await picture(signing, 'signed');
		}
		await signing.close();
	}
	await sandbox.idle();
	expect(types()).toEqual(['signDocument', 'signDocument', 'signDocument', 'completedDocument']);
	const signers = hook.got.map(({ body }) => body.Document.webhookData?.signatory.emailID);
	expect(signers.slice(0, 3)).toEqual(PEOPLE.map(({ email }) => email));
	expect(sandbox.documents()[0]).toMatchObject({ status: 'COMPLETED' });
	expect(sandbox.documents()[0]?.signatory.map(({ signatureType }) => signatureType)).toEqual([
		'TEXT',
		'DRAW',
		'TEXT',
	]);
	expect(complaints).toEqual([]);
});

/** Draws something like a signature with the mouse. */
async function draw(on: Page): Promise<void> {
	const box = await on.locator('canvas.pad').boundingBox();
	if (!box) throw new Error('There is no pad');
	const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
	await on.mouse.move(...at(0.1, 0.7));
	await on.mouse.down();
	for (let step = 1; step <= 24; step++) {
		await on.mouse.move(...at(0.1 + step * 0.03, 0.55 - 0.25 * Math.sin(step * 0.9)));
	}
	await on.mouse.up();
}

test('an identity check goes to its end with sample images, over a manual review', async () => {
	await http.post('/webhooks/verify', {
		name: 'browser',
		type: 'VERIFICATION_REQUEST_FINISHED',
		url: hook.url,
	});
	await http.post('/identity/validation/request', {
		email: 'ana@example.com',
		type: 'FACE',
		backgroundCheck: false,
	});
	await page.goto(sandbox.identityRequests()[0]?.url ?? '');
	expect(await page.textContent('main')).toContain('No real verification happens here.');
	await picture(page, 'identity');
	await picture(page, 'identity-phone', PHONE);
	await page.getByLabel('Sample ID of Kofi').check();
	await page.getByLabel('Sample selfie of Kofi').check();
	await page.getByLabel('Manual review').check();
	await page.getByRole('button', { name: 'End the check' }).click();
	await page.getByText('Sent to manual review.').waitFor();
	await page.getByLabel('Pass').check();
	await page.getByRole('button', { name: 'End the check' }).click();
	await page.getByText('This check is finished: passed.').waitFor();
	await sandbox.idle();
	expect(types()).toEqual(['VERIFICATION_REQUEST_FINISHED']);
	expect(sandbox.identityRequests()[0]).toMatchObject({ status: 'COMPLETED', outcome: 'pass' });
	expect(complaints).toEqual([]);
});

test('the console gives the credential for n8n, to copy value by value', async () => {
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.goto(sandbox.url);
	const { userId, apiKey } = sandbox.account;
	const values = { 'Base URL': sandbox.baseUrl, 'User ID': userId, 'API Key': apiKey };
	for (const [label, value] of Object.entries(values)) {
		await page.getByText(value, { exact: true }).waitFor();
		await page.getByRole('button', { name: `Copy ${label}`, exact: true }).click();
		await page.getByRole('status').getByText(`${label} copied.`).waitFor();
		expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
	}
	expect(complaints).toEqual([]);
});

test('a delivery fails, shows in the console by itself, and is sent again from there', async () => {
	await register(http, hook.url, 'sendDocument');
	hook.answers = [500, 500, 500];
	await page.goto(sandbox.url);
	await page.getByText('No event was delivered yet.').waitFor();
	await create(sandbox, http, 'v2', { signatories: PEOPLE.slice(0, 1) });
	// The page is not loaded anew: it finds out itself.
	await page.locator('.pill', { hasText: 'failed' }).waitFor();
	await page.getByText(/3 attempts/).click();
	expect(await page.locator('.attempts').textContent()).toContain('HTTP 500');
	await picture(page, 'console');
	await page.getByRole('button', { name: 'Send again: Document Sent' }).click();
	await page.getByText('The delivery is on its way again.').waitFor();
	await page.locator('.pill', { hasText: 'delivered' }).waitFor();
	expect(types()).toEqual(Array(4).fill('sendDocument'));
	expect(complaints).toEqual([]);
});

test('events and faults are set off from their pages, without JavaScript too', async () => {
	await page.context().close();
	({ page } = await openPage(stage.browser, { javaScriptEnabled: false }));
	await register(http, hook.url, 'failedBiometric');
	await create(sandbox, http);
	await page.goto(sandbox.url);
	await page.getByRole('link', { name: /^Send an event about/ }).click();
	await page.getByLabel('Event').first().selectOption('failedBiometric');
	await page.getByRole('button', { name: 'Send the event' }).first().click();
	await page.getByText('The event is on its way').waitFor();
	await sandbox.idle();
	expect(types()).toEqual(['failedBiometric']);

	await page.getByRole('link', { name: 'Faults' }).click();
	await page.getByRole('button', { name: 'Set: Too many requests' }).click();
	await page.getByText('It goes wrong from now on.').waitFor();
	await picture(page, 'faults');
	const limited = await http.get('/webhooks');
	expect([limited.status, limited.headers['retry-after']]).toEqual([429, '2']);
	await page.getByRole('button', { name: 'Clear all' }).click();
	expect((await http.get('/webhooks')).status).toBe(200);
});

/** What axe finds in Swagger UI itself, which is not ours to change. */
const ofSwaggerUi = /nested-interactive|scrollable-region-focusable|select-name|heading-order/;

test('the page of the API shows every endpoint and event, and asks no other host', async () => {
	const elsewhere: string[] = [];
	page.on('request', (request) => {
		if (!request.url().startsWith(sandbox.url)) elsewhere.push(request.url());
	});
	await page.goto(sandbox.url);
	await page.getByRole('link', { name: 'API' }).click();
	await page.locator('.opblock').first().waitFor();
	await picture(page, 'docs');
	const named = await page.locator('.opblock-summary-path').allInnerTexts();
	expect(named).toHaveLength(19);
	expect(named.join(' ')).toContain('VERIFICATION_REQUEST_FINISHED');

	// The Document of a notification can be read down to its signatories.
	const event = page.locator('.opblock', { hasText: 'completedDocument' });
	await event.getByRole('button').first().click();
	await event.locator('.opblock-body').getByText('"pscCertificateURL"').waitFor();
	const problems = await accessibilityProblems(page);
	expect(problems.filter((problem) => !ofSwaggerUi.test(problem))).toEqual([]);
	expect(elsewhere.filter((url) => !url.startsWith('data:'))).toEqual([]);
	expect(complaints).toEqual([]);
});

test('a call can be tried on it', async () => {
	await page.goto(`${sandbox.url}/docs`);
	await page.getByRole('button', { name: 'Authorize' }).click();
	const asked = page.locator('.auth-container');
	const fill = async (header: string, value: string) => {
		const one = asked.filter({ hasText: header });
		await one.getByRole('textbox').fill(value);
		await one.getByRole('button', { name: 'Apply credentials' }).click();
	};
	await fill('Name: user-id', sandbox.account.userId);
	await fill('Name: api-key', sandbox.account.apiKey);
	await page.getByRole('button', { name: 'Close' }).last().click();

	const call = page.locator('.opblock', { hasText: '/access/token' });
	await call.getByRole('button').first().click();
	await call.getByRole('button', { name: 'Try it out' }).click();
	await call.getByRole('button', { name: 'Execute' }).click();
	await call.locator('.live-responses-table').getByText('Token generated Successfully').waitFor();
	expect(sandbox.requests.at(-1)).toMatchObject({ path: '/access/token', status: 200 });
	expect(sandbox.requests.at(-1)?.violation).toBeUndefined();
	expect(complaints).toEqual([]);
});
