import type { ServiceParts } from './http/parts';
import { changeClock } from './service/changeClock';
import { fireEvent } from './service/fire';
import type { DocumentRecord } from './state/records';
import type { Sandbox, SignatureInput } from './types';
import type { Activity } from './util/activity';

/** What a running sandbox is made from. */
export interface SandboxParts extends ServiceParts {
	activity: Activity;
	smtp: { host: string; port: number };
}

/**
 * The controls of a running sandbox (see `Sandbox` in types.ts for what each of them does).
 * @param stop Stops all that runs; called once.
 */
export function sandboxOf(parts: SandboxParts, stop: () => Promise<void>): Sandbox {
	const { account, activity, deliveries, documents, faults, identity, links, recorder } = parts;
	const { clock, settings } = parts;
	let stopped: Promise<void> | undefined;
	return {
		url: links.root,
		baseUrl: links.base,
		smtp: { host: parts.smtp.host, port: parts.smtp.port },
		account: { userId: account.userId, apiKey: account.apiKey },
		requests: recorder.requests,
		documents: () => documents.all(),
		webhooks: () => parts.registrations.all(),
		deliveries: () => deliveries.all(),
		mails: () => parts.mailbox.all(),
		templates: () => structuredClone(parts.templates.all()),
		identityRequests: () => identity.all(),
		async sign(documentID, email, mark) {
			const record = documents.existing(documentID);
			const { token, input } = signature(parts, record, email, mark);
			return documents.resource(await documents.sign(token, input));
		},
		async completeIdentity(validationId, outcome) {
			const record = identity.existing(validationId);
			identity.opened(record);
			identity.complete(record, outcome);
			return identity.view(record);
		},
		fire: (type, id) => fireEvent(parts, type, id),
		idle: () => activity.idle(),
		faults: { set: (fault) => faults.set(fault), clear: () => faults.clear() },
		settings: {
			get: () => structuredClone(settings.current),
			set: (change) => settings.set(change),
			reset: () => settings.set({}),
		},
		clock: {
			get: () => clock.state(),
			set: (change) => changeClock(clock, change),
			reset: () => clock.reset(),
		},
		tokenExchanges: () => account.exchanges,
		forgetRequests: () => recorder.forget(),
		close: () => (stopped ??= stop()),
	};
}

/** What the page would send for a signatory who fills in everything that is required. */
function signature(
	{ documents }: SandboxParts,
	record: DocumentRecord,
	email: string,
	mark: SignatureInput['signature'] | undefined,
): { token: string; input: SignatureInput } {
	const signatory = record.signatories.find(
		(one) => one.email.toLowerCase() === email.toLowerCase(),
	);
	if (!signatory) throw new Error(`Document ${record.documentID} has no signatory ${email}`);
	const required = documents.template(record).questions.filter(({ isRequired }) => isRequired);
	return {
		token: signatory.token,
		input: {
			signature: mark ?? { kind: 'typed', text: signatory.name },
			answers: Object.fromEntries(required.map(({ key }) => [key, 'Yes'])),
			sourceIP: '127.0.0.1',
		},
	};
}
