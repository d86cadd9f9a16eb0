import { answersAbout } from '../../api/identities';
import { inOutputOrder, noteOfFailedWait, outcomeFields } from '../../item/outcome';
import { existing } from '../../api/readById';
import { optionsField } from '../../form/collections';
import { includeInputOption, readIncludedInput } from '../../item/includedInput';
import type { ItemContext } from '../../item/item';
import { readAll } from '../../errors/inputError';
import { textOf } from '../../util/values';
import { type AwaitedIdentity, checkIdentity } from '../../wait/identityVerdict';
import { continueWithTrigger, judgePublicUrl } from '../../wait/canWait';
import { limitWaitTimeFields, readMaxWaitMs } from '../../wait/waitLimit';
import { type StartedItem, startWaiting } from '../../wait/start';
import type { Operation } from '../operationTypes';
import {
	idCheckFields,
	idCheckOptions,
	idCheckReaders,
	requestId,
	validationIdField,
} from './fields';

/**
 * identity / sendAndWait: makes the execution wait until a person has finished a verification that another node
 * requested (docs/waiting.md). The value is `sendAndWait` because n8n lets a node wait only in an operation with
 * this value.
 */
export const waitUntilVerified: Operation = {
	resource: 'identity',
	value: 'sendAndWait',
	name: 'Wait Until Verified',
	action: 'Wait until identity is verified',
	description:
		'Continue once a verification has a result. The workflow can wait for days, even if n8n restarts.',
	fields: [
		validationIdField,
		...idCheckFields,
		...limitWaitTimeFields,
		optionsField([...idCheckOptions, includeInputOption]),
	],
	waits: { instead: continueWithTrigger },
	about: 'identity',

	async run(item) {
		const { maxWaitMs, included, validationId, expected, personal } = readAll({
			...idCheckReaders(item),
			maxWaitMs: () => readMaxWaitMs(item),
			included: () => readIncludedInput(item, []),
			publicUrl: () => judgePublicUrl(item),
		});
		const identity = { validationId, expected, personal };
		const consequence = noteOfFailedWait('identity');
		const wait = { about: 'identity' as const, maxWaitMs, included, consequence };
		const output = await startWaiting(item, wait, async () => await lookUp(item, identity));
		const { json, ...files } = included;
		return [{ ...output, json: inOutputOrder({ ...output.json, ...json }), ...files }];
	},
};

/**
 * Asks the service for the outcome before waiting, because no event will arrive if the person has already
 * finished.
 */
async function lookUp(item: ItemContext, identity: AwaitedIdentity): Promise<StartedItem> {
	const { validationId, expected } = identity;
	const verdict = await checkIdentity(item.service, identity);
	if (verdict.isOver) {
		const { wait, fields } = verdict;
		return { json: { ...outcomeFields({ about: 'identity', wait }), ...fields } };
	}
	const email = textOf(existing(verdict.found, validationId, requestId).emailId);
	return {
		json: { validationId, ...(email ? { email } : {}) },
		awaited: {
			target: { about: 'identity', ...identity },
			name: `the verification ${email ? `of ${email}` : validationId}`,
			fieldsAtLimit: answersAbout(expected),
		},
	};
}
