import { eventProblems, undoneEvents, type EventRun } from '../queue/support/checkEvents';
import { sendProblems, type SendRun } from '../queue/support/checkSends';
import { openWaits, waitProblems, type WaitRun } from '../queue/support/checkWaits';
import type { StoredExecution } from '../queue/support/database';
import { Outages } from '../queue/support/outages';

const execution = (id: string, call: string, more: Partial<StoredExecution> = {}) => ({
	...{ id, call, status: 'success', retryOf: '', created: 1000, stopped: 2000 },
	...more,
});
const crashed = { status: 'crashed' };

describe('events', () => {
	const call = { call: 'event-00001.1', event: 'event-00001', isForged: false, at: 900 };
	const run = (more: Partial<EventRun> = {}): EventRun => ({
		calls: [{ ...call, status: 200 }],
		executions: [execution('7', call.call)],
		outages: new Outages(),
		...more,
	});
	const again = { ...call, call: 'event-00001.2', status: 200 };
	const twice = { calls: [...run().calls, again] };
	const second = execution('8', again.call, { created: 5000, stopped: 6000 });

	test('one that starts its workflow is fine, and so is one that a person has to retry', () => {
		expect(eventProblems(run())).toEqual([]);
		const interrupted = run({ executions: [execution('7', call.call, crashed)] });
		expect(eventProblems(interrupted)).toEqual([]);
		expect(undoneEvents(interrupted).map(({ id }) => id)).toEqual(['7']);
		expect(undoneEvents(run())).toEqual([]);
	});

	test('one that is lost', () => {
		expect(eventProblems(run({ executions: [] }))).toEqual([
			'event-00001 is lost: event-00001.1 was answered 200.',
		]);
	});

	test('one that is executed twice, unless the process that remembers it ended', () => {
		const executions = [...run().executions, second];
		const [problem] = eventProblems(run({ ...twice, executions }));
		expect(problem).toMatch(/^event-00001 was executed twice: execution 7 .* execution 8 /);
		const outages = new Outages();
		outages.began('webhook', 'webhook', 3000);
		outages.ended('webhook', 4000);
		expect(eventProblems(run({ ...twice, executions, outages }))).toEqual([]);
	});

	test('a forged one that is accepted, or starts something', () => {
		const forged = { ...call, isForged: true };
		const accepted = run({ calls: [{ ...forged, status: 200 }] });
		expect(eventProblems(accepted)).toEqual(['The forged event-00001.1 was answered 200.']);
		const started = run({ calls: [{ ...forged, status: 401 }] });
		expect(eventProblems(started)).toEqual([
			'event-00001.1 was answered 401, and started execution 7.',
		]);
	});
});

describe('Send Once Keys', () => {
	const run = (more: Partial<SendRun> = {}): SendRun => ({
		calls: [{ call: 'send-00001.1', keys: ['a'], isAccepted: true }],
		executions: [execution('7', 'send-00001.1')],
		outputs: [{ execution: '7', key: 'a', result: 'created', document: 'x' }],
		documents: [{ document: 'x', key: 'a' }],
		outages: new Outages(),
		...more,
	});
	const output = { execution: '7', key: 'a' };

	test('one document and one output for each is fine', () => {
		expect(sendProblems(run())).toEqual([]);
	});

	test('one that is sent twice', () => {
		const documents = ['x', 'y'].map((document) => ({ document, key: 'a' }));
		expect(sendProblems(run({ documents }))).toEqual(['a was sent twice: x, y.']);
	});

	test('one that is sent and not reported, unless its execution crashed', () => {
		const outputs = [{ ...output, result: 'skipped' as const }];
		expect(sendProblems(run({ outputs }))).toEqual(['a was sent, and no output says so.']);
		const executions = [execution('7', 'send-00001.1', crashed)];
		expect(sendProblems(run({ executions, outputs: [] }))).toEqual([]);
	});

	test('one that is reported and was not sent', () => {
		expect(sendProblems(run({ documents: [] }))).toEqual([
			'Execution 7 says "created" of a, which the service does not have.',
		]);
	});

	test('"may have been created" without a reason', () => {
		const outputs = [{ ...output, result: 'mayHaveBeenCreated' as const }];
		expect(sendProblems(run({ outputs }))).toEqual([
			'Execution 7 says "mayHaveBeenCreated" of a without a reason.',
		]);
	});

	test('an execution that says nothing of a key', () => {
		expect(sendProblems(run({ outputs: [], documents: [] }))).toEqual([
			'Execution 7 succeeded for 0 of 1 keys.',
		]);
	});
});

describe('waits', () => {
	const told = { at: 5000, execution: '7', call: 'wait-00001.1', document: 'x', isCompleted: true };
	const late = { ...told, isCompleted: false, waitUntil: 5000 };
	const own = { execution: '7', document: 'x', at: 4900, answeredAt: 4950, isAccepted: true };
	const run = (more: Partial<WaitRun> = {}): WaitRun => ({
		calls: ['wait-00001.1', 'wait-00002.1'].map((call) => ({ call, isAccepted: true })),
		executions: [execution('7', 'wait-00001.1'), execution('8', 'wait-00002.1')],
		documents: [
			{ document: 'x', call: 'wait-00001.1' },
			{ document: 'y', call: 'wait-00002.1' },
		],
		signedAt: new Map([
			['x', 4000],
			['y', 4000],
		]),
		deliveries: [own],
		told: [told, { ...told, execution: '8', call: 'wait-00002.1', document: 'y' }],
		...{ at: 100_000, webhooks: [], outages: new Outages() },
		...more,
	});
	const other = run().told.slice(1);

	test('one that ends by its own event or its limit is fine', () => {
		expect(waitProblems(run())).toEqual([]);
		expect(waitProblems(run({ told: [late, ...other], deliveries: [] }))).toEqual([]);
		expect(openWaits(run({ told: other }))).toEqual(['wait-00001.1']);
	});

	test("one that ends by another's event", () => {
		expect(waitProblems(run({ told: [{ ...told, document: 'y' }, ...other] }))).toEqual([
			'The wait of wait-00001.1 (execution 7) ended by the event of wait-00002.1 (document y).',
		]);
		expect(waitProblems(run({ told: [{ ...told, execution: '8' }, ...other] }))).toContain(
			'The wait of wait-00001.1 (execution 8) ended in that of another.',
		);
	});

	test('one that ends before its document is signed, or before its limit', () => {
		expect(waitProblems(run({ told: [{ ...told, at: 3000 }, ...other] }))).toEqual([
			'The wait of wait-00001.1 (execution 7) continued as completed before document x was signed.',
		]);
		const early = { ...late, at: 2000 };
		expect(waitProblems(run({ told: [early, ...other], deliveries: [] }))).toEqual([
			'The wait of wait-00001.1 (execution 7) timed out 3000 ms before its limit.',
		]);
	});

	test('an accepted event that ends nothing', () => {
		const executions = [
			execution('7', 'wait-00001.1', { status: 'waiting', stopped: undefined }),
			execution('8', 'wait-00002.1'),
		];
		expect(waitProblems(run({ executions, told: other, webhooks: ['7'] }))).toEqual([
			'The event of wait-00001.1 was accepted, and execution 7 did not continue.',
		]);
		expect(waitProblems(run({ executions, told: other, deliveries: [] }))).toEqual([
			'Execution 7 waits for wait-00001.1 without a webhook.',
		]);
	});

	test('one that sends or continues twice, or leaves its webhook', () => {
		const documents = [...run().documents, { document: 'z', call: 'wait-00002.1' }];
		expect(waitProblems(run({ documents }))).toEqual(['wait-00002.1 was sent 2 times: y, z.']);
		expect(waitProblems(run({ told: [told, told, ...other] }))).toEqual([
			'The wait of wait-00001.1 continued twice, in 7.',
		]);
		expect(waitProblems(run({ webhooks: ['7'] }))).toEqual([
			'The wait of wait-00001.1 (execution 7) left its webhook.',
		]);
	});
});
