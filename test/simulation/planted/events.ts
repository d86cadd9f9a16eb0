import type { PlantedFault } from './fault';

/** Faults by which an event is lost, taken twice, or believed from anybody. */
export const eventFaults: PlantedFault[] = [
	{
		name: 'any-secret',
		description: 'Whoever knows the address of a trigger can start its workflow.',
		patches: [
			{
				file: 'trigger/webhook.ts',
				from: 'if (!isSecret(given, state.secret)) return false;',
				to: "if (typeof given !== 'string') return false;",
			},
		],
	},
	{
		name: 'secret-after-the-body',
		description: 'A sender without the secret is told what a workflow listens for.',
		patches: [
			{
				file: 'trigger/webhook.ts',
				from: '\t// Before anything of the body is read.\n',
				to: `
	const early = await readEvent(
		context,
		readEvents(context.getNodeParameter('events')),
		textOf(query[eventParameter]),
	);
	if ('message' in early) return early;
`,
			},
		],
	},
	{
		name: 'repeats-forgotten',
		description: 'An event that the service sends twice starts the workflow twice.',
		patches: [
			{
				file: 'webhooks/seen.ts',
				from: "if (state === 'accepted') return 'repeat';",
				to: '',
			},
		],
	},
	{
		name: 'underway-counts-as-taken',
		description: 'A repetition is answered 200 while its event may still fail.',
		patches: [
			{
				file: 'webhooks/seen.ts',
				from: "{ status: 503, message: 'This event is being processed.",
				to: "{ status: 200, message: 'This event is being processed.",
			},
		],
	},
	{
		name: 'failed-counts-as-taken',
		description: 'An event that n8n failed to take is never taken, however often it comes.',
		patches: [
			{
				file: 'webhooks/seen.ts',
				from: 'else events.delete(key);',
				to: "else events.set(key, 'accepted');",
			},
		],
	},
	{
		name: 'answered-before-stored',
		description:
			'The sender gets its 200 before n8n has stored the execution, and a crash loses it.',
		patches: [
			{
				file: 'trigger/webhook.ts',
				from: 'return refused ?? [await toItem(context, notification)];',
				to: 'if (!refused) context.getResponseObject().status(200).json({});\n\treturn refused ?? [await toItem(context, notification)];',
			},
		],
	},
];
