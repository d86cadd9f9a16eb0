import { dataTable } from '../support/dataTable';
import { own } from './runStage';
import { changeList, documents, office, type Row, type TableRow } from './thousandsList';

// examples/thousands-send.json: lists with rows that cannot be sent.
const { stage } = own;

describe('thousands-send, rows that cannot be sent', () => {
	afterEach(own.unpublish);
	test('a contract number twice, for another person, or none: the row is reported, and no other row changes', async () => {
		const person = (contract: string | number, name: string) => ({
			contract,
			name: `${name} Example`,
			email: `${name.toLowerCase()}@example.com`,
		});
		const id = await own.store('thousands-send');
		const table = await dataTable<TableRow>(stage, 'Documents out for signature');
		/** Sends to a list; gives who got a contract, the last report, and whom the table has. */
		const sendTo = async (...people: Row[]) => {
			const before = documents().length;
			await changeList(people, id);
			expect((await own.run(id, 'Start')).status).toBe('success');
			const rows = (await table.rows()).filter(({ contract }) => /^(D-|77)/.test(contract ?? ''));
			return {
				sent: documents()
					.slice(before)
					.map(({ signatory }) => signatory[0]?.emailID)
					.sort(),
				report: own.mails(office).at(-1),
				table: rows.map(({ contract, email, state }) => `${contract} ${email} ${state}`).sort(),
			};
		};
		const list = [
			person('D-1', 'Ana'),
			person(' D-1 ', 'Ben'),
			person(77, 'Cleo'),
			person('77', 'Dora'),
			person('  ', 'Eve'),
			{ name: 'Fay Example', email: 'fay@example.com' } as Row,
			person('D-1', 'Ana'),
			person('D-3', 'Gus'),
			person('D-3', 'Hal'),
		];
		(list[7] as Row).email = 'no address';
		const known = [
			'77 cleo@example.com sent',
			'D-1 ana@example.com sent',
			'D-3 no address not sent',
		];
		for (const sent of [['ana@example.com', 'cleo@example.com'], []]) {
			const first = await sendTo(...list);
			expect([first.sent, first.table]).toEqual([sent, known]);
			expect(first.report?.subject).toBe('7 contracts not sent, or uncertain');
			for (const line of [
				'D-1, Ben Example <ben@example.com>: not sent. Row 2 of the list: Row 1 has the same contract number.',
				'77, Dora Example <dora@example.com>: not sent. Row 4 of the list: Row 3 has the same contract number.',
				'No contract number, Eve Example <eve@example.com>: not sent. Row 5 of the list: It has no contract number.',
				'No contract number, Fay Example <fay@example.com>: not sent. Row 6 of the list: It has no contract number.',
				'D-1, Ana Example <ana@example.com>: not sent. Row 7 of the list: Row 1 has the same contract number.',
				'D-3, Gus Example <no address>: not sent. ',
				'D-3, Hal Example <hal@example.com>: not sent. Row 9 of the list: Row 8 has the same contract number.',
			])
				expect(first.report?.text).toContain(line);
		}

		// At a later run, another person has the number; the correction of a refused row is no other person.
		const later = await sendTo(person('D-1', 'Zed'), person('D-3', 'Gus'), person('77', 'Cleo'));
		expect(later.sent).toEqual(['gus@example.com']);
		expect(later.table).toEqual([...known.slice(0, 2), 'D-3 gus@example.com sent']);
		expect(later.report?.subject).toBe('1 contracts not sent, or uncertain');
		expect(later.report?.text).toContain(
			'D-1, Zed Example <zed@example.com>: not sent. Row 1 of the list: The table has this contract number for Ana Example <ana@example.com>.',
		);
	});
});
