import { type IExecuteFunctions, isExpression } from 'n8n-workflow';

import { accountHashOf, credentialUnread, wrongCredential } from '../http/credential';
import { credentialType } from '../http/request';
import { savedCredential } from '../n8nInternals';
import { settle } from '../util/async';

/** All that an expression reads, except what is the same for all items. */
const itemData = /\$(?!(?:env|vars|secrets)\b)/;

/**
 * Checks that all items belong to one account. A run has one client, which reads the credential for its first
 * item, but n8n lets each field of a credential be an expression with data of the item.
 * @param waits Whether the credential is read again when an event arrives, where there is no item.
 * @throws ServiceError before anything is sent.
 */
export async function checkAccount(execute: IExecuteFunctions, waits = false): Promise<void> {
	const read = await settle(savedCredential(execute, credentialType));
	const saved = read.ok ? read.value : undefined;
	const fields = saved && [saved.baseUrl, saved.userId, saved.apiKey];
	if (fields && !fields.some((field) => isExpression(field) && itemData.test(field))) return;
	if (fields && waits) {
		throw wrongCredential(
			'The credential has an expression that reads data of the item, so this node cannot wait with it',
			'Nothing was sent. Use an expression with $env, $vars or $secrets, or a credential for each account.',
		);
	}
	const count = execute.getInputData().length;
	let first: string | undefined;
	// If n8n does not say what is saved, each item shows it. It takes n8n 1 to 3 ms to read a credential.
	for (let index = 0; index < count && count > 1; index++) {
		const given = await settle(execute.getCredentials(credentialType, index));
		if (!given.ok) throw credentialUnread(given.error);
		const account = accountHashOf(given.value);
		first ??= account;
		if (account === first) continue;
		throw wrongCredential(
			`The credential has another account for item ${index + 1} than for item 1`,
			'Nothing was sent. Run the node once for each account, for example with Loop Over Items.',
		);
	}
}
