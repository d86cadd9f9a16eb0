import type { IDataObject } from 'n8n-workflow';

import { isWaitWebhook, type WaitRegistration } from '../registrations/waitWebhooks';
import { isObject, listOf, objectOf, textOf } from '../util/values';
import { type DocumentTarget, documentWait } from './documentWait';
import { type IdentityTarget, identityWait } from './identityWait';
import type { WaitKind } from './waitKinds';

export type WaitTarget = DocumentTarget | IdentityTarget;

const waitKinds = { document: documentWait, identity: identityWait };

export function kindOf(target: WaitTarget): WaitKind {
	return waitKinds[target.about];
}

/** The key of a wait's state in the node's context, which n8n saves along with the execution's data. */
export const stateKey = 'signVerifyWait';

/**
 * What an execution has to remember while it waits. A wait can last ten years, so each version of the package
 * must be able to read the state that earlier versions stored (docs/dev/architecture.md, "What has to survive
 * an update").
 */
export interface WaitState extends WaitRegistration {
	version: 1;
	target: WaitTarget;
	/** In a test run, the email address that everything was sent to instead of the real recipients. */
	testRecipient?: string;
	/**
	 * Whether to add the input item's fields and files to the output. This applies whether an event or the
	 * time limit ends the wait.
	 */
	includesInput?: boolean;
	/** The input files that have a different name in the output: their old and new names. */
	renamedFiles?: IDataObject;
}

/**
 * Reads the state that a node stored before it started waiting.
 * @param stored The value from n8n's database, possibly written by a different version of the package.
 * @returns undefined if the value is not a valid wait state, or if this package does not recognize its
 * version.
 */
export function readWaitState(stored: unknown): WaitState | undefined {
	const { version, webhooks, owner, target, includesInput, renamedFiles, testRecipient } =
		objectOf(stored);
	if (version !== 1 || !isTarget(target)) return undefined;
	const storedWebhooks: unknown[] = listOf(webhooks);
	if (storedWebhooks.length === 0 || !storedWebhooks.every(isWaitWebhook)) return undefined;
	return {
		version,
		webhooks: storedWebhooks,
		owner: textOf(owner),
		target,
		includesInput: includesInput === true,
		...(isObject(renamedFiles) ? { renamedFiles } : {}),
		...(typeof testRecipient === 'string' ? { testRecipient } : {}),
	};
}

function isTarget(value: unknown): value is WaitTarget {
	const target = objectOf(value);
	return Object.entries(waitKinds).some(
		([name, kind]) => target.about === name && kind.isTarget(target),
	);
}
