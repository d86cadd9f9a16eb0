import type { INode } from 'n8n-workflow';

import { jsonHeaders, Stub } from '../../support/stub';
import type { Adapt } from '../support/exampleRuns';

/** A stand-in for a Google sheet and Google Drive. */
export interface Google<Row> {
	/** The rows below the header, starting with row 2. */
	rows: Row[];
	/** The contents of the files stored in Google Drive. */
	stored: string[];
	/** Whether Google Drive is full, so it refuses to store files. */
	isFull: boolean;
	/** Replaces an example's Google nodes and, if it is started by a schedule, its trigger. */
	replace: Adapt;
	close(): Promise<void>;
}

/**
 * The parameters of the HTTP Request node that replaces a Google node. Its request gets all rows, changes a row,
 * or stores a file.
 */
function callOf({ type, parameters }: INode): INode['parameters'] {
	const { inputDataFieldName } = parameters;
	if (type.endsWith('.googleDrive')) {
		return { method: 'POST', sendBody: true, contentType: 'binaryData', inputDataFieldName };
	}
	if (parameters.operation !== 'update') return { method: 'GET' };
	return { method: 'PUT', sendBody: true, specifyBody: 'json', jsonBody: '={{ $json }}' };
}

/**
 * Starts an empty sheet that behaves like n8n's Google Sheets node (version 4.7): rows contain their
 * `row_number`, and an update with Map Automatically changes only the columns that the item has.
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
				// Replace the schedule with a Manual Trigger, because n8n runs a schedule only when it is
				// due.
				if (type.endsWith('scheduleTrigger')) {
					const manual = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
					Object.assign(node, manual);
				}
			}
		},
		close: async () => await server.close(),
	};
	server.respond = (response, { method, body }) => {
		const respond = (status: number, content: object) =>
			response.writeHead(status, jsonHeaders).end(JSON.stringify(content));
		if (method === 'POST') {
			if (google.isFull) return respond(507, {});
			return respond(200, { webViewLink: `https://drive.example.com/${google.stored.push(body)}` });
		}
		if (method === 'PUT') {
			const { row_number: number, ...cells } = JSON.parse(body) as Record<string, string>;
			return respond(200, Object.assign(google.rows[Number(number) - 2] ?? {}, cells));
		}
		return respond(
			200,
			google.rows.map((row, index) => ({ row_number: index + 2, ...row })),
		);
	};
	return google;
}
