import { plainText } from '../util/redact';
import type { DocsAnchor } from './docs';

/**
 * An error from this package. It contains only sanitized strings ({@link plainText}), which are safe to show
 * anywhere.
 */
export class DescribedError extends Error {
	readonly description: string;

	/**
	 * @param message What happened, in one sentence.
	 * @param description What to do about the error, as a single line or a list of lines. Line breaks within
	 * a line are removed, because the line may quote the service.
	 * @param docsAnchor The row of docs/troubleshooting.md about the error, if users need more than this text.
	 */
	constructor(
		message: string,
		description: string | string[],
		readonly docsAnchor?: DocsAnchor,
	) {
		super(plainText(message));
		this.description = [description]
			.flat()
			.map((line) => plainText(line))
			.join('\n');
	}
}
