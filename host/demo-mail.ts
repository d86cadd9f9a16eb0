import { setTimeout as delay } from 'node:timers/promises';

import axios from 'axios';

/** A mail that has arrived, and the link that it is about. */
export interface DemoMail {
	subject: string;
	link: string;
}

const waitMs = 20_000;

/**
 * Waits for a mail in the sandbox's mailbox, read over HTTP.
 *
 * @param url the sandbox's address
 * @param to who the mail is for
 * @param subject what its subject looks like
 * @param link what the link in its text looks like
 * @throws Error when it has not come after 20 seconds, or has no such link
 */
export async function readMail(
	url: string,
	to: string,
	subject: RegExp,
	link: RegExp,
): Promise<DemoMail> {
	const deadline = Date.now() + waitMs;
	for (;;) {
		const { data: mails } = await axios.get<Array<{ to: string[]; subject: string; text: string }>>(
			`${url}/sandbox/mails`,
			{ proxy: false },
		);
		const mail = mails.find((each) => subject.test(each.subject) && each.to.includes(to));
		if (mail) {
			const found = link.exec(mail.text)?.[0];
			if (found) return { subject: mail.subject, link: found };
			throw new Error(`The mail "${mail.subject}" holds no link.`);
		}
		if (Date.now() > deadline) {
			throw new Error(`No mail with the subject ${String(subject)} came to ${to}.`);
		}
		await delay(100);
	}
}

/** The mail with the signing link. */
export async function readSigningMail(url: string, to: string): Promise<DemoMail> {
	return await readMail(url, to, /^Please sign: /, /https?:\S+\/sign\/[\w-]+/);
}
