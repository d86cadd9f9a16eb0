import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { startBrowser } from '../../host/browser';
import { useStage } from './support/stage';
import { until } from '../support/until';

/** A port that is forwarded as a development container in the cloud does it. */
interface ForwardedPort {
	/** What the browser enters. */
	url: string;
	close(): void;
}

/**
 * Forwards a port. The program behind it sees the name of its own machine, and the browser's name
 * in `X-Forwarded-Host` only.
 */
async function forwardPort(target: string): Promise<ForwardedPort> {
	const own = new URL(target);
	const server: Server = createServer((incoming, outgoing) => {
		const { host, origin, ...headers } = incoming.headers;
		const local = `localhost:${own.port}`;
		const passed = request(new URL(incoming.url ?? '/', target), {
			method: incoming.method,
			headers: {
				...headers,
				host: local,
				'x-forwarded-host': host,
				...(origin ? { origin: `http://${local}` } : {}),
			},
		});
		passed.on('response', (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		passed.on('error', () => outgoing.destroy());
		incoming.pipe(passed);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

// A development container on another machine: the browser reaches n8n and the sandbox through
// forwarded ports only.
const stage = useStage('forwarded');
const person = { name: 'Zoë Adeyemi', email: 'zoe@example.com' };
let browser: Browser;
let context: BrowserContext;
let ports: { n8n: ForwardedPort; sandbox: ForwardedPort };

beforeAll(async () => {
	browser = await startBrowser();
	context = await browser.newContext();
	ports = {
		n8n: await forwardPort(stage.n8n.url),
		sandbox: await forwardPort(stage.sandbox.url),
	};
	for (const { url } of [stage.n8n, stage.sandbox]) {
		await context.route(`${url}/**`, async (route) => await route.abort());
	}
});

afterAll(async () => {
	await browser?.close();
	ports?.n8n.close();
	ports?.sandbox.close();
});

/** Opens a mail from the mailbox, when it has arrived. */
async function openMail(subject: RegExp): Promise<Page> {
	await until(`a mail ${String(subject)}`, () =>
		stage.sandbox.mails().find((mail) => subject.test(mail.subject)),
	);
	const page = await context.newPage();
	await page.goto(`${ports.sandbox.url}/mailbox`);
	await page.getByRole('link', { name: subject }).first().click();
	return page;
}

/** Fills in the form and sends it. */
async function sendForm(): Promise<Page> {
	const page = await context.newPage();
	await page.goto(stage.formUrl.replace(stage.n8n.url, ports.n8n.url));
	await page.getByLabel('Full name').fill(person.name);
	await page.getByLabel('E-mail').fill(person.email);
	await page.getByLabel('Role').fill('Head of Data');
	await page.getByLabel('Start date').fill('2027-02-01');
	await page.getByRole('button', { name: 'Send the contract' }).click();
	return page;
}

test('the form is sent; sent again, because its page does not say so, it sends no second contract', async () => {
	const first = await sendForm();
	await until('a document', () => stage.sandbox.documents()[0]);
	const again = await sendForm();
	await until('both executions wait for their pages', async () => {
		const found = await stage.n8n.api.executions({ workflowId: stage.workflows.send });
		return found.filter(({ status }) => status === 'waiting').length === 2;
	});
	expect(stage.sandbox.documents()).toHaveLength(1);
	for (const page of [first, again]) {
		// n8n's page may read no answer from a changed origin, and asks at n8n's own URL what came of it.
		expect(await page.locator('body').innerText()).not.toMatch(
			/contract was sent|Nothing was sent/,
		);
		await page.close();
	}
});

test('the link in the e-mail leads to the signing page, and the contract is signed', async () => {
	const mail = await openMail(/^Please sign: Employment contract/);
	const opened = context.waitForEvent('page');
	await mail.frameLocator('iframe').getByRole('link').first().click();
	const page = await opened;
	expect(new URL(page.url()).origin).toBe(ports.sandbox.url);
	await page.locator('[data-shown]').first().waitFor();
	await page.getByLabel('Type it').check();
	await page.getByLabel('Your full name').fill(person.name);
	await page.getByRole('button', { name: 'Sign the document' }).click();
	await page.getByRole('heading', { name: 'You have signed' }).waitFor();
	expect(stage.sandbox.documents()[0]?.status).toBe('COMPLETED');
});

test('the signed document can be fetched from the second e-mail', async () => {
	const mail = await openMail(/^Signed: Employment contract/);
	const attachment = mail.getByRole('link', { name: /Employment contract.*\.pdf/ }).first();
	const address = await attachment.getAttribute('href');
	const answer = await context.request.get(new URL(address ?? '', ports.sandbox.url).href);
	expect(answer.status()).toBe(200);
	expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-');
});
