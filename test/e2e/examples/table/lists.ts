import type { INode } from 'n8n-workflow';

import type { MailView } from '../../../../sandbox/types';
import { dataTable } from '../../support/dataTable';
import { sheetServer, type SheetServer } from '../../support/sheetServer';
import { replaceGoogle } from '../googleNodes';
import { own, failuresIn, publishTelling } from '../runStage';
import type { Contract } from './given';
import { type Claim, plainEmail, type Sending } from './runSending';

// The examples that get a list of people.
const { stage } = own;
const office = 'people@example.com';
const withKey = (people: Contract[], key?: string) => people.find((each) => each.key === key);
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const header = ['Contract number', 'Employee name', 'E-mail', 'Job title', 'Start date'].join(',');
/** The numbers of "1 to 3, 5". */
const numbersIn = (text: string) =>
	text.split(', ').flatMap((range) => {
		const [from = NaN, to = from] = range.split(' to ').map(Number);
		return from ? Array.from({ length: to - from + 1 }, (_, index) => from + index) : [];
	});
const csvOf = (people: Contract[]) =>
	[
		header,
		...people.map(({ key, name, email, start }) =>
			[key, name, email, 'Cook', start].map(cell).join(','),
		),
	].join('\n');

/** The claims of a report: lines below headings. @param keyOf Finds the number in a line. */
function claimsOf(people: Contract[], text: string, says: Record<string, string>, keyOf: RegExp) {
	let now = '';
	return text.split(/\r?\n/).flatMap((line): Claim[] => {
		const heading = Object.keys(says).find((each) => line.startsWith(each));
		if (heading !== undefined) now = says[heading] ?? '';
		const person = withKey(people, keyOf.exec(line)?.[1]);
		return person && now ? [{ person, says: now }] : [];
	});
}
const reports = (mails: MailView[], subject: RegExp) =>
	mails.filter((mail) => mail.to.includes(office) && subject.test(mail.subject));

/** A row of the table of both "thousands" examples. */
export interface TableRow {
	documentId: string;
	/** Nothing in rows of documents that are not on the list. */
	contract: string | null;
	name: string;
	email: string;
}
export const tableName = 'Documents out for signature';

/** A row of the sheet of `google-sheets-row`. */
type SheetRow = Record<
	'Employee name' | 'E-mail' | 'Job title' | 'Start date' | 'Status' | 'Document',
	string
>;
let opened: Promise<SheetServer<SheetRow>> | undefined;
/** The sheet in the place of Google's, opened once. */
const sheet = async () => {
	for (const type of ['googleSheetsOAuth2Api', 'googleDriveOAuth2Api'])
		own.credentials[type] = 'none';
	return await (opened ??= sheetServer<SheetRow>());
};
export const closeSheet = async () => await (await opened)?.close();
const withRow = (people: Contract[], row: SheetRow) =>
	people.find(({ name }) => name === row['Employee name']);
const statuses: Array<[RegExp, string]> = [
	[/^Sent$/, 's'],
	[/may have been created|never told/, 'u'],
	[/^Not sent now/, 'b'],
	[/^(?!Ready$)./, 'n'],
];

export const lists: Record<string, Sending> = {
	'bulk-send-from-spreadsheet': {
		isList: true,
		keyOf: ({ key }) => key,
		publish: async () => await own.publish('bulk-send-from-spreadsheet'),
		give: async (_workflow, people) =>
			await own.fill('bulk-send', [new File([csvOf(people)], 'people.csv', { type: 'text/csv' })]),
		told: (people, mails) =>
			reports(mails, / contracts sent, /).flatMap(({ subject, text }) => {
				if (people.length === 0) return [{ says: 'r' }];
				// A list that is not in order is refused as a whole, and only what is wrong is named.
				if (/^0 .* 0 uncertain, 0 /.test(subject))
					return people.map((person) => ({ person, says: 'n' }));
				const says = { 'Sent:': 's', 'Not sent.': 'n', 'Uncertain.': 'u', 'Sent before,': 'b' };
				return claimsOf(people, text, says, /^Row \d+, ([^,]+), /);
			}),
	},
	'send-from-spreadsheet': {
		isList: true,
		keyOf: ({ key }) => key,
		async publish() {
			await publishTelling();
			return await own.publish('send-from-spreadsheet');
		},
		give: async (_workflow, people) =>
			await own.fill('send-a-list', [
				new File([csvOf(people)], 'people.csv', { type: 'text/csv' }),
			]),
		told: (people, mails) => [
			...failuresIn(mails, 'Send contracts from a spreadsheet').flatMap(({ text }): Claim[] => {
				if (people.length === 0) return [{ says: 'r' }];
				if (text.includes('Nothing was sent'))
					return people.map((person) => ({ person, says: 'n' }));
				const failed = /\[item (\d+)\]/.exec(text)?.[1];
				// A crash says nothing of anybody.
				if (!failed && !text.includes('service')) return [];
				const says = text.includes('may have been created') ? 'u' : 'n';
				const created = numbersIn(/do not send again: items? ([\d, to]+)/.exec(text)?.[1] ?? '');
				return [
					...created.map((number) => ({ person: people[number - 1], says: 's' })),
					{ person: people[Number(failed ?? 1) - 1], says },
				];
			}),
			...reports(mails, /^Contracts: /).flatMap(({ subject, text }): Claim[] => {
				const count = Number(/\d+/.exec(subject)?.[0]);
				const skipped = people.filter(({ key }) => text.includes(key));
				const sent = people.filter((person) => !skipped.includes(person));
				// It counts those that were sent, and names only the others.
				expect(sent).toHaveLength(count);
				const uncertain = Number(/whether they were sent: (\d+)/.exec(text)?.[1]);
				const says = uncertain > 0 ? 'u' : 'b';
				return [
					...sent.map((person) => ({ person, says: 's' })),
					...skipped.map((person) => ({ person, says })),
				];
			}),
		],
	},
	'google-sheets-row': {
		isList: true,
		isStartedByHand: true,
		keyOf: ({ email }) => plainEmail(email),
		publish: async () => await own.store('google-sheets-row', replaceGoogle((await sheet()).url)),
		async give(workflow, people) {
			const { rows } = await sheet();
			const known = rows.filter((row) => withRow(people, row));
			// As its note says: after a correction, the status is Ready again.
			for (const row of known) if (row.Status !== 'Sent') row.Status = 'Ready';
			if (known.length === 0)
				rows.push(
					...people.map(({ name, email, start }) => ({
						...{ 'Employee name': name, 'E-mail': email, 'Job title': 'Cook' },
						...{ 'Start date': start, Status: 'Ready', Document: '' },
					})),
				);
			await own.n8n.api.run(workflow, 'Every five minutes');
		},
		told: async (people) =>
			(await sheet()).rows.flatMap((row): Claim[] => {
				const person = withRow(people, row);
				const says = statuses.find(([pattern]) => pattern.test(row.Status))?.[1];
				return person && says ? [{ person, says }] : [];
			}),
	},
	'thousands-send': {
		isList: true,
		isStartedByHand: true,
		keyOf: ({ key }) => key,
		publish: async () => await own.store('thousands-send'),
		async give(workflow, people) {
			const { nodes } = await own.n8n.api.getWorkflow(workflow);
			const list = nodes.find(({ name }) => name === 'Whom to send to') as INode;
			const rows = people.map(({ key, name, email }) => ({ contract: key, name, email }));
			const jsCode = `return ${JSON.stringify(rows)};`;
			if (list.parameters.jsCode !== jsCode) {
				list.parameters.jsCode = jsCode;
				await own.n8n.api.updateWorkflow(workflow, { nodes });
			}
			await own.n8n.api.run(workflow, 'Start');
		},
		async told(people, mails) {
			const all = reports(mails, /contracts|Nothing was sent/);
			if (all.length === 0) return [];
			if (people.length === 0) return [{ says: 'r' }];
			const says = { 'Not sent.': 'n', 'Not sent now,': 'u' };
			const keyOf = /^([^,]+), [^<]*<.*>: /;
			const named = all.flatMap(({ text }) => claimsOf(people, text, says, keyOf));
			const rows = await (await dataTable<TableRow>(stage, tableName)).rows();
			const inTable = rows.flatMap(({ contract }): Claim[] => {
				const person = contract ? withKey(people, contract) : undefined;
				return person ? [{ person, says: 's' }] : [];
			});
			return [...inTable, ...named];
		},
	},
};
