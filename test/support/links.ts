import { docsLink, editorLink } from '../../nodes/SignVerify/http/errors';

/** A description as n8n's editor shows it: it ends with where to read more. */
export function linked(description: string, anchor: string): string {
	return `${description} ${editorLink(anchor)}`;
}

/** The same in the data of an item. */
export function linkedData(description: string, anchor: string): string {
	return `${description} ${docsLink(anchor)}`;
}
