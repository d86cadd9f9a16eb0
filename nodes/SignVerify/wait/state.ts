import type { IDataObject } from 'n8n-workflow';

import { isFilesChoice } from '../events/files';
import type { OutputChoice, OwnDocument } from '../events/output';
import { outputs } from '../input/parameters';
import { isWaitWebhook, type WaitWebhook } from '../registrations/wait';
import { isObject, isTextList, listOf, objectOf } from '../util/values';
import type { AwaitedDocument, AwaitedIdentity } from './outcome';

/** What an execution waits for, and how to output it. */
export type WaitTarget =
	| ({ kind: 'document'; document: AwaitedDocument } & OutputChoice)
	| ({ kind: 'identity' } & AwaitedIdentity);

/** Whether an execution waits for a document whose ID the service has not given. */
export function isWithoutId(target: WaitTarget): boolean {
	return target.kind === 'document' && target.document.documentId === '';
}

/** The name by which the state of a wait is kept in the node's context, in the execution's data. */
export const stateKey = 'signVerifyWait';

/**
 * What an execution must know while it waits, which can take ten years. So each version of the package reads
 * what any earlier one has stored (docs/dev/architecture.md, "What outlives a version").
 */
export interface WaitState {
	version: 1;
	/** Any of them can bring the event that ends the wait; there is at least one. */
	webhooks: WaitWebhook[];
	target: WaitTarget;
	/** Who got it instead of the people, in a test run. */
	testRecipient?: string;
	/** Whether the item that leaves has the fields of the node's input, which are in the item for the limit. */
	includesInput?: boolean;
}

/**
 * Reads what a node has stored before it began to wait.
 * @param stored From n8n's database, where another version of the package may have written it.
 * @returns undefined if it is no state of a wait, or of a version that this one does not know.
 */
export function readWaitState(stored: unknown): WaitState | undefined {
	const { version, webhooks, target, includesInput, testRecipient } = objectOf(stored);
	if (version !== 1 || !isTarget(target)) return undefined;
	const known: unknown[] = listOf(webhooks);
	if (known.length === 0 || !known.every(isWaitWebhook)) return undefined;
	const test = typeof testRecipient === 'string' ? { testRecipient } : {};
	return { version, webhooks: known, target, includesInput: includesInput === true, ...test };
}

function isTarget(value: unknown): value is WaitTarget {
	const target = objectOf(value);
	if (target.kind === 'document') return isAwaitedDocument(target.document) && isChoice(target);
	return target.kind === 'identity' && isAwaitedIdentity(target);
}

function isAwaitedDocument(value: unknown): value is AwaitedDocument {
	const { documentId, templateId, emails, since, until } = objectOf(value);
	const areTexts = typeof documentId === 'string' && typeof templateId === 'string';
	return areTexts && isTextList(emails) && Number.isFinite(since) && Number.isFinite(until);
}

function isChoice({ output, files, include, own }: IDataObject): boolean {
	const isKnown = outputs.some(({ value }) => value === output);
	const isListed = include === undefined || Array.isArray(include);
	return isKnown && isListed && isFilesChoice(files) && (own === undefined || isOwn(own));
}

function isOwn(value: unknown): value is OwnDocument {
	const { country, roles } = objectOf(value);
	const areRoles =
		Array.isArray(roles) &&
		roles.every(
			(entry) =>
				isObject(entry) && typeof entry.email === 'string' && typeof entry.role === 'string',
		);
	return areRoles && typeof country === 'string';
}

function isAwaitedIdentity(value: unknown): value is AwaitedIdentity {
	const { validationId, email, personal } = objectOf(value);
	const areTexts = typeof validationId === 'string' && typeof email === 'string';
	return areTexts && validationId !== '' && typeof personal === 'boolean';
}
