import { nameFile, type FileOrigin } from '../../nodes/SignVerify/transport/fileName';

const origin: FileOrigin = {
	disposition: undefined,
	contentType: 'application/pdf',
	title: '',
	suffix: '',
	address: 'https://files.example.com/a/b/Lease%20one.pdf?signature=1',
};

describe('the name of a file', () => {
	test.each<[string, Partial<FileOrigin>, string]>([
		['as the sender quotes it', { disposition: 'inline; filename="A \\"b\\".pdf"' }, 'A b .pdf'],
		['as the sender writes it', { disposition: 'attachment; filename=a.pdf' }, 'a.pdf'],
		[
			'in its encoded form first',
			{ disposition: `attachment; filename="a_.pdf"; filename*=UTF-8''%C3%85.pdf` },
			'Å.pdf',
		],
		[
			'in its plain form when the encoded one is broken',
			{ disposition: `attachment; filename="a.pdf"; filename*=UTF-8''%C3%.pdf` },
			'%C3%.pdf',
		],
		['without a path', { disposition: 'attachment; filename="../../etc/a.pdf"' }, 'etc a.pdf'],
		['after the document', { title: 'Lease: 1/2', suffix: ' - psc' }, 'Lease 1 2 - psc.pdf'],
		['after the address', {}, 'Lease one.pdf'],
		['when the address has none', { address: 'https://files.example.com' }, 'document.pdf'],
		['shortened', { title: 'x'.repeat(300) }, `${'x'.repeat(140)}.pdf`],
	])('%s', (_name, given, expected) => {
		expect(nameFile({ ...origin, ...given }).fileName).toBe(expected);
	});

	test.each([
		['application/pdf; charset=x', 'application/pdf'],
		['binary/octet-stream', 'application/pdf'],
		['', 'application/pdf'],
		['image/PNG', 'image/png'],
	])('a type of "%s" counts as %s', (contentType, expected) => {
		expect(nameFile({ ...origin, contentType }).mimeType).toBe(expected);
	});

	test('what is not known stays bytes', () => {
		const address = 'https://files.example.com/a';
		expect(nameFile({ ...origin, contentType: '', address })).toEqual({
			fileName: 'a',
			mimeType: 'application/octet-stream',
		});
	});
});
