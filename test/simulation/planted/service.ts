import type { PlantedFault } from './fault';

/** Faults in how the service is called, and in what is shown of its words. */
export const serviceFaults: PlantedFault[] = [
	{
		name: 'second-token-exchange',
		description: 'Calls that run at once each ask for a token of their own.',
		patches: [
			{
				file: 'api/token.ts',
				from: 'if (record.pending) return await record.pending;',
				to: '',
			},
		],
	},
	{
		name: 'retry-after-ignored',
		description: 'The node comes back before the time that the service asked for.',
		patches: [
			{
				file: 'http/response.ts',
				from: "const retryAfter = readRetryAfter(answer.headers?.['retry-after']);",
				to: 'const retryAfter = undefined;',
			},
		],
	},
	{
		name: 'hammering',
		description:
			'The node comes back at once when the service says that there were too many calls.',
		patches: [
			{
				file: 'http/rateLimiter.ts',
				from: 'const firstBackOff = 250;',
				to: 'const firstBackOff = 0;',
			},
		],
	},
	{
		name: 'quoted-secrets',
		description: 'A token that the service quotes in its message stands in the error.',
		patches: [
			{
				file: 'http/client.ts',
				from: 'const hide = (text: string) => redact(text, [...this.secrets, ...(request.secrets ?? [])]);',
				to: 'const hide = (text: string) => text;',
			},
		],
	},
	{
		name: 'cut-before-redacted',
		description: 'The beginning of a secret that a long message ends with stands in the error.',
		patches: [
			{
				file: 'util/plainText.ts',
				from: 'return plainText(beginningOf(text, hide), most);',
				to: 'return hide(plainText(text.slice(0, most), most));',
			},
			{
				file: 'util/redact.ts',
				from: 'const shortestPart = 8;',
				to: 'const shortestPart = 1000;',
			},
		],
	},
	{
		name: 'wait-among-the-items',
		description: 'The secret of a wait stands in the items of one that was not over in time.',
		patches: [
			{
				file: 'wait/continue.ts',
				from: 'if (isOver) return outputsOf(state);',
				to: `if (isOver)
		return outputsOf(state).map((each) => ({ ...each, json: { ...each.json, ...state.registration } }));`,
			},
		],
	},
];
