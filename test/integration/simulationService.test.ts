import fc from 'fast-check';

import { modelSide, realSurroundings } from '../simulation/service/modelSide';
import { Pair, stepArbitrary, type Step } from '../simulation/service/pair';
import {
	badCalls,
	callers,
	exchanges,
	goodCalls,
	type Caller,
} from '../simulation/service/requests';
import { sandboxSide } from '../simulation/service/sandboxSide';
import type { Answers } from '../simulation/service/sides';
import {
	call,
	eventsOfLives,
	everything,
	exchange,
	lives,
	merged,
	peculiarities,
	settings,
	type Setting,
} from '../simulation/service/scenarios';
import { plainVariants, type ServiceVariants } from '../simulation/service/variants';
import { checkDeliveries } from '../simulation/service/checkDeliveries';

describe('Deliveries', checkDeliveries);

const running: Array<() => Promise<void>> = [];

async function stopAll(): Promise<void> {
	await Promise.all(running.splice(0).map(async (close) => await close()));
}

/** Both, behaving alike where the interface leaves it open. */
async function start(
	[variants, options]: Setting = [{}, {}],
	answers: Answers = [],
	surroundings = realSurroundings(),
) {
	const sandbox = await sandboxSide(options, [...answers]);
	running.push(sandbox.close);
	const model = modelSide({ ...plainVariants, ...variants }, [...answers], surroundings);
	return new Pair(model, sandbox, sandbox.receiver);
}

/** Does one thing after the other to both; says how they differ. */
async function differencesAfter(pair: Pair, steps: Step[]): Promise<string[]> {
	const found: string[] = [];
	for (const step of steps) found.push(...(await pair.differencesAfter(step)));
	return found;
}

describe('The model answers as the sandbox does', () => {
	let pair: Pair;
	beforeAll(async () => {
		pair = await start();
		expect(await differencesAfter(pair, everything)).toEqual([]);
	});
	afterAll(stopAll);

	test.each(Object.keys(goodCalls))('to %s', async (what) => {
		expect(await pair.differencesAfter(call(what, 1))).toEqual([]);
		const [model] = await pair.answers(what);
		expect(model.status).toBe(what === 'getResults' ? 404 : 200);
		await differencesAfter(pair, [call('list')]);
	});

	test.each(Object.keys(badCalls))('to a call with %s', async (what) => {
		const before = JSON.stringify(pair.model.state());
		expect(await pair.differencesAfter(call(what))).toEqual([]);
		const [model] = await pair.answers(what);
		expect([400, 404]).toContain(model.status);
		expect(JSON.stringify(pair.model.state())).toBe(before);
	});

	test.each(Object.keys(exchanges))('to an exchange: %s', async (how) => {
		expect(await pair.differencesAfter({ do: 'exchange', how })).toEqual([]);
	});

	test.each(Object.entries(callers))('to a call with %s: %s', async (caller) => {
		for (const what of [
			'list',
			'requestIdentity',
			'createV2',
			'templatesV1',
			'an unknown endpoint',
		]) {
			expect(await pair.differencesAfter(call(what, 0, caller as Caller))).toEqual([]);
		}
		const [model] = await pair.answers('createV2', caller as Caller);
		const right = caller === 'newest' || caller === 'first';
		expect(model.status).toBe(right ? 200 : caller === 'withKey' ? 400 : 401);
	});
});

describe('The model notifies as the sandbox does', () => {
	afterEach(stopAll);

	test.each(settings)('of all that happens: %s', async (_, setting) => {
		const pair = await start(setting);
		expect(await differencesAfter(pair, [...everything, ...lives])).toEqual([]);
		expect(pair.arrived.sort()).toEqual([...eventsOfLives].sort());
		expect(await differencesAfter(pair, [exchange, call('list', 0, 'first')])).toEqual([]);
	});

	test('of both verdicts on a person', async () => {
		const pair = await start();
		const done: Step[] = [
			{ do: 'finish', pick: 0, score: 'pass' },
			{ do: 'finish', pick: 1, score: 'fail' },
		];
		await differencesAfter(pair, [...everything, ...done]);
		const verdicts: string[] = [];
		for (const number of [0, 1]) {
			for (const { body } of await pair.answers('getResults', 'newest', number)) {
				const { results } = (body as { responseData: { results: Results } }).responseData;
				verdicts.push(results.score.overall.status);
				expect(Object.keys(results.ocr)).toContain('birthDate');
			}
		}
		expect(verdicts).toEqual(['OK', 'OK', 'FAIL', 'FAIL']);
	});

	test.each([
		['twice refused, then taken', [500, 404]],
		['redirected, then taken', [302]],
		['refused until it is given up', [503, 503, 503]],
		['taken with another 2xx', [204]],
	])('as often as a receiver wants it: %s', async (_, answers) => {
		const pair = await start([{}, {}], answers);
		const steps = [exchange, call('register', 0), call('createV2', 0)];
		expect(await differencesAfter(pair, steps)).toEqual([]);
		const tries = Math.min(3, answers.length + (answers[0] === 204 ? 0 : 1));
		expect(pair.arrived).toEqual(Array(tries).fill('sendDocument'));
	});
});

interface Results {
	score: { overall: { status: string } };
	ocr: object;
}

describe('The model keeps time as the sandbox does', () => {
	afterEach(stopAll);

	test.each([
		['401', '401'],
		['403', '403'],
		['401 in 200', '200'],
	] as const)('a token expires: %s', async (expiredToken, expiryStyle) => {
		const surroundings = { ...realSurroundings(), now: () => now };
		let now = Date.now();
		const sandbox = await sandboxSide({ expiryStyle, tokenLifetimeSeconds: 0.2 });
		running.push(sandbox.close);
		const variants = { ...plainVariants, expiredToken, tokenLife: 30 } as const;
		const pair = new Pair(modelSide(variants, [], surroundings), sandbox, sandbox.receiver);
		expect(await differencesAfter(pair, [exchange, call('list')])).toEqual([]);
		now += 29_999;
		expect((await pair.answers('list'))[0].body).toMatchObject({ success: true });
		now += 1;
		await new Promise((resolve) => setTimeout(resolve, 250));
		expect((await pair.answers('list'))[0].body).toMatchObject({ success: false });
		expect(await differencesAfter(pair, [call('list'), call('createV2')])).toEqual([]);
	});

	test.each([
		['no', 'none', undefined],
		['a', 'seconds', 1],
		['a useless', 'zero', 0],
	] as const)('a limit of the rate, with %s time to wait', async (_, form, retryAfter) => {
		let now = Date.now();
		const perSecond = { perSecond: 4, ...(retryAfter === undefined ? {} : { retryAfter }) };
		const pair = await start(
			[{ rateLimit: { calls: 4, retryAfter: form } }, { rateLimit: perSecond }],
			[],
			{ ...realSurroundings(), now: () => now },
		);
		const statuses = async () => (await pair.answers('list')).map(({ status }) => status);
		const steps = [exchange, ...Array<Step>(5).fill(call('list'))];
		expect(await differencesAfter(pair, steps)).toEqual([]);
		now += 999;
		expect(await statuses()).toEqual([429, 429]);
		now += 1;
		await new Promise((resolve) => setTimeout(resolve, 1050));
		expect(await statuses()).toEqual([200, 200]);
	});
});

describe('The model and the sandbox', () => {
	afterEach(stopAll);

	test('give the same files, and the same refusals of them', async () => {
		let now = Date.now();
		const surroundings = { ...realSurroundings(), now: () => now };
		const sandbox = await sandboxSide({ fileLinkMinutes: 0.2 / 60 });
		running.push(sandbox.close);
		const model = modelSide({ ...plainVariants, fileSeconds: 5 }, [], surroundings);
		const pair = new Pair(model, sandbox, sandbox.receiver);
		const steps = [exchange, call('register', 2), call('createV2'), lives[0]!];
		const arrived: DocumentEvent[][] = [];
		for (const side of [model, sandbox]) {
			const { received } = side;
			side.received = async () => {
				const all = await received();
				arrived.push(all.map(({ body }) => body as unknown as DocumentEvent));
				return all;
			};
		}
		expect(await differencesAfter(pair, steps)).toEqual([]);
		const [ofModel, ofSandbox] = arrived.flat().map(({ Document }) => Document.documentURL);
		const statuses = async (change: (address: string) => string) => {
			const answers = [
				await model.file(change(ofModel ?? '')),
				await sandbox.file(change(ofSandbox ?? '')),
			];
			return answers.map(({ status, headers, body }) => [
				...[status, headers?.['content-type']?.split(';')[0]],
				/^%PDF-|<Message>[^<]*/.exec(String(body))?.[0],
			]);
		};
		const pdf = [200, 'application/pdf', '%PDF-'];
		const denied = (why: string) => [403, 'application/xml', `<Message>${why}`];
		expect(await statuses((address) => address)).toEqual([pdf, pdf]);
		const forged = await statuses((address) => address.replace(/expires=\d/, 'expires=9'));
		expect(forged).toEqual([denied('Access denied'), denied('Access denied')]);
		now += 5000;
		await new Promise((resolve) => setTimeout(resolve, 250));
		const late = await statuses((address) => address);
		expect(late).toEqual([denied('Request has expired'), denied('Request has expired')]);
	});

	test('stay alike, whatever happens in whatever order', async () => {
		const cases = fc.record({
			chosen: fc.subarray(settings, { maxLength: 4 }),
			steps: fc.array(stepArbitrary, { minLength: 10, maxLength: 30 }),
		});
		const run = fc.asyncProperty(cases, async ({ chosen, steps }) => {
			const pair = await start(merged(chosen.map(([, setting]) => setting)));
			try {
				expect(await differencesAfter(pair, [exchange, ...steps])).toEqual([]);
			} finally {
				await stopAll();
			}
		});
		await fc.assert(run, { numRuns: 20, interruptAfterTimeLimit: 60_000 });
	}, 120_000);
});

interface DocumentEvent {
	Document: { documentURL?: string };
}

describe('Each variant shows, so that the comparison would find it', () => {
	test.each(peculiarities)('%s: %j', async (name, value) => {
		const receiver = 'https://n8n.example.com';
		const more = name === 'expiredToken' ? { newTokenEndsOld: true } : {};
		const plain = { ...plainVariants, ...more };
		const between = async (variants: ServiceVariants) =>
			await differencesAfter(new Pair(modelSide(plain), modelSide(variants), receiver), [
				...everything,
				{ do: 'report', pick: 0, event: 'failedBiometric' },
				{ do: 'sign', pick: 0, who: 0 },
				...lives,
				...[exchange, call('list', 0, 'first'), call('an unknown template')],
				...[call('an unknown registration'), call('registerIdentity'), call('list')],
				call('templatesV2'),
			]);
		expect(await between(plain)).toEqual([]);
		expect(await between({ ...plain, [name]: value })).not.toEqual([]);
	});
});
