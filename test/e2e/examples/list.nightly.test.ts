import type { MailView } from '../../../sandbox/types';
import { axios } from '../../support/http';
import { until } from '../../support/until';
import * as own from '../support/exampleRuns';
import { refusedFiles, acceptedFiles } from './listFiles';
import { create } from './table/runSending';

// These tests show what examples/send-a-list.json does with the files that people upload.
const { stage } = own;
const office = 'people@example.com';

beforeAll(async () => void (await own.publish('send-a-list')));

interface Creation {
	inputs: Record<string, string>;
	signatories: Array<{ email: string; name: string }>;
}
const contractIn = ({ inputs, signatories: [signatory] }: Creation) =>
	`${signatory?.name} <${signatory?.email}> ${['employee_name', 'role', 'start_date', 'employer', 'workplace'].map((key) => inputs[key]).join(' | ')}`;

/** Uploads a file, and waits for the email to the office. */
async function upload(file: File): Promise<{ mail: MailView; text: string; contracts: string[] }> {
	const [mails, sent] = [own.newMails(), own.creations().length];
	await own.fill('send-a-list', [file]);
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
		subject: `Contracts: ${contracts.length} sent, 0 to check, 0 skipped`,
		sent: [...contracts].sort(),
	});
	expect(text).toMatch(/^You don't have to do anything\.\n/);
});

test.each(refusedFiles)(
	'send-a-list refuses a file with %s, and says why',
	async (_what, make, ...parts) => {
		const { mail, text, contracts } = await upload(await make());
		expect(contracts).toEqual([]);
		expect(mail.subject).toBe('Action needed: problem with your list of contracts');
		expect(text).toMatch(/^Please follow the advice below, and then upload the whole list again\./);
		for (const part of parts) expect(text).toContain(part);
	},
);

test('send-a-list asks for a login to open and to submit its form', async () => {
	expect((await axios.get(`${stage.n8n.url}/form/send-a-list`)).status).toBe(401);
	const response = await axios.post(`${stage.n8n.url}/form/send-a-list`, new FormData());
	expect(response.status).toBe(401);
});

test('send-a-list names what may have been sent, then what was skipped, and sends nothing twice', async () => {
	const list = (...numbers: number[]) =>
		new File(
			[
				[
					'Contract number;Employee name;Employee email;role;start_date;employer;workplace',
					...numbers.map((n) => `Z-${n};Person ${n};z-${n}@example.com;Cook;2027-01-01;;`),
				].join('\n'),
			],
			'people.csv',
		);
	const count = own.documentCount();
	stage.sandbox.faults.set({ endpoint: create, skip: 1, times: 1, reset: 'after' });
	const lost = await upload(list(1, 2, 3));
	expect(own.documentCount()).toBe(count + 3);
	const [, unsure = ''] =
		/may have been sent: (Z-(\d), Person \2 \(row \d\))\./.exec(lost.text) ?? [];
	expect(unsure).not.toBe('');
	expect(lost.text).toMatch(/^Please look in your provider's account for the contracts/);
	const numbers = Array.from({ length: 25 }, (_, index) => index + 1);
	const again = await upload(list(...numbers));
	expect(again.mail.subject).toBe('Action needed: Contracts: 22 sent, 1 to check, 2 skipped');
	const named = unsure.replace(' (', ', ').replace(')', '');
	expect(again.text).toMatch(/^Please look for these contracts in your provider's account/);
	expect(again.text).toContain(`upload the whole list again:\n\n${named}\n`);
	const third = await upload(list(...numbers.filter((n) => !named.startsWith(`Z-${n},`))));
	expect(third.mail.subject).toBe('Contracts: 0 sent, 0 to check, 24 skipped');
	expect(third.text).toMatch(/^You don't have to do anything\.\n/);
	expect(third.text.match(/^Z-/gm)).toHaveLength(20);
	expect(third.text).toContain('… and 4 more');
	expect(own.documentCount()).toBe(count + 25);
});
