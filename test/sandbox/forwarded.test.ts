import type { Sandbox } from '../../sandbox';
import { create, PEOPLE, signedIn, start, stopAll } from './serviceKit';

afterEach(stopAll);

/** The pages of a mail, as a browser gets them. */
async function mailPages(sandbox: Sandbox, headers: Record<string, string>): Promise<string[]> {
	const [mail] = sandbox.mails();
	const urls = [`/mailbox/${mail?.id}`, `/mailbox/${mail?.id}/message`, '/'];
	return await Promise.all(
		urls.map(async (url) => await (await fetch(sandbox.url + url, { headers })).text()),
	);
}

async function sandboxWithMail(): Promise<Sandbox> {
	const sandbox = await start();
	await create(sandbox, await signedIn(sandbox), 'v2', { signatories: PEOPLE.slice(0, 1) });
	await sandbox.idle();
	return sandbox;
}

test('through a forwarded port, the links to the sandbox lead to the name that the browser knows', async () => {
	const sandbox = await sandboxWithMail();
	const pages = await mailPages(sandbox, { 'x-forwarded-host': 'name-4010.forwarded.example' });
	for (const page of pages) {
		expect(page).toMatch(/href="\/sign\/[\w-]+"/);
		expect(page).not.toContain(`href="${sandbox.url}`);
	}
});

test('without one, the links are those of the mail', async () => {
	const sandbox = await sandboxWithMail();
	const pages = await mailPages(sandbox, {});
	for (const page of pages) expect(page).toContain(`href="${sandbox.url}/sign/`);
});
