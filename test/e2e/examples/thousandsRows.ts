import { dataTable } from '../support/dataTable';
import { own } from './runStage';
import { changeList, documents, office, type Row, type TableRow } from './thousandsList';

// examples/thousands-send.json: lists with rows that cannot be sent.
const { stage } = own;

/** What the report says of a row: nothing, if it is in the table afterwards. */
type Outcome = 'in the table' | 'not sent' | 'uncertain';
const person = (contract: Row['contract'], name: string, email = `${name}@example.com`): Row => ({
	contract,
	name: `${name} Example`,
	email,
});

describe('thousands-send, rows that cannot be sent', () => {
	afterEach(own.unpublish);
	test('each row is sent, or named in the report, also at the second run, and nobody gets the contract of another', async () => {
		const id = await own.store('thousands-send');
		// The row, and what happens to it at the first and at the second run.
		const rows: Array<[Row, Outcome, Outcome]> = [
			[person('D-1', 'ana'), 'in the table', 'in the table'],
			[person(' D-1 ', 'ben'), 'uncertain', 'uncertain'],
			[person(77, 'cleo'), 'in the table', 'in the table'],
			[person('77', 'dora'), 'uncertain', 'uncertain'],
			[person('  ', 'eve'), 'not sent', 'not sent'],
			[person(undefined, 'fay'), 'not sent', 'not sent'],
			[{}, 'not sent', 'not sent'],
			[person('D-2', 'gus', 'no address'), 'not sent', 'not sent'],
			[person('D-3', '<b>hal</b> {{ 1 + 1 }}', 'hal@example.com'), 'in the table', 'in the table'],
		];
		const before = documents().length;
		const sent = ['ana@example.com', 'cleo@example.com', 'hal@example.com'];
		for (const run of [1, 2] as const) {
			await changeList(
				rows.map(([row]) => row),
				id,
			);
			expect((await own.run(id, 'Start')).status).toBe('success');
			const got = documents().slice(before);
			expect(got.map(({ signatory }) => signatory[0]?.emailID).sort()).toEqual(sent);
			const report = own.mails(office).at(-1);
			expect(report?.subject).toBe('4 contracts not sent, 2 uncertain');
			const [failed = '', uncertain = ''] = report?.text.split('\n\n') ?? [];
			for (const [{ contract, name, email }, ...outcomes] of rows) {
				const label = `\n${String(contract ?? '').trim() || 'No contract number'}, ${name ?? 'no name'} <${email ?? 'no e-mail'}>: `;
				const outcome = failed.includes(label)
					? 'not sent'
					: uncertain.includes(label)
						? 'uncertain'
						: 'in the table';
				expect([label, outcome]).toEqual([label, outcomes[run - 1]]);
			}
		}
		const table = await dataTable<TableRow>(stage, 'Documents out for signature');
		const known = (await table.rows()).filter(({ contract }) => /^(D-|77)/.test(contract ?? ''));
		expect(known.map(({ contract, email }) => `${contract} ${email}`).sort()).toEqual([
			'77 cleo@example.com',
			'D-1 ana@example.com',
			'D-3 hal@example.com',
		]);
	});
});
