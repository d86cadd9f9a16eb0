import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { activeTrigger, completed, file } from '../support/triggerNode';
import { coded, silence } from '../support/standIn';
import { useVirtualTime } from '../support/virtualTime';

/** What one event starts a trigger with that downloads files. */
async function receive(body: IDataObject, setting: Parameters<typeof activeTrigger>[1] = {}) {
	const { call, fetched } = activeTrigger(
		{ downloadFiles: true },
		{ fetch: () => file('content'), ...setting },
	);
	const { items } = await call({ body });
	return { item: items[0], fetched };
}

useVirtualTime();

describe('Download Files', () => {
	const at = (name: string) => `https://files.example/${name}`;
	const three = () =>
		completed({
			documentURL: at('d'),
			certificateURL: at('c'),
			pscCertificateURL: at('p'),
		});
	const missing = (item: { json: IDataObject } | undefined) => item?.json.missingFiles;

	test.each<[string, unknown, string]>([
		['Lease', 'Ana Torres', 'Lease – Ana Torres'],
		['Lease of ana  TORRES', 'Ana Torres', 'Lease of ana TORRES'],
		['Lease – José Pérez', ' Jose\u0301 Pe\u0301rez ', 'Lease – José Pérez'],
		['Lease', '', 'Lease'],
		['Lease', { first: 'Ana' }, 'Lease'],
		['', 'Ana Torres', 'document'],
	])('names the files of "%s", signed first by %j, "%s"', async (title, name, expected) => {
		const signatory = [{ name }, { name: 'Ben Cruz' }] as IDataObject[];
		const { item } = await receive({
			...three(),
			Document: { ...three().Document, title, signatory },
		});
		expect(Object.values(item?.binary ?? {}).map(({ fileName }) => fileName)).toEqual(
			['', ' - certificate', ' - PSC certificate'].map((suffix) => `${expected}${suffix}.pdf`),
		);
	});

	test('notes the ones that a completed document carries no address for', async () => {
		const { item } = await receive(completed({ documentURL: at('d') }));
		expect(item?.json.fileNames).toBe('document');
		expect(missing(item)).toEqual(
			['certificate', 'pscCertificate'].map((name) => ({
				file: name,
				reason: 'the service gave no link to it',
			})),
		);
	});

	test('expects none of an event that need not carry any', async () => {
		const body = { ...completed(), type: 'signDocument' };
		const { item, fetched } = await receive(body);
		expect(missing(item)).toBeUndefined();
		expect(item?.binary).toEqual({});
		expect(fetched).toEqual([]);
	});

	test.each([
		['its link does not begin with http:// or https://', 'ftp://files.example/x', () => undefined],
		[
			'its link does not begin with http:// or https://',
			'x-https://files.example',
			() => undefined,
		],
		[
			'Could not download the document: https://files.example refuses connections',
			at('d'),
			() => {
				throw coded('ECONNREFUSED');
			},
		],
	])('notes why: %s', async (reason, documentURL, fetch) => {
		const body = { ...completed({ documentURL }), type: 'signDocument' };
		const { item } = await receive(body, { fetch });
		expect(missing(item)).toEqual([{ file: 'document', reason }]);
	});

	test('notes a file that n8n cannot store, without its reasons', async () => {
		const body = { ...completed({ documentURL: at('d') }), type: 'signDocument' };
		const store = async () => await Promise.reject(new Error('at /some/folder'));
		const { item } = await receive(body, { store });
		expect(missing(item)).toEqual([{ file: 'document', reason: 'n8n could not store it' }]);
	});

	test('ends after ten seconds, with the files that came', async () => {
		const body = three();
		const fetch = async (options: IHttpRequestOptions) =>
			options.url === at('d') ? file('content') : await silence({ options });
		const start = performance.now();
		const { item } = await receive(body, { fetch });
		expect(performance.now() - start).toBe(10_000);
		expect(Object.keys(item?.binary ?? {})).toEqual(['document']);
		expect(missing(item)).toEqual(
			[
				['certificate', 'certificate'],
				['pscCertificate', 'PSC certificate'],
			].map(([name, noun]) => ({
				file: name,
				reason: `Could not download the ${noun}: it was not complete after 10 s`,
			})),
		);
	});
});
