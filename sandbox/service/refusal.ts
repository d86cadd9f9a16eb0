/** A call that the service refuses: answered in the envelope. */
export class ServiceRefusal extends Error {
	/**
	 * @param status `responseCode` of the envelope, and the HTTP status unless that is named.
	 * @param message As the client reads it; never with a secret in it.
	 * @param breaksInterface True where the call is not what the interface describes, in place of
	 *   merely asking for something that there is not: then it is recorded as a violation.
	 * @param httpStatus Where it differs from `responseCode`.
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

/** A refusal of a call that the interface does not allow. */
export function violation(status: number, message: string): ServiceRefusal {
	return new ServiceRefusal(status, message, true);
}

/** A refusal that a page shows to the person: what is wrong and what to do. */
export class PageRefusal extends Error {}
