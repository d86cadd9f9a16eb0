import type { INode } from 'n8n-workflow';

import { json, Stub } from '../../support/stub';
import type { Adapt } from '../support/exampleRuns';

/** A sheet and a storage for files, which answer as the nodes of Google do. */
export interface Google<Row> {
	/** The rows below the header, from row 2 on. */
	rows: Row[];
	/** The files. */
	stored: string[];
	/** Whether the storage takes no more files. */
	isFull: boolean;
	/** Puts it in the place of Google in an example that a schedule starts, or an event. */
	replace: Adapt;
	close(): Promise<void>;
}

/** What the forms of the Google nodes keep, as far as the examples use it. */
interface GoogleParameters {
	columns: { value: Record<string, string> };
	filtersUI: { values: [{ lookupColumn: string; lookupValue: string }] };
	inputDataFieldName: string;
}

const pairs = (values: Record<string, string>) => ({
	parameters: Object.entries(values).map(([name, value]) => ({ name, value })),
});

/** The call in place of a node: to find rows, to change one, or to store a file. */
function callOf({ type, parameters }: INode): INode['parameters'] {
	const { columns, filtersUI, inputDataFieldName } = parameters as unknown as GoogleParameters;
	if (type.endsWith('.googleDrive')) {
		return { method: 'POST', sendBody: true, contentType: 'binaryData', inputDataFieldName };
	}
	if (parameters.operation === 'update') {
		return { method: 'PUT', sendBody: true, bodyParameters: pairs(columns.value) };
	}
	const [{ lookupColumn: column, lookupValue: value }] = filtersUI.values;
	return { method: 'GET', sendQuery: true, queryParameters: pairs({ column, value }) };
}

/**
 * Starts a sheet with no rows. It does what n8n's Google Sheets node does (version 4.7): a row that is
 * found has its `row_number`, and columns that are not named stay as they are.
 */
export async function startGoogle<Row extends Record<string, string>>(): Promise<Google<Row>> {
	const server = await new Stub().start();
	const google: Google<Row> = {
		rows: [],
		stored: [],
		isFull: false,
		replace: (_node, nodes) => {
			for (const node of nodes) {
				const { type } = node;
				if (/\.google(Sheets|Drive)$/.test(type)) {
					const parameters = { url: server.url, options: {}, ...callOf(node) };
					const call = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
					Object.assign(node, call);
					delete node.credentials;
				}
				// n8n runs no schedule at once.
				if (type.endsWith('scheduleTrigger')) {
					const manual = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
					Object.assign(node, manual);
				}
			}
		},
		close: async () => await server.close(),
	};
	server.answer = (response, { method, url = '', body }) => {
		const answer = (status: number, content: object) =>
			response.writeHead(status, json).end(JSON.stringify(content));
		if (method === 'POST') {
			if (google.isFull) return answer(507, {});
			return answer(200, { webViewLink: `https://drive.example.com/${google.stored.push(body)}` });
		}
		if (method === 'PUT') {
			const { row_number: number, ...cells } = JSON.parse(body) as Record<string, string>;
			return answer(200, Object.assign(google.rows[Number(number) - 2] ?? {}, cells));
		}
		const { searchParams } = new URL(url, server.url);
		const rows = google.rows.map((row, index) => ({ row_number: index + 2, ...row }));
		const [column = '', value] = ['column', 'value'].map((name) => searchParams.get(name) ?? '');
		return answer(
			200,
			rows.filter((row: Record<string, unknown>) => row[column] === value),
		);
	};
	return google;
}
