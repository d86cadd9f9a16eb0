import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { simplifyNotification } from '../../nodes/SignVerify/events/eventItem';
import { ada, byId } from '../support/service';
import {
	documentsFor,
	numbered,
	numberedWith,
	problemOfId,
	problemOfCompletion,
	sendDocument,
	signDocument,
	templateId,
	templateValues,
	token,
} from './service';
import type { Entries, OperationEntry } from '.';

const send: OperationEntry = {
	parameters: {
		templateId: byId(templateId),
		fields: { mappingMode: 'defineBelow', value: templateValues },
		specifySignatories: 'oneByOne',
		signatories: { signatory: [{ email: '={{ $json.email }}', name: 'Ada Lovelace' }] },
		country: { __rl: true, mode: 'name', value: 'Mexico' },
	},
	calls: {
		token,
		list: 'GET /templates/v2',
		olderList: 'GET /templates',
		call: 'POST /templates/createDocumentByTemplateV2',
	},
	prepare: async (_service, count) =>
		numbered(count, (n) => ({ email: `person-${n}@example.com` })),
	malformed: { email: 'not an address' },
	created: (sandbox, { email }) => documentsFor(sandbox, String(email)),
	problemOf: (sandbox, { email }, { json }) =>
		problemOfId(json.documentId, documentsFor(sandbox, String(email))),
};

const sendAndWait: OperationEntry = {
	...send,
	calls: {
		...send.calls,
		registration: 'POST /webhooks',
		webhooks: 'GET /webhooks',
		deletion: 'DELETE /webhooks',
	},
	problemOf(sandbox, item, output) {
		const { documentId, status } = output.json;
		const found = sandbox.documents().find(({ documentID }) => documentID === documentId);
		return problemOfCompletion(status, found?.status) ?? send.problemOf(sandbox, item, output);
	},
	waits: {
		event: 'completedDocument',
		finish: signDocument,
		other: async (service) =>
			await sendDocument(service, [{ ...ada, email: 'somebody.else@example.com' }]),
	},
};

/**
 * The items already contain the links, as in the trigger's output, so the operation does not need a token.
 */
const download: OperationEntry = {
	parameters: { files: ['document'] },
	calls: {},
	async prepare(service, count) {
		const { sandbox, client } = service;
		await client.registerWebhook('completedDocument', `${sandbox.url}/none`);
		return await numberedWith(count, async (n) => {
			const id = await sendDocument(service, [{ ...ada, email: `signed-${n}@example.com` }]);
			await signDocument(sandbox, id);
			const [notified] = await sandbox.fire('completedDocument', id);
			return simplifyNotification(
				readNotification('completedDocument', notified?.body as IDataObject),
			);
		});
	},
	malformed: { documentUrl: 'not a link' },
	absent: ({ url }) => ({ documentUrl: `${url}/files/65f1c0de00000000000000ff/document.pdf` }),
	problemOf: (_sandbox, _item, { binary }) =>
		binary?.document?.mimeType === 'application/pdf' ? undefined : 'there is no file',
};

export const document: Entries = { send, download, sendAndWait };
