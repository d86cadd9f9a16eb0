import type { IDataObject } from 'n8n-workflow';

import { operationNamed } from '../operations';
import { runAction, type RunSetup } from '../support/contexts';
import { clientOf } from '../support/credentials';
import { useService } from '../support/service';

const service = useService();

const all = ['document', 'certificate', 'pscCertificate'];
const download = async (parameters: object, setup: Partial<RunSetup> = {}) =>
	await runAction(service.credential(), {
		parameters: { resource: 'document', operation: 'download', ...parameters },
		...setup,
	});

describe('the files of a signed document', () => {
	/** As the trigger puts it out. */
	let signed: IDataObject;
	beforeAll(async () => {
		const { sandbox } = service;
		const { prepare } = operationNamed('document/download');
		[signed = {}] = await prepare({ sandbox, client: clientOf(sandbox) }, 1);
	});

	test('straight from simplified trigger output', async () => {
		const [item] = await download({ files: all }, { items: [signed] });
		expect(item?.json).toEqual(signed);
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
		const { documentUrl } = signed;
		const signatories = [{ name: 'Ana Torres' }, { name: 'Ben Cruz' }];
		const [item] = await download({}, { items: [{ documentUrl, title: ' Lease ', signatories }] });
		expect(item?.binary?.document?.fileName).toBe('Lease – Ana Torres.pdf');
	});

	test('from an expression, beside the files that the item brought', async () => {
		const binary = { photo: { data: 'AA==', mimeType: 'image/png' } };
		const { certificateUrl } = signed;
		const [item] = await download({ files: ['certificate'], certificateUrl }, { binary });
		expect(Object.keys(item?.binary ?? {})).toEqual(['photo', 'certificate']);
	});
});
