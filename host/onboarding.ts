import { setTimeout as delay } from 'node:timers/promises';

import axios, { isAxiosError } from 'axios';

import { newConnections } from '../sandbox/util/connections';
import { toRealPeople } from './workflow';

/** The new hire in the demo and the screenshots. */
export const colleague = {
	name: 'Zoë Åkerström',
	email: 'zoe@example.com',
	role: 'Data Analyst',
	startDate: '2027-01-11',
};

/** The fixed values that the example workflow puts into each contract. */
export const company = {
	employer: 'Example Company',
	workplace: 'Main office, 1 Example Street, Springfield',
};

/** The node parameters for sending the sandbox's employment contract to {@link colleague}. */
export const contractForm = {
	templateId: { __rl: true, mode: 'id', value: '65f1c0de0000000000000201' },
	fields: {
		mappingMode: 'defineBelow',
		value: {
			employee_name: colleague.name,
			role: colleague.role,
			start_date: 'January 11, 2027',
		},
	},
	specifySignatories: 'oneByOne',
	signatories: { signatory: [{ email: colleague.email, name: colleague.name }] },
	country: { __rl: true, mode: 'name', value: 'United States' },
	...toRealPeople,
};

const http = axios.create({ proxy: false, httpAgent: newConnections, timeout: 30_000 });

// axios's message, "Request failed with status code 400", does not name the call, so replace it with one that
// does.
http.interceptors.response.use(undefined, (error: unknown) => {
	if (!isAxiosError<unknown>(error)) throw error;
	const { method = '', url = '' } = error.config ?? {};
	const reason = error.response ? `HTTP ${error.response.status}` : error.message;
	throw new Error(`${method.toUpperCase()} ${url} failed: ${reason}`);
});

/** An email in the sandbox's mailbox, and the link in it. */
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
 * Waits for an email to {@link colleague} and reads it from the sandbox's mailbox over HTTP.
 * @param url The sandbox's URL.
 * @param beginning The words that the email's subject begins with.
 * @throws Error if the email does not arrive within 20 seconds.
 */
async function readMail(url: string, beginning: string): Promise<Mail> {
	const deadline = Date.now() + waitMs;
	for (;;) {
		const { data: mails } = await http.get<Mail[]>(`${url}/sandbox/mails`);
		const mail = mails.find(
			({ subject, to }) => subject.startsWith(beginning) && to.includes(colleague.email),
		);
		if (mail) return mail;
		if (Date.now() > deadline) {
			throw new Error(
				`No email whose subject starts with "${beginning}" arrived for ${colleague.email} within ${waitMs / 1000} s.`,
			);
		}
		await delay(100);
	}
}

/** Waits for the email with the signing link. */
export async function readSigningMail(url: string): Promise<LinkMail> {
	const { subject, text } = await readMail(url, 'Please sign:');
	return { subject, link: /https?:\S+\/sign\/[\w-]+/.exec(text)?.[0] ?? '' };
}

/**
 * Waits for the email that the second workflow sends. The returned link points to the email's attachment,
 * which is the signed document.
 */
export async function readSignedMail(url: string): Promise<LinkMail> {
	const { subject, id } = await readMail(url, 'Signed:');
	return { subject, link: `${url}/mailbox/${id}/attachments/0` };
}

export async function submitForm(url: string): Promise<void> {
	const page = await http.get<string>(url);
	if (!page.data.includes('Send the contract'))
		throw new Error("The form doesn't show its button.");
	const form = new FormData();
	// n8n names a form's fields after their position.
	[colleague.name, colleague.email, colleague.role, colleague.startDate].forEach((value, index) =>
		form.append(`field-${index}`, value),
	);
	await http.post(url, form);
}

/** Opens a signing link and signs with a typed name. */
export async function sign(link: string): Promise<void> {
	const page = await http.get<string>(link);
	if (!page.data.includes('Employment contract')) {
		throw new Error("The signing page doesn't show the document.");
	}
	await http.post(link, new URLSearchParams({ kind: 'typed', text: colleague.name }));
}

export async function fetchFile(link: string): Promise<Buffer> {
	return Buffer.from((await http.get<ArrayBuffer>(link, { responseType: 'arraybuffer' })).data);
}
