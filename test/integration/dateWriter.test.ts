import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { contentProblems } from '../../nodes/SignVerify/text/contentMistakes';
import { keyProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { ProcessedStore } from '../n8n/processedStore';
import { runAction, type RunSetup } from '../support/contexts';
import { creationsAt, fields, mapped, useService, v2 } from '../support/service';

// Whatever shows or compares a contract shows the date that people will read in it.
const service = useService();

const run = async (starts: unknown[], options: IDataObject = {}, form: IDataObject = {}) =>
	await runAction(service.credential(), {
		parameters: {
			...v2,
			...form,
			fields: mapped({ ...fields, start_date: '={{ $json.start }}' }),
			options: { writeDatesIn: 'en-US', ...options },
		},
		items: starts.map((start) => ({ start }) as IDataObject),
		continueOnFail: true,
		store: new ProcessedStore(),
	});
const sentDates = () =>
	creationsAt(service).map(({ body }) => (body as { inputs: IDataObject }).inputs.start_date);
const shownDate = (item?: INodeExecutionData) =>
	(item?.json.fields as IDataObject | undefined)?.['Start date'];
const messageOf = (item?: INodeExecutionData) =>
	(item?.json.error as { message?: string } | undefined)?.message;

test('With Write Dates In, the contract contains the date as people write it', async () => {
	const [item] = await run(['2027-02-01']);
	expect(item?.json.outcome).toBe('sent');
	expect(sentDates()).toEqual(['February 1, 2027']);
});

test.each<[string, string]>([
	['={{ $json.start }} ', '2027-02-01'],
	['={{ DateTime.fromISO($json.start, { zone: "America/Mexico_City" }) }} ', '2027-02-01'],
	['={{ new Date($json.start) }}\n', '2027-02-01T06:00:00.000Z'],
])(
	'With Write Dates In, a space after the expression changes nothing: %j',
	async (saved, start) => {
		const form = { fields: mapped({ ...fields, start_date: saved }) };
		const parameters = { ...v2, ...form, options: { writeDatesIn: 'en-US' } };
		const items = [{ start }];
		const [item] = await runAction(service.credential(), { parameters, items });
		expect(item?.json.warnings).toEqual([]);
		expect(sentDates()).toEqual(['February 1, 2027']);
	},
);

test.each(['send', 'sendAndWait'])(
	'With Write Dates In, what Never Send shows is what the contract would contain (%s)',
	async (operation) => {
		const [item] = await run(['2027-02-01'], { neverSend: true }, { operation });
		expect(item?.json.outcome).toBe('nothing');
		expect(shownDate(item)).toBe('February 1, 2027');
		expect(sentDates()).toEqual([]);
	},
);

test('With Write Dates In, two items with one key are compared by the dates in their contracts', async () => {
	const key = { sendOnceKey: "={{ 'k' }}" };
	const same = await run(['2027-02-01', 'February 1, 2027'], key);
	expect(same.map(({ json }) => json.outcome)).toEqual(['sent', 'skipped']);
	const others = await run(['2027-02-01', '2027-03-01'], key);
	const difference = 'Start date (February 1, 2027 and March 1, 2027)';
	const { problem } = keyProblems.otherContent('k', 2, [difference]);
	expect(others.map(messageOf)).toEqual([problem, problem].map((text) => `Send Once Key: ${text}`));
});

test('With Write Dates In, an item that repeats the contract of another one is refused', async () => {
	const items = await run(['2027-02-01', 'February 1, 2027']);
	const { problem } = keyProblems.repeated({ item: 2, first: 1, option: 'Send Once Key' });
	expect(items.map(messageOf)).toEqual([undefined, `Send Once Key: ${problem}`]);
});

test('With Write Dates In, a day that does not exist is still refused', async () => {
	const [item] = await run(['2027-02-30']);
	const { problem } = contentProblems.missingDay;
	expect(messageOf(item)).toBe(`Start date: ${problem('2027-02-30')}`);
	expect(sentDates()).toEqual([]);
});

describe('How to have dates written out', () => {
	async function hintsOf(start: unknown, setup: Partial<RunSetup> = {}, options: IDataObject = {}) {
		const hints: NodeExecutionHint[] = [];
		const [item] = await runAction(service.credential(), {
			mode: 'manual',
			parameters: {
				...v2,
				fields: mapped({ ...fields, role: start, start_date: start }),
				options,
			},
			items: [{ json: {} }, { json: {} }],
			continueOnFail: true,
			hints,
			...setup,
		});
		const shown = hints.filter(({ message }) => message.includes('Write Dates In'));
		return { item, hints: shown.map(({ message, type }) => [type, message]) };
	}

	test('is shown once in a test run, without a warning', async () => {
		const { item, hints } = await hintsOf('2027-02-01');
		expect(hints).toEqual([
			[
				'info',
				'The contract shows Job title as 2027-02-01. To write out dates, add Write Dates In under Options and select a language.',
			],
		]);
		expect(item?.json).toMatchObject({ outcome: 'nothing', warnings: [] });
	});

	const isTool = { settings: { type: 'n8n-nodes-signverify.signVerifyTool' } };
	test.each<[string, Parameters<typeof hintsOf>]>([
		['in a live execution', ['2027-02-01', { mode: 'trigger' }]],
		['with the option', ['2027-02-01', {}, { writeDatesIn: 'en-US' }]],
		["in an agent's tool", ['2027-02-01', isTool]],
		['for a sentence with a day', ['On 2027-02-01']],
		['for a number', [20270201]],
		['for a day that is written out', ['February 1, 2027']],
	])("isn't shown %s", async (_case, setup) => {
		const { item, hints } = await hintsOf(...setup);
		expect(item?.json.outcome).toMatch(/^(?:sent|nothing)$/);
		expect(hints).toEqual([]);
	});
});
