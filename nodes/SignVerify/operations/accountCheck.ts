import { type IExecuteFunctions, isExpression } from 'n8n-workflow';

import type { Account } from '../account/account';
import { accountHashOf, credentialUnread } from '../account/credential';
import { credentialProblems } from '../account/credentialProblems';
import { ServiceError } from '../http/serviceError';
import { credentialType } from '../http/request';
import type { ItemContext } from '../item/item';
import { isInEngine2, savedCredential } from '../n8nInternals';
import { settle } from '../util/async';
import type { Operation } from './operationTypes';

/** Matches any reference in an expression, except to values that are the same for all items. */
const itemData = /\$(?!(?:env|vars|secrets)\b)/;

/**
 * Checks that all items belong to one account. A run reads the credential once, for the first item. But a
 * credential's fields can be expressions that read the item's data, such as {{ $json.apiKey }}, so other items may
 * need a different account. If the operation waits, the credential is read again when an event arrives, and an
 * expression then has no item to read from.
 * @throws ServiceError before anything is sent.
 */
export async function checkOneAccount(
	context: IExecuteFunctions,
	{ waits }: Pick<Operation, 'waits'>,
): Promise<void> {
	const saved = await settle(savedCredential(context, credentialType));
	// Engine 2.0 doesn't return the saved credential. It evaluates the expressions without an item, so they
	// can't differ, and reading the credential for each item would take it about 50 ms.
	if (!saved.ok && isInEngine2(context)) return;
	if (!saved.ok || saved.value === undefined) return await compareAccounts(context);
	const { baseUrl, userId, apiKey } = saved.value;
	const readsItem = [baseUrl, userId, apiKey].some(
		(field) => isExpression(field) && itemData.test(field),
	);
	if (!readsItem) return;
	if (!waits) return await compareAccounts(context);
	throw new ServiceError(credentialProblems.readsItem);
}

/**
 * Reads the credential for each item and compares the accounts. n8n needs 1 to 3 ms for each item.
 * @throws ServiceError if two items have different accounts, or if the credential cannot be read.
 * @n8n
 */
async function compareAccounts(context: IExecuteFunctions): Promise<void> {
	const count = context.getInputData().length;
	// A single item cannot have two accounts.
	if (count < 2) return;
	let firstAccount: string | undefined;
	for (let index = 0; index < count; index++) {
		const credential = await settle(context.getCredentials(credentialType, index));
		if (!credential.ok) throw credentialUnread(credential.error);
		const account = accountHashOf(credential.value);
		firstAccount ??= account;
		if (account === firstAccount) continue;
		throw new ServiceError(credentialProblems.severalAccounts(index + 1));
	}
}

/**
 * Returns the account of the node's credential, which is read once for all items. Until the credential has an access
 * token, n8n doesn't cache it, so each read would query n8n's database.
 * @n8n
 */
export async function accountOfItem(item: ItemContext): Promise<Account> {
	return await item.remember('account', async () => await item.service.account());
}
