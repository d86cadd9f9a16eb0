import type { MailView } from '../../../../sandbox/types';
import type { Adapt } from '../../support/exampleRuns';
import { own } from '../runStage';
import type { Contract } from './given';
import {
	answers,
	approve,
	ask,
	broken,
	onboardingSays,
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

const teamSays: Array<[RegExp, string]> = [
	[/^Sent before/, 'b'],
	[/^Sent/, 's'],
	[/^May have been sent/, 'u'],
	[/^Not signed yet/, 'm'],
	[/^Not sent/, 'n'],
	[/not passed$/, 'p'],
];
export const forms: Record<string, Sending> = {
	'onboarding-send-the-contract': {
		keyOf: byEmail,
		...form('onboarding-send-the-contract', 'onboarding'),
		give: async (_workflow, [person]) => person && (await submit(person)),
		forget: () => void (pages.length = 0),
		told(people, mails) {
			const shown = pages.filter(({ person }) => person && people.includes(person));
			const unseen = people.filter((each) => !shown.some(({ person }) => person === each));
			return [...shown, ...claimsOf(unseen, mails.filter(isTo(office)), onboardingSays)];
		},
	},
	'hire-wait-until-signed': {
		keyOf: byEmailAndStart,
		...form('hire-wait-until-signed', 'hire'),
		help: sign,
		told: (people, mails) => [
			...claimsOf(people, mails.filter(isTo(office)), teamSays),
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
	'identity-then-contract': {
		keyOf: byEmail,
		...form('identity-then-contract', 'identity-then-contract'),
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
