import '../support/shortPauses';

import type { IDataObject, NodeExecutionHint, WorkflowExecuteMode } from 'n8n-workflow';

import { ProcessedStore } from '../n8n/processedStore';
import { action, executeContext, runAction, type RunSetup } from '../support/contexts';
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
import { proving, signing, useWaitingTest } from '../support/waiting';

const { service, begin, lastIdentity, sign } = useWaitingTest();
const testRecipient = 'me@example.com';
const hint =
	'This was a test: everything went to me@example.com instead of the people. Once you publish the workflow, it goes to the people.';
const options = { testRecipient };

/** A run that a person starts in the editor. */
const run = async (parameters: IDataObject, more: Partial<RunSetup> = {}) =>
	await runAction(service.credential(), { mode: 'manual', parameters, ...more });

/** A template that two people sign. */
function lease() {
	const template = templateFor(2, service.sandbox);
	const people = peopleFor(template);
	return {
		people,
		parameters: {
			...{ resource: 'document', operation: 'createFromTemplate' },
			...filledForm(template),
			signatories: { signatory: people },
			options,
		},
	};
}

/** The body of the last creation. */
const lastBody = () => creationsAt(service).at(-1)?.body as Record<string, unknown>;
const mailed = () => new Set(service.sandbox.mails().flatMap(({ to }) => to));

describe('in a test run', () => {
	test('one person gets the address as it is; output, role and hint say so', async () => {
		const hints: NodeExecutionHint[] = [];
		const [item] = await run({ ...v2, options }, { hints });
		expect(lastBody().signatories).toEqual([{ ...ada, email: testRecipient }]);
		expect(item?.json).toMatchObject({
			testRecipient,
			signatories: [{ email: testRecipient, name: ada.name, role: 'Employee', signed: false }],
			warnings: [],
		});
		expect(hints.map(({ message }) => message)).toEqual([hint]);
	});

	test('several people get plus-tags, in their roles, and nobody else gets a mail', async () => {
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

	test('signature positions follow their people', async () => {
		const { parameters } = v1Setup(service);
		const ben = { email: 'ben@example.com', name: 'Ben Jonson' };
		const position = [{ email: 'BEN@example.com' }, { email: ada.email }];
		await run({
			...parameters,
			signatories: { signatory: [ada, ben] },
			options: { ...options, signPositions: { position } },
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

	test('raw output says so, too', async () => {
		const [item] = await run({ ...v2, options: { ...options, output: 'raw' } });
		expect(item?.json).toMatchObject({ testRecipient, signatory: [{ emailID: testRecipient }] });
	});

	test('an identity is requested of the test recipient', async () => {
		const parameters = { resource: 'identity', operation: 'request', email: ada.email, options };
		const [item] = await run(parameters);
		expect(item?.json).toMatchObject({ email: testRecipient, testRecipient });
		expect(service.sandbox.requests.at(-1)?.body).toEqual({
			...{ email: testRecipient, type: 'FACE', backgroundCheck: false },
		});
	});

	test.each([
		['Me <me@example.com>', testRecipient],
		[['me@example.com'], testRecipient],
		[' me+draft@example.com ', 'me+draft@example.com'],
	])('the address can be given as %j', async (given, expected) => {
		await run({ ...v2, options: { testRecipient: given } });
		expect(lastBody().signatories).toMatchObject([{ email: expected }]);
	});

	test('an address that is too long with a plus-tag is refused', async () => {
		const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`;
		const long = `${'m'.repeat(254 - domain.length - 1)}@${domain}`;
		const own = { options: { testRecipient: long } };
		const before = creationsAt(service).length;
		expect((await failureOf(run({ ...lease().parameters, ...own }))).message).toMatch(
			/^Test Recipient: ".*" isn't an email address: too long$/,
		);
		expect(creationsAt(service)).toHaveLength(before);
		await run({ ...v2, ...own });
		expect(lastBody().signatories).toMatchObject([{ email: long }]);
	});

	test('everything is checked with the real people first', async () => {
		const { parameters } = lease();
		const twice = { signatory: [ada, { ...ada, name: 'Ada Again' }] };
		const error = await failureOf(run({ ...parameters, signatories: twice }));
		expect(error.message).toBe(
			'Signatory 2, Email: "ada@example.com" is already used for Signatory 1',
		);
		const wrong = { ...v2, signatories: { signatory: [{ ...ada, email: 'ada' }] } };
		const both = await failureOf(run({ ...wrong, options: { testRecipient: 'me' } }));
		expect(both.message).toBe(
			'2 values are missing or wrong: Signatory 1, Email: "ada" isn\'t an email address; Test Recipient: "me" isn\'t an email address',
		);
		expect(creationsAt(service)).toHaveLength(0);
	});

	test.each(['', '  ', '={{ $json.missing }}'])(
		'an empty address (%j) does not send to the people',
		async (empty) => {
			const error = await failureOf(run({ ...v2, options: { testRecipient: empty } }));
			expect(error.message).toBe('Test Recipient: required, but empty');
			expect(creationsAt(service)).toHaveLength(0);
		},
	);

	test('Check Only wins', async () => {
		for (const checkOnly of ['on', 'inTestRuns']) {
			const hints: NodeExecutionHint[] = [];
			const own = { options: { ...options, checkOnly } };
			const [item] = await run({ ...v2, ...own }, { hints });
			expect(item?.json).toMatchObject({ checkOnly: true, signatories: [{ email: ada.email }] });
			expect(item?.json).not.toHaveProperty('testRecipient');
			expect(hints.map(({ message }) => message)).toEqual([
				'Everything was checked, and nothing was sent, because of Check Only. Test Recipient had no effect.',
			]);
		}
		expect(creationsAt(service)).toHaveLength(0);
	});
});

describe('with a Send Once Key', () => {
	const keyed = (more: IDataObject = {}) => ({ ...v2, options: { sendOnceKey: 'k', ...more } });
	let store: ProcessedStore;
	beforeEach(() => (store = new ProcessedStore()));

	test('no key is used up, so the real run sends', async () => {
		await run(keyed(options), { store });
		expect([store.size, store.writes]).toEqual([0, 0]);
		const [sent] = await run(keyed(), { store });
		expect(sent?.json).not.toHaveProperty('skipped');
		expect(lastBody().signatories).toEqual([ada]);
	});

	test('a used key does not skip the item', async () => {
		await run(keyed(), { store });
		const [writes] = [store.writes];
		for (let count = 0; count < 2; count++) {
			const [item] = await run(keyed(options), { store });
			expect(item?.json).toMatchObject({ testRecipient, signatories: [{ email: testRecipient }] });
		}
		expect(store.writes).toBe(writes);
	});

	test('of two items with one key, the second is skipped as it would be', async () => {
		const output = await run(keyed(options), { store, items: [{}, {}] });
		expect(output.map(({ json }) => json.skipped)).toEqual([undefined, true]);
		expect(creationsAt(service)).toHaveLength(1);
	});

	test('a lost answer says nothing of a key', async () => {
		const endpoint = 'POST /templates/createDocumentByTemplateV2';
		service.sandbox.faults.set({ endpoint, times: 1, reset: 'after' });
		const error = await failureOf(run(keyed(options), { store }));
		expect(error.message).toContain('may have been created');
		expect(error.description).not.toContain('Send Once Key');
		expect(store.size).toBe(0);
	});
});

describe('by how the execution began', () => {
	const runBegunBy = async (began: string, testRecipientOf: unknown = testRecipient) => {
		const [mode, rootExecutionMode] = began.split(' ');
		const parameters = { ...v2, options: { testRecipient: testRecipientOf } } as IDataObject;
		const setup = { parameters, mode: mode as WorkflowExecuteMode };
		const context = executeContext(service.credential(), setup);
		Object.assign(context, { additionalData: { rootExecutionMode } });
		const [[item] = []] = await action.execute.call(context);
		return [item?.json.testRecipient, (lastBody().signatories as IDataObject[])[0]?.email];
	};

	test.each(['manual', 'chat', 'evaluation', 'integrated chat'])('%s is a test', async (began) => {
		expect(await runBegunBy(began)).toEqual([testRecipient, testRecipient]);
	});

	test.each(['trigger', 'webhook', 'error', 'cli', 'agent', 'integrated trigger'])(
		'%s sends to the people, whatever the address is',
		async (began) => {
			for (const given of [testRecipient, 'me', '', '={{ $("Gone").item.json.me }}']) {
				expect(await runBegunBy(began, given)).toEqual([undefined, ada.email]);
			}
		},
	);

	test.each(['retry', 'integrated', 'integrated retry', 'another'])(
		'%s is refused, because nobody knows',
		async (began) => {
			const error = await failureOf(runBegunBy(began));
			expect(error.message).toBe("Test Recipient: can't tell whether this is a test run");
			expect(error.description).toMatch(
				/Remove this option, or run the workflow from its start\. Nothing was sent\./,
			);
			expect(creationsAt(service)).toHaveLength(0);
		},
	);
});

describe('a wait', () => {
	const mode = 'manual' as const;

	test('for a document ends with the event of the test recipient, and says so', async () => {
		const hints: NodeExecutionHint[] = [];
		const execution = await begin({ ...signing({ options }), mode, hints });
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Waiting for .* to be signed by Ada Lovelace \(me@example\.com\)$/),
			hint,
		]);
		await sign();
		expect(execution.status).toBe('success');
		expect(execution.output[0]?.json).toMatchObject({
			...{ testRecipient, completed: true, timedOut: false },
			signatories: [{ email: testRecipient, role: 'Employee', signed: true }],
		});
	});

	test('for a document without an ID ends with it, too', async () => {
		service.sandbox.settings.set({ quirks: { createAnswersOnlySuccess: true } });
		const form = { ...lease().parameters, operation: 'sendAndWait' };
		const execution = await begin({ parameters: form, mode });
		service.sandbox.settings.set({ quirks: { createAnswersOnlySuccess: false } });
		expect(execution.status).toBe('waiting');
		await sign();
		expect(execution.output[0]?.json).toMatchObject({ testRecipient, completed: true });
	});

	test('says so at its limit', async () => {
		const execution = await begin({ ...signing({ options }), mode });
		const [item] = await execution.timeOut();
		expect(item?.json).toMatchObject({ testRecipient, timedOut: true });
	});

	test('for an identity ends when the test recipient is done', async () => {
		const execution = await begin({ ...proving({ options }), mode });
		const requested = service.sandbox.identityRequests().at(-1);
		expect(JSON.stringify(requested)).toContain(testRecipient);
		await service.sandbox.completeIdentity(lastIdentity(), 'pass');
		await service.sandbox.idle();
		expect(execution.output[0]?.json).toMatchObject({
			...{ email: testRecipient, testRecipient, passed: true },
		});
	});
});

test('people by role are replaced, too', async () => {
	const signatoryRoles = mapped({ 'employee.name': ada.name, 'employee.email': ada.email });
	await run({ ...v2, signatoriesFrom: 'role', signatoryRoles, options });
	expect(lastBody().signatories).toEqual([{ ...ada, email: testRecipient }]);
});
