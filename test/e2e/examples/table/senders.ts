import type { MailView } from '../../../../sandbox/types';
import { axios } from '../../../support/http';
import * as own from '../../support/exampleRuns';
import type { Adapt } from '../../support/exampleRuns';
import { waitingExecutions } from '../../support/wait';
import { type Claim, type Contract, plainEmail, type Sending, contractIn } from './runSending';

// The examples for builders that send contracts, with stand-ins for the people and programs that use
// them.
const { stage } = own;
const office = 'people@example.com';
const asker = 'asks@example.com';

/** The outcomes of the requested contracts in the responses to HTTP requests. */
export const responses: Claim[] = [];
/** The contracts whose requests got no response. */
export const withoutResponse = new Set<Contract>();
export const secret = 'not-a-secret-of-anybody';
const statuses: Record<number, string> = { 200: 'b', 201: 's', 409: 'u', 422: 'n', 503: 'n' };

/** Requests a contract over HTTP. */
export async function requestContract(person: Contract): Promise<void> {
	const body = { ...person, role: 'Cook' };
	withoutResponse.delete(person);
	try {
		const { status } = await axios.post(`${stage.n8n.url}/webhook/contracts`, body, {
			headers: { 'content-type': 'application/json', 'x-secret': secret },
		});
		responses.push({ person, says: statuses[status] ?? String(status) });
	} catch {
		withoutResponse.add(person);
	}
}

/** The IDs of the approval emails that have already been answered. */
const decided = new Set<string>();
const linkOf = ({ html }: MailView) =>
	/href="(http[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
/** Approves every contract whose approval is still pending. */
export async function approve(workflow: string): Promise<void> {
	const mails = own.mailsTo('manager@example.com').filter(({ id }) => !decided.has(id));
	if (mails.length === 0 || (await waitingExecutions(stage.n8n.api, workflow)).length === 0) return;
	for (const mail of mails) {
		decided.add(mail.id);
		await decideOn(mail, 'Send the contract');
	}
}
/** Submits a decision on the page that an approval email links to. */
export async function decideOn(mail: MailView, decision: 'Send the contract' | 'Decline') {
	const data = new FormData();
	data.append('field-0', decision);
	await axios.post(linkOf(mail), data, { headers: browser });
}
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
/** Opens the page that an approval email links to, as an email scanner would. */
export const openDecisionPage = async (mail: MailView) =>
	await axios.get<string>(linkOf(mail), { headers: browser });

/**
 * Reads the outcomes of contracts from the subjects of emails.
 * @param say Patterns for subjects, with a letter for each.
 */
function claimsOfMails(
	people: Contract[],
	mails: MailView[],
	say: Array<[RegExp, string]>,
): Claim[] {
	return mails.flatMap(({ subject }) => {
		const says = say.find(([pattern]) => pattern.test(subject))?.[1];
		const person = contractIn(people, subject);
		return says && person ? [{ person, says }] : [];
	});
}

/** Shortens the time that nodes wait for a person from days to seconds. */
const short: Adapt = (_node, nodes) => {
	for (const { parameters } of nodes) {
		if (parameters.operation !== 'sendAndWait') continue;
		const values = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
		if (parameters.options && parameters.responseType)
			Object.assign(parameters.options, { limitWaitTime: { values } });
		else Object.assign(parameters, { limitWaitTime: 0.05, limitWaitTimeUnit: 'minutes' });
	}
};
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const header = 'Contract number,Employee name,Employee email,role,start_date,employer,workplace';
const csvOf = (people: Contract[]) =>
	[
		header,
		...people.map(({ key, name, email, start }) =>
			[key, name, email, 'Cook', start, '', ''].map(cell).join(','),
		),
	].join('\n');

/** Reads the outcomes from send-a-list's email, which doesn't name the people who got a contract. */
function claimsOfListMail(people: Contract[], subject: string, text: string): Claim[] {
	const [, sentCount = ''] = /from Kim, (\d+) sent$/.exec(subject) ?? [];
	if (sentCount === '') return [];
	const [report = '', skipped = ''] = text.replaceAll('\r', '').split(/^Already sent: .*$/m);
	/** Each line of a part belongs to one person, even if a row is in the list twice. */
	const named = (part: string, end: string, says: string): Claim[] => {
		const lines = part.split('\n');
		return people.flatMap((person) => {
			const at = lines.findIndex((line) =>
				`${line}:`.startsWith(`${person.key}, ${person.name}${end}`),
			);
			if (at < 0) return [];
			lines.splice(at, 1);
			return [{ person, says }];
		});
	};
	const wrong = named(report, ': ', 'n');
	const unsure = named(report.replaceAll(/^.*: .*$/gm, ''), ':', 'u');
	const claims = [...wrong, ...unsure, ...named(skipped, ':', 'b')];
	const others = people.filter((person) => !claims.some((claim) => claim.person === person));
	const isRefused = /^(?:Sent: 0\.|Nothing was sent)/.test(report);
	return [...claims, ...others.map((person) => ({ person, says: isRefused ? 'n' : 's' }))];
}

export const senders: Record<string, Sending> = {
	'send-a-list': {
		isList: true,
		keyOf: ({ key }) => key,
		publish: async () => await own.publish('send-a-list'),
		startFor: async (_workflow, people) =>
			await own.fill('send-a-list', [
				'Kim',
				new File([csvOf(people)], 'people.csv', { type: 'text/csv' }),
			]),
		readReports: (people, mails) =>
			mails
				.filter(({ to }) => to.includes(office))
				.flatMap(({ subject, text }) => claimsOfListMail(people, subject, text)),
	},
	'approval-before-sending': {
		keyOf: ({ email, start }) => `${plainEmail(email)} ${start}`,
		publish: async (isShort) =>
			await own.publish('approval-before-sending', isShort ? short : undefined),
		startFor: async (_workflow, [person]) =>
			person &&
			(await own.fill('ask-for-a-contract', [
				person.name,
				person.email,
				'Cook',
				person.start,
				asker,
			])),
		actFor: approve,
		readReports: (people, mails) =>
			claimsOfMails(
				people,
				mails.filter((mail) => mail.to.includes(asker)),
				[
					[/^Already sent: /, 'b'],
					[/^Sent: /, 's'],
					[/^Not confirmed: /, 'u'],
					[/^(?:Not sent|Declined|Not approved in time): /, 'n'],
				],
			),
	},
	'request-over-http': {
		keyOf: ({ key }) => key,
		async publish() {
			const { id } = await stage.n8n.api.createCredential({
				name: 'Header Auth account',
				type: 'httpHeaderAuth',
				data: { name: 'X-Secret', value: secret },
			});
			own.credentials.httpHeaderAuth = id;
			return await own.publish('request-over-http');
		},
		// `startFor` does not wait for the response, because n8n may be killed before it responds.
		startFor: async (_workflow, [person]) => person && void requestContract(person),
		actFor: async (_workflow, person) =>
			withoutResponse.has(person) && (await requestContract(person)),
		forgetResponses: () => void (responses.length = 0),
		readReports: (people) => responses.filter(({ person }) => person && people.includes(person)),
	},
};
