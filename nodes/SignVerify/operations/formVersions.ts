import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import type { ItemContext } from './types';

/**
 * The versions of the action node's form (n8n's "typeVersion"). A saved workflow keeps the version it
 * was made with, and n8n does not save what is the default: so a field whose default or type changes
 * stands twice, once for each version.
 *
 * Since 1.1: signatories by role, and as many as the template has; the list of countries; the order of
 * a signature's position; the ID in an item that Send Once Key skips, since workflows of before may take
 * an item with an ID for one that was sent just now.
 */
export const formVersions = [1, 1.1];

/** Whether a node was made with today's form. */
export function hasTodaysForm({ execute }: ItemContext): boolean {
	return execute.getNode().typeVersion > 1;
}

/** Fields of nodes that were saved with version 1. */
export function firstForm(fields: INodeProperties[]): INodeProperties[] {
	return updateDisplayOptions({ show: { '@version': [1] } }, fields);
}

/** Fields of today's form, from version 1.1 on. */
export function todaysForm(fields: INodeProperties[]): INodeProperties[] {
	return updateDisplayOptions({ show: { '@version': [{ _cnd: { gte: 1.1 } }] } }, fields);
}
