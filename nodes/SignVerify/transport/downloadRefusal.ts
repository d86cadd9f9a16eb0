import type { ByteStream } from './boundedStream';
import { attempt } from './attempt';
import type { Download } from './download';
import { messageOf } from './envelope';
import { ServiceFailure } from './failure';
import { redact } from './redact';

/** An explanation is short; more of a body is not read. */
const mostCharacters = 4000;

/** What file storages and plain hosts answer for a link that is over. */
const linkStatuses = [401, 403, 404, 410];

/**
 * Says what an answer other than the file means: mostly that the link has expired, which storages
 * report as XML or JSON under different statuses.
 */
export async function refusedDownload(
	{ address, noun }: Download,
	status: number,
	body: ByteStream,
): Promise<ServiceFailure> {
	const said = redact(wordsOf(await beginningOf(body)), secretsOf(address));
	const answer = said ? `HTTP ${status}: ${said}` : `HTTP ${status}`;
	const failure = (message: string, description: string) =>
		new ServiceFailure({ message, description, httpStatus: status });

	const expired = /expire/i.test(said) || status === 410;
	if (expired || linkStatuses.includes(status)) {
		return failure(
			expired
				? `The link to ${noun} has expired (${answer})`
				: `The link to ${noun} is not valid, most likely because it has expired (${answer})`,
			'Such links work for a short time only. Download the file as soon as the event arrives, before any waiting step. To get this one, take a fresh link from the service.',
		);
	}
	return failure(
		`Could not download ${noun} (${answer})`,
		status === 429 || status >= 500
			? 'The fault is where the file is kept. Try again in a moment.'
			: 'Check that the address is whole and was not changed on the way.',
	);
}

async function beginningOf(body: ByteStream): Promise<string> {
	let text = '';
	await attempt(
		(async () => {
			for await (const piece of body as AsyncIterable<Buffer>) {
				text += piece.toString('utf8');
				if (text.length >= mostCharacters) break;
			}
		})(),
	);
	return text.slice(0, mostCharacters);
}

/** Its own words: `<Message>` of XML, `message` of JSON, the title of a page. */
function wordsOf(text: string): string {
	const isXml = /^\s*<(\?xml|error)/i.test(text);
	const words = isXml ? /<Message>([^<]*)<\/Message>/i.exec(text)?.[1] : messageOf(text);
	return (words ?? '').slice(0, 300);
}

/** The address and what signs it, should the answer quote them. */
function secretsOf(address: string): string[] {
	const values = address.split(/[?&#]/).map((part) => part.slice(part.indexOf('=') + 1));
	return [address, ...values.slice(1)].filter((value) => value.length >= 8);
}
