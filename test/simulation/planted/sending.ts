import type { PlantedFault } from './fault';

/** Faults by which somebody gets something twice, or is said to have got what nobody sent. */
export const sendingFaults: PlantedFault[] = [
	{
		name: 'retried-create',
		description: 'A creation whose answer was lost is made again.',
		patches: [
			{
				file: 'http/network.ts',
				from: 'if (request.creates && !unsent) return lostCreation(`${origin} ${problem}`, request.creates);',
				to: "if (request.creates && !unsent) return new ServiceError({ message: problem, description: remedy, repeat: 'always' });",
			},
		],
	},
	{
		name: 'create-after-502',
		description: 'A creation that a gateway answered with 502 is made again.',
		patches: [
			{
				file: 'http/response.ts',
				from: 'if (request.creates) return lostCreation(message, request.creates, status);',
				to: "if (request.creates) return failure(message, 'Try again.', 'always');",
			},
		],
	},
	{
		name: 'every-try-sends',
		description: 'With Retry On Fail each of the tries that n8n makes sends all items again.',
		patches: [
			{
				file: 'operations/tries.ts',
				from: 'let run = runs.get(entry);',
				to: 'let run: Run | undefined;',
			},
		],
	},
	{
		name: 'retried-unknown-fate',
		description: 'With Retry On Fail an item is tried again that may have been sent.',
		patches: [{ file: 'operations/tries.ts', from: '!error.mayHaveCreated', to: 'true' }],
	},
	{
		name: 'key-not-looked-at',
		description: 'An item goes out although its Send Once Key was sent before.',
		patches: [
			{
				file: 'operations/sendItem.ts',
				from: "if (state !== 'new') return [{ json: await skipped(item, operation, own, state) }];",
				to: '',
			},
		],
	},
	{
		name: 'key-claimed-after-sending',
		description: 'Two processes, or a run after a crash, send the same Send Once Key.',
		patches: [
			{
				file: 'operations/sendItem.ts',
				from: 'await repeatable(keys.claim(entry));',
				to: 'await repeatable(keys.stateOf(entry));',
			},
		],
	},
	{
		name: 'key-confirmed-before-sending',
		description: 'A Send Once Key counts as sent, although n8n ended before it was.',
		patches: [
			{
				file: 'operations/sendItem.ts',
				from: 'const sent = await attempt(operation',
				to: 'await attempt(keys.confirm(entry)); const sent = await attempt(operation',
			},
		],
	},
	{
		name: 'key-released-too-early',
		description:
			'A re-run sends an item again whose answer was lost, in spite of its Send Once Key.',
		patches: [
			{
				file: 'operations/sendItem.ts',
				from: 'if (error instanceof ServiceError && error.mayHaveCreated) {',
				to: 'if (false) {',
			},
		],
	},
];
