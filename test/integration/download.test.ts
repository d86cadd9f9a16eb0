import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { simplifyNotification } from '../../nodes/SignVerify/events/output';
import { runAction, type RunSetup } from '../support/contexts';
import { byId, mapped, useService } from '../support/service';
import { Stub } from '../support/stub';

const service = useService();
/** A place where files are kept, as a storage behind pre-signed addresses is. */
const host = new Stub();
beforeAll(async () => void (await host.start()));
afterAll(async () => await host.close());

const all = ['document', 'certificate', 'pscCertificate'];
const download = async (parameters: object, setup: Partial<RunSetup> = {}) =>
	await runAction(service.credential(), {
		parameters: { resource: 'document', operation: 'download', ...parameters },
		...setup,
	});

/** A signed document of the sandbox, as its event carries it. */
async function signedDocument(): Promise<IDataObject> {
	const email = 'ada@example.com';
	await runAction(service.credential(), {
		parameters: {
			resource: 'document',
			operation: 'createFromTemplate',
			templateId: byId('65f1c0de0000000000000201'),
			fields: mapped({ employee_name: 'Ada', role: 'Analyst', start_date: '2027-01-11' }),
			signatoriesFrom: 'form',
			signatories: { signatory: [{ email, name: 'Ada Lovelace' }] },
			country: { __rl: true, mode: 'name', value: 'Mexico' },
		},
	});
	await runAction(service.credential(), {
		parameters: { resource: 'webhook', operation: 'create', webhookUrl: `${host.url}/events` },
	});
	const id = service.sandbox.documents().at(-1)?.documentID ?? '';
	await service.sandbox.sign(id, email);
	await service.sandbox.idle();
	return (service.sandbox.deliveries().at(-1)?.body as IDataObject).Document as IDataObject;
}

describe('the files of a signed document', () => {
	let document: IDataObject;
	beforeAll(async () => {
		document = await signedDocument();
	});

	test('straight from simplified trigger output', async () => {
		const notification = readNotification('completedDocument', { Document: document });
		const json = simplifyNotification(notification);
		const [item] = await download({ files: all }, { items: [json] });
		expect(item?.json).toEqual(json);
		expect(item?.pairedItem).toEqual({ item: 0 });
		expect(Object.keys(item?.binary ?? {}).sort()).toEqual([...all].sort());
		for (const name of all) {
			const file = item?.binary?.[name];
			expect(file?.mimeType).toBe('application/pdf');
			expect(file?.fileName).toMatch(/^Employment contract – Ada Lovelace( - .*)?\.pdf$/);
			expect(Buffer.from(file?.data ?? '', 'base64').toString('latin1')).toMatch(/^%PDF/);
		}
	});

	test('are named after the document and the person who signs it first', async () => {
		const { documentURL: documentUrl } = document;
		const signatories = [{ name: 'Ana Torres' }, { name: 'Ben Cruz' }];
		const [item] = await download({}, { items: [{ documentUrl, title: ' Lease ', signatories }] });
		expect(item?.binary?.document?.fileName).toBe('Lease – Ana Torres.pdf');
	});

	test('from an expression, beside the files that the item brought', async () => {
		const brought = { photo: { data: 'AA==', mimeType: 'image/png' } };
		const [item] = await download(
			{
				files: ['certificate'],
				certificateUrl: document.certificateURL as string,
			},
			{ binary: brought },
		);
		expect(Object.keys(item?.binary ?? {})).toEqual(['photo', 'certificate']);
	});
});

test('redirects are followed', async () => {
	const pdf = Buffer.from('%PDF-1.7 hello');
	host.answer = (response, { path }) => {
		if (path === '/old') response.writeHead(302, { location: '/new.pdf' }).end();
		else response.end(pdf);
	};
	const [item] = await download({ documentUrl: `${host.url}/old` });
	expect(item?.binary?.document?.bytes).toBe(pdf.length);
});
