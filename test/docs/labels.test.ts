import type { INodeTypeDescription } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { operations, resources } from '../../nodes/SignVerify/operations';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
import { root } from '../../scripts/tools';
import { readPage } from './markdown';

/** The pages for whoever builds workflows. What is bold there is a name that they look for. */
const pages = [
	'choose',
	'send-a-contract',
	'send-to-many',
	'verify-an-identity',
	'documents',
	'examples',
	'errors',
	'production',
	'trigger',
	'waiting',
];

/** Names of n8n 2.41.1, looked up in its editor. */
const ofN8n = [
	'Attachments (File)',
	'Batch Size',
	'Clear Deduplication History',
	'Continue (using error output)',
	'Execute step',
	'Execute Sub-workflow',
	'Execute workflow',
	'Extract from File',
	'From Email',
	'HTML',
	'History Size',
	'If',
	'Import → From file',
	'Import → From URL',
	'Input Binary Field',
	'Loop Over Items',
	'Map Automatically',
	'Mapping Column Mode',
	'Max Items',
	'On Error',
	'On Error: Continue',
	'Read/Write Files from Disk',
	'Remove Duplicates',
	'Remove Items Processed in Previous Executions',
	'Retry On Fail',
	'Send Email',
	'Settings',
	'Subject',
	'To Email',
	'Value to Dedupe On',
	'Wait Amount',
	'Wait For Sub-Workflow Completion',
	'When Executed by Another Workflow',
];

/** Bold for another reason. A sentence of its own, with its full stop, need not be here. */
const emphasis = [
	'`N8N_ENCRYPTION_KEY`',
	'"Found credential with no ID"',
	'A new API key',
	'A new webhook secret',
	'An account of its own',
	'Check it',
	'and',
	'description',
	'every',
	'for this item',
	'message',
	'signing links included',
	'signing links, passwords and personal data included',
];

/** Every name and display name below a description. */
function namesIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(namesIn);
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, each]) =>
		typeof each === 'string' && ['displayName', 'name'].includes(key) ? [each] : namesIn(each),
	);
}

const descriptions: Array<INodeTypeDescription | SignVerifyApi> = [
	new SignVerify().description,
	new SignVerifyTrigger().description,
	new SignVerifyApi(),
];
const nodesOfExamples = readdirSync(path.join(root, 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map(
		(file) =>
			JSON.parse(readFileSync(path.join(root, 'examples', file), 'utf8')) as { nodes: unknown[] },
	);
const known = new Set([
	...namesIn(descriptions),
	...namesIn(nodesOfExamples.map(({ nodes }) => nodes)),
	...operations.map(({ resource, name }) => `${resources[resource].name}: ${name}`),
	...ofN8n,
	...emphasis,
]);

test.each(pages)(
	'docs/%s.md: what is bold is a name of the form, of an example or of n8n',
	(page) => {
		const bold = [...readPage(`docs/${page}.md`).prose.matchAll(/\*\*([^*]+)\*\*/g)]
			.map(([, text = '']) => text.replace(/\s+/g, ' '))
			.filter((text) => !/[.:]$/.test(text));
		expect(bold.length).toBeGreaterThan(2);
		expect(bold.filter((text) => !known.has(text))).toEqual([]);
	},
);
