import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { evaluate } from '../support/expressions';

// What the expressions of the onboarding examples give, worked out by n8n's own code for them;
// test/e2e/onboarding.test.ts runs the examples as a whole.

const workflowOf = (file: string) =>
	JSON.parse(
		readFileSync(path.join(__dirname, '..', '..', 'examples', `${file}.json`), 'utf8'),
	) as WorkflowInput;
const signed = workflowOf('onboarding-signed');

const parametersOf = ({ nodes }: WorkflowInput, name: string): IDataObject => {
	const node = nodes.find((each) => each.name === name);
	if (!node) throw new Error(`no node "${name}"`);
	return node.parameters;
};

/** What the node "Edit Fields" adds to an item: its fields by their names. */
const addedBy = (workflow: WorkflowInput, name: string) => {
	const { assignments } = parametersOf(workflow, name).assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	return Object.fromEntries(assignments.map((each) => [each.name, each.value]));
};

const pdf: IBinaryKeyData = { document: { data: '', mimeType: 'application/pdf' } };
const expiryOf = (json: IDataObject) =>
	evaluate(addedBy(signed, 'When the links expire').linksExpire ?? '', json);
const mailOf = (json: IDataObject, binary = pdf) =>
	evaluate(String(parametersOf(signed, 'Mail the signed document').text), json, binary);

const file = 'http://127.0.0.1:9/a.pdf';
const noon = Date.UTC(2027, 0, 1, 12);

test.each([
	[
		'X-Amz-Date and X-Amz-Expires',
		'X-Amz-Date=20270101T113000Z&X-Amz-Expires=1800&X-Amz-Signature=a',
	],
	['Expires in seconds', `AWSAccessKeyId=a&Expires=${noon / 1000}&Signature=b`],
	['expires in milliseconds, as in the sandbox', `expires=${noon}&signature=a`],
])('a link tells when it expires by %s', (_how, query) => {
	expect(expiryOf({ documentUrl: `${file}?${query}` })).toBe('1 January 2027, 12:00 UTC');
});

test('of several links, the first to expire counts', () => {
	const urls = {
		documentUrl: `${file}?expires=${noon + 3_600_000}`,
		certificateUrl: `${file}?Expires=${noon / 1000}`,
		pscCertificateUrl: null,
	};
	expect(expiryOf(urls)).toBe('1 January 2027, 12:00 UTC');
});

test.each([
	['no parameter at all', { documentUrl: file }],
	['a period without its begin', { documentUrl: `${file}?X-Amz-Expires=1800` }],
	['one link of two', { documentUrl: `${file}?expires=${noon}`, certificateUrl: file }],
])('with %s nothing is said about the time', (_what, urls) => {
	expect(expiryOf(urls)).toBe('');
	expect(mailOf({ ...urls, linksExpire: '' })).toContain(
		'\nThe links expire soon. The attached files do not expire.',
	);
});

test('the mail says when the links expire, and has every link', () => {
	const text = mailOf({
		title: 'Contract',
		documentUrl: `${file}?1`,
		certificateUrl: `${file}?2`,
		pscCertificateUrl: `${file}?3`,
		linksExpire: '1 January 2027, 12:00 UTC',
	});
	expect(text).toContain('The signed document and its certificates are attached.');
	expect(text).toContain('The links expire on 1 January 2027, 12:00 UTC. The attached');
	for (const query of [1, 2, 3]) expect(text).toContain(`\n${file}?${query}\n`);
	expect(text).not.toContain('not reported');
});

test('the mail names the files that could not be attached', () => {
	const text = mailOf({ missingFiles: [{ file: 'certificate', reason: 'it did not arrive' }] });
	expect(text).toContain('These files could not be attached: certificate. Use the links below.');
	expect(text).not.toContain('are attached.');
	expect(text).toContain('not reported');
});
