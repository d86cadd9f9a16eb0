import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { evaluate } from '../support/expressions';

// What the mail of an onboarding example says, worked out by n8n's own code for expressions;
// test/e2e/onboarding.test.ts runs the examples as a whole.

const file = path.join(__dirname, '..', '..', 'examples', 'onboarding-signed.json');
const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as WorkflowInput;
const text = String(nodes.find(({ name }) => name === 'Mail the signed document')?.parameters.text);
const pdf: IBinaryKeyData = { document: { data: '', mimeType: 'application/pdf' } };
const documentUrl = 'http://127.0.0.1:9/a.pdf';
const missingFiles = [{ file: 'certificate', reason: 'it did not arrive' }];

test.each<[string, IDataObject, IBinaryKeyData, string]>([
	['all files', {}, pdf, ', and the signed document is attached with its certificates.'],
	[
		'one file missing',
		{ documentUrl, missingFiles },
		pdf,
		`, but not every file could be attached (missing: certificate). The signed document: ${documentUrl}`,
	],
	[
		'no file, and no link',
		{},
		{},
		', but not every file could be attached. The signed document: its link was not reported',
	],
])('the mail with %s is one sentence that says so', (_what, json, binary, words) => {
	expect(evaluate(text, { title: 'NDA', ...json }, binary)).toBe(
		`Everybody has signed "NDA"${words}`,
	);
});
