import type { MailView } from '../../../../sandbox/types';
import { dataTable } from '../../support/dataTable';
import type { Adapt } from '../../support/exampleRuns';
import { own } from '../runStage';
import type { Contract } from './given';
import {
	answers,
	approve,
	ask,
	broken,
	pages,
	pass,
	secret,
	sign,
	submit,
	valuesOf,
} from './people';
import { type Claim, plainEmail, type Sending, whose } from './runSending';

// The examples that one person after another is given to, by a form or over HTTP.
const office = 'people@example.com';
const asker = 'asks@example.com';
const byEmail = ({ email }: Contract) => plainEmail(email);
const byEmailAndStart = (person: Contract) => `${byEmail(person)} ${person.start}`;
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
/** An example that begins with a form. @param more Values of fields that only it has. */
const form = (file: string, path: string, ...more: string[]) => ({
	publish: async (isShort: boolean) => await own.publish(file, isShort ? short : undefined),
	give: async (_workflow: string, [person]: Contract[]) =>
		person && (await own.fill(path, [...valuesOf(person), ...more])),
});

/** The table of the example that keeps its own data, which the example makes when it runs. */
const ownTable = {
	name: 'Contracts and their managers',
	columns: ['documentId', 'employee', 'manager', 'costCenter', 'status'].map((name) => ({
		name,
		type: 'string' as const,
	})),
};
const ownRows = async () =>
	await (await dataTable<{ employee: string; status: string }>(own.stage, ownTable.name)).rows();
/** How many of them there were before the round, and are from it. */
let rowsBefore = 0;
let rowsSeen = 0;

/** What the mails to the office say of each person. */
const toOffice = (people: Contract[], mails: MailView[]): Claim[] =>
	mails.filter(isTo(office)).flatMap((mail) => {
		const person = whose(people, mail.subject);
		return person ? [{ person, says: officeSays(mail) }] : [];
	});
function officeSays({ text }: MailView): string {
	if (text.startsWith('The contract was sent.')) return 's';
	if (/may have been created|was never told/.test(text)) return 'u';
	if (text.includes('was sent before')) return 'b';
	return /^Reason: *$/m.test(text.replaceAll('\r', '')) ? 'm' : 'n';
}
export const forms: Record<string, Sending> = {
	'send-from-form': {
		keyOf: byEmail,
		...form('send-from-form', 'onboarding'),
		give: async (_workflow, [person]) => person && (await submit(person)),
		forget: () => void (pages.length = 0),
		told: (people) => pages.filter(({ person }) => person && people.includes(person)),
	},
	'wait-until-signed': {
		keyOf: byEmail,
		...form('wait-until-signed', 'hire'),
		help: sign,
		told: (people, mails) => [
			...toOffice(people, mails),
			...mails.flatMap(({ subject, to: [to = ''] }) =>
				subject === 'Welcome!'
					? [
							{
								person: people.find(({ email }) => plainEmail(email) === plainEmail(to)),
								says: 's',
							},
						]
					: [],
			),
		],
	},
	'identity-then-contract': {
		keyOf: byEmail,
		...form('identity-then-contract', 'identity-then-contract'),
		help: pass,
		told: (people, mails) => toOffice(people, mails),
	},
	'find-my-row-send': {
		keyOf: byEmail,
		async publish() {
			await own.n8n.api.dataTable(ownTable);
			rowsBefore = (await ownRows()).length;
			rowsSeen = 0;
			return await own.publish('find-my-row-send');
		},
		give: async (_workflow, [person]) =>
			person && (await own.fill('find-my-row', [...valuesOf(person), 'boss@example.com', '4711'])),
		forget: () => void (rowsBefore += rowsSeen),
		async told(people, mails) {
			const rows = (await ownRows()).slice(rowsBefore);
			rowsSeen = rows.length;
			const written = rows.map(({ employee, status }) => ({
				person: people.find(({ name }) => name === employee),
				says: status === 'Sent' ? 's' : status.includes('never told') ? 'u' : 'b',
			}));
			return [...written, ...toOffice(people, mails)];
		},
	},
	'approval-before-sending': {
		keyOf: byEmailAndStart,
		...form('approval-before-sending', 'ask-for-a-contract', asker),
		help: approve,
		told: (people, mails) =>
			claimsOf(people, mails.filter(isTo(asker)), [
				[/was sent before$/, 'b'],
				[/was sent$/, 's'],
				[/may have been sent$/, 'u'],
				[/was (?:not sent|declined|not approved in time)$/, 'n'],
			]),
	},
	'request-over-http': {
		keyOf: ({ key }) => key,
		async publish() {
			const { id } = await own.n8n.api.createCredential({
				name: 'Header Auth account',
				type: 'httpHeaderAuth',
				data: { name: 'X-Secret', value: secret },
			});
			own.credentials.httpHeaderAuth = id;
			return await own.publish('request-over-http');
		},
		// The answer to a request that n8n did not survive is no answer.
		give: async (_workflow, [person]) => person && void ask(person),
		help: async (_workflow, person) => broken.has(person) && (await ask(person)),
		forget: () => void (answers.length = 0),
		told: (people) => answers.filter(({ person }) => person && people.includes(person)),
	},
};
