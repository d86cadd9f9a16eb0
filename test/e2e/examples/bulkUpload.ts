import { until } from '../support/stage';
import { own } from './runStage';

// What the tests of examples/bulk-send-from-spreadsheet.json share.
const { stage } = own;
export const staff = 'people@example.com';
export const header = ['Contract number', 'Full name', 'E-mail', 'Role', 'Start date'];

export const csv = (text: string, name = 'people.csv') =>
	new File([text], name, { type: 'text/csv' });
export const person = (number: string, name = `Person ${number}`) =>
	`${number},${name},${number.toLowerCase()}@example.com,Cook,2027-01-01`;
export const sheet = (...rows: string[]) => csv([header.join(','), ...rows].join('\n'));

/** The reports so far, oldest first. */
export const reports = () =>
	own.mailsTo(staff).filter(({ subject }) => subject.includes(' contracts sent, '));

/** Uploads a file; gives the report about it and who got a contract. */
export async function upload(file: File) {
	const [before, documents] = [reports().length, stage.sandbox.documents().length];
	await own.fill('bulk-send', [file]);
	await until('the report', () => reports().length > before);
	const mail = reports().at(-1);
	return {
		subject: mail?.subject,
		text: mail?.text.replaceAll('\r', '') ?? '',
		people: stage.sandbox
			.documents()
			.slice(documents)
			.map(({ signatory }) => signatory.map(({ name, emailID }) => `${name} ${emailID}`).join())
			.sort(),
	};
}

export const counts = (sent: number, failed: number, uncertain = 0, before = 0) =>
	`${sent} contracts sent, ${failed} not sent, ${uncertain} uncertain, ${before} sent before`;
export const everybody = (prefix: string) =>
	[1, 2].map((n) => `Person ${prefix}-${n} ${prefix.toLowerCase()}-${n}@example.com`);
