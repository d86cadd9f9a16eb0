import { waitProblems } from '../../nodes/SignVerify/wait/waitProblems';
import '../support/shortPauses';

import type { IDataObject, INodeParameters, NodeExecutionHint } from 'n8n-workflow';

import { toRealPeople } from '../../host/workflow';
import { ProcessedStore } from '../n8n/processedStore';
import { action, runAction, type RunSetup } from '../support/contexts';
import {
	ada,
	creationsAt,
	failureOf,
	filledForm,
	mapped,
	peopleFor,
	templateFor,
	v1Setup,
	v2,
} from '../support/service';
import { savedForms } from '../support/savedForms';
import { startsByKind, contextStartedBy } from '../support/modes';
import { severalWrong } from '../support/problemWords';
import { signatureWait, useWaitingTest } from '../support/waiting';
import { clearAll } from '../../nodes/SignVerify/util/processMemory';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { peopleProblems, runProblems } from '../../nodes/SignVerify/operations/sendingProblems';
const { service, begin, sign } = useWaitingTest();
const testRecipient = 'me@example.com';
const hint = expect.stringMatching(/\btest\b.* me@example\.com /) as string;
/** The parameters that send everything to an address in a test run, and perhaps options. */
const toTester = (testEmail: unknown = testRecipient, options: IDataObject = {}) =>
	({
		inTestRuns: 'me',
		testEmail,
		// Otherwise, a hint would suggest this option.
		options: { writeDatesIn: 'en-US', ...options },
	}) as IDataObject;

/** Runs the node as if a user had started the execution in the editor. */
const run = async (parameters: IDataObject, more: Partial<RunSetup> = {}) =>
	await runAction(service.credential(), { mode: 'manual', parameters, ...more });

/** Makes a form for a template that two people sign. */
function lease() {
	const template = templateFor(2, service.sandbox);
	const people = peopleFor(template);
	return {
		people,
		parameters: {
			resource: 'document',
			operation: 'send',
			...filledForm(template),
			signatories: { signatory: people },
			...toTester(),
		},
	};
}

const lastBody = () => creationsAt(service).at(-1)?.body as Record<string, unknown>;
const mailed = () => new Set(service.sandbox.mails().flatMap(({ to }) => to));

describe.each<[string, IDataObject]>([
	['document/send', v2],
	['document/sendAndWait', { ...v2, operation: 'sendAndWait' }],
	['identity/request', { resource: 'identity', operation: 'request', email: ada.email }],
])('Without a choice of what a test sends, %s', (_operation, form) => {
	const sent = () => service.sandbox.documents().length + service.sandbox.identityRequests().length;

	test.each(Object.keys(savedForms))(
		'sends nothing in a test, and sends when live, with %s',
		async (how) => {
			const parameters = savedForms[how]?.(form as INodeParameters) as IDataObject;
			const before = sent();
			const checked = await begin({ parameters, mode: 'manual' });
			expect(checked.output).toMatchObject([{ json: { outcome: 'nothing' } }]);
			expect(sent()).toBe(before);
			await begin({ parameters, mode: 'webhook' });
			expect(sent()).toBe(before + 1);
		},
	);
});

describe('The choice of what a test sends', () => {
	test.each(['everything', ' ', 'RealPeople', '{{ "realPeople" }}', true, ['realPeople'], {}])(
		'causes an error if it is saved as %j',
		async (inTestRuns) => {
			for (const mode of ['manual', 'webhook'] as const) {
				const { message } = await failureOf(run({ ...v2, inTestRuns }, { mode }));
				expect(message).toMatch(/^In Test Runs: /);
			}
			expect(creationsAt(service)).toHaveLength(0);
		},
	);

	// n8n takes the "=" off every other expression, because the field allows none.
	test.each([
		"={{ $fromAI('inTestRuns') }}",
		"={{ $fromAI('inTestRuns', '', 'string', 'realPeople') }}",
	])('is never made by a model: %s', async (inTestRuns) => {
		const setup = {
			items: [{ inTestRuns: 'realPeople' }],
			perItem: [{ inTestRuns: 'realPeople' }],
		};
		const { message } = await failureOf(run({ ...v2, inTestRuns }, setup));
		expect(message).toMatch(/^In Test Runs: /);
		expect(creationsAt(service)).toHaveLength(0);
	});

	test('reaches the real people only as realPeople', async () => {
		await run({ ...v2, ...toRealPeople });
		expect(lastBody().signatories).toEqual([ada]);
	});
});

describe('Sending to the tester in a test run', () => {
	test("replaces a single signatory's address and is named in the output and in a hint", async () => {
		const hints: NodeExecutionHint[] = [];
		const [item] = await run({ ...v2, ...toTester() }, { hints });
		expect(lastBody().signatories).toEqual([{ ...ada, email: testRecipient }]);
		expect(item?.json).toMatchObject({
			testRecipient,
			signatories: [{ email: testRecipient, name: ada.name, role: 'employee', signed: false }],
			warnings: [],
		});
		expect(hints.map(({ message }) => message)).toEqual([hint]);
	});

	test("replaces several people's addresses with plus-tagged ones, so the real people get no email", async () => {
		const { people, parameters } = lease();
		await service.sandbox.idle();
		const before = mailed();
		const [item] = await run(parameters);
		const addresses = ['me+1@example.com', 'me+2@example.com'];
		expect(lastBody().signatories).toEqual(
			people.map((person, index) => ({ ...person, email: addresses[index] })),
		);
		const signatories = item?.json.signatories as Array<{ email: string; role: string }>;
		expect(signatories.map(({ email }) => email)).toEqual(addresses);
		expect(new Set(signatories.map(({ role }) => role)).size).toBe(2);
		await service.sandbox.idle();
		expect([...mailed()].filter((address) => !before.has(address)).sort()).toEqual(addresses);
	});

	test('also replaces the addresses in signature positions', async () => {
		const { parameters } = v1Setup(service);
		const ben = { email: 'ben@example.com', name: 'Ben Jonson' };
		const position = [{ email: 'BEN@example.com' }, { email: ada.email }];
		await run({
			...parameters,
			signatories: { signatory: [ada, ben] },
			...toTester(testRecipient, { signPositions: { position } }),
		});
		expect(lastBody()).toMatchObject({
			signatories: [{ email: 'me+1@example.com' }, { email: 'me+2@example.com' }],
			staticSignPositions: [
				{ user: { email: 'me+2@example.com' } },
				{ user: { email: 'me+1@example.com' } },
			],
		});
		expect(JSON.stringify(lastBody())).not.toMatch(/ada@|ben@/i);
	});

	test('is included in raw output', async () => {
		const [item] = await run({ ...v2, ...toTester(testRecipient, { output: 'raw' }) });
		expect(item?.json).toMatchObject({ testRecipient, signatory: [{ emailID: testRecipient }] });
	});

	test('receives the identity request', async () => {
		const parameters = {
			resource: 'identity',
			operation: 'request',
			email: ada.email,
			...toTester(),
		};
		const hints: NodeExecutionHint[] = [];
		const [item] = await run(parameters, { hints });
		expect(hints.map(({ message }) => message)).toEqual([hint]);
		expect(item?.json).toMatchObject({ email: testRecipient, testRecipient });
		expect(service.sandbox.requests.at(-1)?.body).toEqual({
			email: testRecipient,
			type: 'FACE',
			backgroundCheck: false,
		});
	});

	test.each([
		['Me <me@example.com>', testRecipient],
		[['me@example.com'], testRecipient],
		[' me+draft@example.com ', 'me+draft@example.com'],
	])('can be entered as %j', async (given, expected) => {
		await run({ ...v2, ...toTester(given) });
		expect(lastBody().signatories).toMatchObject([{ email: expected }]);
	});

	test('is rejected if a plus tag makes the address too long', async () => {
		const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`;
		const long = `${'m'.repeat(254 - domain.length - 1)}@${domain}`;
		const own = toTester(long);
		const before = creationsAt(service).length;
		expect((await failureOf(run({ ...lease().parameters, ...own }))).message).toMatch(
			/^Your Email: ".*" /,
		);
		expect(creationsAt(service)).toHaveLength(before);
		await run({ ...v2, ...own });
		expect(lastBody().signatories).toMatchObject([{ email: long }]);
	});

	test('replaces the real people only after their details have been checked', async () => {
		const { parameters } = lease();
		const twice = { signatory: [ada, { ...ada, name: 'Ada Again' }] };
		const error = await failureOf(run({ ...parameters, signatories: twice }));
		expect(error.message).toBe(
			`Email (Signatory 2): ${peopleProblems.sameEmail('ada@example.com', 'Email (Signatory 1)').problem}`,
		);
		const wrong = { ...v2, signatories: { signatory: [{ ...ada, email: 'ada' }] } };
		const both = await failureOf(run({ ...wrong, ...toTester('me') }));
		expect(both.message).toBe(
			severalWrong(
				['Email (Signatory 1)', valueProblems.notEmail('ada').problem],
				['Your Email', valueProblems.notEmail('me').problem],
			),
		);
		expect(creationsAt(service)).toHaveLength(0);
	});

	test.each(['', '  ', '={{ $json.missing }}'])(
		'is rejected if the address is empty (%j), and nothing is sent',
		async (empty) => {
			const error = await failureOf(run({ ...v2, ...toTester(empty) }));
			expect(error.message).toContain(`Your Email: ${valueProblems.empty.problem}`);
			expect(creationsAt(service)).toHaveLength(0);
		},
	);

	test('is rejected if it is an expression that was entered as plain text', async () => {
		const typed = toTester('{{$json.me}}@example.com');
		expect((await failureOf(run({ ...v2, ...typed }))).message).toBe(
			`Your Email: ${valueProblems.typedExpression.problem}`,
		);
		expect(creationsAt(service)).toHaveLength(0);
	});

	test('has no effect with Never Send', async () => {
		const hints: NodeExecutionHint[] = [];
		const [item] = await run({ ...v2, ...toTester(testRecipient, { neverSend: true }) }, { hints });
		expect(item?.json).toMatchObject({ outcome: 'nothing', signatories: [{ email: ada.email }] });
		expect(item?.json).not.toHaveProperty('testRecipient');
		expect(hints.map(({ message }) => message)).toEqual([
			"Nothing was sent, because Never Send is on. With this option, the node won't send anything, even when the published workflow runs.",
		]);
		expect(creationsAt(service)).toHaveLength(0);
	});
});

describe('Sending to the tester with a Send Once Key', () => {
	const keyed = { ...v2, ...toRealPeople, options: { sendOnceKey: "={{ 'k' }}" } };
	const keyedTest = { ...v2, ...toTester(testRecipient, { sendOnceKey: "={{ 'k' }}" }) };
	let store: ProcessedStore;
	beforeEach(() => (store = new ProcessedStore()));

	test('does not use up the key, so the real execution still sends the item', async () => {
		await run(keyedTest, { store });
		expect(store.size).toBe(0);
		expect(store.writes).toBe(0);
		const [sent] = await run(keyed, { store });
		expect(sent?.json.outcome).toBe('sent');
		expect(lastBody().signatories).toEqual([ada]);
	});

	test('sends an item even if its key has already been used', async () => {
		await run(keyed, { store });
		const [writes] = [store.writes];
		for (let count = 0; count < 2; count++) {
			const [item] = await run(keyedTest, { store });
			expect(item?.json).toMatchObject({ testRecipient, signatories: [{ email: testRecipient }] });
		}
		expect(store.writes).toBe(writes);
	});

	test('skips the second of two items with the same key, as a real execution would', async () => {
		const output = await run(keyedTest, { store, items: [{}, {}] });
		expect(output.map(({ json }) => json.outcome)).toEqual(['test', 'skipped']);
		expect(creationsAt(service)).toHaveLength(1);
	});

	test('does not mention the key in the error after a lost response', async () => {
		const endpoint = 'POST /templates/createDocumentByTemplateV2';
		service.sandbox.faults.set({ endpoint, times: 1, reset: 'after' });
		const error = await failureOf(run(keyedTest, { store }));
		expect(error.message).toContain('may have been created');
		expect(error.description).not.toContain('Send Once Key');
		expect(store.size).toBe(0);
	});
});

describe('Sending to the tester with a Send Once Key for each item', () => {
	const list = { ...v2, ...toTester() };
	const perItem = ['a', 'b', 'c'].map((sendOnceKey) => toTester(testRecipient, { sendOnceKey }));
	const endpoint = 'POST /templates/createDocumentByTemplateV2';
	const runList = async () =>
		await runAction(service.credential({ parallelRequests: 1 }), {
			mode: 'manual',
			parameters: list,
			items: perItem.map(() => ({})),
			perItem,
		});

	test('lists the items already sent if a response is lost, because running the list again would resend them', async () => {
		service.sandbox.faults.set({ endpoint, skip: 1, times: 1, reset: 'after' });
		const error = await failureOf(runList());
		expect(error.message).toMatch(/so the document may have been created \[item 2\]$/);
		expect(error.description).not.toMatch(/the whole list again|skips it|skips the items/);
		const lines = String(error.description).split('\n');
		expect(lines).toEqual([
			expect.stringContaining('may have been sent: item 2.'),
			expect.stringMatching(/^1 of 3 .*: item 1\.$/),
			expect.stringMatching(/^1 of 3 /),
			expect.stringMatching(/^Created: .* \(item 1\)/),
		]);
		expect(creationsAt(service)).toHaveLength(2);
	});
});

describe('Sending to the tester', () => {
	const runBegunBy = async (began: string, testRecipientOf: unknown = testRecipient) => {
		const parameters = { ...v2, ...toTester(testRecipientOf) };
		const context = contextStartedBy(began, service.credential(), parameters);
		const [[item] = []] = await action.execute.call(context);
		return [item?.json.testRecipient, (lastBody().signatories as IDataObject[])[0]?.email];
	};

	test.each(startsByKind.test)(
		'receives the document if the execution mode is "%s"',
		async (began) => {
			expect(await runBegunBy(began)).toEqual([testRecipient, testRecipient]);
		},
	);

	test.each(startsByKind.live)(
		'is ignored if the execution mode is "%s", even if the address is invalid',
		async (began) => {
			for (const given of [testRecipient, 'me', '', '={{ $("Gone").item.json.me }}']) {
				expect(await runBegunBy(began, given)).toEqual([undefined, ada.email]);
			}
		},
	);

	test.each(startsByKind.unknown)(
		'is rejected if the execution mode is "%s", because such a run may or may not be a test',
		async (began) => {
			const error = await failureOf(runBegunBy(began));
			expect(error.message).toBe(`In Test Runs: ${runProblems.maybeTest('').problem}`);
			expect(error.description).toMatch(
				/^Nothing was sent, because .*Send to the Real People.*#unknown-test-run$/,
			);
			expect(error.description?.match(/Nothing was sent/g)).toHaveLength(1);
			expect(creationsAt(service)).toHaveLength(0);
		},
	);
});

describe('a wait whose document goes to the tester', () => {
	const mode = 'manual' as const;

	test('ends when the test recipient signs, and the output names the recipient', async () => {
		const hints: NodeExecutionHint[] = [];
		const execution = await begin({ ...signatureWait(toTester()), mode, hints });
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/ Ada Lovelace \(me@example\.com\)/),
			hint,
		]);
		await sign();
		expect(execution.status).toBe('success');
		expect(execution.output[0]?.json).toMatchObject({
			testRecipient,
			outcome: 'completed',
			signatories: [{ email: testRecipient, role: 'employee', signed: true }],
		});
	});

	test('reveals that the service returns no document IDs before a real person gets a document', async () => {
		service.sandbox.settings.set({ createReturnsOnlySuccess: true });
		const test = await failureOf(begin({ ...signatureWait(toTester()), mode }));
		expect(test.message).toBe(waitProblems.noDocumentId.problem);
		expect((lastBody().signatories as IDataObject[])[0]?.email).toBe(testRecipient);
		const sent = creationsAt(service).length;
		const live = await failureOf(begin({ ...signatureWait(toTester()), mode: 'trigger' }));
		expect(live.message).toBe(waitProblems.noEarlierDocumentId.problem);
		expect(creationsAt(service)).toHaveLength(sent);
		service.sandbox.settings.reset();
		clearAll();
	});

	test('names the test recipient in the output when the time limit is reached', async () => {
		const execution = await begin({ ...signatureWait(toTester()), mode });
		const [item] = await execution.timeOut();
		expect(item?.json).toMatchObject({ testRecipient, outcome: 'timedOut' });
	});
});

test('people entered by role are also replaced by the test recipient', async () => {
	const signatoryRoles = mapped({ 'employee.name': ada.name, 'employee.email': ada.email });
	await run({ ...v2, specifySignatories: 'byRole', signatoryRoles, ...toTester() });
	expect(lastBody().signatories).toEqual([{ ...ada, email: testRecipient }]);
});
