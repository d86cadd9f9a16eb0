import type { PlantedFault } from './fault';

/** Faults by which a wait ends when it should not, or does not end. */
export const waitingFaults: PlantedFault[] = [
	{
		name: 'same-wait-in-a-loop',
		description: 'In a loop a wait takes the registration of the one before it for its own.',
		patches: [
			{
				file: 'wait/start.ts',
				from: 'start = { wait: makeWait() };',
				to: 'start = { wait: `wait-of-${execute.getExecutionId()}` };',
			},
		],
	},
	{
		name: 'one-of-the-same-document',
		description: 'Of several items that name the same document only the first is completed.',
		patches: [
			{
				file: 'wait/onEvent.ts',
				from: 'found.indexes.push(index);\n\t\t\tcontinue;',
				to: 'found.indexes.push(index);\n\t\t\tbreak;',
			},
		],
	},
	{
		name: 'dropped-second-event',
		description: 'An event that comes while another is processed is answered 200 and lost.',
		patches: [
			{
				file: 'wait/onEvent.ts',
				from: ": { status: 503, message: 'Another event is being processed.",
				to: ": { status: 200, message: 'Another event is being processed.",
			},
		],
	},
	{
		name: 'registration-removed-first',
		description: 'The registration is gone before n8n has taken the event, which is then lost.',
		patches: [
			{
				file: 'wait/onEvent.ts',
				from: 'removeAfterwards(context, state);',
				to: 'await attempt(removeWait(new ServiceClient(context), state.registration));',
			},
		],
	},
	{
		name: 'successor-left-by-the-event',
		description: 'A wait that its event has ended goes out a second time.',
		patches: [
			{
				file: 'wait/onEvent.ts',
				from: 'removeSuccessor(context, wait);\n\tremoveAfterwards',
				to: 'removeAfterwards',
			},
		],
	},
	{
		name: 'successor-left-by-a-noted-event',
		description: 'A wait for several documents goes out a second time.',
		patches: [
			{
				file: 'wait/stack.ts',
				from: 'removeSuccessor(context, wait);\n\n\tconst accepted',
				to: 'const accepted',
			},
		],
	},
	{
		name: 'no-limit',
		description: 'A wait ignores its limit and never ends.',
		patches: [
			{
				file: 'wait/start.ts',
				from: '{ registration, eventCount: 0, items, ...until }',
				to: '{ registration, eventCount: 0, items }',
			},
		],
	},
	{
		name: 'limit-passes-as-done',
		description: 'A document that was not signed in time goes on like one that was.',
		patches: [
			{ file: 'wait/state.ts', from: '...completed, timedOut: true }', to: '...completed }' },
		],
	},
	{
		name: 'retry-passes-items-on',
		description:
			'A wait that is stopped and retried with the saved workflow goes on as if it were over.',
		patches: [
			{ file: 'wait/stack.ts', from: 'unshift(successor, guard);', to: 'unshift(successor);' },
			{ file: 'wait/stack.ts', from: 'splice(index, 2);', to: 'splice(index, 1);' },
		],
	},
	{
		name: 'retry-passes-as-timed-out',
		description:
			'A wait that is stopped and retried ends at once, as if its limit had been reached.',
		patches: [
			{
				file: 'wait/continue.ts',
				from: 'const isOver = !noted && until !== undefined && Date.now() >= until - timerTolerance;',
				to: 'const isOver = !noted;',
			},
		],
	},
	{
		name: 'unfinished-identity',
		description: 'A person who has not even begun counts as verified.',
		patches: [
			{
				file: 'api/identity.ts',
				from: "...['EXPIRED', 'CANCELED', 'CANCELLED'],",
				to: "...['EXPIRED', 'CANCELED', 'CANCELLED', 'CREATED', 'IN_PROGRESS'],",
			},
		],
	},
	{
		name: 'event-of-another-person',
		description: "Another person's verification ends the wait.",
		patches: [
			{
				file: 'wait/identity.ts',
				from: 'if (named !== undefined && named !== awaited.validationId) return false;',
				to: '',
			},
		],
	},
	{
		name: 'document-without-template',
		description:
			'A document that does not say what it was made from ends the wait for another one.',
		patches: [
			{
				file: 'wait/document.ts',
				from: 'if (!templateId || templateId !== awaited.templateId.trim()) return false;',
				to: 'if (templateId && templateId !== awaited.templateId.trim()) return false;',
			},
		],
	},
];
