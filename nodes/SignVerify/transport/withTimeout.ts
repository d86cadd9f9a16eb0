/**
 * Gives up on an answer that does not come to its end in time: the HTTP client's own time-out
 * counts silence, and a service that sends a byte now and then is never silent.
 * @param start Starts the work. Its signal is aborted when the time is over or the execution is
 * cancelled, so that nothing is left open and nothing goes out after it was given up. The time runs
 * on after the work has ended: what lives longer takes its listener off before.
 * @param timeout Milliseconds.
 * @throws Error with the code of a time-out, or of a cancelled call.
 */
export async function withTimeout<Answer>(
	start: (signal: AbortSignal) => Promise<Answer>,
	timeout: number,
	cancel?: AbortSignal,
): Promise<Answer> {
	const late = AbortSignal.timeout(timeout);
	const signal = cancel ? AbortSignal.any([cancel, late]) : late;
	let giveUp = () => {};
	const givenUp = new Promise<never>((_, reject) => {
		giveUp = () => reject(late.aborted ? timedOut() : cancelled());
	});
	// Before the work listens, so that these words come first, not those of a client that was aborted.
	signal.addEventListener('abort', giveUp);
	try {
		if (signal.aborted) throw cancelled();
		return await Promise.race([givenUp, start(signal)]);
	} finally {
		signal.removeEventListener('abort', giveUp);
	}
}

function timedOut(): Error {
	return Object.assign(new Error('The answer did not come in time'), { code: 'ETIMEDOUT' });
}

function cancelled(): Error {
	return Object.assign(new Error('The execution was cancelled'), { code: 'ERR_CANCELED' });
}
