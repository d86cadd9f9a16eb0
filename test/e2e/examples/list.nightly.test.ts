import { keyProblems } from '../../../nodes/SignVerify/operations/sendingProblems';
import type { MailView } from '../../../sandbox/types';
import { axios } from '../../support/http';
import { until } from '../../support/until';
import * as own from '../support/exampleRuns';
import { refusedFiles, acceptedFiles } from './listFiles';
import { create } from './table/runSending';

// These tests show what examples/send-a-list.json does with the files that people upload.
own.useExamples();
const { stage } = own;
const office = 'people@example.com';

beforeAll(async () => void (await own.publish('send-a-list')));

const headerOfOffice =
	'Contract number;Employee name;Employee email;role;start_date;employer;workplace';

interface Creation {
	inputs: Record<string, string>;
	signatories: Array<{ email: string; name: string }>;
}
const contractIn = ({ inputs, signatories: [signatory] }: Creation) =>
	`${signatory?.name} <${signatory?.email}> ${['employee_name', 'role', 'start_date', 'employer', 'workplace'].map((key) => inputs[key]).join(' | ')}`;

/** Uploads a file, and waits for the email to the office. */
async function upload(file: File): Promise<{ mail: MailView; text: string; contracts: string[] }> {
	const [mails, sent] = [own.newMails(), own.creations().length];
	await own.fill('send-a-list', ['Kim', file]);
	const mail = await until('the office gets an email', () =>
		mails().find(({ to }) => to.includes(office)),
	);
	const contracts = own
		.creations()
		.slice(sent)
		.map(({ body }) => contractIn(body as Creation));
	return { mail, text: mail.text.replaceAll('\r', ''), contracts: contracts.sort() };
}

test.each(acceptedFiles)('send-a-list sends a list with %s', async (_what, make, contracts) => {
	const { mail, text, contracts: sent } = await upload(await make());
	expect({ subject: mail.subject, sent, text }).toMatchObject({
		subject: expect.stringMatching(
			new RegExp(`^people\\.\\w+ from Kim, ${contracts.length} sent$`),
		),
		sent: [...contracts].sort(),
	});
	expect(text).toMatch(new RegExp(`^Sent: ${contracts.length}\\.\n\nFile: `));
	expect(text).toMatch(/\nFile: people\.\w+\nUploaded by: Kim\n/);
});

test.each(refusedFiles)(
	'send-a-list refuses a file with %s, and explains why',
	async (_what, make, ...parts) => {
		const { mail, text, contracts } = await upload(await make());
		expect(contracts).toEqual([]);
		expect(mail.subject).toMatch(/^Refused: \S+ from Kim, 0 sent$/);
		expect(text).toMatch(/^Nothing was sent, because /);
		expect(text).toMatch(/\nFile: \S+\nUploaded by: Kim\n/);
		for (const part of parts) expect(text).toContain(part);
		// The office has never seen a node.
		expect(text).not.toMatch(/Send Once Key|Fields:|Extract|expression|\b(?:key|items?|node)\b/);
	},
);

test('send-a-list names the first 20 rows that were already sent, and explains which rows it only checked', async () => {
	const listOf = (addresses: string[]) => {
		const lines = addresses.map(
			(email, index) => `M-${index};Mo ${index};${email};Cook;2027-01-01;;`,
		);
		return new File([[headerOfOffice, ...lines].join('\n')], 'people.csv');
	};
	const all = Array.from({ length: 23 }, (_, index) => `m${index}@example.com`);
	expect((await upload(listOf(all))).mail.subject).toBe('people.csv from Kim, 23 sent');
	const { text } = await upload(listOf(all));
	const [, old = ''] = text.split('\nAlready sent: 23.\n');
	const lines = old.trim().split('\n');
	expect(lines.at(-1)).toBe('and 3 more');
	expect(lines.slice(0, -1)).toEqual(
		Array.from({ length: 20 }, (_, index) => `M-${index}, Mo ${index}`),
	);
	const refused = await upload(listOf([...all, 'new@example.com', 'nix.example.com']));
	expect(refused.mail.subject).toBe('Refused: people.csv from Kim, 0 sent');
	expect(refused.text).toContain('\nRight, but not sent because of the others: 1\n');
	expect(refused.text).not.toContain('Send Despite Warnings');
});

test('send-a-list explains what to correct in 500 rows that were sent, and what to do about a used number', async () => {
	const listOf = (header: string, domain = 'example.com') => {
		const row = (_: unknown, at: number) => `U-${at};Uma ${at};u${at}@${domain};Cook;2027-01-01;;`;
		return new File([[header, ...Array.from({ length: 500 }, row)].join('\n')], 'people.csv');
	};
	expect((await upload(listOf(headerOfOffice))).mail.subject).toBe('people.csv from Kim, 500 sent');
	const renamed = await upload(listOf(headerOfOffice.replace('Employee email', 'Mail')));
	expect(renamed.mail.subject).toBe('To correct: people.csv from Kim, 0 sent');
	expect(renamed.contracts).toEqual([]);
	const lines = renamed.text.split('\n');
	expect(lines.slice(0, 4)).toEqual([
		'Sent: 0. 500 to correct.',
		'',
		'To correct: correct these rows, keep their numbers, and upload the list again.',
		expect.stringMatching(
			/^U-0, Uma 0: "U-0" has already been sent, but .* employee email\. .*Mail/,
		),
	]);
	expect(lines.filter((line) => line.startsWith('U-'))).toHaveLength(20);
	expect(lines).toContain('and 480 more');
	expect(renamed.text).not.toMatch(/new number|may have been|Already sent/);
	const nameless = await upload(listOf(headerOfOffice.replace('Employee name', 'Person')));
	expect(nameless.mail.subject).toBe('people.csv from Kim, 0 sent');
	expect(nameless.text).toContain('\nAlready sent: 500.\n');
	const others = await upload(
		listOf(headerOfOffice.replace('Employee name', 'Person'), 'other.example.com'),
	);
	expect(others.mail.subject).toBe('Refused: people.csv from Kim, 0 sent');
	expect(others.text).toContain(keyProblems.otherPeople('U-0', 'document').problem);
	expect(others.text).toContain(
		'If a number was already sent to other people, take the row out, or give it another number.',
	);
	expect(others.text).not.toContain('Send Despite Warnings');
});

test('send-a-list asks for a login to open and to submit its form', async () => {
	expect((await axios.get(`${stage.n8n.url}/form/send-a-list`)).status).toBe(401);
	const response = await axios.post(`${stage.n8n.url}/form/send-a-list`, new FormData());
	expect(response.status).toBe(401);
});

test.each(['is there', "isn't there"])(
	'send-a-list names what may have been sent until the office has looked, and the contract %s',
	async (found) => {
		const tag = found === 'is there' ? 'Y' : 'Z';
		const rows = (...numbers: string[]) =>
			new File(
				[
					[
						headerOfOffice,
						...numbers.map(
							(n) => `${n};Person ${n.slice(0, 3)};${n.slice(0, 3)}@example.com;Cook;2027-01-01;;`,
						),
					].join('\n'),
				],
				'people.csv',
			);
		const numbers = ['-1', '-2', '-3'].map((n) => tag + n);
		const count = own.documentCount();
		const reset = found === 'is there' ? 'after' : 'before';
		stage.sandbox.faults.set({ endpoint: create, skip: 1, times: 1, reset });
		const lost = await upload(rows(...numbers));
		const [, unsure = ''] = /^([YZ]-\d), Person \1$/m.exec(lost.text) ?? [];
		const toCheck = `1 to check.

To check: look in your provider's account. If the contract is there, take the row out of your list. If it isn't, give the row a new number, and upload the list again.
${unsure}, Person ${unsure}
`;
		if (reset === 'before') {
			// The call may have been lost on its way, which the node can't tell from a lost response.
			expect(own.documentCount()).toBe(count + 2);
		}
		expect(lost.mail.subject).toBe('To check: people.csv from Kim, 2 sent');
		expect(lost.text.startsWith(`Sent: 2. ${toCheck}`)).toBe(true);
		// The second upload names it as well, with more rows to send.
		const again = await upload(rows(...numbers, `${tag}-4`));
		expect(again.mail.subject).toBe('To check: people.csv from Kim, 1 sent');
		expect(again.text.startsWith(`Sent: 1. ${toCheck}`)).toBe(true);
		expect(again.text).toContain('Already sent: 2.');
		const corrected = [...numbers, `${tag}-4`].flatMap((n) => {
			if (n !== unsure) return [n];
			return found === 'is there' ? [] : [`${n}-new`];
		});
		const third = await upload(rows(...corrected));
		expect(third.mail.subject).toMatch(/^people\.csv from Kim, [01] sent$/);
		// The last part of the email names the rows that had already been sent.
		const [news, old] = third.text.split('\nAlready sent: ');
		expect(news).not.toMatch(/check|Person/);
		expect(old).not.toContain(`${unsure},`);
		expect(own.documentCount()).toBe(count + 4);
	},
);

test('send-a-list names each row that the provider refuses, and advises when to try again', async () => {
	const list = new File(
		[[headerOfOffice, 'V-1;Ana Gil;v-1@example.com;Cook;2027-01-01;;'].join('\n')],
		'people.csv',
	);
	const response = { status: 402, body: { success: false, message: 'The account is closed' } };
	stage.sandbox.faults.set({ endpoint: create, response });
	const refused = await upload(list);
	expect(refused.mail.subject).toBe('Problem: people.csv from Kim, 0 sent');
	expect(refused.text).toMatch(
		/^Sent: 0\. Upload the list again later\.\n\nV-1, Ana Gil: .*The account is closed/,
	);
	stage.sandbox.faults.clear();
	expect((await upload(list)).mail.subject).toBe('people.csv from Kim, 1 sent');
});
