import { messageAfter, pieces, take } from '../support/downloading';

const link = 'The link to the document';
const invalid = `${link} is not valid, most likely because it has expired`;
const respondWith =
	(body: string | Buffer, type = 'application/pdf') =>
	() => ({ headers: { 'content-type': type }, body: pieces(body) });
const page = (title: string) => `<!DOCTYPE html><html><head><title>${title}</title></head></html>`;

describe('an answer of 200 that is not the file is refused:', () => {
	test.each<[string, string | Buffer, string, string]>([
		['a page', page('Sign in'), 'text/html', `${invalid} (HTTP 200: Sign in)`],
		[
			'a page that says it',
			page('Link expired'),
			'text/html',
			`${link} has expired (HTTP 200: Link expired)`,
		],
		['a page called a PDF', page('Gone'), 'application/pdf', `${invalid} (HTTP 200: Gone)`],
		['a page of unknown type', page('Gone'), '', `${invalid} (HTTP 200: Gone)`],
		[
			'a page without a title',
			'\n\n<HTML>expired? no',
			'application/octet-stream',
			`${invalid} (HTTP 200: a web page instead of a file)`,
		],
		[
			'a page behind a mark and a comment',
			`\ufeff <!-- a --><!-- b --> ${page('Gone')}`,
			'',
			`${invalid} (HTTP 200: Gone)`,
		],
		[
			'an XHTML page',
			`<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html><title>Gone</title>`,
			'application/xml',
			`${invalid} (HTTP 200: Gone)`,
		],
		[
			'a UTF-16 page',
			Buffer.from(`\ufeff${page('Gone')}`, 'utf16le'),
			'',
			`${invalid} (HTTP 200: Gone)`,
		],
		[
			'a piece of a page',
			'<script>location="/login"</script>',
			'',
			`${invalid} (HTTP 200: a web page instead of a file)`,
		],
		[
			'text that is called a page',
			'Please sign in',
			'text/html; charset=utf-8',
			`${invalid} (HTTP 200: Please sign in)`,
		],
		[
			'an XML error',
			'<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
			'application/xml',
			`${link} has expired (HTTP 200: Request has expired)`,
		],
		[
			'an XML error with a space of names',
			'<Error xmlns="urn:x"><Code>No</Code></Error>',
			'application/pdf',
			`${invalid} (HTTP 200: an XML error instead of a file)`,
		],
		[
			'JSON',
			'{"message":"Link expired"}',
			'application/pdf',
			`${link} has expired (HTTP 200: Link expired)`,
		],
		[
			'JSON without words',
			' { }',
			'application/json',
			`${invalid} (HTTP 200: JSON instead of a file)`,
		],
		[
			'long JSON',
			`{"a":"${'b'.repeat(900)}"}`,
			'',
			`${invalid} (HTTP 200: JSON instead of a file)`,
		],
		['JSON by its name alone', '7', 'text/json', `${invalid} (HTTP 200: JSON instead of a file)`],
		[
			'an XML error in a space of names',
			'<soap:ErrorResponse><soap:Code>No</soap:Code></soap:ErrorResponse>',
			'',
			`${invalid} (HTTP 200: an XML error instead of a file)`,
		],
		['a JSON list', '["no"]', 'application/problem+json', `${invalid} (HTTP 200: no)`],
		[
			'a sentence',
			'This link has expired.',
			'text/plain',
			`${link} has expired (HTTP 200: This link has expired.)`,
		],
	])('%s', async (_name, body, type, message) => {
		const { error, calls } = await take(respondWith(body, type));
		expect(error).toMatchObject({
			message,
			description: expect.stringContaining('take a fresh link from the service') as string,
			answered: 200,
			topic: 'files',
		});
		expect(calls).toHaveLength(1);
	});

	test('nothing at all', async () => {
		expect((await take(respondWith(''))).error).toMatchObject({
			message: 'Could not download the document: the answer is empty',
			description: expect.stringContaining('check the address of the file') as string,
			topic: 'files',
		});
	}, 10_000);

	test('and nothing of it is stored', async () => {
		const store = jest.fn();
		await take(respondWith(page('Gone')), { store });
		expect(store).not.toHaveBeenCalled();
	});

	test('without what signs the address, however it is written', async () => {
		const key = 'MARKED/KEY+of=the/file/'.repeat(3);
		const address = `https://files.example.com/f?key=${encodeURIComponent(key)}`;
		const said = [
			JSON.stringify({ message: `bad ${key}` }).replaceAll('/', '\\/'),
			JSON.stringify({ message: `bad ${encodeURIComponent(key)}` }),
			page(`bad ${key}`),
			page(`bad ${'b'.repeat(270)} ${encodeURIComponent(key)}`),
			`<Error><Message>bad ${'b'.repeat(270)} ${key}</Message></Error>`,
		];
		for (const body of said) {
			const message = await messageAfter(respondWith(body, ''), { more: { address } });
			expect(message).toContain('(HTTP 200: bad');
			expect(message).not.toContain('MARKED');
		}
		const inPath = `https://files.example.com/MARKED-${'k'.repeat(30)}/file.pdf`;
		const respond = () => ({ status: 404, body: pieces(`no ${inPath.slice(25)}`) });
		const message = await messageAfter(respond, { more: { address: inPath } });
		expect(message).toContain('(HTTP 404: no');
		expect(message).not.toContain('MARKED');
	});
});

describe('what an answer quotes of the address is hidden if it may be a key:', () => {
	test.each([
		['a value of 8 characters', 'f?key=abcd1234', 'abcd1234', true],
		['a value of 7 characters', 'f?n=lease12', 'lease12', false],
		['a value behind another', 'f?n=1&key=abcd1234', 'abcd1234', true],
		['a value in the fragment', 'f#key=abcd1234', 'abcd1234', true],
		['a value without a name', 'f?abcd1234', 'abcd1234', true],
		['a long part of the path', 'a-lease-of-anna-2026/f', 'a-lease-of-anna-2026', true],
		['a short part of the path', 'lease-2026/f', 'lease-2026', false],
		['the name of the place', '', 'files.example-of-a-storage.com', false],
	])('%s', async (_name, rest, quoted, isHidden) => {
		const address = `https://files.example-of-a-storage.com/${rest}`;
		const respond = () => ({ status: 404, body: pieces(`no ${quoted} here`) });
		const message = await messageAfter(respond, { more: { address } });
		expect(message).toContain(`(HTTP 404: no ${isHidden ? '…' : quoted} here)`);
	});
});

describe('a file is a file, whatever its content type:', () => {
	const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
	const der = Buffer.from([0x30, 0x82, 0x01, 0x0a, 0x02, 0x01, 0x00]);

	test.each<[string, string | Buffer]>([
		['a PDF', '%PDF-1.7\n<html><title>not a page</title>'],
		['a PDF behind a line and a mark', '\ufeff\n%PDF-1.4'],
		['a PDF behind other bytes', 'HEAD\n%PDF-1.4'],
		['an image', png],
		['a certificate', der],
		['a ZIP file', Buffer.from('PK\u0003\u0004 <html>')],
	])('%s', async (_name, body) => {
		for (const type of ['application/pdf', 'text/html', 'application/json', 'text/xml', '']) {
			const { stored } = await take(respondWith(body, type));
			expect(stored?.text).toBe(body.toString());
		}
	});

	test.each([
		[
			'XML that is no error',
			'<?xml version="1.0"?><!-- signed --><Document><Error/></Document>',
			'text/xml',
		],
		['XML whose root is called like a tag', '<?xml version="1.0"?><a/>', 'text/xml'],
		['text', 'Signed by Ana. The certificate expired never.'.repeat(10), 'text/plain'],
		['RTF', '{\\rtf1 hello}', 'application/rtf'],
	])('%s', async (_name, body, type) => {
		expect((await take(respondWith(body, type))).stored?.text).toBe(body);
	});

	test('all of it is stored, also what was looked at', async () => {
		const long = `%PDF-1.7 ${'x'.repeat(5000)}`;
		const split = [long.slice(0, 700), long.slice(700, 1500), long.slice(1500)];
		const { stored } = await take(() => ({ body: pieces(...split) }), { more: { limit: 9000 } });
		expect(stored?.text).toBe(long);
	});

	test('no more than the first kB is looked at', async () => {
		const long = `x${' '.repeat(1500)}{"message":"expired"}`;
		const { stored } = await take(respondWith(long, 'text/plain'), { more: { limit: 9000 } });
		expect(stored?.text).toBe(long);
	});
});
