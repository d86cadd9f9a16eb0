/** What every answer of the service looks like (docs/dev/service.md#response-envelope). */
export interface Envelope {
	responseData: unknown;
	message?: string;
	success: boolean;
	responseCode: number;
}

/** A good answer. The lists of templates carry no message. */
export function good(responseData: unknown, message?: string): Envelope {
	return {
		responseData,
		...(message === undefined ? {} : { message }),
		success: true,
		responseCode: 200,
	};
}

/** A refusal. The interface shows none: this is the form seen in the field. */
export function bad(responseCode: number, message: string): Envelope {
	return { responseData: {}, message, success: false, responseCode };
}
