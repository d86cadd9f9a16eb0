import {
	type CallProblem,
	type CallProblemTable,
	type NoResponseProblem,
	sizeOf,
} from '../http/callProblems';
import { type Failure, lostForGood, lostForNow, noFile } from '../http/retry';

/*
 * The token. n8n's credential test shows only an error's message, so every message also contains the remedy.
 * In all of these rows, the call that needs the token hasn't been sent yet.
 */
/* The credential. Here as well, every message contains the remedy. */
/* Downloads. `noun` is the file, such as "the document". */

const tryLinkAgain =
	"Try again in a moment. If the problem persists, copy a new link from your provider's account.";

const askForServer =
	'Ask the person who runs your n8n, or your provider, to make this server reachable from n8n.';

function notDownloaded(what: string, remedy: string, failure: Failure): CallProblem {
	return { problem: `Couldn't download ${what}`, remedy, failure };
}

const returned = (found: string) => found && `. The server returned ${found}`;

export const fileProblems = {
	/** HTTP 202. */
	notReady: (noun: string) =>
		notDownloaded(`${noun}: the file isn't ready yet (HTTP 202)`, tryLinkAgain, lostForNow),
	/** HTTP 206. The request doesn't ask for a part of the file. */
	partial: (noun: string) =>
		notDownloaded(
			`${noun}: the server returned only a part of it (HTTP 206)`,
			tryLinkAgain,
			lostForNow,
		),
	empty: (noun: string) =>
		notDownloaded(`${noun}: the response is empty`, tryLinkAgain, lostForNow),
	/** 408, 429, or 5xx. */
	storageFailed: ({ noun, status }: { noun: string; status: number }) =>
		notDownloaded(
			`${noun} (HTTP ${status})`,
			`The server that stores the file has a problem. ${tryLinkAgain}`,
			lostForNow,
		),
	/** HTTP 404. @param facts `found` is what the server returned instead of the file, if that's known. */
	notFound: ({ noun, found }: { noun: string; found: string }) =>
		notDownloaded(
			`${noun}: the server didn't find the file, which may not be there yet (HTTP 404)${returned(found)}`,
			tryLinkAgain,
			noFile,
		),
	/** Any other response that isn't a file. @param facts `found` is what it is instead, if that's known. */
	expired: ({ noun, status, found }: { noun: string; status: number; found: string }) => ({
		problem: `The link to ${noun} isn't valid, most likely because it has expired (HTTP ${status})${returned(found)}`,
		remedy:
			"Copy a new link from your provider's account. Links expire quickly, so in the future, download the files as soon as the event arrives, before any waiting step.",
		// Some storage servers respond with 403 instead of 404, so that strangers can't find out which files exist.
		failure: status === 403 ? noFile : lostForGood,
	}),
	tooLarge: (noun: string) =>
		notDownloaded(
			`${noun}: the file is larger than ${sizeOf('file')}`,
			'Instead, use the link in an HTTP Request node, which can store larger files.',
			lostForGood,
		),
	/** The link redirects without end, as a link does that sets a cookie first. */
	needsBrowser: (noun: string) =>
		notDownloaded(
			`${noun}: the link redirects without end, so it most likely works only in a browser`,
			'Open the link in a browser, and download the file there. Then ask your provider for links that work without a browser.',
			lostForGood,
		),
	noFreeSlot: (noun: string) =>
		notDownloaded(
			`${noun}: n8n was downloading too many other files at the same time`,
			'Try again later.',
			lostForGood,
		),
	tooSlow: ({ noun, totalMs }: { noun: string; totalMs: number }) =>
		notDownloaded(
			`${noun}: the download didn't finish within ${totalMs / 1000} s`,
			'The server that stores the file is too slow. Try again later.',
			lostForGood,
		),
	broken: ({ noun, cause }: { noun: string; cause: NoResponseProblem }) => {
		const { problem, failure } = cause;
		// A new link leads to the same server.
		const isUnreachable = failure.what === 'unsent' && !failure.isTemporary;
		return notDownloaded(
			`${noun}: ${problem}`,
			isUnreachable ? askForServer : tryLinkAgain,
			failure,
		);
	},
} satisfies CallProblemTable;
