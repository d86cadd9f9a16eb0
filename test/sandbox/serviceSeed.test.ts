import { Value } from '@sinclair/typebox/value';
import axios from 'axios';
import type { Sandbox } from '../../sandbox';
import { DocumentSchema, TemplateListV1Schema, TemplateListV2Schema } from '../../sandbox/schemas';
import { type Answer, receiver, register, signedIn, start, stopAll } from './serviceKit';
import { processorTimeUntil } from '../support/processorTime';

afterEach(stopAll);

test('thousands of templates and documents are there after a second or two', async () => {
	let sandbox = {} as Sandbox;
	const time = await processorTimeUntil(async () => {
		sandbox = await start({ seed: { templates: 5000, documents: 5000 } });
	});
	expect(time).toBeLessThan(5000);
	const http = await signedIn(sandbox);
	const v1 = (await http.get<Answer>('/templates')).data.responseData;
	const v2 = (await http.get<Answer>('/templates/v2')).data.responseData;
	expect([...Value.Errors(TemplateListV1Schema, v1)]).toEqual([]);
	expect([...Value.Errors(TemplateListV2Schema, v2)]).toEqual([]);
	const { length } = sandbox.templates();
	expect(length).toBe(5006);

	const documents = sandbox.documents();
	expect(documents).toHaveLength(5000);
	for (const one of documents.filter((_, index) => index % 500 === 0)) {
		expect([...Value.Errors(DocumentSchema, one)]).toEqual([]);
	}
	const of = (status: string) => documents.filter((one) => one.status === status).length;
	expect(of('COMPLETED')).toBeGreaterThan(1000);
	expect(of('PENDING')).toBeGreaterThan(1000);
	expect(new Set(documents.map(({ documentID }) => documentID)).size).toBe(5000);
	expect(sandbox.mails()).toEqual([]);

	// The console stays quick, and finds.
	const page = await axios.get<string>(`${sandbox.url}/lists/documents?q=jansen+completed`);
	expect(page.data).toMatch(/\d+ of 5000 found\. Page 1 of \d+/);
	expect(page.data.match(/<h3>/g)).toHaveLength(50);
});

test('a made-up document can be signed and fired, and a completed one has its file', async () => {
	const sandbox = await start({ seed: { documents: 9 } });
	const http = await signedIn(sandbox);
	const hook = await receiver();
	await register(http, hook.url, 'completedDocument');
	const open = sandbox
		.documents()
		.find(({ computedFields }) => computedFields.isAllSignatoryPending);
	for (const { emailID } of open?.signatory ?? []) {
		await sandbox.sign(open?.documentID ?? '', emailID);
	}
	const done = sandbox.documents().find(({ status }) => status === 'COMPLETED');
	await sandbox.fire('completedDocument', done?.documentID ?? '');
	await sandbox.idle();
	expect(hook.got.map(({ body }) => body.Document.documentID)).toEqual([
		open?.documentID,
		done?.documentID,
	]);
	for (const { body } of hook.got) {
		expect(body.Document.documentHash).toMatch(/^[0-9a-f]{64}$/);
		const file = await axios.get<Buffer>(body.Document.documentURL ?? '', {
			responseType: 'arraybuffer',
		});
		expect(file.data.subarray(0, 5).toString()).toBe('%PDF-');
	}
});
