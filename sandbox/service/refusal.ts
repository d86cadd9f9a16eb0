/** Thrown if the service refuses a call. The response is an envelope with the error's status and message. */
export class ServiceRefusal extends Error {
	/**
	 * @param status The envelope's `responseCode`, which is also the HTTP status unless `httpStatus` is
	 * given.
	 * @param message The message for the client. It must not contain a secret.
	 * @param breaksInterface Whether the call itself breaks the API's rules, rather than merely asking for
	 * something that does not exist. If so, the call is recorded as a violation.
	 * @param httpStatus The HTTP status, if it differs from `responseCode`.
	 */
	constructor(
		readonly status: number,
		message: string,
		readonly breaksInterface = false,
		readonly httpStatus = status,
	) {
		super(message);
	}
}

/** Creates a refusal for a call that breaks the API's rules. */
export function violation(status: number, message: string): ServiceRefusal {
	return new ServiceRefusal(status, message, true);
}

/** Thrown if a page refuses the user's input. The message explains what is wrong and what to do next. */
export class PageRefusal extends Error {}
