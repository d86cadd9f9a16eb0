import { identityFinished, clientOf } from '../../../support/credentials';
import { dataTable } from '../../support/dataTable';
import type { Adapt } from '../../support/exampleRuns';
import { replaceGoogle } from '../googleNodes';
import { own } from '../runStage';
import { sheet, tableName, type TableRow } from './lists';
import type { Following, Subject } from './runFollowing';
import type { MailView } from '../../../../sandbox/types';

// The examples that events start, or the time.
const { stage } = own;
const office = 'people@example.com';
const recipients = ['sales@example.com', 'gone@example.com'];
const toOffice = (mails: MailView[], subject: RegExp) =>
	mails.filter((mail) => mail.to.includes(office) && subject.test(mail.subject));
/** The mails to signatories, with or without all files. */
const copies = (mails: MailView[], subject: RegExp, subjects: Subject[]) =>
	mails
		.filter((mail) => subject.test(mail.subject))
		.filter(({ to }) =>
			subjects.some(({ people }) => people.some(({ email }) => to.includes(email))),
		)
		.map(({ text }) => (text.includes('Not attached:') ? 'w' : 't'));
/** The lines of reports that name what failed. */
const reported = (mails: MailView[], subject: RegExp) =>
	toOffice(mails, subject).flatMap(({ text }) =>
		text
			.split(/\r?\n/)
			.flatMap((line) => (/^(?:\S+@\S+|nobody|certificate): /.test(line) ? ['r'] : [])),
	);

/** Writes the rows that thousands-send writes. */
async function intoTable(subjects: Subject[]): Promise<void> {
	await makeTable();
	const table = await dataTable<TableRow>(stage, tableName);
	const rows = subjects.map(({ id, title, people: [person] }) => ({
		...{ documentId: id, contract: title, name: person?.name ?? '', email: person?.email ?? '' },
	}));
	await table.upsert('documentId', ...rows);
}
/** How many files other days have stored. */
let filesBefore = 0;
let isMade = false;
/** Has thousands-send make its table. */
async function makeTable(): Promise<void> {
	if (isMade) return;
	isMade = true;
	const id = await own.store('thousands-send', (node) => {
		node('Whom to send to').parameters.jsCode = 'return [];';
	});
	await own.run(id, 'Start');
}

const soon: Adapt = (node) => {
	const list = node('List all signatories').parameters;
	list.jsCode = String(list.jsCode).replace('{ days: 3 }', '{ days: 0 }');
	const { value } = node('Try again tomorrow, if it fails').parameters.columns as {
		value: { remindAt: string };
	};
	value.remindAt = value.remindAt.replace('days: 1', 'seconds: 3');
};
const atOnce: Adapt = (node) => {
	const { filters } = node('Signed, not followed up').parameters as {
		filters: { conditions: Array<{ condition: string }> };
	};
	filters.conditions = filters.conditions.filter(({ condition }) => condition !== 'lt');
};
const toRecipients: Adapt = (node) => {
	const { assignments } = node('What to tell').parameters.assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	for (const each of assignments) if (each.name === 'to') each.value = JSON.stringify(recipients);
};
/** Runs what the time starts, so many times at once. */
const running = (trigger: string) => async (id: string, times: number) => {
	const { api } = own.n8n;
	const runs = Array.from({ length: times }, async () => await api.run(id, trigger));
	// For 300 rows, that takes a while.
	for (const run of runs) await api.waitForExecution(await run, 300_000);
};
const everyHour = running('Every hour from 9 to 17');

export const followers: Record<string, Following> = {
	'onboarding-signed': {
		...{ events: ['completedDocument'], signatories: 2, isSigned: true },
		publish: async () => await own.publish('onboarding-signed'),
		told: (subjects, mails) => [
			...copies(mails, /^Signed: /, subjects),
			...reported(mails, /^Not sent: /),
		],
	},
	'signed-copy-to-mail-and-storage': {
		...{ events: ['completedDocument'], signatories: 2, isSigned: true },
		publish: async () => await own.publish('signed-copy-to-mail-and-storage'),
		told: (subjects, mails) => [
			...copies(mails, /^Your copy: /, subjects),
			...reported(mails, /^Please look: /),
			...own.outside.files.flatMap(({ key }) =>
				subjects.some(({ id }) => key.includes(id)) ? ['f'] : [],
			),
		],
	},
	'tell-about-each-signature': {
		...{ events: ['signDocument', 'completedDocument'], signatories: 2, isSigned: true },
		recipient: 'gone@example.com',
		oneByOne: true,
		publish: async () => await own.publish('tell-about-each-signature', toRecipients),
		told: (_subjects, mails) => [
			...mails.flatMap(({ to }) => (to.some((each) => recipients.includes(each)) ? ['t'] : [])),
			...toOffice(mails, /^Not sent: /).map(() => 'r'),
		],
	},
	'remind-when-unsigned': {
		...{ events: ['sendDocument', 'signDocument', 'completedDocument'], signatories: 20 },
		isTimed: true,
		publish: async () => await own.publish('remind-when-unsigned', soon),
		async look(id, times) {
			await everyHour(id, times);
			await everyHour(id, 1);
		},
		// An execution that fails is told of by another workflow.
		told: async (subjects, mails, id) => [
			// Others can be due again from the days before.
			...copies(mails, /^Not signed yet: /, subjects).map(() => 'm'),
			...(await own.over(id, 0)).flatMap(({ status }) => (status === 'error' ? ['r'] : [])),
		],
	},
	'daily-overview': {
		...{ events: [], signatories: 1, isSigned: false, isTimed: true },
		async publish() {
			return await own.store('daily-overview');
		},
		async remember(subjects) {
			await makeTable();
			// The overview is of all that is in the table.
			await (await dataTable<TableRow>(stage, tableName)).clear('documentId');
			await intoTable(subjects);
		},
		look: running('Every morning'),
		told(subjects, mails) {
			const { subject = '', text = '' } = toOffice(mails, /^Contracts: /).at(-1) ?? {};
			const count = `Contracts: ${subjects.length} open, 0 to follow up`;
			if (subject !== count) return subject === '' ? [] : [subject];
			const open = text.split('Open, oldest first')[1]?.split(/\r?\n/) ?? [];
			const lines = subjects.flatMap(({ title, people: [person] }) =>
				open.filter((line) => line.startsWith(`${title}, ${person?.name} <${person?.email}>,`)),
			);
			return lines.map(() => 'm');
		},
	},
	'identity-result': {
		...{ events: [identityFinished], signatories: 1, isSigned: true },
		publish: async () => await own.publish('identity-result'),
		async make([person], title) {
			await clientOf(stage.sandbox).requestIdentity(person?.email ?? '');
			const id = stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
			// The state of the request stays as it is.
			await stage.sandbox.fire(identityFinished, id);
			return { id, title, people: person ? [person] : [], bodies: [] };
		},
		async remember(subjects) {
			for (const { id } of subjects) await stage.sandbox.completeIdentity(id, 'pass');
		},
		told: (subjects, mails) =>
			subjects.flatMap(({ id }) => [
				...toOffice(mails, /^Identity check passed: /).flatMap(({ text }) =>
					text.includes(id) ? ['t'] : [],
				),
				...toOffice(mails, /^Identity check without a verdict: /).flatMap(({ text }) =>
					text.includes(id) ? ['r'] : [],
				),
			]),
	},
	'thousands-signed': {
		...{ events: ['completedDocument'], signatories: 1, isSigned: true },
		async publish() {
			await makeTable();
			return await own.publish('thousands-signed', atOnce);
		},
		remember: intoTable,
		look: running('Every hour'),
		told: (subjects, mails) =>
			subjects.flatMap(({ title }) =>
				mails.flatMap(({ subject }) => {
					if (subject === `Contract ${title} is signed`) return ['t'];
					return subject.startsWith(`Contract ${title} is signed, `) ? ['r'] : [];
				}),
			),
	},
	'google-sheets-signed-copy': {
		...{ events: ['completedDocument'], signatories: 1, isSigned: true },
		waitsForRow: true,
		async publish() {
			const { url, stored } = await sheet();
			filesBefore = stored.length;
			return await own.publish('google-sheets-signed-copy', replaceGoogle(url));
		},
		async remember(subjects) {
			(await sheet()).rows.push(
				...subjects.map(({ id, title, people: [person] }) => ({
					...{ Contract: title, Name: person?.name ?? '', Email: person?.email ?? '' },
					...{ Role: 'Cook', Start: '2027-01-01', Status: 'Sent', Document: id, Copy: '' },
				})),
			);
		},
		// The storage takes no files then.
		down: async (isDown) => void ((await sheet()).isFull = isDown),
		isBusy: async (id) =>
			(await own.n8n.api.executions({ workflowId: id })).some(({ status }) => status === 'running'),
		async told(subjects, mails) {
			const { rows, stored } = await sheet();
			const ours = rows.filter(({ Document }) => subjects.some(({ id }) => id === Document));
			const signed = ours.filter(({ Status, Copy }) => Status === 'Signed' && Copy !== '');
			const files = stored.slice(filesBefore).filter((file) => file.toString().startsWith('%PDF'));
			return [
				...signed.map(() => 't'),
				...files.map(() => 'f'),
				...toOffice(mails, /^Signed, but not in the sheet: /).map(() => 'r'),
			];
		},
	},
};
