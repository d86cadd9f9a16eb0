import type { PlantedFault } from './fault';

/** Faults by which items leave that they should not, or not as they should. */
export const outputFaults: PlantedFault[] = [
	{
		name: 'thrown-under-on-error',
		description: 'With On Error set, a run that failed as a whole goes on as if all had been done.',
		patches: [
			{
				file: 'operations/run.ts',
				from: 'if (!context.continueOnFail()) throw asNodeError(context, error);',
				to: 'throw asNodeError(context, error);',
			},
		],
	},
	{
		name: 'unpaired-items',
		description: 'All items are paired with the first one, so that later nodes mix them up.',
		patches: [
			{
				file: 'operations/run.ts',
				from: '\t\tpairedItem: { item },\n',
				to: '\t\tpairedItem: { item: 0 },\n',
			},
		],
	},
	{
		name: 'outputs-by-arrival',
		description: 'The output of one item stands at the place of another that took longer.',
		patches: [
			{
				file: 'operations/runItems.ts',
				from: 'let next = 0;',
				to: 'let next = 0;\n\tlet ended = 0;',
			},
			{
				file: 'operations/runItems.ts',
				from: "settled[index] = { state: 'done', output: await work(index) };",
				to: "const output = await work(index);\n\t\t\t\tsettled[ended++] = { state: 'done', output };",
			},
			{
				file: 'operations/runItems.ts',
				from: "settled[index] = { state: 'failed', error };",
				to: "settled[ended++] = { state: 'failed', error };",
			},
		],
	},
	{
		name: 'creation-not-reported',
		description: 'An item that may have been created looks like one that certainly was not.',
		patches: [
			{
				file: 'operations/failures.ts',
				from: 'if (error.mayHaveCreated) details.mayHaveBeenCreated = true;',
				to: '',
			},
		],
	},
	{
		name: 'page-as-file',
		description: 'A web page that says that the link has expired is stored as the signed document.',
		patches: [
			{
				file: 'http/downloadRefusal.ts',
				from: 'if (found === undefined) return undefined;',
				to: "if (found !== 'nothing') return undefined;",
			},
		],
	},
];
