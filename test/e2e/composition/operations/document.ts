import { byId, numbered } from './values';
import type { OperationUnderTest } from './types';
import { documentsFor, sendDocument, signDocument, templateId, templateValues } from '../service';

const form = {
	templateVersion: 'v2',
	templateId: byId(templateId),
	fields: { mappingMode: 'defineBelow', value: templateValues },
	signatoriesFrom: 'form',
	signatories: { signatory: [{ email: '={{ $json.email }}', name: 'Ada Lovelace' }] },
	country: { __rl: true, mode: 'name', value: 'Mexico' },
};

const calls = {
	token: 'POST /access/token',
	list: 'GET /templates/v2',
	call: 'POST /templates/createDocumentByTemplateV2',
};

/** document / createFromTemplate */
export const createFromTemplate: OperationUnderTest = {
	words: 'Document: Send for Signature',
	parameters: { resource: 'document', operation: 'createFromTemplate', ...form },
	calls,
	prepare: async (_service, count) =>
		numbered(count, (n) => ({ email: `person-${n}@example.com` })),
	malformed: { email: 'not an address' },
	created: (sandbox, { email }) => documentsFor(sandbox, String(email)),
	problemOf(sandbox, { email }, { json }) {
		const ids = documentsFor(sandbox, String(email));
		return ids.includes(String(json.documentId))
			? undefined
			: `documentId ${String(json.documentId)}, but the person got ${JSON.stringify(ids)}`;
	},
};

/** document / sendAndWait */
export const sendAndWait: OperationUnderTest = {
	...createFromTemplate,
	words: 'Document: Send for Signature and Wait',
	parameters: { resource: 'document', operation: 'sendAndWait', ...form },
	calls: {
		...calls,
		registration: 'POST /webhooks',
		webhooks: 'GET /webhooks',
		deletion: 'DELETE /webhooks',
	},
	problemOf(sandbox, item, output) {
		const { documentId, status } = output.json;
		const document = sandbox.documents().find((each) => each.documentID === documentId);
		const said = String(documentId);
		if (document?.status !== 'COMPLETED')
			return `document ${said} is ${document?.status ?? 'nowhere'}`;
		if (status !== 'COMPLETED') return `the output says that document ${said} is ${String(status)}`;
		return createFromTemplate.problemOf(sandbox, item, output);
	},
	waits: {
		event: 'completedDocument',
		finish: signDocument,
		other: async (service) => await sendDocument(service, 'somebody.else@example.com'),
	},
};

/** document / download: by a link, so that it needs no token. */
export const download: OperationUnderTest = {
	words: 'Document: Download',
	parameters: {
		resource: 'document',
		operation: 'download',
		files: ['document'],
		addressesFrom: 'form',
		documentUrl: '={{ $json.link }}',
	},
	calls: {},
	async prepare(service, count) {
		const { sandbox } = service;
		const id = await sendDocument(service, 'signed@example.com');
		const link = `${sandbox.url}/none`;
		await service.client.registerWebhook('sendDocument', link);
		const [notified] = await sandbox.fire('sendDocument', id);
		const { Document: document } = notified?.body as {
			Document: { webhookData: { documentURL: string } };
		};
		return numbered(count, () => ({ link: document.webhookData.documentURL }));
	},
	malformed: { link: 'not a link' },
	absent: ({ url }) => ({ link: `${url}/files/65f1c0de00000000000000ff/document.pdf` }),
	problemOf: (_sandbox, _item, { binary }) =>
		binary?.document?.mimeType === 'application/pdf' ? undefined : 'there is no file',
};
