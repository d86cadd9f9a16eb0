import { docsLink } from '../../nodes/SignVerify/http/errors';

/** A description as n8n shows it: it ends with where to read more. */
export function linked(description: string, anchor: string): string {
	return `${description} ${docsLink(anchor)}`;
}
