import type { INode } from 'n8n-workflow';

import type { MailView } from '../../../../sandbox/types';
import { dataTable } from '../../support/dataTable';
import { sheetServer, type SheetServer } from '../../support/sheetServer';
import { replaceGoogle } from '../googleNodes';
import { own } from '../runStage';
import type { Contract } from './given';
import { type Claim, plainEmail, type Sending } from './runSending';

// The examples that get a list of people.
const { stage } = own;
const office = 'people@example.com';
const withKey = (people: Contract[], key?: string) => people.find((each) => each.key === key);
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const header = ['Contract number', 'Full name', 'E-mail', 'Role', 'Start date'].join(',');
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

export type SheetRow = Record<
	'Contract' | 'Name' | 'Email' | 'Role' | 'Start' | 'Status' | 'Document' | 'Copy',
	string
>;
let opened: Promise<SheetServer<SheetRow>> | undefined;
/** The sheet in the place of Google's, opened once. */
export const sheet = async () => {
	for (const type of ['googleSheetsOAuth2Api', 'googleDriveOAuth2Api'])
		own.credentials[type] = 'none';
	return await (opened ??= sheetServer<SheetRow>());
};
export const closeSheet = async () => await (await opened)?.close();
const statuses: Array<[RegExp, string]> = [
	[/^Not sent/, 'n'],
	[/^Sent$/, 's'],
	[/^May have been sent/, 'u'],
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
	'google-sheets-row-to-contract': {
		isList: true,
		isStartedByHand: true,
		keyOf: ({ key, email }) => `${key} ${plainEmail(email)}`,
		publish: async () =>
			await own.store('google-sheets-row-to-contract', replaceGoogle((await sheet()).url)),
		async give(workflow, people) {
			const { rows } = await sheet();
			const known = rows.filter(({ Contract }) => withKey(people, Contract));
			// As the page says: after a correction, the status is emptied.
			for (const row of known) if (row.Status.startsWith('Not sent')) row.Status = '';
			if (known.length === 0)
				rows.push(
					...people.map(({ key, name, email, start }) => ({
						...{ Contract: key, Name: name, Email: email, Role: 'Cook', Start: start },
						...{ Status: '', Document: '', Copy: '' },
					})),
				);
			await own.n8n.api.run(workflow, 'Every five minutes');
		},
		told: async (people) =>
			(await sheet()).rows.flatMap(({ Contract, Status }): Claim[] => {
				const person = withKey(people, Contract);
				const says = statuses.find(([pattern]) => pattern.test(Status))?.[1];
				return person && says ? [{ person, says }] : [];
			}),
	},
};
