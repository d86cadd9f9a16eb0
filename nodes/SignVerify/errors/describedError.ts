import { plainText } from '../util/redact';
import type { DocsAnchor } from './docs';

/**
 * An error from this package. It contains only sanitized strings ({@link plainText}), which are safe to show
 * anywhere.
 */
export class DescribedError extends Error {
	/** What to do about the error. n8n reads this property of errors that the package doesn't wrap. @n8n */
	readonly description: string;

	/**
	 * @param message What happened, in one sentence.
	 * @param remedy What to do about the error, as a single line or a list of lines. Line breaks within
	 * a line are removed, because the line may quote the service.
	 * @param docsAnchor The row of docs/troubleshooting.md about the error, if users need more than this text.
	 */
	constructor(
		message: string,
		remedy: string | string[],
		readonly docsAnchor?: DocsAnchor,
	) {
		super(plainText(message));
		this.description = [remedy]
			.flat()
			.map((line) => plainText(line))
			.join('\n');
	}

	/** Whether a call failed. n8n then shows the HTTP status, if there is one. */
	get isCall(): boolean {
		return false;
	}

	/** The HTTP status to show; undefined if there is none. */
	get shownStatus(): number | undefined {
		return undefined;
	}
}
