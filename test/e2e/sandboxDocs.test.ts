import { picture, accessibilityProblems, usePage } from './support/sandboxPages';

/** What axe finds in Swagger UI itself, which is not ours to change. */
const ofSwaggerUi = /nested-interactive|scrollable-region-focusable|select-name|heading-order/;

const stage = usePage();

test('the page of the API shows every endpoint and event, and asks no other host', async () => {
	const { page, sandbox, complaints } = stage;
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
	const { page, sandbox, complaints } = stage;
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
