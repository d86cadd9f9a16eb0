import type { MailView } from '../../../../sandbox/types';
import { signDocument } from '../../../operations/service';
import { axios } from '../../../support/http';
import { waitingOnes } from '../../support/wait';
import { own } from '../runStage';
import type { Contract } from './given';
import { type Claim, plainEmail } from './runSending';

// What people and programs do with the examples, and what they read then.
const { stage } = own;
export const valuesOf = ({ name, email, start }: Contract) => [name, email, 'Cook', start];
const isWaiting = async (workflow: string) => (await waitingOnes(own.n8n.api, workflow)).length > 0;

const formSays: Array<[RegExp, string]> = [
	[/^Nothing was sent now[^]*never told/, 'u'],
	[/^Nothing was sent now/, 'b'],
	[/^The contract was sent/, 's'],
	[/^Please check[^]*may have been created/, 'u'],
	[/^Please check/, 'n'],
];
/** What the pages of the form have said. */
export const pages: Claim[] = [];
/** Fills in the form, and reads the page that it leads to. */
export async function submit(person: Contract): Promise<void> {
	const data = new FormData();
	valuesOf(person).forEach((value, index) => data.append(`field-${index}`, value));
	const answer = await axios.post<{ formWaitingUrl: string }>(
		`${stage.n8n.url}/form/onboarding`,
		data,
	);
	const status = new URL(answer.data.formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	void (async () => {
		// If n8n is killed, there is no page.
		for (let looks = 0; looks < 200; looks++) {
			const shown = await axios.get<string>(status.href).catch(() => undefined);
			if (shown?.data === 'form-waiting') break;
			await new Promise((resolve) => setTimeout(resolve, 200));
		}
		const { data: page } = await axios.get<string>(answer.data.formWaitingUrl);
		const shown = page
			.slice(page.indexOf('<h1>'))
			.replaceAll(/<[^>]*>/g, ' ')
			.trim();
		const says = formSays.find(([pattern]) => pattern.test(shown))?.[1];
		if (says) pages.push({ person, says });
	})().catch(() => undefined);
}

/** What the requests were answered. */
export const answers: Claim[] = [];
/** Whose requests got no answer. */
export const broken = new Set<Contract>();
export const secret = 'not-a-secret-of-anybody';
const statuses: Record<number, string> = { 200: 'b', 201: 's', 409: 'u', 422: 'n', 503: 'n' };

/** Asks for a contract, as a program does. */
export async function ask(person: Contract): Promise<void> {
	const body = { ...person, role: 'Cook' };
	broken.delete(person);
	try {
		const { status } = await axios.post(`${stage.n8n.url}/webhook/contracts`, body, {
			headers: { 'content-type': 'application/json', 'x-secret': secret },
		});
		answers.push({ person, says: statuses[status] ?? String(status) });
	} catch {
		broken.add(person);
	}
}

/** Mails with a question that were answered. */
const decided = new Set<string>();
const linkOf = ({ html }: MailView) =>
	/href="(http[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
/** Approves every question that waits. */
export async function approve(workflow: string): Promise<void> {
	const mails = own.mailsTo('boss@example.com').filter(({ id }) => !decided.has(id));
	if (mails.length === 0 || !(await isWaiting(workflow))) return;
	for (const mail of mails) {
		decided.add(mail.id);
		await decide(mail, 'Send the contract');
	}
}
/** Decides on the page of a question. */
export async function decide(mail: MailView, decision: 'Send the contract' | 'Decline') {
	const data = new FormData();
	data.append('field-0', decision);
	await axios.post(linkOf(mail), data, { headers: browser });
}
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
/** Opens the page of a question, as a mail scanner does, too. */
export const open = async (mail: MailView) =>
	await axios.get<string>(linkOf(mail), { headers: browser });

/** Signs what a person was sent, when the execution waits for it. */
export async function sign(workflow: string, person: Contract): Promise<void> {
	const open = stage.sandbox
		.documents()
		.filter(({ status, signatory }) => status === 'PENDING' && signatory[0]?.name === person.name);
	if (open.length === 0 || !(await isWaiting(workflow))) return;
	for (const { documentID } of open) await signDocument(stage.sandbox, documentID);
}

/** Passes the check of a person who has the link. */
export async function pass(workflow: string, person: Contract): Promise<void> {
	const open = stage.sandbox
		.identityRequests()
		.filter(({ emailId, outcome }) => !outcome && plainEmail(emailId) === plainEmail(person.email));
	if (open.length === 0 || (await waitingOnes(own.n8n.api, workflow)).length < open.length) return;
	for (const { validationId } of open) await stage.sandbox.completeIdentity(validationId, 'pass');
}
