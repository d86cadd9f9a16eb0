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
const publish = (file: string) => async (isShort: boolean) =>
	await own.publish(file, isShort ? short : undefined);

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
		isList: false,
		keyOf: byEmail,
		publish: publish('onboarding-send-the-contract'),
		give: async (_workflow, [person]) => person && (await submit(person)),
		forget: () => void (pages.length = 0),
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
		forget: () => void (answers.length = 0),
		told: (people) => answers.filter(({ person }) => person && people.includes(person)),
	},
};
