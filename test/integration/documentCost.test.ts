import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { action, executeContext, type RunSetup } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { ada, contract, despite, fields, mapped, v2 } from '../support/service';
import { standInOrigin } from '../support/standIn';

/*
 * What a document costs: how often the node does, for each document, what takes a good part of the time that a document
 * takes. The numbers don't depend on the machine, unlike the ratios that `npm run bench` measures.
 */

const template = {
	templateID: contract,
	name: 'Employment contract',
	signatories: [{ key: 'employee' }],
	form: Object.keys(fields).map((key) => ({ key, label: key, isRequired: true })),
};

/** The service, without a network, so that nothing but the node's own work is counted. */
async function respond({ url }: IHttpRequestOptions): Promise<unknown> {
	const responseData = url.endsWith('/templates/v2') ? [template] : { documentID: 'd' };
	const body = { success: true, responseData: url.endsWith('/templates') ? [] : responseData };
	await new Promise((resolve) => setImmediate(resolve));
	return { statusCode: 200, headers: {}, body: Readable.from([Buffer.from(JSON.stringify(body))]) };
}

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

beforeEach(() => {
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
});
afterEach(() => {
	globalThis.URL = Parsed;
	jest.restoreAllMocks();
});

/** Sends a list, and returns the counts. */
async function countsOf(setup: RunSetup): Promise<typeof counts> {
	const keeper = new CredentialKeeper(
		{
			baseUrl: `${standInOrigin}/api`,
			userId: 'u',
			apiKey: 'the-api-key',
			accessToken: 'the-token',
			parallelRequests: 10,
		},
		respond,
	);
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

test.each([
	['fixed values', 0.1],
	['three expressions', 1.1],
] as const)('A document with %s costs no more than is needed', async (values, getNodeParameter) => {
	const runOf = async (size: number) => {
		const items = Array.from({ length: size }, (_, index) => ({ index }));
		return await countsOf({ parameters: { ...v2, ...forms[values], options: despite }, items });
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
