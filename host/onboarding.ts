import { setTimeout as delay } from 'node:timers/promises';

import axios from 'axios';

/** The new colleague that the demo and the screenshots put through the onboarding. */
export const colleague = {
	name: 'Zoë Åkerström',
	email: 'zoe@example.com',
	role: 'Data Analyst',
	startDate: '2027-01-11',
};

/** What the example's node puts into each contract as fixed texts. */
export const company = {
	employer: 'Example Company Ltd',
	workplace: 'Main office, 1 Example Street, Springfield',
};

/** The sandbox's employment contract for {@link colleague}, as the form of a node holds it. */
export const contractForm = {
	templateId: { __rl: true, mode: 'id', value: '65f1c0de0000000000000201' },
	fields: {
		mappingMode: 'defineBelow',
		value: {
			employee_name: colleague.name,
			role: colleague.role,
			start_date: colleague.startDate,
		},
	},
	signatoriesFrom: 'form',
	signatories: { signatory: [{ email: colleague.email, name: colleague.name }] },
	country: { __rl: true, mode: 'name', value: 'United States' },
};

const http = axios.create({ proxy: false, timeout: 30_000 });

/** A mail that has arrived, and the link that it is about. */
export interface LinkMail {
	subject: string;
	link: string;
}

interface Mail {
	id: string;
	to: string[];
	subject: string;
	text: string;
}

const waitMs = 20_000;

/**
 * Waits for a mail to {@link colleague} in the sandbox's mailbox, read over HTTP.
 *
 * @param url the sandbox's address
 * @throws Error when it has not come after 20 seconds
 */
async function readMail(url: string, subject: RegExp): Promise<Mail> {
	const deadline = Date.now() + waitMs;
	for (;;) {
		const { data: mails } = await http.get<Mail[]>(`${url}/sandbox/mails`);
		const mail = mails.find(
			(received) => subject.test(received.subject) && received.to.includes(colleague.email),
		);
		if (mail) return mail;
		if (Date.now() > deadline) {
			throw new Error(`No email with the subject ${String(subject)} arrived for ${colleague.email}.`);
		}
		await delay(100);
	}
}

/** The mail with the signing link. */
export async function readSigningMail(url: string): Promise<LinkMail> {
	const { subject, text } = await readMail(url, /^Please sign: /);
	return { subject, link: /https?:\S+\/sign\/[\w-]+/.exec(text)?.[0] ?? '' };
}

/** The mail of the second workflow, and where the mailbox has the signed document that is attached. */
export async function readSignedMail(url: string): Promise<LinkMail> {
	const { subject, id } = await readMail(url, /^Signed: /);
	return { subject, link: `${url}/mailbox/${id}/attachments/0` };
}

/** Opens the onboarding form and submits it. */
export async function submitForm(url: string): Promise<void> {
	const page = await http.get<string>(url);
	if (!page.data.includes('Send the contract'))
		throw new Error("The form doesn't show its button.");
	const form = new FormData();
	// n8n names the fields by their place in the form.
	[colleague.name, colleague.email, colleague.role, colleague.startDate].forEach((value, index) =>
		form.append(`field-${index}`, value),
	);
	await http.post(url, form);
}

/** Opens a signing link and signs by typing the name. */
export async function sign(link: string): Promise<void> {
	const page = await http.get<string>(link);
	if (!page.data.includes('Employment contract')) {
		throw new Error("The signing page doesn't show the document.");
	}
	await http.post(link, new URLSearchParams({ kind: 'typed', text: colleague.name }));
}

/** Fetches a file behind a link. */
export async function fetchFile(link: string): Promise<Buffer> {
	return Buffer.from((await http.get<ArrayBuffer>(link, { responseType: 'arraybuffer' })).data);
}
