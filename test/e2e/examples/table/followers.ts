import { dataTable } from '../../support/dataTable';
import type { Adapt } from '../../support/exampleRuns';
import { own } from '../runStage';
import { tableName, type TableRow } from './senders';
import type { Following, Subject } from './runFollowing';
import type { MailView } from '../../../../sandbox/types';

// The examples that events start, or the time.
const { stage } = own;
const office = 'people@example.com';
const toOffice = (mails: MailView[], subject: RegExp) =>
	mails.filter((mail) => mail.to.includes(office) && subject.test(mail.subject));
/** The mails to signatories. */
const copies = (mails: MailView[], subject: RegExp, subjects: Subject[]) =>
	mails
		.filter((mail) => subject.test(mail.subject))
		.filter(({ to }) =>
			subjects.some(({ people }) => people.some(({ email }) => to.includes(email))),
		)
		.map(() => 't');

/** Writes the rows that thousands-send writes. */
async function intoTable(subjects: Subject[]): Promise<void> {
	await makeTable();
	const table = await dataTable<TableRow>(stage, tableName);
	const rows = subjects.map(({ id, title, people: [person] }) => ({
		...{ documentId: id, contract: title, name: person?.name ?? '', email: person?.email ?? '' },
	}));
	await table.upsert('documentId', ...rows);
}
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
/** Runs what the time starts, so many times at once. */
const running = (trigger: string) => async (id: string, times: number) => {
	const { api } = own.n8n;
	const runs = Array.from({ length: times }, async () => await api.run(id, trigger));
	// For 300 rows, that takes a while.
	for (const run of runs) await api.waitForExecution(await run, 300_000);
};
const everyHour = running('Every hour from 9 to 17');

export const followers: Record<string, Following> = {
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
	'thousands-signed, each morning': {
		...{ events: [], signatories: 1, isSigned: false, isTimed: true },
		async publish() {
			return await own.store('thousands-signed');
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
};
