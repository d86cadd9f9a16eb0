import { Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

import { handleRequest } from '../../nodes/SignVerify/notifications/handle';
import { coded, silence, standIn, type Respond } from '../support/standIn';

const secret = 'the-right-secret';
const identity = 'VERIFICATION_REQUEST_FINISHED';
let count = 0;
/** A completed document that no other test has told of. */
const completed = (more: IDataObject = {}) => ({
	type: 'completedDocument',
	addedOn: 1,
	Document: { documentID: `d${count++}`, title: 'Lease', status: 'COMPLETED', ...more },
});

/** A response, as far as the trigger looks at it. */
class Response {
	statusCode = 200;
	writableEnded = false;
	closed = false;
	headersSent = false;
	said: unknown;
	private end: () => void = () => undefined;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		Object.assign(this, { said: body, headersSent: true, writableEnded: true });
		return this;
	}

	once(_event: string, listener: () => void): void {
		this.end = listener;
	}

	close(): void {
		this.closed = true;
		this.end();
	}
}

interface Setting {
	parameters?: IDataObject;
	body?: unknown;
	given?: string;
	ip?: string;
	/** The service, when it is asked. */
	respond?: Respond;
	/** Where files are kept. */
	fetch?: (options: IHttpRequestOptions) => unknown;
	store?: () => Promise<unknown>;
	response?: Response;
}

/** Lets the trigger handle one request. */
async function receive(setting: Setting = {}) {
	const { parameters = {}, body = completed(), given = secret, ip = '127.0.0.1' } = setting;
	const { fetch = () => file('content'), response = new Response() } = setting;
	const { context, calls } = standIn(setting.respond ?? (() => undefined));
	const logged: string[] = [];
	const fetched: IHttpRequestOptions[] = [];
	const form: IDataObject = {
		events: ['completedDocument', 'signDocument', identity],
		...parameters,
	};
	const store = async (stream: Readable, fileName: string) => {
		let text = '';
		for await (const piece of stream) text += String(piece);
		return { fileName, text };
	};
	const data = await handleRequest({
		...context,
		helpers: {
			...context.helpers,
			httpRequest: async (options: IHttpRequestOptions) => {
				fetched.push(options);
				return await Promise.resolve(fetch(options));
			},
			prepareBinaryData: setting.store ?? store,
		},
		getNodeParameter: (name: string, fallback: unknown) => form[name] ?? fallback,
		getWorkflowStaticData: () => ({ secret }),
		getRequestObject: () => ({ ip, headers: {} }),
		getResponseObject: () => response,
		getQueryData: () => ({ secret: given }),
		getBodyData: () => body,
		logger: { error: (line: string) => logged.push(line) },
	} as unknown as IWebhookFunctions);
	const [item] = data.workflowData?.[0] ?? [];
	if (!item) expect(data).toEqual({ noWebhookResponse: true });
	return {
		item,
		status: response.statusCode,
		said: response.said,
		logged,
		calls,
		fetched,
		response,
	};
}

const file = (text: string) => ({
	statusCode: 200,
	headers: { 'content-type': 'application/pdf' },
	body: Readable.from([text]),
});
const told = (message: string) => ({ message });

describe('a request', () => {
	test('that brings an event starts the workflow with it', async () => {
		const body = completed();
		const { item, said, calls, fetched } = await receive({ body });
		expect(item).toEqual({
			json: expect.objectContaining({ event: 'completedDocument', title: 'Lease' }) as unknown,
		});
		expect(said).toBeUndefined();
		expect([calls, fetched]).toEqual([[], []]);
	});

	test('gives the body as it is where Simplify is off', async () => {
		const body = completed();
		expect((await receive({ body, parameters: { simplify: false } })).item).toEqual({ json: body });
	});

	test('without the secret gets 401 and starts nothing', async () => {
		expect(await receive({ given: 'wrong' })).toMatchObject({
			item: undefined,
			status: 401,
			said: told('This address needs its secret.'),
		});
	});

	test('from a sender that is not allowed gets 403, with the secret or without', async () => {
		const parameters = { options: { allowedSenders: '203.0.113.7' } };
		for (const given of [secret, 'wrong']) {
			expect(await receive({ parameters, given })).toMatchObject({
				item: undefined,
				status: 403,
				said: told('This address takes nothing from this sender.'),
			});
		}
		expect((await receive({ parameters, ip: '203.0.113.7' })).item).toBeDefined();
	});

	test('that a filter holds back gets 200', async () => {
		expect(await receive({ parameters: { filters: { titleContains: 'contract' } } })).toMatchObject(
			{
				item: undefined,
				status: 200,
				said: told('This workflow does not wait for this document.'),
			},
		);
	});

	test('that comes again is dropped, and one that is under way is asked for again', async () => {
		const body = completed();
		const { response } = await receive({ body });
		response.close();
		expect(await receive({ body })).toMatchObject({
			item: undefined,
			status: 503,
			said: told('This event is just being taken. Send it again.'),
		});
		response.json({});
		expect(await receive({ body })).toMatchObject({
			item: undefined,
			status: 200,
			said: told('This event was taken before.'),
		});
	});

	test('to a node that is set up wrong gets 500, and n8n logs why', async () => {
		expect(await receive({ parameters: { events: [] } })).toMatchObject({
			item: undefined,
			status: 500,
			said: told('The event could not be taken. Send it again.'),
			logged: ['SignVerify Trigger could not take an event: Events: none is chosen'],
		});
	});

	test('whose answer is on its way is not answered twice', async () => {
		const response = new Response().status(202).json('sent');
		const result = await receive({ parameters: { events: [] }, response });
		expect([result.status, result.said]).toEqual([202, 'sent']);
	});
});

describe('Verify With Service', () => {
	const parameters = { options: { verifyWithService: true } };
	const event = () => ({ type: identity, validationId: `v${count++}` });
	const answer =
		(responseData: IDataObject): Respond =>
		() => ({ body: { responseData } });

	test('asks for the request that the event names, once', async () => {
		const body = event();
		const { item, calls } = await receive({ parameters, body, respond: answer({ a: 1 }) });
		expect(item).toBeDefined();
		expect(calls.map(({ options }) => [options.method, options.url, options.timeout])).toEqual([
			[
				'GET',
				`https://sign.example.com/api/identity/validation/request/${body.validationId}`,
				10_000,
			],
		]);
	});

	test.each<[string, IDataObject, string]>([
		['at the top', {}, 'validationId'],
		['as a session', {}, 'sessionId'],
		['one level below', { note: 'x', data: {} }, 'validationId'],
	])('finds the ID %s', async (_name, around, name) => {
		const id = `v${count++}`;
		const data = around.data ? { data: { [name]: id } } : { [name]: id };
		const body = { type: identity, ...around, ...data };
		const respond = answer({ sessionId: id });
		const { item, calls } = await receive({ parameters, body, respond });
		expect(item).toBeDefined();
		expect(calls[0]?.options.url).toMatch(new RegExp(`/${id}$`));
	});

	test.each<[string, Respond]>([
		['is not known', () => ({ status: 404, body: {} })],
		['has nothing to it', answer({})],
		['is another one', answer({ sessionId: 'another' })],
	])('refuses an event whose request %s', async (_name, respond) => {
		expect(await receive({ parameters, body: event(), respond })).toMatchObject({
			item: undefined,
			status: 422,
			said: told('The service knows no such identity request.'),
		});
	});

	test('refuses an event that names no request, without asking', async () => {
		const { status, calls } = await receive({ parameters, body: { type: identity, at: count++ } });
		expect([status, calls]).toEqual([422, []]);
	});

	test.each<[string, Respond]>([
		['fails', () => ({ status: 500, body: {} })],
		['refuses the key', () => ({ status: 403, body: {} })],
		[
			'is not there',
			() => {
				throw coded('ECONNREFUSED');
			},
		],
	])('has an event sent again where the service %s, and asks only once', async (_name, respond) => {
		const { status, said, calls } = await receive({ parameters, body: event(), respond });
		expect([status, said]).toEqual([
			503,
			told('The service could not be asked about this event. Send it again.'),
		]);
		expect(calls.filter(({ token }) => token === 'token-0')).toHaveLength(1);
	});

	test('is about identity events alone, and only where it is on', async () => {
		const respond: Respond = () => ({ status: 500 });
		expect((await receive({ parameters, respond })).item).toBeDefined();
		expect((await receive({ body: event(), respond })).item).toBeDefined();
	});
});

describe('Download Files', () => {
	const parameters = { downloadFiles: true };
	const at = (name: string) => `https://files.example/${name}`;
	const three = () =>
		completed({
			documentURL: at('d'),
			certificateURL: at('c'),
			pscCertificateURL: at('p'),
		});
	const missing = (item: { json: IDataObject } | undefined) => item?.json.missingFiles;

	test('attaches the three files of a document under names of their own', async () => {
		const { item, fetched } = await receive({ parameters, body: three() });
		expect(item?.binary).toEqual({
			document: { fileName: 'Lease.pdf', text: 'content' },
			certificate: { fileName: 'Lease - certificate.pdf', text: 'content' },
			pscCertificate: { fileName: 'Lease - psc.pdf', text: 'content' },
		});
		expect(item?.json).not.toHaveProperty('missingFiles');
		expect(fetched.map(({ url, timeout }) => [url, timeout])).toEqual([
			[at('d'), 10_000],
			[at('c'), 10_000],
			[at('p'), 10_000],
		]);
	});

	test('notes the ones that a completed document carries no address for', async () => {
		const { item } = await receive({ parameters, body: completed({ documentURL: at('d') }) });
		expect(missing(item)).toEqual(
			['certificate', 'pscCertificate'].map((name) => ({
				file: name,
				reason: 'the notification carries no address for it',
			})),
		);
	});

	test('expects none of an event that need not carry any', async () => {
		const body = { ...completed(), type: 'signDocument' };
		const { item, fetched } = await receive({ parameters, body });
		expect(missing(item)).toBeUndefined();
		expect(item?.binary).toEqual({});
		expect(fetched).toEqual([]);
	});

	test.each([
		['its address is no http or https address', 'ftp://files.example/x', () => undefined],
		['its address is no http or https address', 'x-https://files.example', () => undefined],
		[
			'Could not download the document: https://files.example refuses connections',
			at('d'),
			() => {
				throw coded('ECONNREFUSED');
			},
		],
	])('notes why: %s', async (reason, documentURL, fetch) => {
		const body = { ...completed({ documentURL }), type: 'signDocument' };
		const { item } = await receive({ parameters, body, fetch });
		expect(missing(item)).toEqual([{ file: 'document', reason }]);
	});

	test('takes an address in capitals', async () => {
		const documentURL = 'HTTPS://files.example/d';
		const body = { ...completed({ documentURL }), type: 'signDocument' };
		expect((await receive({ parameters, body })).item?.binary).toHaveProperty('document');
	});

	test('notes a file that n8n cannot store, without its reasons', async () => {
		const body = { ...completed({ documentURL: at('d') }), type: 'signDocument' };
		const store = async () => await Promise.reject(new Error('at /some/folder'));
		const { item } = await receive({ parameters, body, store });
		expect(missing(item)).toEqual([{ file: 'document', reason: 'n8n could not store it' }]);
	});

	test('does not take a file that is larger than 50 MB', async () => {
		const body = { ...completed({ documentURL: at('d') }), type: 'signDocument' };
		const fetch = () => ({ ...file('x'), headers: { 'content-length': '50000001' } });
		const { item } = await receive({ parameters, body, fetch });
		expect(missing(item)).toEqual([
			{
				file: 'document',
				reason: 'Could not download the document: it has 50 MB, more than the limit of 50 MB',
			},
		]);
	});

	test('ends when its time is over, with the files that came', async () => {
		const body = three();
		const start = Date.now();
		const { item, fetched } = await receive({
			parameters: { ...parameters, options: { fileSeconds: 1 } },
			body,
			fetch: async (options) =>
				options.url === at('d')
					? file('content')
					: await silence({ options, token: '', expired: '' }),
		});
		expect(Date.now() - start).toBeLessThan(1900);
		expect(Object.keys(item?.binary ?? {})).toEqual(['document']);
		expect(missing(item)).toEqual(
			['certificate', 'pscCertificate'].map((name) => ({
				file: name,
				reason: 'it did not arrive within 1 s',
			})),
		);
		expect(fetched[0]?.timeout).toBe(1000);
	});

	test('of a body without a document attaches nothing', async () => {
		const body = { type: identity, validationId: `v${count++}` };
		const { item } = await receive({ parameters, body });
		expect(item).toMatchObject({ json: { event: identity }, binary: {} });
	});

	test('with a time limit that is none is an error, so that the event is sent again', async () => {
		const result = await receive({ parameters: { ...parameters, options: { fileSeconds: 0 } } });
		expect(result).toMatchObject({
			status: 500,
			logged: ['SignVerify Trigger could not take an event: File Time Limit: it is out of range'],
		});
	});
});
