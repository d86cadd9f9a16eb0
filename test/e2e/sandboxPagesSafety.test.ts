import type { Browser, Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox';
import {
	create,
	createBody,
	CREATE_V1,
	type Http,
	PEOPLE,
	type Receiver,
	register,
	signedIn,
	start,
	template,
} from '../sandbox/serviceKit';
import {
	DESKTOP,
	openPage,
	pagesOf,
	PHONE,
	accessibilityProblems,
	usePage,
} from './support/sandboxPages';

let browser: Browser;
let sandbox: Sandbox;
let http: Http;
let hook: Receiver;
let page: Page;

const stage = usePage();
beforeEach(() => {
	({ browser, sandbox, http, hook, page } = stage);
});

const HOSTILE = `"><img src=x onerror="window.ran=1"><script>window.ran=1</script>'{{constructor}}`;
/** As far as an address can be hostile: quotes and angle brackets are refused. */
const EMAIL = 'a&quot`{{b}}=$c@example.com';

test('hostile values run nowhere, even where the policy of the pages is off', async () => {
	await page.context().close();
	({ page } = await openPage(browser, { bypassCSP: true }));
	const inputs = Object.fromEntries(
		template(sandbox, 'v2').fields.map(({ key }) => [key, HOSTILE]),
	);
	const refused = await create(sandbox, http, 'v2', {
		inputs,
		signatories: [{ email: '<b>x</b>@example.com', name: HOSTILE }],
	});
	expect(refused.status).toBe(400);
	const signatories = [{ email: EMAIL, name: HOSTILE }, ...PEOPLE];
	expect((await create(sandbox, http, 'v2', { inputs, signatories })).status).toBe(200);
	await http.post(CREATE_V1, { ...createBody(sandbox, 'v1'), country: HOSTILE, signatories });
	await http.post('/webhooks', undefined, {
		params: { url: `http://127.0.0.1:9/${HOSTILE}`, type: 'signDocument' },
	});
	await http.post(`/${encodeURIComponent(HOSTILE)}`, { [HOSTILE]: HOSTILE });
	await http.post('/identity/validation/request', {
		email: EMAIL,
		type: HOSTILE,
		backgroundCheck: true,
	});
	const [identity] = sandbox.identityRequests();
	const [document] = sandbox.documents();
	await sandbox.sign(document?.documentID ?? '', PEOPLE[0]?.email ?? '');
	await sendHostileMail(sandbox);
	await sandbox.idle();

	const { signing } = document?.signatory[0] ?? {};
	await page.goto(identity?.url ?? '');
	await page.getByLabel('Manual review').check();
	await page.getByRole('button', { name: 'End the check' }).click();
	await page.getByText('Sent to manual review.').waitFor();

	const visited = [
		sandbox.url,
		...pagesOf(sandbox),
		signing?.url ?? '',
		identity?.url ?? '',
		...sandbox.mails().map(({ id }) => `${sandbox.url}/mailbox/${id}`),
		`${sandbox.url}/lists/documents?q=${encodeURIComponent(HOSTILE)}`,
		`${sandbox.url}/${encodeURIComponent(HOSTILE)}`,
	];
	for (const url of visited) {
		await page.goto(url);
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
			// In a mail's own frame its markup is shown, but nothing of it runs.
			const isMail = frame !== page.mainFrame();
			expect([url, found.ran]).toEqual([url, undefined]);
			if (!isMail) expect([url, found.handlers]).toEqual([url, []]);
		}
	}
	expect(visited.length).toBeGreaterThan(20);
});

/** What has to be moved sideways to be read, and titles that have less than half of their row. */
function squeezed(): string[] {
	interface Shown {
		className: string;
		textContent: string;
		scrollWidth: number;
		clientWidth: number;
		getBoundingClientRect(): { width: number };
		closest(selector: string): Shown;
	}
	const { document: shown, getComputedStyle: styleOf } = globalThis as unknown as {
		document: { querySelectorAll(selector: string): Iterable<Shown> };
		getComputedStyle(element: Shown): { overflowX: string };
	};
	const found: string[] = [];
	for (const each of shown.querySelectorAll('main *')) {
		if (/auto|scroll/.test(styleOf(each).overflowX) && each.scrollWidth > each.clientWidth)
			found.push(`.${each.className} is moved sideways`);
	}
	for (const title of shown.querySelectorAll('.row h3')) {
		const { width } = title.getBoundingClientRect();
		if (width < 0.5 * title.closest('.row').getBoundingClientRect().width)
			found.push(`"${title.textContent}" has ${Math.round(width)} px`);
	}
	return found;
}

async function sendHostileMail({ smtp }: Sandbox): Promise<void> {
	const { createTransport } = await import('nodemailer');
	const transport = createTransport({ ...smtp, secure: false });
	await transport.sendMail({
		from: { name: HOSTILE, address: 'a@example.com' },
		to: 'b@example.com',
		subject: HOSTILE,
		text: HOSTILE,
		html: `<p>${HOSTILE}</p><script>top.ran=1</script>`,
		attachments: [{ filename: `${HOSTILE}.html`, content: '<script>top.ran=1</script>' }],
	});
	transport.close();
}

test('no page has a problem of accessibility, on a desk or on a phone, light or dark', async () => {
	const many = await start({ seed: { documents: 60 } });
	const client = await signedIn(many);
	hook.answers = [500, 500, 500];
	await register(client, hook.url, 'sendDocument', 'signDocument');
	const asking = many.templates().find(({ key }) => key === 'mutual_nda');
	const inputs = Object.fromEntries((asking?.fields ?? []).map(({ key }) => [key, 'Something']));
	await create(many, client, 'v2', { templateID: asking?.templateID, inputs });
	await client.get('/no/such/endpoint');
	const ask = { email: 'ana@example.com', type: 'FACE', backgroundCheck: true };
	for (let count = 0; count < 2; count++) await client.post('/identity/validation/request', ask);
	many.faults.set({ endpoint: 'GET /webhooks', times: 2, answer: { status: 503 } });
	const document = many.documents().at(-1);
	const [ana, ben] = document?.signatory ?? [];
	await many.sign(document?.documentID ?? '', ana?.emailID ?? '');
	const [open, done] = many.identityRequests();
	await many.completeIdentity(done?.validationId ?? '', 'pass');
	await many.idle();

	const visited = [
		...pagesOf(sandbox).slice(0, 4),
		...pagesOf(many),
		`${many.url}/lists/documents?q=completed&page=2`,
		`${many.url}/mailbox/${many.mails()[0]?.id}`,
		ana?.signing.url ?? '',
		ben?.signing.url ?? '',
		open?.url ?? '',
		done?.url ?? '',
		`${many.url}/time`,
		`${many.url}/files/${document?.documentID}/document.pdf?expires=1&signature=x`,
	];
	const found: string[] = [];
	const looks = [
		[DESKTOP, 'light'],
		[DESKTOP, 'dark'],
		[PHONE, 'light'],
	] as const;
	for (const [viewport, colorScheme] of looks) {
		await page.setViewportSize(viewport);
		await page.emulateMedia({ colorScheme });
		for (const url of visited) {
			await page.goto(url);
			found.push(...(await accessibilityProblems(page)));
			const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
			if (overflow !== 0) found.push(`${url} is ${String(overflow)} px too wide`);
			for (const problem of await page.evaluate(squeezed)) found.push(`${url}: ${problem}`);
		}
		// The states of the pages that only a person's doing brings about.
		await page.goto(ben?.signing.url ?? '');
		await page.getByLabel('Draw it').check();
		const isPhone = viewport === PHONE;
		await page.getByLabel(isPhone ? 'Pages' : 'Text', { exact: true }).check();
		found.push(...(await accessibilityProblems(page)));
		await page.evaluate(`document.querySelector('form').submit()`);
		await page.getByText('Not signed yet.').waitFor();
		found.push(...(await accessibilityProblems(page)));
	}
	expect(found).toEqual([]);
	process.stdout.write(
		`Accessibility: ${visited.length + 2} pages in ${looks.length} looks, ${found.length} problems\n`,
	);
});
