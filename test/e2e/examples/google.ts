import type { INode } from 'n8n-workflow';

import { json, Stub } from '../../support/stub';
import type { Adapt } from '../support/exampleRuns';

/** A stand-in for a Google sheet and Google Drive. */
export interface Google<Row> {
	/** The rows below the header, starting with row 2. */
	rows: Row[];
	/** The contents of the stored files. */
	stored: string[];
	/** Whether the storage refuses to store any more files. */
	isFull: boolean;
	/**
	 * Replaces the Google nodes in an example. If the example is started by a schedule, also replaces its
	 * trigger.
	 */
	replace: Adapt;
	close(): Promise<void>;
}

/** The parameters of a Google node that the examples set. */
interface GoogleParameters {
	columns: { value: Record<string, string> };
	filtersUI: { values: [{ lookupColumn: string; lookupValue: string }] };
	inputDataFieldName: string;
}

const pairs = (values: Record<string, string>) => ({
	parameters: Object.entries(values).map(([name, value]) => ({ name, value })),
});

/**
 * The parameters of the HTTP Request node that replaces a Google node to find rows, change a row, or store a
 * file.
 */
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
 * Starts an empty sheet that behaves like n8n's Google Sheets node (version 4.7): rows returned by a search
 * contain their `row_number`, and an update changes only the columns that it names.
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
				// A Manual Trigger replaces the schedule, because n8n runs a schedule only when it is due.
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
