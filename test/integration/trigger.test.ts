import { useFileHost } from '../support/files';
import { useService } from '../support/service';
import { activeTrigger } from '../support/triggerNode';

const service = useService();
const host = useFileHost();

// Over a real connection; all else of the trigger is in test/unit/handle*.test.ts.
test('the files of a document are fetched from where they are, without key or token', async () => {
	host.answer = (_, response) =>
		response.setHeader('content-type', 'application/pdf').end('%PDF-1.7 content');
	const trigger = activeTrigger(
		{ events: ['completedDocument'], downloadFiles: true },
		{ keeper: service.credential() },
	);
	const Document = {
		documentID: 'd',
		title: 'Lease: 2026/A',
		status: 'COMPLETED',
		documentURL: `${host.url}/document`,
		certificateURL: `${host.url}/certificate`,
		pscCertificateURL: `${host.url}/psc`,
	};
	const { items } = await trigger.call({ body: { type: 'completedDocument', Document } });
	expect(items).toHaveLength(1);
	expect(items[0]?.json).not.toHaveProperty('missingFiles');
	expect(items[0]?.json.fileNames).toBe('document,certificate,pscCertificate');
	const stored = (suffix = '') => ({
		fileName: `Lease 2026 A${suffix}.pdf`,
		mimeType: 'application/pdf',
		data: Buffer.from('%PDF-1.7 content').toString('base64'),
	});
	expect(items[0]?.binary).toMatchObject({
		document: stored(),
		certificate: stored(' - certificate'),
		pscCertificate: stored(' - psc'),
	});
	expect(host.requests).toHaveLength(3);
	for (const { headers } of host.requests) {
		expect(Object.keys(headers).join()).not.toMatch(/token|authorization|user-id|api-key/);
	}
});
