import { rowsWithoutCheck } from '../docs/guards';
import { type Live, live } from './conformance/live';
import { endpointRows } from './conformance/endpoints';
import { eventRows } from './conformance/events';
import { resourceRows, stateRows, unlistedFields } from './conformance/resources';
import { SERVICE_PAGE, tableRows } from './conformance/servicePage';
import { stopAll } from './serviceKit';

const rows = [...resourceRows, ...stateRows, ...endpointRows, ...eventRows];
const names = rows.map(({ table, row }) => `${table}: ${row}`);
const passed = new Set<string>();
let seen: Live;

beforeAll(async () => {
	seen = await live();
});
afterAll(async () => {
	await stopAll();
	const total = tableRows().length;
	process.stdout.write(
		`Conformance: ${passed.size} rows checked / ${total} rows in ${SERVICE_PAGE}\n`,
	);
});

test.each(rows.map((row) => [`${row.table}: ${row.row}`, row] as const))(
	'%s',
	async (name, row) => {
		await row.check(seen);
		passed.add(name);
	},
);

test('no resource has a field that the page does not list', () => {
	expect(unlistedFields(seen)).toEqual([]);
});

test('no row is in the list twice', () => {
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the list has every row of the page, and no other', () => {
	const wanted = tableRows();
	expect(wanted.length).toBeGreaterThan(100);
	expect(wanted.filter((row, index) => wanted.indexOf(row) !== index)).toEqual([]);
	expect(rowsWithoutCheck(wanted, names)).toEqual([]);
	expect(names.filter((name) => !wanted.includes(name))).toEqual([]);
});
