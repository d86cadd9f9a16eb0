import { errorsIn, readNetworkError } from '../http/failures';
import { tooMuch } from '../http/callProblems';
import { readRetryAfter } from '../http/request';
import { ServiceError } from '../http/serviceError';
import { timeIsOver } from '../util/async';
import { originOf } from '../util/urls';
import { fileProblems } from './fileProblems';

export type FileContent =
	{ what: 'file' } | { what: 'nothing' } | { what: 'other'; description: string };

/**
 * For an expired link, storage servers and portals return a web page, XML or JSON. The status varies, and can
 * even be HTTP 200.
 * @returns undefined if the response appears to be the file.
 */
export function refusalOfFile(
	noun: string,
	status: number,
	found: FileContent,
	retryAfter: unknown,
): ServiceError | undefined {
	const retryAfterMs = readRetryAfter(retryAfter);
	if (status === 202) return new ServiceError({ ...fileProblems.notReady(noun), retryAfterMs });
	if (status === 206) return new ServiceError(fileProblems.partial(noun));
	const isSuccess = status < 300;
	if (isSuccess && found.what === 'file') return undefined;
	if (isSuccess && found.what === 'nothing') return new ServiceError(fileProblems.empty(noun));
	if (status >= 500 || status === 408 || status === 429) {
		// Don't set `shownStatus`, because the storage server's rate limit doesn't apply to calls to the
		// service.
		return new ServiceError({ ...fileProblems.storageFailed({ noun, status }), retryAfterMs });
	}
	const description = found.what === 'other' ? found.description : '';
	const problem =
		status === 404
			? fileProblems.notFound({ noun, found: description })
			: fileProblems.expired({ noun, status, found: description });
	return new ServiceError({ ...problem, shownStatus: status });
}

export const noFreeSlot = 'NO_FREE_SLOT';

export function brokenFile(
	{ address, noun, totalMs }: { address: string; noun: string; totalMs: number },
	error: unknown,
): ServiceError {
	const { code } = error as { code?: string };
	if (code === tooMuch) return new ServiceError(fileProblems.tooLarge(noun));
	if (code === noFreeSlot) return new ServiceError(fileProblems.noFreeSlot(noun));
	if (code === timeIsOver) return new ServiceError(fileProblems.tooSlow({ noun, totalMs }));
	const isEndless = errorsIn(error).some((inner) => inner.code === 'ERR_FR_TOO_MANY_REDIRECTS');
	if (isEndless) return new ServiceError(fileProblems.needsBrowser(noun));
	const cause = readNetworkError(error, originOf(address), true);
	return new ServiceError(fileProblems.broken({ noun, cause }));
}
