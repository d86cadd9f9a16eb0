import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { simplifyNotification } from '../../nodes/SignVerify/webhooks/simplify';
import { runAction, type RunSetup } from '../support/contexts';
import { useFileHost } from '../support/files';
import { until } from '../support/until';
import { allOf } from '../support/allOf';
import { byId, failureOf, mapped, useService } from '../support/service';

const service = useService();
const host = useFileHost();

const all = ['document', 'certificate', 'pscCertificate'];
const download = async (parameters: object, setup: Partial<RunSetup> = {}) =>
	await runAction(service.credential(), {
		parameters: { resource: 'document', operation: 'download', ...parameters },
		...setup,
	});
const fromHost = async (path: string, parameters: object = {}) =>
	await download({ documentUrl: `${host.url}${path}`, ...parameters });

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

	test.each<[string, () => IDataObject]>([
		[
			'simplified trigger output',
			() => simplifyNotification(readNotification('completedDocument', { Document: document })),
		],
		['a notification as it came', () => ({ type: 'completedDocument', Document: document })],
		[
			'a sendDocument notification',
			() => {
				const { documentURL, certificateURL, pscCertificateURL, ...rest } = document;
				const webhookData = { documentURL, certificateURL, pscUrl: pscCertificateURL };
				return { Document: { ...rest, webhookData } };
			},
		],
	])('straight from %s', async (_name, itemOf) => {
		const json = itemOf();
		const [item] = await download({ files: all }, { items: [json] });
		expect(item?.json).toEqual(json);
		expect(item?.pairedItem).toEqual({ item: 0 });
		expect(Object.keys(item?.binary ?? {}).sort()).toEqual([...all].sort());
		for (const name of all) {
			const file = item?.binary?.[name];
			expect(file?.mimeType).toBe('application/pdf');
			expect(file?.fileName).toMatch(/^Employment contract.*\.pdf$/);
			expect(Buffer.from(file?.data ?? '', 'base64').toString('latin1')).toMatch(/^%PDF/);
		}
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

	test('an expired link says so, and what to do', async () => {
		const expired = (document.documentURL as string).replace(/expires=\d+/, 'expires=1000');
		const error = await failureOf(download({ documentUrl: expired }));
		expect(error.message).toMatch(/^The link to the document .* expired \(HTTP 403/);
		expect(error.description).toContain('Download the file as soon as the event arrives');
	});
});

describe('any place where files are kept', () => {
	const pdf = Buffer.from('%PDF-1.7 hello');

	test('neither key nor token goes there', async () => {
		host.answer = (_, response) => response.end(pdf);
		const keeper = service.credential();
		await runAction(keeper, { parameters: { resource: 'template', operation: 'getAll' } });
		await runAction(keeper, {
			parameters: {
				resource: 'document',
				operation: 'download',
				documentUrl: `${host.url}/x.pdf?signature=1`,
			},
		});
		expect(host.requests).toHaveLength(1);
		const sent = JSON.stringify(host.requests[0]?.headers);
		for (const secret of [keeper.stored.accessToken, keeper.stored.apiKey, keeper.stored.userId]) {
			expect(sent).not.toContain(secret);
		}
		expect(Object.keys(host.requests[0]?.headers ?? {})).not.toContain('token');
	});

	test('redirects are followed', async () => {
		host.answer = (request, response) => {
			if (request.url === '/old') response.writeHead(302, { location: '/new.pdf' }).end();
			else response.end(pdf);
		};
		const [item] = await fromHost('/old');
		expect(item?.binary?.document?.bytes).toBe(pdf.length);
	});

	test.each<[string, number, string, string]>([
		[
			'S3',
			403,
			'<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
			'The link to the document is not valid, most likely because it has expired (HTTP 403: Request has expired)',
		],
		[
			'Google',
			400,
			'<?xml version="1.0"?><Error><Code>ExpiredToken</Code><Message>Invalid argument: expired.</Message></Error>',
			'The link to the document is not valid, most likely because it has expired (HTTP 400: Invalid argument: expired.)',
		],
		[
			'JSON',
			403,
			'{"message":"Link expired"}',
			'The link to the document is not valid, most likely because it has expired (HTTP 403: Link expired)',
		],
		[
			'410',
			410,
			'',
			'The link to the document is not valid, most likely because it has expired (HTTP 410)',
		],
		[
			'404',
			404,
			'<html><title>Not here</title></html>',
			'The link to the document is not valid, most likely because it has expired (HTTP 404: Not here)',
		],
		['a fault', 503, '', 'Could not download the document (HTTP 503)'],
	])('%s', async (_name, status, body, message) => {
		host.answer = (_, response) => response.writeHead(status).end(body);
		const error = await failureOf(fromHost('/x.pdf'));
		expect(error.message).toBe(message);
		expect(error.description).toBeTruthy();
	});

	test('no error quotes what signs the address', async () => {
		host.answer = (request, response) =>
			response.writeHead(403).end(JSON.stringify({ message: `no: ${request.url}` }));
		const [failed] = await download(
			{
				documentUrl: `${host.url}/x.pdf?expires=1&X-Signature=MARKED-SIGNATURE`,
			},
			{ continueOnFail: true },
		);
		expect(allOf(failed)).toMatch(/HTTP 403: no: /);
		expect(allOf(failed)).not.toContain('MARKED');
	});

	test.each([
		['announced', true, 'more than the limit of 1 MB'],
		['found out on the way', false, 'more than the limit of 1 MB'],
	])('a file that is too large, %s', async (_name, announced, message) => {
		let closed: () => void = () => {};
		const abandoned = new Promise<void>((resolve) => (closed = resolve));
		host.answer = (_, response) => {
			response.on('close', closed);
			if (announced) response.setHeader('content-length', 2_000_000);
			response.write(Buffer.alloc(1_500_000));
		};
		const error = await failureOf(fromHost('/x.pdf', { options: { maxFileSize: 1 } }));
		expect(error.message).toBe(`Could not download the document: ${message}`);
		expect(error.description).toContain('Max File Size (MB)');
		await abandoned;
	});

	test('a transfer that breaks, and one that stops', async () => {
		host.answer = (_, response) => {
			response.setHeader('content-length', 100);
			response.write('%PDF', () => response.destroy());
		};
		expect((await failureOf(fromHost('/x.pdf'))).message).toMatch(
			/^Could not download the document: http:\/\/127\.0\.0\.1:\d+ closed the connection$/,
		);
		host.answer = (_, response) => response.write('%PDF');
		// All tries may take twenty times this. A try may end before, because nothing comes for so long.
		expect((await failureOf(fromHost('/x.pdf', { options: { timeout: 0.1 } }))).message).toMatch(
			/^Could not download the document: (it was not complete after 2 s|.* closed the connection)$/,
		);
	});

	test('a transfer that breaks once is tried again, as is a storage that is busy', async () => {
		host.answer = (_, response) => {
			if (host.requests.length === 1) {
				response.setHeader('content-length', 100);
				response.write('%PDF', () => response.destroy());
			} else if (host.requests.length === 2) response.writeHead(503).end('busy');
			else response.end(pdf);
		};
		const [item] = await fromHost('/x.pdf');
		expect(item?.binary?.document?.bytes).toBe(pdf.length);
		expect(host.requests).toHaveLength(3);
	});

	test('a transfer of single bytes without end', async () => {
		const closed: boolean[] = [];
		host.answer = (_, response) => {
			const timer = setInterval(() => response.write('%'), 50);
			response.on('close', () => {
				clearInterval(timer);
				closed.push(true);
			});
		};
		// Twenty times this.
		const error = await failureOf(fromHost('/x.pdf', { options: { timeout: 0.4 } }));
		expect(error.message).toBe('Could not download the document: it was not complete after 8 s');
		expect(error.description).toContain('raise "Timeout"');
		await until('the connection is closed', () => closed.length === 1);
	});

	test('a page in place of the file', async () => {
		host.answer = (_, response) =>
			response
				.setHeader('content-type', 'application/pdf')
				.end('<html><head><title>Link expired</title></head></html>');
		expect((await failureOf(fromHost('/x.pdf'))).message).toBe(
			'The link to the document is not valid, most likely because it has expired (HTTP 200: Link expired)',
		);
		expect(host.requests).toHaveLength(1);
	});

	test('nobody there', async () => {
		const documentUrl = 'http://127.0.0.1:9/x.pdf?signature=MARKED-SIGNATURE';
		const error = await failureOf(download({ documentUrl }));
		expect(error.message).toBe(
			'Could not download the document: http://127.0.0.1:9 refuses connections',
		);
		expect(error.description).not.toContain('Base URL');
	});
});
