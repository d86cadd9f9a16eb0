import { type FileOrigin, nameFile } from '../../nodes/SignVerify/http/download';
import { processorTimeOf } from '../support/processorTime';

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
		['without what turns it round', { title: 'Lease\u202efdp.exe\u2066' }, 'Leasefdp.exe.pdf'],
		['without control characters', { title: 'a\u0085b\u009bc\u001bd\u007fe' }, 'a b c d e.pdf'],
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

	test.each<[string, Partial<FileOrigin>]>([
		['a title of dots', { title: `x${'.'.repeat(1_000_000)}x` }],
		['a title of spaces', { title: `a${' '.repeat(1_000_000)}x` }],
		['a header of quotes', { disposition: 'filename="'.repeat(100_000) }],
		['a header of names', { disposition: `filename*${' '.repeat(1_000_000)}` }],
		['an address of slashes', { address: `https://a.example/${'/'.repeat(1_000_000)}x` }],
		['a type of spaces', { contentType: `a/${' '.repeat(1_000_000)}b` }],
	])('%s of a megabyte holds nobody up', (_name, given) => {
		const time = processorTimeOf(() =>
			expect(nameFile({ ...origin, ...given }).fileName.length).toBeLessThan(160),
		);
		expect(time).toBeLessThan(500);
	});
});
