import type { Stage } from '../../../host/stage';
import { loggedIn } from './trigger';

/** An n8n data table that is read and written through the editor's API. */
export interface DataTable<Row extends object> {
	rows(): Promise<Row[]>;
	/** Deletes all rows in which this column is not empty. */
	clear(column: keyof Row & string): Promise<void>;
	/** Adds a row, even if there is one like it. */
	insert(row: Row): Promise<void>;
	/** Writes rows. A row replaces any existing row that has the same value in this column. */
	upsert(column: keyof Row & string, ...rows: Row[]): Promise<void>;
}

export async function dataTable<Row extends object>(
	{ n8n, owner }: Pick<Stage, 'owner'> & { n8n: { url: string } },
	name: string,
): Promise<DataTable<Row>> {
	const client = await loggedIn(n8n.url, owner);
	const { id: project } = await client.call<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${project}/data-tables`;
	const { data: all } = await client.call<{ data: Array<{ id: string; name: string }> }>(
		'GET',
		tables,
		{ query: { take: '100' } },
	);
	const id = all.find((stored) => stored.name === name)?.id;
	if (id === undefined) throw new Error(`n8n has no data table "${name}".`);
	const table = `${tables}/${id}`;
	return {
		async rows() {
			const all: Row[] = [];
			for (;;) {
				// n8n returns at most 250 rows per request.
				const { data } = await client.call<{ data: Row[] }>('GET', `${table}/rows`, {
					query: { take: '250', skip: String(all.length) },
				});
				all.push(...data);
				if (data.length < 250) return all;
			}
		},
		async clear(columnName) {
			const filters = [{ columnName, condition: 'isNotEmpty', value: null }];
			const filter = JSON.stringify({ type: 'and', filters });
			await client.call('DELETE', `${table}/rows`, { query: { filter } });
		},
		async insert(row) {
			await client.call('POST', `${table}/insert`, { body: { data: [row], returnType: 'count' } });
		},
		async upsert(columnName, ...all) {
			for (const data of all) {
				const filters = [{ columnName, condition: 'eq', value: data[columnName] }];
				await client.call('POST', `${table}/upsert`, {
					body: { filter: { type: 'and', filters }, data },
				});
			}
		},
	};
}
