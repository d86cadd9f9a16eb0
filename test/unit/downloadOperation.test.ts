import { Readable } from 'node:stream';

import type { INodeExecutionData } from 'n8n-workflow';

import { downloadDocument } from '../../nodes/SignVerify/operations/document/download';
import type { ItemContext } from '../../nodes/SignVerify/operations/types';
import { RateLimiter } from '../../nodes/SignVerify/http/rateLimit';
import { keep } from '../support/downloading';
import { useFakeDelay, waits } from '../support/fakeDelay';

jest.mock('../../nodes/SignVerify/util/async', () =>
	jest.requireActual<object>('../support/fakeDelay'),
);
useFakeDelay();

const links = {
	documentUrl: 'https://files.example.com/a.pdf',
	certificateUrl: 'https://files.example.com/b.pdf',
	pscCertificateUrl: 'https://files.example.com/c.pdf',
};

/** The waits of the rate limiter. The longer ones are time limits for a stream that stops. */
const spacings = () => waits.filter((ms) => ms < 5000);

/** Downloads the three files of an item. */
async function downloadAll(perSecond: number, store: unknown = keep, signal?: AbortSignal) {
	const files = ['document', 'certificate', 'pscCertificate'];
	const httpRequest = jest.fn(async () =>
		Promise.resolve({ statusCode: 200, headers: {}, body: Readable.from([Buffer.from('file')]) }),
	);
	const item = {
		input: { json: {} },
		parameter: (name: string) => (name === 'files' ? files : links[name as keyof typeof links]),
		service: { rateLimiter: new RateLimiter(), limits: () => ({ perSecond, timeout: 30_000 }) },
		execute: {
			helpers: { httpRequest, prepareBinaryData: store },
			getNodeParameter: (_name: string, _item: number, fallback: unknown) => fallback,
			getExecutionCancelSignal: () => signal,
		},
	} as unknown as ItemContext;
	const { run } = downloadDocument as unknown as {
		run(item: ItemContext): Promise<INodeExecutionData[]>;
	};
	const running = run(item);
	return { output: await running.catch((error: unknown) => error), httpRequest };
}

test('Requests per Second spaces the files', async () => {
	const { output, httpRequest } = await downloadAll(2);
	expect(output).toHaveLength(1);
	expect(httpRequest).toHaveBeenCalledTimes(3);
	expect(spacings()).toEqual([500, 500]);
});

test('without it, no file waits for another', async () => {
	await downloadAll(0);
	expect(spacings()).toEqual([]);
});

test('a cancelled execution fetches no file', async () => {
	const { output, httpRequest } = await downloadAll(2, keep, AbortSignal.abort());
	expect((output as Error).message).toMatch('Could not download the document');
	expect(httpRequest).not.toHaveBeenCalled();
});
