import type { INode } from 'n8n-workflow';

import type { Adapt } from '../support/exampleRuns';

/** What the forms of the Google nodes keep, as far as the examples use it. */
interface GoogleParameters {
	operation: string;
	columns?: { value: Record<string, string> | null; matchingColumns: string[] };
	filtersUI?: { values?: Array<{ lookupColumn: string; lookupValue: string }> };
	options: { returnFirstMatch?: boolean };
	inputDataFieldName?: string;
}

/** A call of the server of this test in place of a node of Google. */
function asRequest(url: string, { type, parameters }: INode): Partial<INode> {
	const { operation, columns, filtersUI, options, inputDataFieldName } =
		parameters as unknown as GoogleParameters;
	const pairs = (values: Record<string, string>) => ({
		parameters: Object.entries(values).map(([name, value]) => ({ name, value })),
	});
	const [filter] = filtersUI?.values ?? [];
	const query: Record<string, string> = columns
		? { match: columns.matchingColumns[0] ?? '' }
		: filter
			? { column: filter.lookupColumn, value: filter.lookupValue }
			: {};
	if (options.returnFirstMatch) query.first = 'true';
	const isStorage = type === 'n8n-nodes-base.googleDrive';
	const cells = columns?.value
		? { bodyParameters: pairs(columns.value) }
		: { specifyBody: 'json', jsonBody: '={{ JSON.stringify($json) }}' };
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: operation === 'read' ? 'GET' : 'POST',
			url: `${url}/${isStorage ? 'files' : 'rows'}`,
			sendQuery: true,
			queryParameters: pairs(query),
			...(columns ? { sendBody: true, ...cells } : {}),
			...(isStorage ? { sendBody: true, contentType: 'binaryData', inputDataFieldName } : {}),
			options: {},
		},
	};
}

/** Puts a sheet server in the place of Google, and lets nothing wait for a schedule. */
export const replaceGoogle =
	(url: string): Adapt =>
	(_node, nodes) => {
		for (const node of nodes) {
			if (/\.google(Sheets|Drive)$/.test(node.type)) Object.assign(node, asRequest(url, node));
			// n8n runs no schedule at once.
			if (node.type.endsWith('scheduleTrigger'))
				Object.assign(node, {
					type: 'n8n-nodes-base.manualTrigger',
					typeVersion: 1,
					parameters: {},
				});
			if (node.type.endsWith('.wait'))
				Object.assign(node.parameters, { amount: 1, unit: 'seconds' });
			if (/google/i.test(Object.keys(node.credentials ?? {}).join())) delete node.credentials;
		}
	};
