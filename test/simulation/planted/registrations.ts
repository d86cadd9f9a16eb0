import type { PlantedFault } from './fault';

/** Faults by which registrations are orphaned, missing, or taken from somebody else. */
export const registrationFaults: PlantedFault[] = [
	{
		name: 'all-waits-removed',
		description: 'A wait that ends takes the registrations of all other waits with it.',
		patches: [
			{
				file: 'wait/registration.ts',
				from: 'await removeWebhooks(service, known, (address) => waitOf(address) === wait);',
				to: 'await removeWebhooks(service, known, (address) => waitOf(address) !== undefined);',
			},
		],
	},
	{
		name: 'orphans-by-any-page',
		description: "A maintenance page makes a run remove other executions' registrations.",
		patches: [
			{
				file: 'wait/cleanUp.ts',
				from: 'if (own.length === 0 || !(await isAnsweredByN8n(execute, wait))) return [];',
				to: '',
			},
			{
				file: 'wait/cleanUp.ts',
				from: 'if (orphans.size === 0 || !(await isAnsweredByN8n(execute, wait))) return [];',
				to: '',
			},
			{
				file: 'wait/cleanUp.ts',
				from: "const isPage = body.slice(0, 2000).includes('<title>No action required</title>');",
				to: "if (body.includes('<html')) return true;\n\t\tconst isPage = false;",
			},
		],
	},
	{
		name: 'orphans-by-any-conflict',
		description: 'A run removes the registration of an execution that is just about to wait.',
		patches: [
			{
				file: 'wait/cleanUp.ts',
				from: "if (statusCode === 409) return message.includes('has finished');",
				to: 'if (statusCode === 409) return true;',
			},
		],
	},
	{
		name: 'forgotten-undo',
		description:
			'A run that registered and then does not wait leaves its registration at the service.',
		patches: [
			{
				file: 'wait/start.ts',
				from: 'await attempt(removeWait(service, start.registration ?? { ids: {}, wait: start.wait }));',
				to: '',
			},
		],
	},
	{
		name: 'shared-ids',
		description: 'A wait that is stopped and retried registers for nothing and never ends.',
		patches: [{ file: 'wait/registration.ts', from: 'ids: { ...ids }', to: 'ids' }],
	},
	{
		name: 'believes-in-removed-registrations',
		description: 'A trigger is published without the registration that it had removed before.',
		patches: [{ file: 'webhooks/remove.ts', from: 'else forget(known, webHookID);', to: '' }],
	},
	{
		name: 'copy-takes-the-original',
		description: 'Publishing a copy of a trigger removes the registrations of its original.',
		patches: [
			{
				file: 'trigger/state.ts',
				from: "if (!isOwner(context, state)) return 'foreign';",
				to: '',
			},
			{
				file: 'trigger/state.ts',
				from: "return state.address === address ? 'own' : 'moved';",
				to: "return 'own';",
			},
		],
	},
	{
		name: 'copy-keeps-the-secret',
		description: 'Who may send events to a copy of a trigger can start the original, too.',
		patches: [
			{
				file: 'trigger/lifecycle.ts',
				from: "const secret = (standing === 'own' && state.secret) || newSecret();",
				to: 'const secret = state.secret || newSecret();',
			},
		],
	},
	{
		name: 'old-secret-kept',
		description: 'A trigger is published with a registration whose events it then refuses.',
		patches: [
			{
				file: 'webhooks/sync.ts',
				from: 'normalUrl(address) === normalUrl(addressFor(type)) &&',
				to: '',
			},
		],
	},
	{
		name: 'twice-deleted-identity',
		description: 'A trigger forgets an identity registration that the service did not delete.',
		patches: [
			{
				file: 'api/webhooks.ts',
				from: 'noRetry: isIdentity',
				to: 'noRetry: false',
			},
		],
	},
];
