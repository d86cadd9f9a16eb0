import type { MailView } from '../../../../sandbox/types';
import { axios } from '../../support/http';
import type { Adapt } from '../../support/exampleRuns';
import { signAll, waitingOnes } from '../../support/wait';
import { own } from '../runStage';
import type { Contract } from './given';
import { type Claim, plainEmail, type Sending, whose } from './runSending';

// The examples that one person after another is given to, by a form or over HTTP.
const { stage } = own;
const office = 'people@example.com';
const asker = 'asks@example.com';
const byEmail = ({ email }: Contract) => plainEmail(email);
const byEmailAndStart = (person: Contract) => `${byEmail(person)} ${person.start}`;
const valuesOf = ({ name, email, start }: Contract) => [name, email, 'Cook', start];
const isTo = (address: string) => (mail: MailView) => mail.to.includes(address);

/** The claims that the subjects of some mails make. @param say Patterns, and what each says. */
function claimsOf(people: Contract[], mails: MailView[], say: Array<[RegExp, string]>): Claim[] {
	return mails.flatMap(({ subject }) => {
		const says = say.find(([pattern]) => pattern.test(subject))?.[1];
		const person = whose(people, subject);
		return says && person ? [{ person, says }] : [];
	});
}

/** Seconds in place of the days that nodes wait for a person. */
const short: Adapt = (_node, nodes) => {
	for (const { parameters } of nodes) {
		if (parameters.operation !== 'sendAndWait') continue;
		const values = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
		if (parameters.options && parameters.responseType)
			Object.assign(parameters.options, { limitWaitTime: { values } });
		else Object.assign(parameters, { limitWaitTime: 0.05, limitWaitTimeUnit: 'minutes' });
	}
};
const publish = (file: string) => async (isShort: boolean) =>
	await own.publish(file, isShort ? short : undefined);
const isWaiting = async (workflow: string) => (await waitingOnes(own.n8n.api, workflow)).length > 0;

/** What the pages of the onboarding form have said. */
const pages: Claim[] = [];
async function submit(person: Contract): Promise<void> {
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
		const title = /<h1>\s*([^<]*?)\s*<\/h1>/.exec(page)?.[1] ?? '';
		const says = onboardingSays.find(([pattern]) => pattern.test(title))?.[1];
		if (says) pages.push({ person, says });
	})().catch(() => undefined);
}
const onboardingSays: Array<[RegExp, string]> = [
	[/^Sent before/, 'b'],
	[/^Sent/, 's'],
	[/^Not sent/, 'n'],
	[/^Nobody knows/, 'u'],
];
const teamSays: Array<[RegExp, string]> = [
	[/^Sent before/, 'b'],
	[/^Sent/, 's'],
	[/^May have been sent/, 'u'],
	[/^Not signed yet/, 'm'],
	[/^Not sent/, 'n'],
	[/not passed$/, 'p'],
];
const answers: Claim[] = [];
const broken = new Set<Contract>();
const secret = 'not-a-secret-of-anybody';
const statuses: Record<number, string> = { 200: 'b', 201: 's', 409: 'u', 422: 'n', 503: 'n' };

/** Asks for a contract, as a program does. */
async function ask(person: Contract): Promise<void> {
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
async function approve(workflow: string): Promise<void> {
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
async function sign(workflow: string, person: Contract): Promise<void> {
	const open = stage.sandbox
		.documents()
		.filter(({ status, signatory }) => status === 'PENDING' && signatory[0]?.name === person.name);
	if (open.length === 0 || !(await isWaiting(workflow))) return;
	for (const { documentID } of open) await signAll(stage.sandbox, documentID);
}

/** Passes the check of a person who has the link. */
async function pass(workflow: string, person: Contract): Promise<void> {
	const open = stage.sandbox
		.identityRequests()
		.filter(({ emailId, outcome }) => !outcome && plainEmail(emailId) === byEmail(person));
	if (open.length === 0 || (await waitingOnes(own.n8n.api, workflow)).length < open.length) return;
	for (const { validationId } of open) await stage.sandbox.completeIdentity(validationId, 'pass');
}

export const forms: Record<string, Sending> = {
	'onboarding-send-the-contract': {
		isList: false,
		keyOf: byEmail,
		publish: publish('onboarding-send-the-contract'),
		give: async (_workflow, [person]) => person && (await submit(person)),
		told(people, mails) {
			const shown = pages.filter(({ person }) => person && people.includes(person));
			const unseen = people.filter((each) => !shown.some(({ person }) => person === each));
			return [...shown, ...claimsOf(unseen, mails.filter(isTo(office)), onboardingSays)];
		},
	},
	'hire-wait-until-signed': {
		isList: false,
		keyOf: byEmailAndStart,
		publish: publish('hire-wait-until-signed'),
		give: async (_workflow, [person]) => person && (await own.fill('hire', valuesOf(person))),
		help: sign,
		told: (people, mails) => [
			...claimsOf(people, mails.filter(isTo(office)), teamSays),
			...mails.flatMap(({ subject, to: [to = ''] }) =>
				subject === 'Welcome!'
					? [{ person: people.find(({ email }) => byEmailOf(email) === byEmailOf(to)), says: 's' }]
					: [],
			),
		],
	},
	'approval-before-sending': {
		isList: false,
		keyOf: byEmailAndStart,
		publish: publish('approval-before-sending'),
		give: async (_workflow, [person]) =>
			person && (await own.fill('ask-for-a-contract', [...valuesOf(person), asker])),
		help: approve,
		told: (people, mails) =>
			claimsOf(people, mails.filter(isTo(asker)), [
				[/was sent before$/, 'b'],
				[/was sent$/, 's'],
				[/may have been sent$/, 'u'],
				[/was (?:not sent|declined|not approved in time)$/, 'n'],
			]),
	},
	'identity-then-contract': {
		isList: false,
		keyOf: byEmail,
		publish: publish('identity-then-contract'),
		give: async (_workflow, [person]) =>
			person && (await own.fill('identity-then-contract', valuesOf(person))),
		help: pass,
		told(people, mails) {
			const all = mails.filter(isTo(office));
			const toLookAt = all.flatMap(({ subject, text }) => {
				const person = whose(people, subject);
				if (!person || !subject.startsWith('Please look')) return [];
				return [{ person, says: text.includes('No contract was sent.') ? 'n' : 'u' }];
			});
			return [...toLookAt, ...claimsOf(people, all, teamSays)];
		},
	},
	'request-over-http': {
		isList: false,
		keyOf: ({ key }) => key,
		async publish() {
			own.credentials.httpHeaderAuth ??= (
				await own.n8n.api.createCredential({
					name: 'Header Auth account',
					type: 'httpHeaderAuth',
					data: { name: 'X-Secret', value: secret },
				})
			).id;
			return await own.publish('request-over-http');
		},
		// The answer to a request that n8n did not survive is no answer.
		give: async (_workflow, [person]) => person && void ask(person),
		help: async (_workflow, person) => broken.has(person) && (await ask(person)),
		told: (people) => answers.filter(({ person }) => person && people.includes(person)),
	},
};
function byEmailOf(email: string) {
	return plainEmail(email);
}
