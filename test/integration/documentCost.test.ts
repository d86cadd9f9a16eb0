import { Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { action, executeContext, runAction, type RunSetup } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { expectLinear } from '../support/growth';
import { ada, contract, despite, fields, mapped, v2 } from '../support/service';
import { standInOrigin } from '../support/standIn';

/*
 * What a document costs: how often the node does, for each document, what takes a good part of the time that a document
 * takes, and how the time grows with a list. Neither depends on the machine, unlike the ratios that `npm run bench`
 * measures.
 */

/** The service with a template, without a network, so that nothing but the node's own work counts. */
function serviceWith(keys: string[]) {
	const template = {
		templateID: contract,
		name: 'Employment contract',
		signatories: [{ key: 'employee' }],
		form: keys.map((key) => ({ key, label: key, isRequired: true })),
	};
	return async ({ url }: IHttpRequestOptions): Promise<unknown> => {
		const responseData = url.endsWith('/templates/v2') ? [template] : { documentID: 'd' };
		const body = { success: true, responseData: url.endsWith('/templates') ? [] : responseData };
		await new Promise((resolve) => setImmediate(resolve));
		const bytes = Buffer.from(JSON.stringify(body));
		return { statusCode: 200, headers: {}, body: Readable.from([bytes]) };
	};
}

let accounts = 0;

/** Makes a credential of a new account, whose template has these fields. */
const keeperWith = (keys = Object.keys(fields)) =>
	new CredentialKeeper(
		{
			baseUrl: `${standInOrigin}/api`,
			userId: `user-${++accounts}`,
			apiKey: 'the-api-key',
			accessToken: 'the-token',
			parallelRequests: 10,
		},
		serviceWith(keys),
	);

const counts = {
	getNodeParameter: 0,
	'AbortSignal.any': 0,
	'AbortSignal.timeout': 0,
	'abort() without a reason': 0,
	MessageChannel: 0,
	'parsed URLs': 0,
};

const Parsed = URL;
const canParse = URL.canParse.bind(URL);

function startCounting(): void {
	// Time stands still. Otherwise, a slow machine would take more turns of the event loop.
	jest.spyOn(performance, 'now').mockReturnValue(performance.now());
	const { any, timeout } = AbortSignal;
	jest.spyOn(AbortSignal, 'any').mockImplementation((signals) => {
		counts['AbortSignal.any']++;
		return any.call(AbortSignal, signals);
	});
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		counts['AbortSignal.timeout']++;
		return timeout.call(AbortSignal, ms);
	});
	const { abort } = AbortController.prototype;
	jest.spyOn(AbortController.prototype, 'abort').mockImplementation(function (
		this: AbortController,
		...reason: unknown[]
	) {
		if (reason[0] === undefined) counts['abort() without a reason']++;
		abort.apply(this, reason as [unknown]);
	});
	const Channel = MessageChannel;
	jest.spyOn(globalThis, 'MessageChannel').mockImplementation(() => {
		counts.MessageChannel++;
		return new Channel();
	});
	const countParse = () => void counts['parsed URLs']++;
	jest.spyOn(URL, 'canParse').mockImplementation((...given) => {
		countParse();
		return canParse(...given);
	});
	globalThis.URL = new Proxy(Parsed, {
		construct(target, given: ConstructorParameters<typeof URL>) {
			countParse();
			return new target(...given);
		},
	});
}

function stopCounting(): void {
	globalThis.URL = Parsed;
	jest.restoreAllMocks();
}

/** Sends a list, and returns the counts. */
async function countsOf(keeper: CredentialKeeper, setup: RunSetup): Promise<typeof counts> {
	const context = executeContext(keeper, setup);
	const { getNodeParameter } = context;
	const counted = {
		...context,
		getNodeParameter: (...given: [string, number, unknown]) => {
			counts.getNodeParameter++;
			return getNodeParameter.call(context, ...given) as unknown;
		},
	};
	for (const name of Object.keys(counts)) counts[name as keyof typeof counts] = 0;
	const [output = []] = await action.execute.call(counted as typeof context);
	expect(output.map(({ json }) => json.outcome)).toEqual(setup.items?.map(() => 'sent'));
	return { ...counts };
}

const count = 100;

const forms = {
	'fixed values': { fields: mapped(fields), signatories: { signatory: [ada] } },
	'three expressions': {
		fields: mapped({ ...fields, employee_name: '=Person {{ $json.index }}' }),
		signatories: {
			signatory: [
				{ email: '=person-{{ $json.index }}@example.com', name: '=Person {{ $json.index }}' },
			],
		},
	},
};

/** The limits for each document. A count that isn't listed has none. */
const limits: Partial<typeof counts> = {
	'AbortSignal.any': 1,
	'AbortSignal.timeout': 1,
	'abort() without a reason': 0,
	'parsed URLs': 0,
	MessageChannel: 1.2,
};

describe('A document', () => {
	beforeEach(startCounting);
	afterEach(stopCounting);

	test.each([
		['fixed values', 0.1],
		['three expressions', 1.1],
	] as const)('with %s costs no more than is needed', async (values, getNodeParameter) => {
		const keeper = keeperWith();
		const runOf = async (size: number) => {
			const items = Array.from({ length: size }, (_, index) => ({ index }));
			return await countsOf(keeper, {
				parameters: { ...v2, ...forms[values], options: despite },
				items,
			});
		};
		// The process remembers the template from the first list.
		await runOf(1);
		// The work of an execution itself is the same for both lists.
		const [few, many] = [await runOf(count), await runOf(2 * count)];
		const perDocument = (name: keyof typeof counts) => (many[name] - few[name]) / count;
		const found = Object.keys(counts) as Array<keyof typeof counts>;
		const all = { ...limits, getNodeParameter };
		const tooMany = found.filter((name) => perDocument(name) > (all[name] ?? Infinity));
		expect(tooMany.map((name) => `${name}: ${perDocument(name)}`)).toEqual([]);
	});
});

describe('A list', () => {
	type List = RunSetup & { keeper: CredentialKeeper; items: IDataObject[] };

	const fixedList = (rowCount: number): List => ({
		keeper: keeperWith(),
		parameters: { ...v2, ...forms['fixed values'] },
		items: Array.from({ length: rowCount }, (_, index) => ({ index })),
	});

	/** Makes a list whose columns have the names of the template's fields. */
	const automaticList = (columnCount: number, rowCount: number): List => {
		const keys = Array.from({ length: columnCount }, (_, at) => `Field ${at}`);
		const signatories = { signatory: [{ email: '={{ $json.email }}', name: 'Ada' }] };
		const items = Array.from({ length: rowCount }, (_, row) => ({
			email: `${row}@example.com`,
			...Object.fromEntries(keys.map((key) => [key, `${key} in row ${row}`])),
		}));
		const form = { fields: { mappingMode: 'autoMapInputData', value: null }, signatories };
		return { keeper: keeperWith(keys), parameters: { ...v2, ...form }, items };
	};

	/** Sends a list, and returns how often the node read one of its rows. */
	async function readsOf({ keeper, items, ...setup }: List): Promise<number> {
		let reads = 0;
		const counted = items.map(
			(row) =>
				new Proxy(row, {
					get(target, name) {
						reads++;
						return target[name as string];
					},
					getOwnPropertyDescriptor(target, name) {
						reads++;
						return Reflect.getOwnPropertyDescriptor(target, name);
					},
					ownKeys(target) {
						reads++;
						return Reflect.ownKeys(target);
					},
				}),
		);
		expect(await runAction(keeper, { ...setup, items: counted })).toHaveLength(items.length);
		return reads;
	}

	test.each([
		['fixed values', fixedList],
		['ten columns', (rowCount: number) => automaticList(10, rowCount)],
	])('with %s reads a row as often, however many rows there are', async (_what, listOf) => {
		const [few, more, many] = [
			await readsOf(listOf(100)),
			await readsOf(listOf(200)),
			await readsOf(listOf(300)),
		];
		expect(many - more).toBe(more - few);
	});

	test.each([
		['fixed values', fixedList],
		['ten columns', (rowCount: number) => automaticList(10, rowCount)],
	])('with many rows of %s takes linear time', async (_what, listOf) => {
		await expectLinear(1000, (rowCount) => {
			const { keeper, items, ...setup } = listOf(rowCount);
			return async () =>
				expect(await runAction(keeper, { ...setup, items })).toHaveLength(rowCount);
		});
	});

	test('with many columns takes linear time', async () => {
		await expectLinear(1000, (columnCount) => {
			const { keeper, items, ...setup } = automaticList(columnCount, 3);
			return async () => expect(await runAction(keeper, { ...setup, items })).toHaveLength(3);
		});
	});
});
